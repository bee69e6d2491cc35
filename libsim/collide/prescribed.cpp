#include "collide/prescribed.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "collide/contact.hpp"
#include "collide/contact_geometry.hpp"
#include "collide/pair_test.hpp"

namespace sim {

namespace {

constexpr double rounding = 64 * std::numeric_limits<double>::epsilon();  // of coordinates

struct NoneApart {
  bool vertex_face(Index, Index, const Triangle&) const { return false; }
  bool edge_edge(Index, const Edge&, Index, const Edge&) const { return false; }
};

// By object: whether a vertex of it moves.
std::vector<std::uint8_t> bodies_of(const CollisionSurface& surface) {
  std::vector<std::uint8_t> bodies(surface.object_open.size(), 0);
  for (const Index v : surface.vertices) {
    if (surface.vertex_moves[v] != 0) bodies[surface.vertex_object[v]] = 1;
  }
  return bodies;
}

// Whether some vertices of a body are prescribed.
bool is_held_in_part(const CollisionSurface& surface) {
  const std::vector<std::uint8_t> bodies = bodies_of(surface);
  return std::any_of(surface.vertices.begin(), surface.vertices.end(),
                     [&](Index v) { return surface.vertex_moves[v] == 0 && bodies[surface.vertex_object[v]] != 0; });
}

// The same way for all four; or in touch at the start, where nothing thick has its own measure of that (check.hpp).
bool stay_together(const CollisionSurface& surface, ContactKind kind, const std::array<Index, 4>& vertices,
                   const VecX& x0, const VecX& x1) {
  double size = 0, apart = 0;
  const Vec3 way = block(x1, vertices[0]) - block(x0, vertices[0]);
  for (const Index v : vertices) {
    size = std::max({size, block(x0, v).cwiseAbs().maxCoeff(), block(x1, v).cwiseAbs().maxCoeff()});
    apart = std::max(apart, (block(x1, v) - block(x0, v) - way).cwiseAbs().maxCoeff());
  }
  if (apart <= rounding * size) return true;
  if (pair_thickness(surface, kind, vertices) > 0) return false;
  return nearest_points(kind, gather(vertices, x0)).r.norm() <= rounding * size;
}

void find_pairs(const CollisionSurface& surface, const Bvh& bvh, Candidates& pairs) {
  const std::vector<std::uint8_t> bodies = bodies_of(surface);
  const PairTest<NoneApart> test{.surface = surface, .apart = {}, .prescribed = true};
  Detection::Work work;
  for (Index s = 0; s < static_cast<Index>(surface.triangles.size()); ++s) {
    const Index object = surface.object_of_triangle(s);
    const Triangle& t = surface.triangles[s];
    if (bodies[object] == 0 || std::all_of(t.begin(), t.end(), [&](Index v) { return test.moves(v); })) continue;
    visit_overlapping(bvh, s, [&](Index other) {
      if (surface.object_of_triangle(other) != object) test(s, other, work);
    });
  }
  const auto take = [](std::vector<Pair>& from, std::vector<Pair>& to) {
    std::sort(from.begin(), from.end());
    from.erase(std::unique(from.begin(), from.end()), from.end());
    to = std::move(from);
  };
  take(work.vertex_face, pairs.vertex_face);
  take(work.edge_edge, pairs.edge_edge);
}

std::optional<Hit> first_crossing(const CollisionSurface& surface, const VecX& x0, const VecX& x1,
                                  const DetectionOptions& options, const Bvh& bvh) {
  Candidates pairs;
  find_pairs(surface, bvh, pairs);
  DetectionOptions touching = options;
  touching.separation = 0;
  CheckBuffers buffers;
  std::vector<Hit> hits;
  check_candidates(surface, pairs, x0, x1, touching, buffers, hits);
  for (const Hit& hit : hits) {
    if (!stay_together(surface, hit.kind, stencil(surface, hit.kind, hit.pair), x0, x1)) return hit;
  }
  return {};
}

bool may_cross(const CollisionSurface& surface, const VecX& x0, const VecX& x1) {
  return anything_prescribed_moves(surface, x0, x1) && is_held_in_part(surface);
}

}  // namespace

bool anything_prescribed_moves(const CollisionSurface& surface, const VecX& x0, const VecX& x1) {
  return std::any_of(surface.vertices.begin(), surface.vertices.end(),
                     [&](Index v) { return surface.vertex_moves[v] == 0 && block(x0, v) != block(x1, v); });
}

std::optional<Hit> find_prescribed_crossing(const CollisionSurface& surface, const VecX& x0, const VecX& x1,
                                            const DetectionOptions& options, const Detection& detection) {
  if (!may_cross(surface, x0, x1)) return {};
  return first_crossing(surface, x0, x1, options, detection.bvh);
}

std::optional<Hit> find_prescribed_crossing(const CollisionSurface& surface, const VecX& x0, const VecX& x1,
                                            const DetectionOptions& options) {
  if (!may_cross(surface, x0, x1)) return {};
  CollisionSurface thin = surface;
  thin.object_radius.clear();
  std::vector<Box> boxes(static_cast<std::size_t>(x0.size() / 3));
  for (Index i = 0; i < static_cast<Index>(boxes.size()); ++i) {
    boxes[i].low << block(x0, i).cwiseMin(block(x1, i)), 0;
    boxes[i].high << block(x0, i).cwiseMax(block(x1, i)), 0;
  }
  Reach reach;
  compute_reach(thin, boxes, options.separation, reach);
  Bvh bvh;
  build(thin, reach.triangle, options.separation, bvh);
  return first_crossing(thin, x0, x1, options, bvh);
}

}  // namespace sim
