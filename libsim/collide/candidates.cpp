#include "collide/candidates.hpp"

#include <algorithm>

#include "collide/moving_frames.hpp"
#include "collide/pair_test.hpp"
#include "collide/verlet_list.hpp"
#include "math/parallel.hpp"

namespace sim {

namespace {

constexpr Index chunk = 4096;

struct CannotMeet {
  ReachOfPair reach;
  bool vertex_face(Index vertex, Index triangle, const Triangle& corners) const {
    return vertex_face_cannot_meet(reach.of(vertex, corners[0]), vertex, triangle, corners);
  }
  bool edge_edge(Index a, const Edge& a_ends, Index b, const Edge& b_ends) const {
    return edge_edge_cannot_meet(reach.of(a_ends[0], b_ends[0]), a, a_ends, b, b_ends);
  }
};

CannotMeet cannot_meet(const CollisionSurface& surface, const Detection& detection) {
  return {{surface, detection.own, detection.reach, detection.own.reach}};
}

// Those of `pairs` that are not `apart`, in their order.
template <class Apart>
void keep_near(const std::vector<Pair>& pairs, const Apart& apart, std::vector<Detection::Work>& work,
               std::vector<Pair>& kept) {
  const auto count = static_cast<Index>(pairs.size()), chunks = (count + chunk - 1) / chunk;
  if (static_cast<Index>(work.size()) < chunks) work.resize(static_cast<std::size_t>(chunks));
  parallel_for(chunks, 1, [&](Index c, Index) {
    std::vector<Pair>& found = work[c].vertex_face;
    found.clear();
    for (Index i = c * chunk; i < std::min(count, (c + 1) * chunk); ++i) {
      if (!apart(pairs[i])) found.push_back(pairs[i]);
    }
  });
  kept.clear();
  for (Index c = 0; c < chunks; ++c) kept.insert(kept.end(), work[c].vertex_face.begin(), work[c].vertex_face.end());
}

// Of the pairs whose skins overlap those that may meet.
void keep_candidates(const CollisionSurface& surface, Detection& detection, Candidates& candidates) {
  const CannotMeet apart = cannot_meet(surface, detection);
  keep_near(
      detection.near.vertex_face,
      [&](Pair p) { return apart.vertex_face(p.first, p.second, surface.triangles[p.second]); }, detection.work,
      candidates.vertex_face);
  keep_near(
      detection.near.edge_edge,
      [&](Pair p) { return apart.edge_edge(p.first, surface.edges[p.first], p.second, surface.edges[p.second]); },
      detection.work, candidates.edge_edge);
}

// Coordinates in the common frame are rounded as those that they come from.
void widen_rounding(const CollisionSurface& surface, const VecX& x, Detection& detection) {
  if (!detection.common.any) return;
  for (const Index v : surface.vertices) widen_rounding(block(x, v), detection.reach);
}

}  // namespace

std::array<Index, 4> stencil(const CollisionSurface& surface, ContactKind kind, Pair pair) {
  if (kind == ContactKind::vertex_face) {
    const Triangle& t = surface.triangles[pair.second];
    return {pair.first, t[0], t[1], t[2]};
  }
  if (kind == ContactKind::limit) {
    const auto [a, b] = surface.limits[pair.first].vertices;
    return {a, b, b, b};
  }
  const Edge &a = surface.edges[pair.first], &b = surface.edges[pair.second];
  return {a[0], a[1], b[0], b[1]};
}

void find_candidates(const CollisionSurface& surface, const StepMotion& motion, const DetectionOptions& options,
                     Detection& detection, Candidates& candidates) {
  const StepMotion seen = in_common_frame(surface, motion, options, detection);
  compute_reach(surface, seen, options, detection.reach);
  widen_rounding(surface, motion.x0, detection);
  find_own_frames(surface, seen, options, detection);
  update_near(surface, seen, options, detection);
  keep_candidates(surface, detection, candidates);
}

void find_candidates(const CollisionSurface& surface, std::span<const Box> vertex_boxes, const StepMotion& next,
                     const DetectionOptions& options, Detection& detection, Candidates& candidates) {
  leave_common_frame(detection);
  compute_reach(surface, vertex_boxes, options.separation, detection.reach);
  detection.own.any = false;
  update_near(surface, next, options, detection);
  keep_candidates(surface, detection, candidates);
}

void find_escaped(const CollisionSurface& surface, const VecX& x1, Detection& detection,
                  std::vector<Index>& escaped) {
  escaped.clear();
  const OwnFrames& own = detection.own;
  const VecX& ends = ends_in_common_frame(surface, x1, detection);
  std::vector<std::uint8_t> leaves;
  if (own.any) leaves = find_mean_ways(surface, ends, detection);
  for (const Index v : surface.vertices) {
    const Vec3 end = block(ends, v);
    const Index object = surface.vertex_object[v];
    const double radius = surface.radius_of(v);
    if (!contains(detection.reach.vertex[v], end, radius) ||
        (own.any && (leaves[object] != 0 || !contains(own.reach.vertex[v], end - way_of(own, object), radius))))
      escaped.push_back(v);
  }
}

void look_up_again(const CollisionSurface& surface, std::span<const Index> escaped, const VecX& x0, const VecX& x1,
                   const DetectionOptions& options, Detection& detection, Candidates& candidates, Candidates& added) {
  std::vector<Index> finite, triangles;
  std::copy_if(escaped.begin(), escaped.end(), std::back_inserter(finite),
               [&](Index v) { return block(x1, v).allFinite(); });
  const VecX &from = detection.common.any ? detection.common.x0 : x0,
             &to = ends_in_common_frame(surface, x1, detection);
  extend_reach(surface, finite, from, to, options, detection.reach);
  for (const Index v : finite) widen_rounding(block(x1, v), detection.reach);
  OwnFrames& own = detection.own;
  if (own.any) {
    VecX end = to;
    for (const Index v : finite) block(end, v) -= way_of(own, surface.vertex_object[v]);
    extend_reach(surface, finite, from, end, options, own.reach);
    own.reach.rounding = std::max(own.reach.rounding, detection.reach.rounding);
  }
  triangles_around(surface, finite, triangles);
  for (const Index t : triangles) {
    extend(hull(detection.skin.triangle[t], detection.reach.triangle[t]), options.separation, t, detection.bvh);
    if (own.any)
      extend_own(surface, own.frame, hull(own.skin.triangle[t], own.reach.triangle[t]), options.separation, t,
                 detection.bvh);
  }
  test_neighbours(PairTest<CannotMeet>{surface, cannot_meet(surface, detection)}, triangles, detection);
  Detection::Work& work = detection.work.front();
  merge_new(work.vertex_face, candidates.vertex_face, added.vertex_face, detection.merged);
  merge_new(work.edge_edge, candidates.edge_edge, added.edge_edge, detection.merged);
}

}  // namespace sim
