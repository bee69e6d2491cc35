// How exact a step must be: nothing absolute, nothing of the whole scene, the same in every inertial frame.
//
//     u = max(dt a, part w, settling_part i)     m/s: the speed that counts in a contact island, of a body and of a
//                                                contact: what differs there is a
//             a    what drives it: weight, or its loads as if they were weight (step/push.hpp). Of a contact, of its
//                  side that is driven less. Where nothing drives it, dt a is the most of the island's others and of
//                  1e-5 k lambda / dt, what the forces of its contacts would do: what is pressed comes to rest; and
//                  of part times the speed at which what pushes slides
//             w    the fastest approach of its contacts at the start of the step
//             i    the largest change of velocity of its bodies that is due if contacts push on with the forces r of
//                  the step before: |M_B dv| / |M_B|, dv what b + L^T r - M v0 does to the body as a whole (to one
//                  that is held, by 1^T A 1) and, of the rest, what diag(A) lets it; none at rest. Divided by the
//                  masses alone the rest would count forces inside a stiff body, which move nothing, as metres a
//                  second. Of another body of the island no more than what that impulse does to this one. Of a body
//                  that is held b has what its holders pull, - A_fp v_p, which is no change where all go on together:
//                  dv is that of a frame that moves with them, b + L^T r - A c - M (v0 - c) with c of
//                  step/held_bodies.hpp. What they do otherwise than in the step before is a change, as it was
//     momentum of a body B    part |M_B| u              |M_B| the norm of the masses of its vertices. Where nothing
//                                                       drives it, u over min(1, mobility m_B): what of it stays as
//                                                       motion, little of what is held; but no more than what pushes
//                                                       it would do as weight, dt f_B / m_B: what holds it misses all
//                                                       of it, and a heavy body has not what moves a light one
//             f_B  the larger of F_B (below) of the step before and of (approach + dt a) dt / k_whole of its
//                  contacts, a of the side that is driven most: what takes both of their motions, the lighter one's
//     gap of a contact        the smallest of
//                                 solver_part eps2            so that gaps stay inside (0, eps2)
//                                 gap_part part dt u          an error of the gap is a velocity for one step
//                                 part dt u k / k_whole       and a force: of a rigid body this is a `part` of
//                                                             its weight; k from contact/problem.hpp
//                                 gap_part part k_i f_B / n   a tenth of the force of each of the n contacts of an
//                                                             elastic body: k_i what its elastic surroundings give
//                                                             way by; of two bodies the smaller force
//                                 3/4 (target_gap - separation)      a small gap stays a gap
//
// u is never under 1e-6 eps2 / dt, and nothing is asked for beyond rounding: that of b and A v, and of gaps what it
// makes of the ways of their bodies as a whole, sum of dt mobility_B eps max(|b_B|, |diag(A) v|).
//
// Quasi-static steps know no speeds and no masses, only forces. A body that nothing drives may miss there a part of
// what presses it, f_i the force of a contact as it is known before the solve:
//
//     F_B = sum of f_i over its contacts / 2      what goes through it
//     momentum of a body B    part |M_B| / m_B dt F_B    as of a weight F_B; masses cancel
//     gap of a contact        the smallest of solver_part eps2, part k_i f and 3/4 (target_gap - separation)
//             k_i  what its surroundings give way by, m/N, as far as they are elastic
//             f    the root of the mean square of the f_i of its bodies that push, the smaller one: so that gaps that
//                  are all off to one side change F_B by a part of it, however many there are
//     gap of one that is driven      as above, and of a contact of the step before no more than gap_part part k_i f:
//                                    friction is a force, whatever drives the body, and follows slips of k_i f
//
// One that is driven may miss a part of its own drive, and of what changes elsewhere in its island no more than of
// F_B. No f is under what 1e-6 eps2 asks for. What f_i was taken for is found again after the solve (overrated()).
#pragma once

#include "contact/groups.hpp"
#include "model/model.hpp"
#include "model/options.hpp"
#include "model/state.hpp"
#include "step/push.hpp"

namespace sim {

inline constexpr double gap_part = 10;  // of the relative tolerance
inline constexpr double settling_part = 0.1;

// The last of these of a contact, m: what it may miss and still not come nearer than pairs may (collide/check.hpp).
double room_below_target(const Contact& contact, double separation_part);

// Norm of the masses of every body, kg; rigid ones are two, their blocks v and u.
void body_masses(const Model& model, const Bodies& bodies, std::vector<double>& mass);

// m/s: at which the two sides of a contact come nearer at velocities v, all vertices; negative where they part.
double approach(const Contact& contact, const VecX& v);

// u of a contact by itself, that `push` drives (m/s^2).
double contact_speed(const Contact& contact, const VecX& v, double push, const ContactOptions& options, double dt);

// m/s^2: what its loads give every body; empty without loads.
void drives(const Model& model, const State& state, const LoadForces& loads, const Bodies& bodies,
            std::vector<double>& drive);

// What presses bodies in quasi-static steps.
struct Pressing {
  std::vector<double> compliance;  // a contact: k_i, m/N
  std::vector<double> force;       // a contact: f_i, N
  std::vector<double> total;       // a body: F_B that its unit was found with, N; 0: found with what drives it
};

// k_i, and f_i = max(0, lambda - s / k_i) with the slips s of the last motion: of what pushes its force, of what is
// new what its row asks for, which is more than it will be.
void find_pressing(const Model& model, const ContactProblem& problem, const VecX& inverse_diagonal,
                   const Compliance& compliance, const ContactSolution& solution, Pressing& pressing);

// Whether a body is pressed by less than half of what its unit was found with: then it has to be solved again.
std::vector<std::uint8_t> overrated(const ContactProblem& problem, const Bodies& bodies,
                                    const std::vector<double>& lambda, const Pressing& pressing);

// i of every body, m/s. `v` holds the last velocities of the unknowns, `r` the forces of the step before (or of what
// is kept of them).
struct DueInput {
  const Model& model;
  const ContactProblem& problem;
  const VecX& inverse_diagonal;  // of A
  const Bodies& bodies;
  const VecX& v;
  const VecX& r;
  const std::vector<double>& mass;       // body_masses()
  std::span<const double> inertia = {};  // a vertex: sigma of the time scheme (step/inertia.hpp); none: 1
  // m/s, rows: what carries held bodies along (step/held_bodies.hpp). Empty: nothing.
  VecX carried = {};
};
void due_changes(const DueInput& input, std::vector<double>& due);

struct ToleranceInput {
  const Model& model;
  const ContactOptions& options;
  const std::vector<Contact>& contacts;
  const VecX& x;                    // m, of all vertices at the start of the step
  const VecX& v;                    // of all vertices at the start of the step, prescribed ones as they will move
  const ContactProblem& problem;    // of the step
  const Compliance& compliance;     // of its contacts
  const VecX& inverse_diagonal;     // of A
  const std::vector<double>& mass;  // body_masses()
  const std::vector<double>& due;   // due_changes()
  Push push;
  double separation_part = 0;  // DetectionOptions
  double dt = 0;
  Pressing* pressing = nullptr;  // of quasi-static steps
};
// For every contact, and for every body in a group that has none yet: within a step it keeps the one it got first
// (0 before), so that A in these units stays the same. In quasi-static steps, whose A is new in every round, all get
// it anew; where the forces that press a body had a part in its unit, `pressing` tells of them, for overrated().
void find_units(const ToleranceInput& input, const Groups& groups, Units& units);

}  // namespace sim
