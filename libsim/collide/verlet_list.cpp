#include "collide/verlet_list.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "collide/moving_frames.hpp"
#include "collide/pair_test.hpp"
#include "math/parallel.hpp"

namespace sim {

namespace {

constexpr Index chunk = 2048;
constexpr Index work_items_wanted = 256;

// Skins look so many steps ahead, but no farther than a part of the edges; they are wider than that by a part of it,
// and by a part of the edges at least (docs/decisions/detection.md has the measurement).
constexpr double steps_ahead = 16, edges_ahead = 0.25, wider_ahead = 0.25, edges_wider = 0.02;

struct SkinsApart {
  ReachOfPair of_pair;
  bool vertex_face(Index vertex, Index triangle, const Triangle& corners) const {
    const Reach& skin = of_pair.of(vertex, corners[0]);
    return boxes_apart(skin.vertex[vertex], skin.triangle[triangle], skin.separation);
  }
  bool edge_edge(Index a, const Edge& a_ends, Index b, const Edge& b_ends) const {
    const Reach& skin = of_pair.of(a_ends[0], b_ends[0]);
    return boxes_apart(skin.edge[a], skin.edge[b], skin.separation);
  }
};

bool contains(const Box& outer, const Box& inner) {
  return (outer.low <= inner.low).all() && (inner.high <= outer.high).all();
}

Box skin_of(const Box& reach, const Vec3& way_of_a_step, double edge) {
  Vec3 way = steps_ahead * way_of_a_step;
  const double length = way.cwiseAbs().maxCoeff(), most = edges_ahead * edge;
  if (length > most) way *= most / length;
  const double wider = std::max(edges_wider * edge, wider_ahead * std::min(length, most));
  const Eigen::Array4d shift(way[0], way[1], way[2], 0), all(wider, wider, wider, 0);
  return {reach.low.min(reach.low + shift) - all, reach.high.max(reach.high + shift) + all};
}

// m, the mean edge of the finest object that moves; 0: none does.
double finest_edge(const CollisionSurface& surface, const VecX& x) {
  struct Mean {
    double sum = 0, count = 0;
  };
  std::vector<Mean> of_object(surface.object_open.size());
  for (const Edge& e : surface.edges) {
    if (surface.vertex_moves[e[0]] == 0 && surface.vertex_moves[e[1]] == 0) continue;
    Mean& mean = of_object[surface.vertex_object[e[0]]];
    mean.sum += (block(x, e[1]) - block(x, e[0])).norm();
    ++mean.count;
  }
  double finest = std::numeric_limits<double>::infinity();
  for (const Mean& mean : of_object) {
    if (mean.count > 0) finest = std::min(finest, mean.sum / mean.count);
  }
  return std::isfinite(finest) ? finest : 0;
}

SkinsApart skins_apart(const CollisionSurface& surface, const Detection& detection) {
  return {{surface, detection.own, detection.skin, detection.own.skin}};
}

// A skin of the reaches that it is for, and the motion of which they are.
struct Layer {
  const Reach& reach;
  StepMotion motion;
  Reach& skin;
};

void set_skin(const CollisionSurface& surface, Index v, double edge, Layer layer) {
  const Vec3 speed = block(layer.motion.v, v);
  layer.skin.vertex[v] = surface.vertex_moves[v] != 0 || !speed.isZero(0)
                             ? skin_of(layer.reach.vertex[v], layer.motion.dt * speed, edge)
                             : layer.reach.vertex[v];
}

Box skin_of_edge(const CollisionSurface& surface, const Reach& skin, Index e) {
  return hull(skin.vertex[surface.edges[e][0]], skin.vertex[surface.edges[e][1]]);
}

Box skin_of_triangle(const CollisionSurface& surface, const Reach& skin, Index t) {
  return hull(skin.edge[surface.triangle_edges[t][0]], skin.vertex[surface.triangles[t][2]]);
}

template <class Work>
void for_all(std::size_t count, const Work& work) {
  parallel_for(static_cast<Index>(count), chunk, [&](Index begin, Index end) {
    for (Index i = begin; i < end; ++i) work(i);
  });
}

void set_all_skins(const CollisionSurface& surface, double edge, Layer layer) {
  Reach& skin = layer.skin;
  skin.vertex.resize(layer.reach.vertex.size());
  skin.edge.resize(layer.reach.edge.size());
  skin.triangle.resize(layer.reach.triangle.size());
  skin.separation = layer.reach.separation;
  for_all(surface.vertices.size(), [&](Index i) { set_skin(surface, surface.vertices[i], edge, layer); });
  for_all(skin.edge.size(), [&](Index e) { skin.edge[e] = skin_of_edge(surface, skin, e); });
  for_all(skin.triangle.size(), [&](Index t) { skin.triangle[t] = skin_of_triangle(surface, skin, t); });
}

void refresh_tree(const CollisionSurface& surface, const DetectionOptions& options, Detection& detection) {
  Bvh& bvh = detection.bvh;
  const bool fits = bvh.leaf_of_triangle.size() == surface.triangles.size();
  if (fits) refit(detection.skin.triangle, options.separation, bvh);
  if (fits && bvh.cost <= options.rebuild_ratio * bvh.built_cost) return;
  build(surface, detection.skin.triangle, options.separation, bvh);
  ++detection.rebuilds;
}

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

// Detection::near of the skins as they are, by the tree.
void search_skins(const CollisionSurface& surface, const DetectionOptions& options, Detection& detection) {
  refresh_tree(surface, options, detection);
  if (detection.own.any) {
    refit_own(surface, detection.own.frame, detection.own.skin.triangle, options.separation, detection.bvh);
  } else {
    detection.bvh.own.clear();
  }
  split_work(detection.bvh, work_items_wanted, detection.work_items);
  const auto items = static_cast<Index>(detection.work_items.size());
  if (detection.work.size() < detection.work_items.size()) detection.work.resize(detection.work_items.size());
  for (Detection::Work& work : detection.work) {
    work.vertex_face.clear();
    work.edge_edge.clear();
  }
  const PairTest<SkinsApart> test{surface, skins_apart(surface, detection)};
  parallel_for(items, 1, [&](Index item, Index) {
    Detection::Work& work = detection.work[item];
    visit_pairs(detection.bvh, detection.work_items[item], [&](Index s, Index t) { test(s, t, work); });
  });
  gather(detection.work, &Detection::Work::vertex_face, surface.vertex_object.size(), detection.group_begin,
         detection.near.vertex_face);
  gather(detection.work, &Detection::Work::edge_edge, surface.edges.size(), detection.group_begin,
         detection.near.edge_edge);
  detection.near_frame = detection.own.frame;
  detection.renewed = 0;
}

void find_all(const CollisionSurface& surface, const StepMotion& motion, const DetectionOptions& options,
              Detection& detection) {
  detection.edge = finest_edge(surface, motion.x0);
  OwnFrames& own = detection.own;
  set_all_skins(surface, detection.edge, {detection.reach, motion, detection.skin});
  if (own.any) {
    set_all_skins(surface, detection.edge, {own.reach, {own.x0, own.v, motion.dt}, own.skin});
  } else {
    own.skin.triangle.clear();
  }
  search_skins(surface, options, detection);
}

void find_left(const CollisionSurface& surface, Detection& detection) {
  detection.left.clear();
  for (const Index v : surface.vertices) {
    if (!contains(detection.skin.vertex[v], detection.reach.vertex[v]) ||
        (detection.own.any && !contains(detection.own.skin.vertex[v], detection.own.reach.vertex[v])))
      detection.left.push_back(v);
  }
}

void set_new_skins(const CollisionSurface& surface, const Detection& detection, Layer layer) {
  Reach& skin = layer.skin;
  for (const Index v : detection.left) set_skin(surface, v, detection.edge, layer);
  for (const Index v : detection.left) {
    for (const Index e : surface.vertex_edges.of(v)) skin.edge[e] = skin_of_edge(surface, skin, e);
  }
  for (const Index t : detection.around) skin.triangle[t] = skin_of_triangle(surface, skin, t);
}

// New skins for the vertices that left theirs, and the pairs that this brings. What is no pair any more stays.
void renew(const CollisionSurface& surface, const StepMotion& motion, const DetectionOptions& options,
           Detection& detection) {
  OwnFrames& own = detection.own;
  set_new_skins(surface, detection, {detection.reach, motion, detection.skin});
  for (const Index t : detection.around) extend(detection.skin.triangle[t], options.separation, t, detection.bvh);
  if (own.any) {
    set_new_skins(surface, detection, {own.reach, {own.x0, own.v, motion.dt}, own.skin});
    for (const Index t : detection.around)
      extend_own(surface, own.frame, own.skin.triangle[t], options.separation, t, detection.bvh);
  }
  test_neighbours(PairTest<SkinsApart>{surface, skins_apart(surface, detection)}, detection.around, detection);
  Detection::Work& work = detection.work.front();
  merge_new(work.vertex_face, detection.near.vertex_face, detection.added.vertex_face, detection.merged);
  merge_new(work.edge_edge, detection.near.edge_edge, detection.added.edge_edge, detection.merged);
}

}  // namespace

void triangles_around(const CollisionSurface& surface, std::span<const Index> vertices,
                      std::vector<Index>& triangles) {
  triangles.clear();
  for (const Index v : vertices) {
    const auto around = surface.vertex_triangles.of(v);
    triangles.insert(triangles.end(), around.begin(), around.end());
  }
  std::sort(triangles.begin(), triangles.end());
  triangles.erase(std::unique(triangles.begin(), triangles.end()), triangles.end());
}

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

void update_near(const CollisionSurface& surface, const StepMotion& motion, const DetectionOptions& options,
                 Detection& detection) {
  const bool fits = detection.skin.triangle.size() == surface.triangles.size() &&
                    detection.bvh.leaf_of_triangle.size() == surface.triangles.size() &&
                    detection.skin.separation == detection.reach.separation &&
                    detection.bvh.own.empty() != detection.own.any &&
                    (!detection.own.any || detection.near_frame == detection.own.frame);
  if (!fits) return find_all(surface, motion, options, detection);
  find_left(surface, detection);
  if (detection.left.empty()) return;
  triangles_around(surface, detection.left, detection.around);
  // All at once costs about what half of the triangles cost one by one; skins that are renewed leave pairs behind.
  const auto triangles = static_cast<Index>(surface.triangles.size());
  detection.renewed += static_cast<Index>(detection.around.size());
  if (detection.renewed > triangles / 2) return find_all(surface, motion, options, detection);
  renew(surface, motion, options, detection);
}

}  // namespace sim
