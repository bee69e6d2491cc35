#include "model/lever.hpp"

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

std::vector<Mat3> ways_of_turn(const Model& model, double time, double dt) {
  if (model.surface.object_radius.empty()) return {};
  std::vector<Mat3> result(model.objects.size(), Mat3::Zero());
  for (const PrescribedVertices& one : model.prescribed) {
    if (one.vertices.empty() || one.motion.stands_still()) continue;
    const Index object = model.surface.vertex_object[one.vertices.front()];
    if (model.objects[object].type != ObjectType::scripted) continue;
    result[object] = Mat3::Identity() - one.motion.pose(time).turn * one.motion.pose(time + dt).turn.transpose();
  }
  return result;
}

}  // namespace sim
