// Pairs of one object, tested in the frame that moves with it: what flies fast has long ways, and boxes around ways
// that are not along an axis overlap far and wide; but relative to each other its parts hardly move.
//
//     own reach of a vertex = box around x0 and x0 + growth (dt v - d), widened as its reach is;  d = mean of dt v
//
// A pair whose vertices all go straight from x0 to x1 is as far apart at any time as one of which each goes from x0
// to x1 - D, whatever D is. With the mean of x1 - x0 of the object for D, and all ends x1 - D in their own reaches,
// what own reaches prove of a pair is proven. Objects have a d of their own where growth d is longer than their mean
// edge, and the others none: there the reaches serve as they are.
#pragma once

#include "collide/candidates.hpp"

namespace sim {

// Detection::own of the step, or none where no object goes so far.
void find_own_frames(const CollisionSurface& surface, const StepMotion& motion, const DetectionOptions& options,
                     Detection& detection);

// m, of an object: D, of its vertices whose ends are finite; 0 where it has no frame.
void find_mean_ways(const CollisionSurface& surface, const VecX& x1, Detection& detection);

// Of the two reaches the one that a pair is tested by.
struct ReachOfPair {
  const CollisionSurface& surface;
  const Reach &all, &own;
  const Reach& of(Index a, Index b) const { return surface.vertex_object[a] == surface.vertex_object[b] ? own : all; }
};

}  // namespace sim
