// What sticks takes back in the next step what it slipped (Contact::drift). Two rigid bodies, or one and an obstacle,
// take back no more than one rigid motion of the one against the other:
//
//     drift_i = T_i (a + b x p_i)      p_i: the point of contact i, T_i: its two tangents
//
// Contacts that began to stick at different times of a step, or along arcs, have slipped by what no such motion is.
// Kept, that would be asked for in every step from then on, of rows that contradict each other.
#pragma once

#include "collide/contact_set.hpp"
#include "model/model.hpp"

namespace sim {

// At the positions x. Of each pair of such objects the motion is the nearest one to the drifts of all its contacts
// that stick, in the mean of squares; they are left as they are where none is farther off than `tolerance` (m).
void hold_as_rigid(const Model& model, const VecX& x, double tolerance, ContactSet& contacts);

}  // namespace sim
