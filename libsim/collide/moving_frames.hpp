// Frames that move with what flies fast: its ways are long, and boxes around ways that are not along an axis overlap
// far and wide; but relative to each other the parts of a body, and bodies that fly together, hardly move.
//
// A pair whose vertices all go straight from x0 to x1 is as far apart at any time as one in which each goes from
// x0 - O to x1 - O - D, whatever O and D are. So reaches may be found in any frame: what they prove of a pair is
// proven if its vertices end in theirs there.
//
//     the common frame, of all pairs          O + d    d = median over vertices of the mean dt v of their objects: of
//                                                      those that are held or prescribed, and where none is, of all
//     frames of groups, of pairs within one   d_g      of an object, or of several that go alike: within a mean edge
//                                                      of each in growth dt v
//
// with D, after the solve, found as d is, of x1 - x0. What stops a thing is held itself as a rule: things at rest in
// the common frame and those that it stops are in the reaches that it has there. There is a common frame while an
// object goes farther than its mean edge, in growth dt v, and there are groups of objects that do so in the common
// frame. Where nothing goes so far, all of this is nothing.
#pragma once

#include "collide/candidates.hpp"

namespace sim {

// The motion in the common frame; `motion` itself where there is none.
StepMotion in_common_frame(const CollisionSurface& surface, const StepMotion& motion, const DetectionOptions& options,
                           Detection& detection);

// Back to the frame of the scene, for those who give boxes in that one.
void leave_common_frame(Detection& detection);

// The ends of a motion in the common frame, with the D of these ends; `x1` itself where there is none.
const VecX& ends_in_common_frame(const CollisionSurface& surface, const VecX& x1, Detection& detection);

// Detection::own of the step, or none where no object goes so far. `motion`: that of in_common_frame(), after it.
void find_own_frames(const CollisionSurface& surface, const StepMotion& motion, const DetectionOptions& options,
                     Detection& detection);

// m, the D of groups. What does not end in its reach there, as what something stops, leaves its group for one of its
// own: its pairs with others are to be looked up. Of objects: whether they leave. `x1`: in the common frame.
std::vector<std::uint8_t> find_mean_ways(const CollisionSurface& surface, const VecX& x1, Detection& detection);

inline Vec3 way_of(const OwnFrames& own, Index object) {
  return own.frame[object] < 0 ? Vec3(Vec3::Zero()) : own.way[own.frame[object]];
}

// Of the two reaches the one that a pair is tested by.
struct ReachOfPair {
  const CollisionSurface& surface;
  const OwnFrames& frames;
  const Reach &all, &own;
  const Reach& of(Index a, Index b) const {
    if (!frames.any) return all;
    const Index frame = frames.frame[surface.vertex_object[a]];
    return frame >= 0 && frame == frames.frame[surface.vertex_object[b]] ? own : all;
  }
};

}  // namespace sim
