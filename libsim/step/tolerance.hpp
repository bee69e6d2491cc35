// How exact a step must be: nothing absolute, nothing of the whole scene, the same in every inertial frame.
//
//     u = max(dt |g|, part w)              m/s: the speed that counts in a contact island, w the fastest approach of
//                                          its contacts at the start of the step
//     momentum of a body B    part |M_B| max(u, floor_B)          |M_B| the norm of the masses of its vertices
//     gap of a contact        the smallest of
//                                 solver_part eps2                so that gaps stay inside (0, eps2)
//                                 10 part dt u                    an error of the gap is a velocity for one step
//                                 part dt u k / k_whole           and a force: of a rigid body this is a `part` of
//                                                                 its weight; k from contact/problem.hpp
//                                 aim / 4                         a small gap stays a gap
//
// Without weight and approach, floor_B = 1e-6 |dt f_B| / |M_B| of the forces on B's vertices, and never under
// 1e-6 eps2 / dt.
#pragma once

#include "contact/groups.hpp"
#include "step/model.hpp"
#include "step/options.hpp"
#include "step/state.hpp"

namespace sim {

inline constexpr double gap_part = 10;  // of the relative tolerance

// Norm of the masses of every body, kg; rigid ones are two, their blocks v and u.
void body_masses(const Model& model, const Bodies& bodies, std::vector<double>& mass);

// m/s: at which the two sides of a contact come nearer at velocities v, all vertices; negative where they part.
double approach(const Contact& contact, const VecX& v);

// u of a contact by itself.
double contact_speed(const Contact& contact, const VecX& v, const Vec3& gravity, const ContactOptions& options,
                     double dt);

struct ToleranceInput {
  const Model& model;
  const ContactOptions& options;
  const State& state;
  const VecX& v;                    // of all vertices at the start of the step, prescribed ones as they will move
  const ContactProblem& problem;    // A and b of the step
  const Compliance& compliance;     // of its contacts
  const std::vector<double>& mass;  // body_masses()
  double dt = 0;
};
// For every body in a group and every contact.
void find_units(const ToleranceInput& input, const Groups& groups, Units& units);

}  // namespace sim
