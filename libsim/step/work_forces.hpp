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
//
// What is prescribed and turns, by Q in the part, does no work against forces that turn with it: one of N at a radius
// r would do N r a^2 / 2 along the chord of a turn by a. One that keeps its direction, as a weight does, works along
// the chord. So half the difference is taken off as far as the forces of the end have turned with it since the start,
//
//     sum f . (x1 - x0) - theta / 2 sum (1 - Q^T) f . (x1 - x0)
//     theta = -N0 : A N1 / (A N1 : A N1), in [0, 1]        A = (Q - Q^T) / 2        N = sum of f X^T, N0 as long as
//     N1
//
// with X the places at rest. It is found for all forces on what turns together: contacts pass on to each other what
// they carry. A contact that slides over it ends at a point whose way is not its own. It goes by c beside that, where
// velocities are others, and does (1 - Q^T) f . c / 2 more.
#pragma once

#include "step/ledger.hpp"

namespace sim {

bool is_of_second_order(const PartOfStep& part, Index vertex);
bool works_by_means(const PartOfStep& part, const Contact& contact);  // where all that moves of it is

// Of what is prescribed along all directions, an entry of Model::prescribed that turns in this part.
struct PrescribedTurn {
  Mat3 turn;                                       // Q
  Vec3 center;                                     // m, mean of its vertices at rest
  Mat3 before = Mat3::Zero(), now = Mat3::Zero();  // kg m2/s: N0 and N1 times dt, of what it takes
  double chord = 0;                                // J: sum of (1 - Q^T) f . (x1 - x0)
};
struct PrescribedTurns {
  std::vector<PrescribedTurn> turns;
  std::vector<Index> of_vertex;  // or -1; empty where nothing turns
  bool any() const { return !turns.empty(); }
  PrescribedTurn* of(Index vertex);  // null where it does not turn
};
PrescribedTurns find_turns(const PartOfStep& part);
// What a vertex of it takes in this part, and goes by; what it took at its start.
void take(PrescribedTurn& turn, const Vec3& X, const Vec3& impulse, const Vec3& v);
void take_before(PrescribedTurn& turn, const Vec3& X, const Vec3& impulse);
void take_contacts_before(const PartOfStep& part, PrescribedTurns& turns);
// J: theta / 2 sum (1 - Q^T) f . (x1 - x0)
double turned_away(const PrescribedTurn& turn);

struct StartForces {  // N, at x0; empty where no object is of second order, or the model has none of them
  LoadForces loads;
  LoadForces other;  // of Euler's schemes, where loads go with bodies: at the end of the way that was not taken
  VecX elements;     // of elements on their corners, where the part holds vertices of such an object
};
StartForces forces_at_start(const PartOfStep& part, std::span<const std::uint8_t> is_held, bool anything_turns);

Vec3 in_space(const Contact& contact, const Vec3& force);  // of one along n, t1 and t2

// N, along n, t1 and t2, as `force` of the end, (lambda, -gamma): all of it, and friction, 0 along n. Where a normal
// has turned, what pushed along it at the start is along the tangents, and no friction.
struct ContactForces {
  Vec3 whole, friction;
};
ContactForces contact_forces_of_work(const PartOfStep& part, const Contact& contact, const Vec3& force);
// m: by what the point of a contact goes beside those of its sides where it ends, `apart` their ways, the first's
// less the second's. What sticks goes with both. A vertex is that point; edges meet where  way1 + a e1 = way2 + b e2.
struct Beside {
  Vec3 first{0, 0, 0}, second{0, 0, 0};
};
Beside go_beside(const PartOfStep& part, const Contact& contact, const Vec3& apart);

Vec3 load_of_work(const PartOfStep& part, const StartForces& start, Index vertex);     // N
Wrench load_of_work_on(const PartOfStep& part, const StartForces& start, Index body);  // on a rigid one

}  // namespace sim
