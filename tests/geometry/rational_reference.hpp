// Slow answers without any rounding, to judge the fast ones by. Needs GMP; shares no code with libsim/geometry.
#pragma once

#include <array>
#include <vector>

#include "geometry/continuous.hpp"
#include "geometry/triangle_intersection.hpp"

namespace sim::reference {

// Is there a t in [0, 1] at which the vertex touches the face, the edges touch each other?
struct FirstContact {
  bool hit = false;
  double not_before = 0, not_after = 0;  // the first such t lies in between, less than 1e-15 apart
};
FirstContact vertex_face(const MovingPoints& points);
FirstContact edge_edge(const MovingPoints& points);

// The squared distance of a point and a triangle, of two segments, rounded once.
double point_triangle_squared(const Vec3& p, const Vec3& a, const Vec3& b, const Vec3& c);
double segment_segment_squared(const Vec3& a0, const Vec3& a1, const Vec3& b0, const Vec3& b1);

// The sign of det[b - a, c - a, d - a].
int orientation(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d);

// How two triangles meet. `shared` corners of a (by place, 0 to 2) are shared with b by index: common points count
// only where they are not in the hull of these.
TriangleMeeting triangles(const TriangleCorners& a, const TriangleCorners& b, const std::vector<int>& shared = {});

}  // namespace sim::reference
