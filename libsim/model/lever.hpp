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

// Of every object 1 - Q^T, where a scripted one has R(time + dt) = Q R(time), so that what is turned to r has come by
// that times r, and 0 of others. Empty where nothing has thickness.
std::vector<Mat3> ways_of_turn(const Model& model, double time, double dt);

}  // namespace sim
