#include "model/lever.hpp"

#include <algorithm>

namespace sim {

namespace {

int how_firm(const Model& model, Index vertex) {
  switch (model.objects[model.surface.vertex_object[vertex]].type) {
    case ObjectType::deformable:
      return 0;
    case ObjectType::rigid:
      return 1;
    case ObjectType::scripted:
    case ObjectType::fixed:
      return 2;
  }
  return 0;
}

}  // namespace

Lever lever_of(const Model& model, const Contact& contact) {
  if (!(contact.thickness > 0)) return {};
  const Index mine = contact.vertices[0], other = contact.vertices[3];
  const int of_mine = how_firm(model, mine), of_other = how_firm(model, other);
  if (of_mine == of_other) return {};
  // Mine has weights that sum to 1 and reaches by -h n, the other's sum to -1 and it reaches by h n.
  return {of_mine > of_other ? mine : other, -contact.thickness * contact.n};
}

Mat3 way_of_turn(const Model& model, Index object, double time, double dt) {
  if (model.objects[object].type != ObjectType::scripted) return Mat3::Zero();
  const auto entry =
      std::find_if(model.prescribed.begin(), model.prescribed.end(), [&](const PrescribedVertices& one) {
        return !one.vertices.empty() && model.surface.vertex_object[one.vertices.front()] == object;
      });
  if (entry == model.prescribed.end() || entry->motion.stands_still()) return Mat3::Zero();
  return Mat3::Identity() - entry->motion.pose(time).turn * entry->motion.pose(time + dt).turn.transpose();
}

}  // namespace sim
