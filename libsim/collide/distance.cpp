#include "collide/distance.hpp"

#include <algorithm>
#include <limits>

#include "collide/bvh.hpp"
#include "collide/intersections.hpp"
#include "geometry/closest_points.hpp"

namespace sim {

namespace {

constexpr Index many_objects = -1;

// By node: the object that all triangles below belong to, or many_objects.
std::vector<Index> objects_of_nodes(const CollisionSurface& surface, const Bvh& bvh) {
  std::vector<Index> objects(bvh.nodes.size());
  for (Index n = static_cast<Index>(bvh.nodes.size()) - 1; n >= 0; --n) {
    const BvhNode& node = bvh.nodes[n];
    if (node.is_leaf()) {
      objects[n] = surface.object_of_triangle(node.triangle());
    } else {
      objects[n] = objects[n + 1] == objects[node.second] ? objects[n + 1] : many_objects;
    }
  }
  return objects;
}

struct Search {
  const CollisionSurface& surface;
  const VecX& x;
  const Bvh& bvh;
  const std::vector<Index>& objects;
  double largest_radius;  // m
  SurfaceDistance best;

  std::array<Vec3, 3> corners(Index triangle) const {
    const Triangle& v = surface.triangles[triangle];
    return {block(x, v[0]), block(x, v[1]), block(x, v[2])};
  }

  // Between the boxes; infinity where there is nothing to measure.
  double gap(Index a, Index b) const {
    const BvhNode &p = bvh.nodes[a], &q = bvh.nodes[b];
    if ((p.moves | q.moves) == 0) return std::numeric_limits<double>::infinity();
    const bool two_objects = objects[a] != many_objects && objects[b] != many_objects;
    if (two_objects && (objects[a] == objects[b] || surface.groups.never_touch(objects[a], objects[b])))
      return std::numeric_limits<double>::infinity();
    if (a == b) return -2 * largest_radius;
    const Eigen::Array4d below = p.low.cast<double>() - q.high.cast<double>();
    const Eigen::Array4d above = q.low.cast<double>() - p.high.cast<double>();
    return below.max(above).max(0.0).matrix().norm() - 2 * largest_radius;
  }

  void visit(Index a, Index b, double lower_bound) {
    if (!(lower_bound < best.distance)) return;
    const BvhNode &p = bvh.nodes[a], &q = bvh.nodes[b];
    if (p.is_leaf() && q.is_leaf()) {
      if (a != b) measure(p.triangle(), q.triangle());
    } else if (a == b) {
      visit(a + 1, p.second, gap(a + 1, p.second));
      visit(a + 1, a + 1, gap(a + 1, a + 1));
      visit(p.second, p.second, gap(p.second, p.second));
    } else if (q.is_leaf() || (!p.is_leaf() && p.size > q.size)) {
      visit_nearer_first({a + 1, b}, {p.second, b});
    } else {
      visit_nearer_first({a, b + 1}, {a, q.second});
    }
  }

  void visit_nearer_first(NodePair one, NodePair other) {
    double gap_one = gap(one.a, one.b), gap_other = gap(other.a, other.b);
    if (gap_other < gap_one) {
      std::swap(one, other);
      std::swap(gap_one, gap_other);
    }
    visit(one.a, one.b, gap_one);
    visit(other.a, other.b, gap_other);
  }

  void measure(Index s, Index t) {
    const Index a = std::min(s, t), b = std::max(s, t);  // the last bit depends on the order
    const double distance = triangle_distance(corners(a), corners(b)) - surface.radius_of(surface.triangles[a][0]) -
                            surface.radius_of(surface.triangles[b][0]);
    if (distance < best.distance) best = {distance, a, b};
  }
};

}  // namespace

double triangle_distance(const std::array<Vec3, 3>& a, const std::array<Vec3, 3>& b) {
  double least = std::numeric_limits<double>::infinity();
  for (int i = 0; i < 3; ++i) {
    least = std::min(least, closest_point_triangle(a[i], b[0], b[1], b[2]).distance);
    least = std::min(least, closest_point_triangle(b[i], a[0], a[1], a[2]).distance);
    for (int j = 0; j < 3; ++j) {
      least = std::min(least, closest_segment_segment(a[i], a[(i + 1) % 3], b[j], b[(j + 1) % 3]).distance);
    }
  }
  return least;
}

SurfaceDistance smallest_distance(const CollisionSurface& surface, const VecX& x) {
  Bvh bvh;
  build(surface, standing_boxes(surface, x), 0, bvh);
  const std::vector<Index> objects = objects_of_nodes(surface, bvh);
  const auto& radii = surface.object_radius;
  const double largest = radii.empty() ? 0 : *std::max_element(radii.begin(), radii.end());
  Search search{surface, x, bvh, objects, largest, {.distance = std::numeric_limits<double>::infinity()}};
  if (!bvh.nodes.empty()) search.visit(0, 0, search.gap(0, 0));
  return search.best;
}

}  // namespace sim
