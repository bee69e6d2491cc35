// Do two triangles have points in common, and how? Decided exactly for every input; no tolerance.
//
// A triangle is the hull of its three corners, so one without area is a segment or a point. "Inside" means without
// the border: the open triangle, the open segment, the point itself.
#pragma once

#include "math/types.hpp"

namespace sim {

using TriangleCorners = std::array<Vec3, 3>;

enum class TriangleMeeting {
  disjoint,     // no common point (besides what the corners shared by index span)
  touching,     // common points, none of them inside both: a corner, an edge or a border is met from one side
  overlapping,  // both lie in one plane, and their insides have common points
  crossing      // not in one plane, and their insides have common points: one pierces the other
};

// What must not happen to two pieces of surface. Touching can be undone by an arbitrarily small motion; so can
// overlapping in theory, but there the surfaces already cover each other.
inline bool is_intersection(TriangleMeeting meeting) {
  return meeting == TriangleMeeting::overlapping || meeting == TriangleMeeting::crossing;
}

TriangleMeeting triangles_intersect(const TriangleCorners& a, const TriangleCorners& b);

// The same for two triangles of one mesh, where corners with the same index are one point and neighbours are meant to
// share it: only common points beyond the shared corner or edge count. Two triangles that hinge on an edge are
// disjoint, folded flat onto each other they overlap; a triangle given twice overlaps itself.
TriangleMeeting triangles_intersect(const TriangleCorners& a, const std::array<Index, 3>& a_index,
                                    const TriangleCorners& b, const std::array<Index, 3>& b_index);

}  // namespace sim
