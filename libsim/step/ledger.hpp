// The ledger of a step: what energy and momentum it was given, what it lost, and what its scheme made of the rest.
//
// A part of a step, of length dt, has solved for its free vertices, with f and K at x0 and r = (lambda, -gamma),
//
//     m (v1 - v0) = dt m g + dt q - dt C v1 + dt (f - dt K v1) + L^T r + s0 - s1 + held        x1 = x0 + dt v1
//
// where q are the loads (model/loads.hpp), s0 is the momentum that the part before left over and s1 what this one
// leaves over. `held` is zero there; it is the impulse that keeps a pinned or scripted vertex on its way, and what
// the row of that vertex misses without it. Times v1, and added up (docs/decisions/energy-ledger.md):
//
//     change of kinetic + elastic + potential energy                                                               J
//         = work_prescribed + work_loads + work_correction
//           - dissipation_friction - dissipation_damping - dissipation_scheme
//
//     work_prescribed         sum of held . v1, less the work of contact forces on obstacles and held vertices; of
//                             what turns see step/turning_work.hpp
//     work_loads              dt q . v1, of rigid bodies dt (force . v1 + torque . w1)
//     work_correction         sum over contacts of lambda (change of the gap) - gamma . (way of one side along the
//                             other) less what is friction's, and (s0 - s1) . v1; of a rigid body the way is
//                             dt (v + w x a), along the tangent where its arc ends
//     dissipation_friction    sum over the contacts that slide of gamma . (way of one side along the other), where
//                             friction opposes it
//     dissipation_damping     dt v1 . C v1,   C = alpha M + beta D (elasticity/assembly.hpp)
//     dissipation_scheme      the rest: (v1 - v0) . m (v1 - v0) / 2 + (x1 - x0) . K (x1 - x0) / 2 where f is linear
//
//     contact_work            an object: of contacts, the same forces along the same ways. Of all obstacles it is
//                             minus what contacts have of work_prescribed
//
// Momentum has no such rest: its change is impulse_external + impulse_prescribed + impulse_left_over but for
// rounding. Rigid bodies add theirs in the same way, with their own steps (bodies/rigid.hpp).
//
// Other schemes (model/time_scheme.hpp) have the forces of their end, and do work along w dt = x1 - x0 instead of
// v1 dt; those of generalized alpha are in step/work_forces.hpp. What they lose to damping is that of the mean
// velocities and rates of strain of the step, w . C w (elasticity/strain_rates.hpp). Where m (v1 - v0) is not dt F1
// the rest of the momentum is
//
//     impulse_scheme          sum m (v1 - v0) - dt F1 = sum m (a0 - a1) dt / 2 of generalized alpha, which adds up to
//                             nothing over a smooth run; of quasi-static steps what the solver left over
#pragma once

#include <span>

#include "model/ledger.hpp"
#include "step/division.hpp"
#include "step/inertia.hpp"
#include "step/turning.hpp"

namespace sim {

// A part of a step that was accepted.
struct PartOfStep {
  const Model& model;
  const State &start, &end;
  double dt;                          // s
  const ElementBuffer& elements;      // as assembled at its start
  const LoadForces& loads;            // of its start
  std::span<const Contact> contacts;  // as they were solved
  const VecX& forces;                 // N, exact ones of these contacts: (lambda, -gamma)
  std::span<const RigidStep> rigid;
  std::span<const RigidStep> rigid_rows;  // those that rows of contacts were made of
  const Turning& turning;
  std::span<const Index> body_of_vertex;  // of those that turn, or -1
  const Inertia& inertia;
  const VecX& motion;   // m/s: w of all vertices
  const VecX& missing;  // kg m/s: s1 of the rows, also where it is not kept
  const Guides& guides;
  const Division& division;  // what has been solved for counts
};
void add(const PartOfStep& part, Ledger& ledger);

// J: sum of lambda eps2 over the contacts that count. A gap may be anywhere in (0, eps2), from step to step too, and
// where much is pressed that is more than what the weight of all bodies does along it. The mean over the parts of a
// step is its work_of_gaps; it is no part of the balance.
double work_of_gaps(const PartOfStep& part);

}  // namespace sim
