// Shapes that are placed as a whole, and whether two of them leave each other free as they stand: for placing copies.
//
// Surfaces are compared triangle by triangle, found with a tree of balls, which needs nothing but their centres moved
// when the shape is. Intersections are exact (geometry/triangle_intersection.hpp), distances in double precision.
#pragma once

#include <span>

#include "mesh/mesh.hpp"
#include "mesh/scatter.hpp"

namespace sim {

struct BallNode {
  Vec3 center{0, 0, 0};
  double radius = 0;    // of a ball that holds all triangles below
  Index second = -1;    // the other child; the first is the next node
  Index triangle = -1;  // of a leaf
};

struct TriangleTree {
  std::vector<Vec3> vertices;
  std::vector<Triangle> triangles;
  std::vector<BallNode> tree;  // the root first
  std::vector<Index> samples;  // one vertex of each connected part
  bool closed = false;         // it has an inside
};
TriangleTree make_triangle_tree(std::span<const Vec3> vertices, std::span<const Triangle> triangles);

struct PlacedTree {
  const TriangleTree* shape = nullptr;
  Placement placement;
};

// Do the surfaces intersect, or come as near as `clearance` (m)?
bool surfaces_meet(const PlacedTree& a, const PlacedTree& b, double clearance);

// Of surfaces that do not meet: is a part of `inner` inside `outer`? Nothing is inside a surface that is not closed.
bool holds_part_of(const PlacedTree& outer, const PlacedTree& inner);

// Of surfaces that do not meet: is there a straight way on which `a` leaves `b` without meeting it? Links of a chain
// have none. Tried are the direction between the two middles, the axes, and the diagonals between them.
bool can_be_taken_apart(const PlacedTree& a, const PlacedTree& b);

// How often the surface winds around the point, by the sum of solid angles (Van Oosterom & Strackee 1983).
double winding_number(const TriangleTree& shape, const Vec3& point);

}  // namespace sim
