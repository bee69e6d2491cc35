#include "collide/candidates.hpp"

#include <algorithm>
#include <bit>

#include "math/parallel.hpp"

namespace sim {

namespace {

constexpr Index work_items_wanted = 256;

// The pairs that two triangles stand for (surface.hpp), as far as they may meet.
struct PairTest {
  const CollisionSurface& surface;
  const Reach& reach;

  bool moves(Index v) const { return surface.vertex_moves[v] != 0; }
  bool moves(const Triangle& t) const { return moves(t[0]) || moves(t[1]) || moves(t[2]); }
  bool moves(const Edge& e) const { return moves(e[0]) || moves(e[1]); }

  void vertices_of(Index s, Index t, std::vector<Pair>& found) const {
    const Triangle& face = surface.triangles[t];
    if (!is_face(face)) return;
    for (unsigned rest = surface.owned[s] & 7U; rest != 0; rest &= rest - 1) {
      const Index v = surface.triangles[s][std::countr_zero(rest)];
      if (shares_vertex(face, v) || vertex_face_cannot_meet(reach, v, t, face)) continue;
      if (moves(v) || moves(face)) found.push_back({v, t});
    }
  }

  void edges_of(Index s, Index t, std::vector<Pair>& found) const {
    for (unsigned rest_a = surface.owned[s] >> 3U; rest_a != 0; rest_a &= rest_a - 1) {
      const Index a = surface.triangle_edges[s][std::countr_zero(rest_a)];
      const Edge& a_ends = surface.edges[a];
      for (unsigned rest_b = surface.owned[t] >> 3U; rest_b != 0; rest_b &= rest_b - 1) {
        const Index b = surface.triangle_edges[t][std::countr_zero(rest_b)];
        const Edge& b_ends = surface.edges[b];
        if (shares_vertex(a_ends, b_ends) || edge_edge_cannot_meet(reach, a, a_ends, b, b_ends)) continue;
        if (moves(a_ends) || moves(b_ends)) found.push_back({std::min(a, b), std::max(a, b)});
      }
    }
  }

  void operator()(Index s, Index t, Detection::Work& work) const {
    if (surface.never_touch(s, t)) return;
    vertices_of(s, t, work.vertex_face);
    vertices_of(t, s, work.vertex_face);
    edges_of(s, t, work.edge_edge);
  }
};

// Sorts what all items found: counted by `first` into groups, each of which is short.
void gather(const std::vector<Detection::Work>& work, std::vector<Pair> Detection::Work::*list, std::size_t firsts,
            std::vector<Index>& begin, std::vector<Pair>& sorted) {
  begin.assign(firsts + 2, 0);
  for (const Detection::Work& w : work) {
    for (const Pair& pair : w.*list) ++begin[pair.first + 2];
  }
  for (std::size_t i = 2; i < begin.size(); ++i) begin[i] += begin[i - 1];
  sorted.resize(static_cast<std::size_t>(begin.back()));
  for (const Detection::Work& w : work) {
    for (const Pair& pair : w.*list) sorted[begin[pair.first + 1]++] = pair;
  }
  for (std::size_t i = 0; i < firsts; ++i) std::sort(sorted.begin() + begin[i], sorted.begin() + begin[i + 1]);
}

void refresh_tree(const CollisionSurface& surface, const DetectionOptions& options, Detection& detection) {
  Bvh& bvh = detection.bvh;
  const bool fits = bvh.leaf_of_triangle.size() == surface.triangles.size();
  if (fits) refit(detection.reach.triangle, options.separation, bvh);
  if (fits && bvh.cost <= options.rebuild_ratio * bvh.built_cost) return;
  build(surface, detection.reach.triangle, options.separation, bvh);
  ++detection.rebuilds;
}

// Takes those that are not in `known` from `found`, sorted, and puts them into both lists.
void merge_new(std::vector<Pair>& found, std::vector<Pair>& known, std::vector<Pair>& added,
               std::vector<Pair>& merged) {
  std::sort(found.begin(), found.end());
  found.erase(std::unique(found.begin(), found.end()), found.end());
  added.clear();
  std::set_difference(found.begin(), found.end(), known.begin(), known.end(), std::back_inserter(added));
  if (added.empty()) return;
  merged.clear();
  std::merge(known.begin(), known.end(), added.begin(), added.end(), std::back_inserter(merged));
  known.swap(merged);
}

// All pairs whose reaches do not keep them apart.
void search_reach(const CollisionSurface& surface, const DetectionOptions& options, Detection& detection,
                  Candidates& candidates) {
  refresh_tree(surface, options, detection);
  split_work(detection.bvh, work_items_wanted, detection.work_items);
  const auto items = static_cast<Index>(detection.work_items.size());
  if (detection.work.size() < detection.work_items.size()) detection.work.resize(detection.work_items.size());
  for (Detection::Work& work : detection.work) {
    work.vertex_face.clear();
    work.edge_edge.clear();
  }
  const PairTest test{surface, detection.reach};
  parallel_for(items, 1, [&](Index item, Index) {
    Detection::Work& work = detection.work[item];
    visit_pairs(detection.bvh, detection.work_items[item], [&](Index s, Index t) { test(s, t, work); });
  });
  gather(detection.work, &Detection::Work::vertex_face, surface.vertex_object.size(), detection.group_begin,
         candidates.vertex_face);
  gather(detection.work, &Detection::Work::edge_edge, surface.edges.size(), detection.group_begin,
         candidates.edge_edge);
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
  compute_reach(surface, motion, options, detection.reach);
  search_reach(surface, options, detection, candidates);
}

void find_candidates(const CollisionSurface& surface, std::span<const Box> vertex_boxes,
                     const DetectionOptions& options, Detection& detection, Candidates& candidates) {
  compute_reach(surface, vertex_boxes, options.separation, detection.reach);
  search_reach(surface, options, detection, candidates);
}

void find_escaped(const CollisionSurface& surface, const VecX& x1, const Detection& detection,
                  std::vector<Index>& escaped) {
  escaped.clear();
  for (const Index v : surface.vertices) {
    if (!contains(detection.reach.vertex[v], block(x1, v), surface.radius_of(v))) escaped.push_back(v);
  }
}

void look_up_again(const CollisionSurface& surface, std::span<const Index> escaped, const VecX& x0, const VecX& x1,
                   const DetectionOptions& options, Detection& detection, Candidates& candidates, Candidates& added) {
  std::vector<Index> finite, triangles;
  std::copy_if(escaped.begin(), escaped.end(), std::back_inserter(finite),
               [&](Index v) { return block(x1, v).allFinite(); });
  extend_reach(surface, finite, x0, x1, options, detection.reach);
  for (const Index v : finite) {
    const auto around = surface.vertex_triangles.of(v);
    triangles.insert(triangles.end(), around.begin(), around.end());
  }
  std::sort(triangles.begin(), triangles.end());
  triangles.erase(std::unique(triangles.begin(), triangles.end()), triangles.end());
  for (const Index t : triangles) extend(detection.reach.triangle[t], options.separation, t, detection.bvh);

  detection.work.resize(std::max<std::size_t>(detection.work.size(), 1));
  Detection::Work& work = detection.work.front();
  work.vertex_face.clear();
  work.edge_edge.clear();
  const PairTest test{surface, detection.reach};
  for (const Index s : triangles) {
    visit_neighbours(detection.bvh, s, [&](Index t) { test(s, t, work); });
  }
  merge_new(work.vertex_face, candidates.vertex_face, added.vertex_face, detection.merged);
  merge_new(work.edge_edge, candidates.edge_edge, added.edge_edge, detection.merged);
}

}  // namespace sim
