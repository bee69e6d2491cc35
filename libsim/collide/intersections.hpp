// Which triangles of a surface intersect as they stand, and which objects overlap, by exact arithmetic: for the start
// of a run and for judging results. Uses nothing of the continuous test.
//
// Neighbours that share a corner or an edge are compared beyond what they share. Touching is not intersecting
// (geometry/triangle_intersection.hpp), except where the insides of closed surfaces overlap beside the touching
// triangles (interiors.hpp, which also says what is proven): where mesh lines of the one lie in faces of the other,
// nothing else may happen than touching. Two triangles that no unknowns move (obstacles among themselves), and those
// of objects that never touch, are left out.
#pragma once

#include "collide/reach.hpp"
#include "geometry/triangle_intersection.hpp"

namespace sim {

struct TriangleIntersection {
  Index a = 0, b = 0;  // triangles, a < b
  Index object_a = 0, object_b = 0;
  // m: the shortest shift of one of the two triangles that takes them apart (they may touch then). For a body that
  // dips its corner into another this is how deep; 0 for two triangles that overlap in one plane or only touch.
  double depth = 0;
  TriangleMeeting meeting = TriangleMeeting::crossing;
  bool insides_overlap = true;  // beside the two; false for two that cover each other in one plane from either side
};

// What has a vertex behind the plane of a half-space intersects it, however far from its triangle.
std::vector<TriangleIntersection> initial_intersections(const CollisionSurface& surface, const VecX& x);

// What there is between two objects (or of one object with itself).
struct ObjectIntersections {
  Index object_a = 0, object_b = 0;             // object_a <= object_b
  std::vector<TriangleIntersection> triangles;  // ascending
  double depth = 0;       // m, the largest of them: the objects must be shifted by at least this much
  Index inner = -1;       // the object of which a part lies wholly inside the other; -1: none does
  Vec3 way_out{0, 0, 0};  // m: this shift of object_b takes the two apart, a shorter one may; 0 for one with itself

  bool only_in_one_plane() const;  // faces cover each other, and nothing overlaps: they touch in a plane
};
std::vector<ObjectIntersections> by_objects(std::span<const TriangleIntersection> intersections);

// All of it: triangles that intersect, and objects wholly inside others; in the order of the objects.
std::vector<ObjectIntersections> find_overlaps(const CollisionSurface& surface, const VecX& x);

std::vector<Box> standing_boxes(const CollisionSurface& surface, const VecX& x);  // of the triangles

// The shortest shift that takes two triangles apart, 0 when they are.
double separating_shift(const std::array<Vec3, 3>& a, const std::array<Vec3, 3>& b);

}  // namespace sim
