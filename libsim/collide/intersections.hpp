// Which triangles of a surface intersect as they stand, by exact arithmetic: for the start of a run and for judging
// results. Uses nothing of the continuous test.
//
// Neighbours that share a corner or an edge are compared beyond what they share; touching is not intersecting
// (geometry/triangle_intersection.hpp). Two triangles that no unknowns move (obstacles among themselves) are left
// out. A surface that is wholly inside another one crosses no triangle of it and is not found.
#pragma once

#include "collide/reach.hpp"

namespace sim {

struct TriangleIntersection {
  Index a = 0, b = 0;  // triangles, a < b
  Index object_a = 0, object_b = 0;
  // m: the shortest shift of one of the two triangles that takes them apart (they may touch then). For a body that
  // dips its corner into another this is how deep; 0 for two triangles that overlap in one plane.
  double depth = 0;
};

std::vector<TriangleIntersection> initial_intersections(const CollisionSurface& surface, const VecX& x);

// The same by pairs of objects (a pair may be one object with itself), in the order of the objects.
struct ObjectIntersections {
  Index object_a = 0, object_b = 0;             // object_a <= object_b
  std::vector<TriangleIntersection> triangles;  // ascending
  double depth = 0;                             // m, the largest: the objects must be shifted by at least this much
};
std::vector<ObjectIntersections> by_objects(std::span<const TriangleIntersection> intersections);

std::vector<Box> standing_boxes(const CollisionSurface& surface, const VecX& x);  // of the triangles

// The shortest shift that takes two triangles apart, 0 when they are.
double separating_shift(const std::array<Vec3, 3>& a, const std::array<Vec3, 3>& b);

}  // namespace sim
