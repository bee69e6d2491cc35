// Candidates by looking at every pair there is, written from the definition (collide/reach.hpp, candidates.hpp) with
// its own arithmetic: boxes by their eight corners, sums in long double.
#pragma once

#include "collide/scenes.hpp"

namespace sim::test {

struct ReachBox {
  Vec3 low, high;
};

std::vector<ReachBox> reach_boxes(const CollideScene& scene, double dt, const DetectionOptions& options);

// `rounding`: in units of what collide/ allows for. With 0, pairs that a computation without rounding keeps apart by
// next to nothing are left out too.
Candidates brute_force(const CollisionSurface& surface, const std::vector<ReachBox>& boxes, double separation,
                       double rounding = 1);

// All vertex-face and edge-edge pairs without a common vertex of which a vertex moves.
Candidates all_pairs(const CollisionSurface& surface);

}  // namespace sim::test
