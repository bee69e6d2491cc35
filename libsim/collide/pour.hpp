// Places many copies of a shape in a region, randomly turned, none overlapping: always the same for a seed.
//
// Copies are drawn at random, turn and place, and kept where their triangles stay clear of all that stands already
// (random sequential addition). Two copies must also be such that a straight shift takes them apart: rings are not
// linked (collide/triangle_tree.hpp).
//
// In a box the copies are first kept apart by their bounding balls (mesh/scatter.hpp); only where these do not fit,
// or meet something else that stands there, does the exact test decide.
#pragma once

#include <string>
#include <variant>

#include "collide/triangle_tree.hpp"

namespace sim {

using BoxRegion = std::array<Vec3, 2>;  // m, lowest and highest corner
struct CylinderRegion {
  Vec3 base{0, 0, 0};  // m, the middle of its lower end
  Vec3 axis{0, 0, 1};  // from there to the other end, of any length
  double radius = 1;   // m
  double height = 1;   // m
};
struct SurfaceRegion {  // what a closed surface encloses, in the world
  TriangleTree surface;
};
using Region = std::variant<BoxRegion, CylinderRegion, SurfaceRegion>;

struct PourPlane {  // nothing is placed behind it
  Vec3 point{0, 0, 0}, normal{0, 0, 1};
};

struct PourOptions {
  Index count = 1;
  std::uint64_t seed = 1;
  Region region;         // holds all copies whole
  double clearance = 0;  // m, nearer surfaces do not come
  std::vector<PourPlane> half_spaces = {};
};

struct Standing {
  PlacedTree placed;
  bool may_move = false;  // a copy must be able to leave it on a straight way
};

// Throws InputError that says how many fitted and what to change when `count` copies do not.
std::vector<Placement> pour(const TriangleTree& shape, const PourOptions& options, std::span<const Standing> others);

}  // namespace sim
