#include "collide/too_near.hpp"

#include <map>

#include "collide/contact.hpp"
#include "collide/contact_geometry.hpp"

namespace sim {

std::vector<TooNear> nearer_than_thickness(const CollisionSurface& surface, const VecX& x) {
  if (surface.object_radius.empty()) return {};
  const VecX still = VecX::Zero(x.size());
  Detection detection;
  Candidates candidates;
  DetectionOptions options;
  options.margin = 0;
  find_candidates(surface, {x, still, 0}, options, detection, candidates);
  std::map<std::array<Index, 2>, TooNear> found;
  const auto look = [&](ContactKind kind, Pair pair) {
    const std::array<Index, 4> vertices = stencil(surface, kind, pair);
    const double thickness = pair_thickness(surface, kind, vertices);
    if (thickness == 0) return;
    const double distance = nearest_points(kind, gather(vertices, x)).r.norm();
    if (distance > thickness) return;
    const std::array<Index, 2> objects = objects_of(surface, vertices);
    TooNear& near = found.try_emplace(objects, TooNear{objects[0], objects[1], distance, thickness}).first->second;
    near.distance = std::min(near.distance, distance);
  };
  for (const Pair pair : candidates.vertex_face) look(ContactKind::vertex_face, pair);
  for (const Pair pair : candidates.edge_edge) look(ContactKind::edge_edge, pair);
  std::vector<TooNear> list;
  for (const auto& [objects, near] : found) list.push_back(near);
  return list;
}

}  // namespace sim
