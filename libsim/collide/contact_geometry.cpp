#include "collide/contact_geometry.hpp"

#include <Eigen/Geometry>
#include <algorithm>

#include "geometry/closest_points.hpp"

namespace sim {

namespace {

constexpr double smallest_sine = 1e-6;  // of an angle between two edges that still span a plane
constexpr double doubtful_sine = 0.05;  // edges nearer to parallel

Vec3 unit_cross(const Vec3& a, const Vec3& b) {
  const Vec3 n = a.cross(b);
  const double length = n.norm();
  return length > smallest_sine * a.norm() * b.norm() ? Vec3(n / length) : Vec3(Vec3::Zero());
}

void keep_farthest(double outside, int border, Foot& foot) {
  if (outside > foot.outside) foot = {outside, border};
}

Foot foot_on_face(const Stencil& x) {
  const Vec3 n = (x[2] - x[1]).cross(x[3] - x[1]);
  Foot result;
  for (int k = 0; k < 3; ++k) {
    const Vec3 &a = x[1 + k], &b = x[1 + (k + 1) % 3];
    const Vec3 outward = (b - a).cross(n);
    const double length = outward.norm();
    if (length > 0) keep_farthest((x[0] - a).dot(outward) / length, k, result);
  }
  return result;
}

// Nearly parallel edges have no one foot: it is inside as long as there is something of both side by side.
Foot foot_of_parallels(const Stencil& x, const Vec3& u) {
  const double length = u.norm();
  Foot result;
  if (!(length > 0)) return result;
  const double b0 = (x[2] - x[0]).dot(u) / length, b1 = (x[3] - x[0]).dot(u) / length;
  keep_farthest(-std::max(b0, b1), 0, result);
  keep_farthest(std::min(b0, b1) - length, 1, result);
  return result;
}

Foot foot_on_edges(const Stencil& x) {
  const Vec3 u = x[1] - x[0], v = x[3] - x[2], d = x[0] - x[2];
  const Vec3 n = u.cross(v);
  const double n2 = n.squaredNorm();
  if (!(n2 > smallest_sine * smallest_sine * u.squaredNorm() * v.squaredNorm())) return foot_of_parallels(x, u);
  const double s = v.cross(d).dot(n) / n2, t = u.cross(d).dot(n) / n2;
  Foot result;
  keep_farthest(-s * u.norm(), 0, result);
  keep_farthest((s - 1) * u.norm(), 1, result);
  keep_farthest(-t * v.norm(), 2, result);
  keep_farthest((t - 1) * v.norm(), 3, result);
  return result;
}

}  // namespace

Stencil gather(const std::array<Index, 4>& vertices, const VecX& x) {
  return {block(x, vertices[0]), block(x, vertices[1]), block(x, vertices[2]), block(x, vertices[3])};
}

std::array<Vec3, 2> along_edges(const Stencil& x) {
  const Vec3 u = (x[1] - x[0]).normalized(), v = (x[3] - x[2]).normalized();
  if (!(u.cross(v).norm() < doubtful_sine)) return {u, v};
  const Vec3 mean = (u.dot(v) < 0 ? Vec3(u - v) : Vec3(u + v)).normalized();
  return {mean, mean};
}

NearestPoints nearest_points(ContactKind kind, const Stencil& x) {
  NearestPoints near;
  if (kind == ContactKind::vertex_face) {
    const PointTriangle found = closest_point_triangle(x[0], x[1], x[2], x[3]);
    near.weights = {1, -found.weights[0], -found.weights[1], -found.weights[2]};
    near.normal = unit_cross(x[2] - x[1], x[3] - x[1]);
    near.inside = found.feature == TriangleFeature::face;
  } else {
    const auto [distance, s, t] = closest_segment_segment(x[0], x[1], x[2], x[3]);
    near.weights = {1 - s, s, t - 1, -t};
    near.normal = unit_cross(x[1] - x[0], x[3] - x[2]);
    near.inside = s > 0 && s < 1 && t > 0 && t < 1;
    const double first = std::min(s, 1 - s), second = std::min(t, 1 - t);
    const auto [u, v] = along_edges(x);
    near.parallel = u.cross(v).norm() < doubtful_sine;
    const double in_doubt = (end_of_doubt - std::min(first, second)) / (end_of_doubt - doubtful_end);
    near.doubt = near.parallel ? 1 : std::clamp(in_doubt, 0.0, 1.0);
    if (first >= end_of_doubt) near.along[0] = u;
    if (second >= end_of_doubt) near.along[1] = v;
  }
  for (int k = 0; k < 4; ++k) {
    near.r += near.weights[k] * (x[k] - x[0]);
    near.size = std::max(near.size, (x[k] - x[0]).norm());
  }
  return near;
}

Foot foot(ContactKind kind, const Stencil& x) {
  return kind == ContactKind::vertex_face ? foot_on_face(x) : foot_on_edges(x);
}

}  // namespace sim
