#include "collide/brute_force.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <limits>

namespace sim::test {

namespace {

using Real = long double;
using Real3 = Eigen::Matrix<Real, 3, 1>;
using Boxes = std::vector<ReachBox>;

struct Interval {
  Real low = std::numeric_limits<Real>::infinity();
  Real high = -low;
};

Interval shadow(const Boxes& boxes, const std::vector<Index>& vertices, const Real3& axis) {
  Interval result;
  for (const Index v : vertices) {
    for (int corner = 0; corner < 8; ++corner) {
      Real sum = 0;
      for (int c = 0; c < 3; ++c) sum += axis[c] * Real{(corner >> c & 1) != 0 ? boxes[v].high[c] : boxes[v].low[c]};
      result.low = std::min(result.low, sum);
      result.high = std::max(result.high, sum);
    }
  }
  return result;
}

Real distance(const Interval& a, const Interval& b) {
  return std::max(a.low - b.high, b.low - a.high);
}

struct Rule {
  const Boxes& boxes;
  Real separation, rounding;

  Real3 middle(Index v) const { return (boxes[v].low.cast<Real>() + boxes[v].high.cast<Real>()) / 2; }

  bool apart(const std::vector<Index>& one, const std::vector<Index>& other, const std::vector<Real3>& axes) const {
    for (int c = 0; c < 3; ++c) {
      const Real3 axis = Real3::Unit(c);
      if (distance(shadow(boxes, one, axis), shadow(boxes, other, axis)) > separation) return true;
    }
    return std::any_of(axes.begin(), axes.end(), [&](const Real3& axis) {
      return distance(shadow(boxes, one, axis), shadow(boxes, other, axis)) >
             (separation + rounding) * axis.cwiseAbs().sum();
    });
  }

  bool vertex_face(Index v, const Triangle& t) const {
    const Real3 ab = middle(t[1]) - middle(t[0]), ac = middle(t[2]) - middle(t[0]);
    const Real3 n = ab.cross(ac);
    return apart({v}, {t[0], t[1], t[2]}, {n, ab.cross(n), ac.cross(n), (ac - ab).cross(n)});
  }

  bool edge_edge(const Edge& a, const Edge& b) const {
    const Real3 u = middle(a[1]) - middle(a[0]), v = middle(b[1]) - middle(b[0]);
    const Real3 d = middle(b[0]) + middle(b[1]) - middle(a[0]) - middle(a[1]);
    return apart({a[0], a[1]}, {b[0], b[1]}, {u.cross(v), u.cross(d).cross(u), v.cross(d).cross(v)});
  }
};

}  // namespace

std::vector<ReachBox> reach_boxes(const CollideScene& scene, double dt, const DetectionOptions& options) {
  Boxes boxes(scene.x.size());
  for (std::size_t i = 0; i < boxes.size(); ++i) {
    const Vec3 x0 = scene.x[i], x1 = x0 + dt * scene.v[i], far = x0 + options.growth * (x1 - x0);
    const Vec3 margin = Vec3::Constant(options.margin);
    boxes[i] = {x0.cwiseMin(x1).cwiseMin(far) - margin, x0.cwiseMax(x1).cwiseMax(far) + margin};
  }
  return boxes;
}

Candidates all_pairs(const CollisionSurface& surface) {
  Candidates all;
  const auto moves = [&](Index v) { return surface.vertex_moves[v] != 0; };
  for (const Index v : surface.vertices) {
    for (Index t = 0; t < static_cast<Index>(surface.triangles.size()); ++t) {
      const Triangle& c = surface.triangles[t];
      if (c[0] == v || c[1] == v || c[2] == v) continue;
      if (moves(v) || moves(c[0]) || moves(c[1]) || moves(c[2])) all.vertex_face.push_back({v, t});
    }
  }
  for (Index i = 0; i < static_cast<Index>(surface.edges.size()); ++i) {
    for (Index j = i + 1; j < static_cast<Index>(surface.edges.size()); ++j) {
      const auto [a, b] = surface.edges[i];
      const auto [c, d] = surface.edges[j];
      if (a == c || a == d || b == c || b == d) continue;
      if (moves(a) || moves(b) || moves(c) || moves(d)) all.edge_edge.push_back({i, j});
    }
  }
  return all;
}

Candidates brute_force(const CollisionSurface& surface, const Boxes& boxes, double separation, double rounding) {
  Real largest = 0;
  for (const Index v : surface.vertices) {
    const double size = std::max(boxes[v].low.cwiseAbs().maxCoeff(), boxes[v].high.cwiseAbs().maxCoeff());
    largest = std::max(largest, Real{size});
  }
  const Rule rule{boxes, separation, Real{rounding} * largest * 0x1p-48L};
  Candidates left = all_pairs(surface);
  std::erase_if(left.vertex_face,
                [&](const Pair& p) { return rule.vertex_face(p.first, surface.triangles[p.second]); });
  std::erase_if(left.edge_edge,
                [&](const Pair& p) { return rule.edge_edge(surface.edges[p.first], surface.edges[p.second]); });
  return left;
}

}  // namespace sim::test
