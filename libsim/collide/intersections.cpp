#include "collide/intersections.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <limits>
#include <map>
#include <tuple>

#include "collide/bvh.hpp"
#include "collide/interiors.hpp"
#include "geometry/predicates.hpp"
#include "math/parallel.hpp"

namespace sim {

namespace {

TriangleCorners corners(const CollisionSurface& surface, const VecX& x, Index t) {
  const Triangle& v = surface.triangles[t];
  return {block(x, v[0]), block(x, v[1]), block(x, v[2])};
}

// How far b must be shifted along the axis, either way, to leave the shadow of a. Relative to a's first corner, so
// that far from the origin no digits are lost.
double overlap_along(const Vec3& axis, const TriangleCorners& a, const TriangleCorners& b) {
  const double length = axis.norm();
  if (!(length > 0)) return std::numeric_limits<double>::infinity();
  std::array<double, 3> p, q;
  for (int k = 0; k < 3; ++k) {
    p[k] = axis.dot(a[k] - a[0]) / length;
    q[k] = axis.dot(b[k] - a[0]) / length;
  }
  const auto [p_low, p_high] = std::minmax_element(p.begin(), p.end());
  const auto [q_low, q_high] = std::minmax_element(q.begin(), q.end());
  return std::max(0.0, std::min(*p_high - *q_low, *q_high - *p_low));
}

// The shortest shift of b along an axis that takes the boxes around both apart.
Vec3 shift_of_boxes(const Box& a, const Box& b) {
  Vec3 shortest = Vec3::Constant(std::numeric_limits<double>::infinity());
  for (int axis = 0; axis < 3; ++axis) {
    for (const double by : {a.high[axis] - b.low[axis], a.low[axis] - b.high[axis]}) {
      if (std::abs(by) < shortest.norm()) shortest = by * Vec3::Unit(axis);
    }
  }
  return shortest;
}

std::vector<Box> boxes_of_objects(const CollisionSurface& surface, const VecX& x) {
  std::vector<Box> boxes;
  const auto none = Eigen::Array4d::Constant(std::numeric_limits<double>::infinity());
  for (const Index v : surface.vertices) {
    const auto object = static_cast<std::size_t>(surface.vertex_object[v]);
    if (object >= boxes.size()) boxes.resize(object + 1, {none, -none});
    const Vec3 at = block(x, v);
    const Eigen::Array4d p(at[0], at[1], at[2], 0);
    boxes[object] = {boxes[object].low.min(p), boxes[object].high.max(p)};
  }
  return boxes;
}

bool covers(const TriangleIntersection& i) {
  return !i.insides_overlap;
}

bool insides_overlap(const CollisionSurface& surface, std::span<const std::uint8_t> closed, const VecX& x, Index a,
                     Index b, TriangleMeeting meeting) {
  switch (meeting) {
    case TriangleMeeting::disjoint:
      return false;
    case TriangleMeeting::touching:
      return overlap_beside_a_line(surface, closed, x, a, b);
    case TriangleMeeting::overlapping:
      return overlap_beside_a_plane(surface, closed, x, a, b);
    case TriangleMeeting::crossing:
      return true;
  }
  return true;
}

Index triangle_of(const CollisionSurface& surface, Index half_space) {
  const auto found = std::find_if(surface.triangles.begin(), surface.triangles.end(),
                                  [&](const Triangle& t) { return surface.vertex_object[t[0]] == half_space; });
  return static_cast<Index>(found - surface.triangles.begin());
}

Vec3 normal_of(const TriangleCorners& p) {
  return (p[1] - p[0]).cross(p[2] - p[0]).normalized();
}

// Along the axis that leads out of the half-space soonest, for object_b.
Vec3 way_out_of_half_space(const CollisionSurface& surface, const VecX& x, const ObjectIntersections& pair) {
  const bool first = surface.is_half_space(pair.object_a);
  const Vec3 normal = normal_of(corners(surface, x, triangle_of(surface, first ? pair.object_a : pair.object_b)));
  Index axis = 0;
  normal.cwiseAbs().maxCoeff(&axis);
  return Vec3::Unit(axis) * (first ? pair.depth : -pair.depth) / normal[axis];
}

// Each such vertex stands for the triangle that owns it.
void add_behind_half_spaces(const CollisionSurface& surface, const VecX& x, std::vector<TriangleIntersection>& all) {
  for (const Index object : surface.half_spaces) {
    const Index plane = triangle_of(surface, object);
    const TriangleCorners p = corners(surface, x, plane);
    const Vec3 normal = normal_of(p);
    for (const Index v : surface.vertices) {
      const Vec3 at = block(x, v);
      if (surface.vertex_moves[v] == 0 || orientation(p[0], p[1], p[2], at) >= 0) continue;
      const Index other = surface.vertex_owner[v], a = std::min(plane, other), b = std::max(plane, other);
      if (surface.never_touch(plane, other)) continue;
      all.push_back({a, b, surface.object_of_triangle(a), surface.object_of_triangle(b),
                     std::abs(normal.dot(at - p[0])), TriangleMeeting::crossing, true});
    }
  }
}

}  // namespace

std::vector<Box> standing_boxes(const CollisionSurface& surface, const VecX& x) {
  std::vector<Box> boxes(surface.triangles.size());
  for (Index t = 0; t < static_cast<Index>(boxes.size()); ++t) {
    const TriangleCorners c = corners(surface, x, t);
    boxes[t].low << c[0].cwiseMin(c[1]).cwiseMin(c[2]).array(), 0.0;
    boxes[t].high << c[0].cwiseMax(c[1]).cwiseMax(c[2]).array(), 0.0;
  }
  return boxes;
}

// The shifts that make a and b meet are a convex polytope, their Minkowski difference; its faces have the normals of
// the two triangles and of all pairs of their edges. The nearest of its faces is the shortest way out. For two
// triangles in one plane the polytope is flat, and the normal says so.
double separating_shift(const TriangleCorners& a, const TriangleCorners& b) {
  const auto edge = [](const TriangleCorners& t, int k) -> Vec3 { return t[(k + 1) % 3] - t[k]; };
  double shift =
      std::min(overlap_along(edge(a, 0).cross(edge(a, 1)), a, b), overlap_along(edge(b, 0).cross(edge(b, 1)), a, b));
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) shift = std::min(shift, overlap_along(edge(a, i).cross(edge(b, j)), a, b));
  }
  return shift < std::numeric_limits<double>::infinity() ? shift : 0;  // all on one line: any step aside
}

std::vector<TriangleIntersection> initial_intersections(const CollisionSurface& surface, const VecX& x) {
  const std::vector<Box> boxes = standing_boxes(surface, x);
  Bvh bvh;
  build(surface, boxes, 0, bvh);
  std::vector<NodePair> work;
  split_work(bvh, 256, work);
  const std::vector<std::uint8_t> closed = closed_objects(surface);
  std::vector<std::vector<TriangleIntersection>> found(work.size());
  parallel_for(static_cast<Index>(work.size()), 1, [&](Index item, Index) {
    visit_pairs(bvh, work[item], [&](Index s, Index t) {
      if (surface.never_touch(s, t)) return;
      const Index a = std::min(s, t), b = std::max(s, t);
      const TriangleCorners p = corners(surface, x, a), q = corners(surface, x, b);
      const TriangleMeeting meeting = triangles_intersect(p, surface.triangles[a], q, surface.triangles[b]);
      const bool insides = insides_overlap(surface, closed, x, a, b, meeting);
      if (!insides && !is_intersection(meeting)) return;
      const double depth = meeting == TriangleMeeting::crossing ? separating_shift(p, q) : 0;
      found[item].push_back(
          {a, b, surface.object_of_triangle(a), surface.object_of_triangle(b), depth, meeting, insides});
    });
  });
  std::vector<TriangleIntersection> all;
  for (const auto& part : found) all.insert(all.end(), part.begin(), part.end());
  add_behind_half_spaces(surface, x, all);
  std::stable_sort(all.begin(), all.end(), [](const TriangleIntersection& i, const TriangleIntersection& j) {
    return i.a != j.a ? i.a < j.a : i.b < j.b;
  });
  const auto same = [](const auto& i, const auto& j) { return i.a == j.a && i.b == j.b; };
  all.erase(std::unique(all.begin(), all.end(), same), all.end());
  return all;
}

bool ObjectIntersections::only_in_one_plane() const {
  return inner == -1 && std::all_of(triangles.begin(), triangles.end(), covers);
}

std::vector<ObjectIntersections> by_objects(std::span<const TriangleIntersection> intersections) {
  std::map<std::pair<Index, Index>, ObjectIntersections> groups;
  for (const TriangleIntersection& i : intersections) {
    const auto key = std::minmax(i.object_a, i.object_b);
    ObjectIntersections& group = groups[key];
    std::tie(group.object_a, group.object_b) = key;
    group.triangles.push_back(i);
    group.depth = std::max(group.depth, i.depth);
  }
  std::vector<ObjectIntersections> list;
  list.reserve(groups.size());
  for (auto& [key, group] : groups) list.push_back(std::move(group));
  return list;
}

std::vector<ObjectIntersections> find_overlaps(const CollisionSurface& surface, const VecX& x) {
  std::vector<ObjectIntersections> all = by_objects(initial_intersections(surface, x));
  for (const Nested& nested : nested_objects(surface, closed_objects(surface), x)) {
    const Index a = std::min(nested.inner, nested.outer), b = std::max(nested.inner, nested.outer);
    auto place = std::find_if(all.begin(), all.end(),
                              [&](const ObjectIntersections& o) { return o.object_a == a && o.object_b == b; });
    if (place == all.end()) place = all.insert(place, {.object_a = a, .object_b = b});
    if (std::all_of(place->triangles.begin(), place->triangles.end(), covers)) place->inner = nested.inner;
  }
  std::sort(all.begin(), all.end(), [](const ObjectIntersections& a, const ObjectIntersections& b) {
    return std::tie(a.object_a, a.object_b) < std::tie(b.object_a, b.object_b);
  });
  if (all.empty()) return all;
  const std::vector<Box> boxes = boxes_of_objects(surface, x);
  for (ObjectIntersections& pair : all) {
    if (pair.object_a == pair.object_b) continue;
    const bool half_space = surface.is_half_space(pair.object_a) || surface.is_half_space(pair.object_b);
    pair.way_out = half_space ? way_out_of_half_space(surface, x, pair)
                              : shift_of_boxes(boxes[pair.object_a], boxes[pair.object_b]);
  }
  return all;
}

}  // namespace sim
