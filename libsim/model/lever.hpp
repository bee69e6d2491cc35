// Where friction acts on pairs with thickness. A cable or a sheet is a line or a surface in the middle of its
// thickness. It takes forces there and has nothing to take a couple with, but friction acts at its surface, half its
// thickness h off. So the side that has turns of its own, as a drum, reaches to the point of the other side, and the
// force acts there on both:
//
//     torque on a drum = (T1 - T2) (r + h / 2)       a belt that sticks goes with w (r + h / 2), the pitch radius
//
// What is prescribed reaches, then what is rigid. Between elastic sides none does: there the couple is lost.
#pragma once

#include "collide/contact.hpp"
#include "model/model.hpp"

namespace sim {

struct Lever {
  Index vertex = -1;    // of the side that reaches to the other's point; -1: none does
  Vec3 reach{0, 0, 0};  // m: added to the sum of the weighted places of that side
};
Lever lever_of(const Model& model, const Contact& contact);

// Of a scripted object R(time + dt) = Q R(time): 1 - Q^T, so that what is turned to r has come by that times r. 0 of
// others.
Mat3 way_of_turn(const Model& model, Index object, double time, double dt);

}  // namespace sim
