// Which forces do work along the way of a part of a step, x1 - x0.
//
// Euler's schemes take one force for the whole part, and that is it; but of loads that go with a body the mean of
// both ends: a pressure on what turns by a in a part does no work, and along the chord N r a^2 / 2. Generalized alpha
// solves for the forces of the end, and its way is that of the middle: work of the one along the other is of first
// order in dt, and of a force that goes with the acceleration it has the wrong sign. Of objects that step by it work
// is that of
//
//     (F(x0) + F(x1)) / 2          to second order, and nothing is left of it where a force is a function of x alone
//
// with F(x0) as the part began: of contacts what they carried, of loads and elements what they are there. A contact
// that was none then has its force of the end: it has come in the place of another, or what it joins is an impact,
// which is a step by implicit Euler. A vertex with a mass that goes as prescribed needs m (v1 - v0) . (v0 + v1) / 2
// for that.
#pragma once

#include "step/ledger.hpp"

namespace sim {

bool is_of_second_order(const PartOfStep& part, Index vertex);
bool works_by_means(const PartOfStep& part, const Contact& contact);  // where all that moves of it is

struct StartForces {  // N, at x0; empty where they are not asked for
  LoadForces loads;   // where an object is of second order
  LoadForces other;   // of Euler's schemes, where loads go with bodies: at the end of the way that was not taken
  VecX elements;      // on their corners, where held vertices are of such an object, or `turns`: some turn
};
StartForces forces_at_start(const PartOfStep& part, std::span<const std::uint8_t> is_held, bool turns);

Vec3 in_space(const Contact& contact, const Vec3& force);  // of one along n, t1 and t2
Vec3 force_at_end(const Contact& contact);                 // N, in space, on its first side, as a part ended with it

// N, along n, t1 and t2, as `force` of the end, (lambda, -gamma): all of it, and friction, 0 along n. Where a normal
// has turned, what pushed along it at the start is along the tangents, and no friction.
struct ContactForces {
  Vec3 whole, friction;
};
ContactForces contact_forces_of_work(const PartOfStep& part, const Contact& contact, const Vec3& force);
Vec3 load_of_work(const PartOfStep& part, const StartForces& start, Index vertex);     // N
Wrench load_of_work_on(const PartOfStep& part, const StartForces& start, Index body);  // on a rigid one

}  // namespace sim
