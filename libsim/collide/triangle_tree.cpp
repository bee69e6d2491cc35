#include "collide/triangle_tree.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

#include "collide/distance.hpp"
#include "geometry/continuous.hpp"
#include "geometry/triangle_intersection.hpp"
#include "math/components.hpp"
#include "mesh/surface.hpp"

namespace sim {

namespace {

constexpr double rounding = 1e-12;  // part of a ball's radius and place

struct Builder {
  TriangleTree& shape;
  std::vector<Index> order;  // of triangles

  Vec3 middle(Index t) const {
    const Triangle& v = shape.triangles[t];
    return (shape.vertices[v[0]] + shape.vertices[v[1]] + shape.vertices[v[2]]) / 3;
  }

  BallNode ball(std::size_t begin, std::size_t end) const {
    Vec3 low = shape.vertices[shape.triangles[order[begin]][0]], high = low;
    const auto each = [&](auto&& look) {
      for (std::size_t i = begin; i < end; ++i) {
        for (const Index v : shape.triangles[order[i]]) look(shape.vertices[v]);
      }
    };
    each([&](const Vec3& x) {
      low = low.cwiseMin(x);
      high = high.cwiseMax(x);
    });
    BallNode node{.center = 0.5 * (low + high)};
    each([&](const Vec3& x) { node.radius = std::max(node.radius, (x - node.center).norm()); });
    node.radius += rounding * (node.radius + node.center.norm());
    return node;
  }

  void build(std::size_t begin, std::size_t end) {
    const std::size_t at = shape.tree.size();
    shape.tree.push_back(ball(begin, end));
    if (end - begin == 1) {
      shape.tree[at].triangle = order[begin];
      return;
    }
    Vec3 low = middle(order[begin]), high = low;
    for (std::size_t i = begin; i < end; ++i) {
      low = low.cwiseMin(middle(order[i]));
      high = high.cwiseMax(middle(order[i]));
    }
    Index axis = 0;
    (high - low).maxCoeff(&axis);
    const std::size_t half = (begin + end) / 2;
    const auto first = order.begin();
    std::sort(first + static_cast<std::ptrdiff_t>(begin), first + static_cast<std::ptrdiff_t>(end),
              [&](Index s, Index t) {
                const double p = middle(s)[axis], q = middle(t)[axis];
                return p != q ? p < q : s < t;
              });
    build(begin, half);
    shape.tree[at].second = static_cast<Index>(shape.tree.size());
    build(half, end);
  }
};

std::vector<Index> samples_of_parts(const TriangleTree& shape) {
  Components parts(shape.vertices.size());
  for (const Triangle& t : shape.triangles)
    for (const Index v : t) parts.unite(t[0], v);
  std::vector<Index> samples;
  for (const Triangle& t : shape.triangles) samples.push_back(parts.first_of(t[0]));
  std::sort(samples.begin(), samples.end());
  samples.erase(std::unique(samples.begin(), samples.end()), samples.end());
  return samples;
}

TriangleCorners corners(const PlacedTree& placed, Index triangle) {
  const Triangle& v = placed.shape->triangles[triangle];
  const std::vector<Vec3>& x = placed.shape->vertices;
  return {apply(placed.placement, x[v[0]]), apply(placed.placement, x[v[1]]), apply(placed.placement, x[v[2]])};
}

// Does any pair of triangles meet the test? `far` tells of two balls that no triangles of theirs do.
template <class Far, class Test>
bool any_pair(const PlacedTree& a, const PlacedTree& b, const Far& far, const Test& test) {
  std::vector<std::array<Index, 2>> open{{0, 0}};
  const std::vector<BallNode>&p = a.shape->tree, &q = b.shape->tree;
  while (!open.empty()) {
    const auto [i, j] = open.back();
    open.pop_back();
    if (far(p[i], q[j])) continue;
    const bool first_leaf = p[i].triangle >= 0, second_leaf = q[j].triangle >= 0;
    if (first_leaf && second_leaf) {
      if (test(p[i].triangle, q[j].triangle)) return true;
    } else if (second_leaf || (!first_leaf && p[i].radius > q[j].radius)) {
      open.push_back({p[i].second, j});
      open.push_back({i + 1, j});
    } else {
      open.push_back({i, q[j].second});
      open.push_back({i, j + 1});
    }
  }
  return false;
}

bool boxes_apart(const TriangleCorners& a, const TriangleCorners& b, double clearance) {
  for (int axis = 0; axis < 3; ++axis) {
    const auto [a_low, a_high] = std::minmax({a[0][axis], a[1][axis], a[2][axis]});
    const auto [b_low, b_high] = std::minmax({b[0][axis], b[1][axis], b[2][axis]});
    if (a_low - b_high > clearance || b_low - a_high > clearance) return true;
  }
  return false;
}

// Do two triangles meet while the first moves by `shift`?
bool meet_on_the_way(const TriangleCorners& a, const TriangleCorners& b, const Vec3& shift) {
  TriangleCorners end;
  for (int k = 0; k < 3; ++k) end[k] = a[k] + shift;
  for (int i = 0; i < 3; ++i) {
    if (vertex_face_collision({{a[i], b[0], b[1], b[2]}, {end[i], b[0], b[1], b[2]}}).hit ||
        vertex_face_collision({{b[i], a[0], a[1], a[2]}, {b[i], end[0], end[1], end[2]}}).hit)
      return true;
    const int n = (i + 1) % 3;
    for (int j = 0; j < 3; ++j) {
      const int m = (j + 1) % 3;
      if (edge_edge_collision({{a[i], a[n], b[j], b[m]}, {end[i], end[n], b[j], b[m]}}).hit) return true;
    }
  }
  return false;
}

double distance_to_segment(const Vec3& x, const Vec3& begin, const Vec3& along) {
  const double part = std::clamp((x - begin).dot(along) / along.squaredNorm(), 0.0, 1.0);
  return (x - begin - part * along).norm();
}

bool is_free_way(const PlacedTree& a, const PlacedTree& b, const Vec3& shift) {
  const auto far = [&](const BallNode& p, const BallNode& q) {
    const Vec3 from = apply(a.placement, p.center), to = apply(b.placement, q.center);
    return distance_to_segment(to, from, shift) > (p.radius + q.radius) * (1 + 1e-9);
  };
  return !any_pair(a, b, far, [&](Index s, Index t) { return meet_on_the_way(corners(a, s), corners(b, t), shift); });
}

Vec3 middle_of(const PlacedTree& placed) {
  return apply(placed.placement, placed.shape->tree.front().center);
}

bool is_inside(const Vec3& x, const PlacedTree& outer) {
  // The point into the shape's own frame: the turn backwards.
  const auto& [w, a, b, c] = outer.placement.rotation;
  const Placement back{{w, -a, -b, -c}, {0, 0, 0}};
  return winding_number(*outer.shape, apply(back, x - outer.placement.position)) > 0.5;
}

}  // namespace

TriangleTree make_triangle_tree(std::span<const Vec3> vertices, std::span<const Triangle> triangles) {
  TriangleTree shape;
  shape.vertices.assign(vertices.begin(), vertices.end());
  shape.triangles.assign(triangles.begin(), triangles.end());
  shape.closed = is_closed(triangles);
  shape.samples = samples_of_parts(shape);
  if (triangles.empty()) return shape;
  Builder builder{shape, std::vector<Index>(triangles.size())};
  std::iota(builder.order.begin(), builder.order.end(), 0);
  builder.build(0, triangles.size());
  return shape;
}

bool surfaces_meet(const PlacedTree& a, const PlacedTree& b, double clearance) {
  if (a.shape->tree.empty() || b.shape->tree.empty()) return false;
  const auto far = [&](const BallNode& p, const BallNode& q) {
    const double reach = (p.radius + q.radius + clearance) * (1 + 1e-9);
    return (apply(a.placement, p.center) - apply(b.placement, q.center)).squaredNorm() > reach * reach;
  };
  return any_pair(a, b, far, [&](Index s, Index t) {
    const TriangleCorners p = corners(a, s), q = corners(b, t);
    if (boxes_apart(p, q, clearance)) return false;
    return triangles_intersect(p, q) != TriangleMeeting::disjoint || triangle_distance(p, q) <= clearance;
  });
}

bool holds_part_of(const PlacedTree& outer, const PlacedTree& inner) {
  if (!outer.shape->closed || outer.shape->tree.empty()) return false;
  const double radius = outer.shape->tree.front().radius;
  return std::any_of(inner.shape->samples.begin(), inner.shape->samples.end(), [&](Index sample) {
    const Vec3 x = apply(inner.placement, inner.shape->vertices[sample]);
    return (x - middle_of(outer)).norm() <= radius && is_inside(x, outer);
  });
}

bool can_be_taken_apart(const PlacedTree& a, const PlacedTree& b) {
  const Vec3 between = middle_of(a) - middle_of(b);
  const double way = between.norm() + a.shape->tree.front().radius + b.shape->tree.front().radius;
  if (between.norm() > 0 && is_free_way(a, b, between.normalized() * way)) return true;
  for (int i = 0; i < 27; ++i) {
    const Vec3 direction(i % 3 - 1, i / 3 % 3 - 1, i / 9 - 1);
    if (direction.norm() > 0 && is_free_way(a, b, direction.normalized() * way)) return true;
  }
  return false;
}

double winding_number(const TriangleTree& shape, const Vec3& point) {
  double sum = 0;
  for (const Triangle& t : shape.triangles) {
    const Vec3 a = shape.vertices[t[0]] - point, b = shape.vertices[t[1]] - point, c = shape.vertices[t[2]] - point;
    const double la = a.norm(), lb = b.norm(), lc = c.norm();
    sum += 2 * std::atan2(a.dot(b.cross(c)), la * lb * lc + a.dot(b) * lc + b.dot(c) * la + c.dot(a) * lb);
  }
  return sum / (4 * std::numbers::pi);
}

}  // namespace sim
