#include "asynchronous/thickness.hpp"

#include <algorithm>
#include <map>

#include "asynchronous/pair_force.hpp"
#include "model/state.hpp"

namespace sim {

double Thickness::between(Index a, Index b) const {
  const std::array<Index, 2> wanted = ascending(a, b);
  const auto found = std::ranges::lower_bound(close, wanted, {}, &CloseObjects::objects);
  return found != close.end() && found->objects == wanted ? found->distance : most;
}

void for_each_near(const CollisionSurface& surface, const VecX& x, double distance, Detection& detection,
                   const SeePair& see) {
  std::vector<Box> boxes(surface.vertex_object.size());
  for (const Index i : surface.vertices) {
    const Eigen::Array4d p(x[3 * i], x[3 * i + 1], x[3 * i + 2], 0.0);
    boxes[i] = {p, p};
  }
  Candidates candidates;
  const VecX still = VecX::Zero(x.size());
  find_candidates(surface, boxes, {x, still, 0}, {.separation = distance}, detection, candidates);
  const auto look = [&](ContactKind kind, const std::vector<Pair>& pairs) {
    for (const Pair& pair : pairs) {
      const std::array<Index, 4> vertices = stencil(surface, kind, pair);
      std::array<Vec3, 4> corners;
      for (std::size_t k = 0; k < 4; ++k) corners[k] = block(x, vertices[k]);
      const double d = nearest_of(kind, corners).distance;
      if (d < distance) see({kind, pair, vertices, d});
    }
  };
  look(ContactKind::vertex_face, candidates.vertex_face);
  look(ContactKind::edge_edge, candidates.edge_edge);
}

Thickness find_thickness(const Model& model, double most) {
  std::map<std::array<Index, 2>, double> nearest;
  Detection detection;
  for_each_near(model.surface, initial_state(model).x, most, detection, [&](const NearPair& near) {
    const std::array<Index, 2> objects = objects_of(model.surface, near.vertices);
    if (objects[0] == objects[1]) return;
    double& known = nearest.try_emplace(objects, near.distance).first->second;
    known = std::min(known, near.distance);
  });
  Thickness thickness{most, {}};
  for (const auto& [objects, d] : nearest) thickness.close.push_back({objects, d});
  return thickness;
}

double pair_thickness(const Model& model, const Thickness& thickness, ContactKind kind,
                      const std::array<Index, 4>& vertices) {
  const auto& object = model.surface.vertex_object;
  if (object[vertices[0]] != object[vertices[3]])
    return thickness.close.empty() ? thickness.most : thickness.between(object[vertices[0]], object[vertices[3]]);
  std::array<Vec3, 4> rest;
  for (std::size_t k = 0; k < 4; ++k) rest[k] = model.mesh.vertices[vertices[k]];
  return std::min(thickness.most, 0.5 * nearest_of(kind, rest).distance);
}

}  // namespace sim
