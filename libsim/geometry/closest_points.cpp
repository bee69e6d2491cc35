#include "geometry/closest_points.hpp"

#include <Eigen/Geometry>
#include <algorithm>

namespace sim {

namespace {

// The parameter of the point nearest to the origin on d + t e. A quotient that overflows is clamped like any other.
double nearest_parameter(const Vec3& d, const Vec3& e) {
  const double length2 = e.dot(e);
  if (!(length2 > 0)) return 0;
  return std::clamp(-d.dot(e) / length2, 0.0, 1.0);
}

TriangleFeature feature_on_edge(int edge, double t) {
  constexpr TriangleFeature vertices[3] = {TriangleFeature::vertex_a, TriangleFeature::vertex_b,
                                           TriangleFeature::vertex_c};
  constexpr TriangleFeature edges[3] = {TriangleFeature::edge_ab, TriangleFeature::edge_bc, TriangleFeature::edge_ca};
  if (t == 0) return vertices[edge];
  if (t == 1) return vertices[(edge + 1) % 3];
  return edges[edge];
}

// Puts the nearest point of the three edges into `best` where it is nearer. Corners are given relative to the point.
void consider_edges(const std::array<Vec3, 3>& corner, double& best2, PointTriangle& best) {
  for (int i = 0; i < 3; ++i) {
    const int j = (i + 1) % 3;
    const Vec3 e = corner[j] - corner[i];
    const double t = nearest_parameter(corner[i], e);
    const double distance2 = (t == 1 ? corner[j] : Vec3(corner[i] + t * e)).squaredNorm();
    if (!(distance2 < best2)) continue;
    best2 = distance2;
    best.weights = {};
    best.weights[i] = 1 - t;
    best.weights[j] = t;
    best.feature = feature_on_edge(i, t);
  }
}

}  // namespace

PointSegment closest_point_segment(const Vec3& p, const Vec3& a, const Vec3& b) {
  const Vec3 d = a - p, e = b - a;
  const double t = nearest_parameter(d, e);
  return {t == 1 ? (b - p).norm() : (d + t * e).norm(), t};
}

PointTriangle closest_point_triangle(const Vec3& p, const Vec3& a, const Vec3& b, const Vec3& c) {
  const std::array<Vec3, 3> corner{a - p, b - p, c - p};
  const Vec3 e1 = b - a, e2 = c - a;
  const Vec3 n = e1.cross(e2);
  const double n2 = n.dot(n);
  PointTriangle best;
  double best2 = corner[0].squaredNorm();
  best.weights = {1, 0, 0};
  if (n2 > 0) {
    // The weights of a needle are rough. What they are off along the needle, where the nearest point is well defined,
    // is put right by a projection onto its longer edge.
    double wb = e2.cross(corner[0]).dot(n) / n2;
    double wc = corner[0].cross(e1).dot(n) / n2;
    const double e11 = e1.squaredNorm(), e22 = e2.squaredNorm();
    if (e11 > e22) {
      wb = -(corner[0] + wc * e2).dot(e1) / e11;
    } else {
      wc = -(corner[0] + wb * e1).dot(e2) / e22;
    }
    const double wa = 1 - wb - wc;
    if (wa > 0 && wb > 0 && wc > 0) {
      best.weights = {wa, wb, wc};
      best.feature = TriangleFeature::face;
      best2 = (corner[0] + wb * e1 + wc * e2).squaredNorm();
      // The normal of a needle (sine of its angle below 1e-6) is too rough to be trusted: its edges are asked as
      // well.
      if (n2 > 1e-12 * e11 * e22) {
        best.distance = std::sqrt(best2);
        return best;
      }
    }
  }
  consider_edges(corner, best2, best);
  best.distance = std::sqrt(best2);
  return best;
}

SegmentSegment closest_segment_segment(const Vec3& a0, const Vec3& a1, const Vec3& b0, const Vec3& b1) {
  const Vec3 u = a1 - a0, v = b1 - b0, r = a0 - b0;
  SegmentSegment best;
  double best2 = r.squaredNorm();
  const auto consider = [&](double s, double t, const Vec3& difference) {
    const double distance2 = difference.squaredNorm();
    if (!(distance2 < best2)) return;
    best2 = distance2;
    best.s = s;
    best.t = t;
  };
  // One end point against the other segment, four times. Neither end of the other one is left out by rounding,
  // since each is an end point itself in another of the four.
  const Vec3 r01 = a0 - b1, r10 = a1 - b0;
  double x = nearest_parameter(-r, v);
  consider(0, x, x == 1 ? r01 : Vec3(r - x * v));
  x = nearest_parameter(-r10, v);
  consider(1, x, x == 1 ? Vec3(a1 - b1) : Vec3(r10 - x * v));
  x = nearest_parameter(r, u);
  consider(x, 0, x == 1 ? r10 : Vec3(r + x * u));
  x = nearest_parameter(r01, u);
  consider(x, 1, x == 1 ? Vec3(a1 - b1) : Vec3(r01 + x * u));

  const Vec3 n = u.cross(v);
  const double n2 = n.dot(n);
  if (n2 > 0) {
    const double s = v.cross(r).dot(n) / n2;
    if (s > 0 && s < 1) {
      // Nearly parallel segments make s rough. The other one's nearest point to a(s) makes up for most of it.
      const Vec3 from_b0 = r + s * u;
      const double t = nearest_parameter(-from_b0, v);
      consider(s, t, from_b0 - t * v);
    }
  }
  best.distance = std::sqrt(best2);
  return best;
}

}  // namespace sim
