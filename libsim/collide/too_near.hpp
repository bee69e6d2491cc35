// What stands too near for a run to start: sheets nearer to something than their thickness lets them, and all that
// coordinates do not tell apart from touching.
#pragma once

#include "collide/surface.hpp"

namespace sim {

struct TooNear {
  Index object_a = 0, object_b = 0;  // object_a <= object_b
  double distance = 0;               // m, the smallest between the two
  double thickness = 0;              // m, that they must keep; 0 of touching()
};

// One for every two objects (or one and itself), ascending.
std::vector<TooNear> nearer_than_thickness(const CollisionSurface& surface, const VecX& x);

// Whose way no continuous test could call free, even if nothing moved.
std::vector<TooNear> touching(const CollisionSurface& surface, const VecX& x);

}  // namespace sim
