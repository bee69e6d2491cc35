// The smallest distance between surfaces of different objects, as they stand.
//
// The nearest points of two triangles that do not intersect are a corner and a point of the other's face, or points
// of two edges; the distance is the smallest over these, in double precision, over all pairs of triangles of
// different objects of which one moves. What has thickness counts from its outside: a pair that is nearer than that
// has a negative distance. A tree of boxes passes over what is farther apart than the best pair found so far. It says
// nothing about surfaces that intersect: ask collide/intersections.hpp first.
#pragma once

#include "collide/surface.hpp"

namespace sim {

struct SurfaceDistance {
  double distance = 0;   // m; infinity when there is no pair
  Index a = -1, b = -1;  // triangles of a nearest pair; -1 when there is none
};

SurfaceDistance smallest_distance(const CollisionSurface& surface, const VecX& x);

double triangle_distance(const std::array<Vec3, 3>& a, const std::array<Vec3, 3>& b);

}  // namespace sim
