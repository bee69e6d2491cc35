// Places many copies of a shape in a box, randomly turned, none overlapping: the same on every machine.
//
// Copies are kept apart by their bounding spheres. Positions are drawn at random (random sequential addition); the
// arithmetic is plain IEEE double without fused operations and without library functions but sqrt.
#pragma once

#include <cstdint>
#include <span>

#include "mesh/mesh.hpp"

namespace sim {

struct Placement {
  std::array<double, 4> rotation{1, 0, 0, 0};  // unit quaternion w, x, y, z
  Vec3 position{0, 0, 0};                      // x_world = rotation * x + position
};

struct ScatterOptions {
  Index count = 1;
  std::uint64_t seed = 1;
  std::array<Vec3, 2> box{Vec3(-1, -1, 0), Vec3(1, 1, 2)};  // m, lowest and highest corner; holds all copies whole
};

// Radius about the shape's own origin of the ball that holds all vertices.
double bounding_radius(std::span<const Vec3> vertices);

// False where bounding balls of this radius would fill more of the box than any packing does.
bool can_fit(double radius, const ScatterOptions& options);

// Throws InputError that says how many fitted and what to change when `count` copies do not.
std::vector<Placement> scatter(double radius, const ScatterOptions& options);

Vec3 apply(const Placement& placement, const Vec3& x);

}  // namespace sim
