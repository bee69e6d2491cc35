// What a frame holds of overlaps, distances, volumes of tetrahedra, and places of embedded vertices.
//
// A tetrahedron of a deformable object without volume, or with a negative one, is turned inside out (inverted).
#pragma once

#include <array>
#include <vector>

#include "mechanics.hpp"

namespace simcheck {

struct ObjectPairFinding {  // two objects, or one with itself, in one frame
  sim::Index object_a = 0, object_b = 0;
  sim::Index inner = -1;                             // the one that is inside the other with a whole part; or -1
  std::int64_t count = 0;                            // of pairs of triangles
  double depth = 0, way_out = unknown;               // m, as collide/intersections.hpp has it: between these
  std::vector<std::array<sim::Index, 2>> triangles;  // the first few
};

struct Volumes {  // of the tets of deformable objects, over those at rest
  double smallest = unknown;
  sim::Index object = -1, tet = -1;  // the first that has it, numbered within its object
  std::int64_t inverted = 0;
};

struct Misplaced {  // the embedded vertex that is farthest from where its weights put it, or whose velocity is
  double relative = unknown;  // of the longest edge of its tet, or of the largest speed of its corners
  sim::Index vertex = -1;     // of all vertices
};

struct Overlaps {
  std::int64_t intersections = 0;  // pairs of triangles
  std::vector<ObjectPairFinding> objects;
  double distance = unknown;                  // m, between different objects
  sim::Index nearest_a = -1, nearest_b = -1;  // objects
};

Overlaps overlaps_of(const Subject& subject, const sim::VecX& x);
Volumes volumes_of(const Subject& subject, const sim::VecX& x);
Misplaced misplaced_of(const Subject& subject, const Frame& frame);

// How far an embedded vertex is from the sum of its weights times the places of its corners, over the longest edge
// between these.
double misplacement(const sim::EmbeddedVertex& point, const std::array<sim::Vec3, 4>& corners,
                    const sim::Vec3& place);

}  // namespace simcheck
