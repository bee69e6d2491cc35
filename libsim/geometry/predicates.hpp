// Signs of determinants of coordinates, exact: -1, 0 or +1, never a rounded guess.
//
// A floating-point filter answers nearly always; what it cannot decide is computed without rounding as a sum of
// doubles (expansion arithmetic, Shewchuk 1997). Exact as long as nothing under- or overflows: coordinates stay below
// 1e90, and those below 1e-90, as motion in a plane may leave them, count as zero.
#pragma once

#include "math/types.hpp"

namespace sim {

// The sign of det[b - a, c - a, d - a]: +1 when d lies on the side that the normal (b - a) x (c - a) points to, 0
// when the four points are in one plane.
int orientation(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d);

// The sign of det[b - a, c - a] of the points' shadows along axis `dropped` (0: seen in the plane yz, 1: zx, 2: xy):
// +1 when a, b, c turn left.
int orientation_in_plane(const Vec3& a, const Vec3& b, const Vec3& c, int dropped);

// The point as the predicates see it, with what counts as zero as zero.
Vec3 without_dust(const Vec3& a);

// Do the three points lie on one line?
bool collinear(const Vec3& a, const Vec3& b, const Vec3& c);

}  // namespace sim
