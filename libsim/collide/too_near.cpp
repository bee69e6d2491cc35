#include "collide/too_near.hpp"

#include <limits>
#include <map>

#include "collide/check.hpp"
#include "collide/contact.hpp"
#include "collide/contact_geometry.hpp"

namespace sim {

namespace {

void find_candidates_at_rest(const CollisionSurface& surface, const VecX& x, const DetectionOptions& options,
                             Candidates& candidates) {
  const VecX still = VecX::Zero(x.size());
  Detection detection;
  find_candidates(surface, {x, still, 0}, options, detection, candidates);
}

class TooNearList {
 public:
  TooNearList(const CollisionSurface& surface, const VecX& x) : surface_(surface), x_(x) {}

  double distance(ContactKind kind, const std::array<Index, 4>& vertices) const {
    return nearest_points(kind, gather(vertices, x_)).r.norm();
  }
  void add(const std::array<Index, 4>& vertices, double distance, double thickness) {
    const std::array<Index, 2> objects = objects_of(surface_, vertices);
    TooNear& near = found_.try_emplace(objects, TooNear{objects[0], objects[1], distance, thickness}).first->second;
    near.distance = std::min(near.distance, distance);
  }
  std::vector<TooNear> list() const {
    std::vector<TooNear> all;
    for (const auto& [objects, near] : found_) all.push_back(near);
    return all;
  }

 private:
  const CollisionSurface& surface_;
  const VecX& x_;
  std::map<std::array<Index, 2>, TooNear> found_;
};

}  // namespace

std::vector<TooNear> nearer_than_thickness(const CollisionSurface& surface, const VecX& x) {
  if (surface.object_radius.empty()) return {};
  Candidates candidates;
  DetectionOptions options;
  options.margin = 0;
  find_candidates_at_rest(surface, x, options, candidates);
  TooNearList found(surface, x);
  const auto look = [&](ContactKind kind, Pair pair) {
    const std::array<Index, 4> vertices = stencil(surface, kind, pair);
    const double thickness = pair_thickness(surface, kind, vertices);
    if (thickness == 0) return;
    const double distance = found.distance(kind, vertices);
    if (distance <= thickness) found.add(vertices, distance, thickness);
  };
  for (const Pair pair : candidates.vertex_face) look(ContactKind::vertex_face, pair);
  for (const Pair pair : candidates.edge_edge) look(ContactKind::edge_edge, pair);
  return found.list();
}

std::vector<TooNear> touching(const CollisionSurface& surface, const VecX& x) {
  const DetectionOptions options;
  Candidates candidates;
  find_candidates_at_rest(surface, x, options, candidates);
  CheckBuffers buffers;
  std::vector<Hit> hits;
  check_candidates(surface, candidates, x, x, options, buffers, hits);
  TooNearList found(surface, x);
  for (const Hit& hit : hits) {
    const std::array<Index, 4> vertices = stencil(surface, hit.kind, hit.pair);
    found.add(vertices, found.distance(hit.kind, vertices), 0);
  }
  // Beside the large triangle of a half-space nothing tells gaps apart that are below its rounding.
  for (const Pair pair : candidates.vertex_face) {
    const std::array<Index, 4> vertices = stencil(surface, ContactKind::vertex_face, pair);
    if (!surface.is_half_space(surface.vertex_object[vertices[1]])) continue;
    const double size = (block(x, vertices[1]) - block(x, vertices[0])).norm();
    const double distance = found.distance(ContactKind::vertex_face, vertices);
    if (distance < std::numeric_limits<double>::epsilon() * size) found.add(vertices, distance, 0);
  }
  return found.list();
}

}  // namespace sim
