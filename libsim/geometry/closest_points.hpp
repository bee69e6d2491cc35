// Nearest points of points, segments and triangles.
//
// Every distance is the length between the two points that the returned parameters name, so it is never below the
// true distance by more than rounding; nor is it above, needles and nearly parallel segments included (1e-14 of the
// size of the coordinates). Weights and parameters of these are rougher than the distance. Degenerate input is
// answered, never with NaN: a segment without length is its first point, a triangle without area is the hull of its
// edges. Lengths in metres, like the coordinates.
#pragma once

#include "math/types.hpp"

namespace sim {

struct PointSegment {
  double distance = 0;
  double t = 0;  // nearest point of the segment: a + t (b - a), 0 <= t <= 1
};
PointSegment closest_point_segment(const Vec3& p, const Vec3& a, const Vec3& b);

// What of a triangle (a, b, c) holds the nearest point: a corner, the inside of an edge, or the inside of the face.
enum class TriangleFeature { vertex_a, vertex_b, vertex_c, edge_ab, edge_bc, edge_ca, face };

struct PointTriangle {
  double distance = 0;
  std::array<double, 3> weights{};  // nearest point: weights[0] a + weights[1] b + weights[2] c; each >= 0, sum 1
  TriangleFeature feature = TriangleFeature::vertex_a;
};
PointTriangle closest_point_triangle(const Vec3& p, const Vec3& a, const Vec3& b, const Vec3& c);

struct SegmentSegment {
  double distance = 0;
  double s = 0, t = 0;  // nearest points: a0 + s (a1 - a0) and b0 + t (b1 - b0); exactly 0 or 1 at an end
};
// For parallel segments with a whole stretch of nearest points, one that holds an end point of either is returned.
SegmentSegment closest_segment_segment(const Vec3& a0, const Vec3& a1, const Vec3& b0, const Vec3& b1);

}  // namespace sim
