// The ledger of a step: what energy and momentum it was given, what it lost, and what its scheme made of the rest.
//
// For a part of a step, of length dt, with the forces r = (lambda, -gamma) of its last solve, the momentum s that the
// step before left over, and what this one leaves over (docs/decisions/energy-ledger.md):
//
//     m (v1 - v0) = dt m g  -  dt C v1  +  dt (f(x0) - dt K v1)  +  L^T r  +  s0 - s1  +  held        x1 = x0 + dt v1
//
// `held` is what keeps a vertex without unknown on its way; it is what the rest of its row misses. Then, in J
//
//     change of kinetic + elastic + potential energy
//         = work_prescribed - dissipation_friction - dissipation_damping - dissipation_scheme
//
//     work_prescribed        sum of held . v1, less the work of the contact forces on obstacles
//     dissipation_friction   sum over contacts of gamma . (true tangential way of one side over the other)
//     dissipation_damping    dt v1 . C v1,   C = alpha M + beta K
//     dissipation_scheme     the remainder: what neither of them explains
#pragma once

#include <span>

#include "step/measure.hpp"

namespace sim {

struct Ledger {  // sums over the parts of a step
  double work_prescribed = 0, dissipation_friction = 0, dissipation_damping = 0;  // J
  Vec3 impulse_external{0, 0, 0};           // kg m/s: of gravity and of mass damping
  Vec3 impulse_prescribed{0, 0, 0};         // kg m/s: of obstacles and of pinned or scripted vertices
  Vec3 impulse_left_over{0, 0, 0};          // kg m/s: made good of the part before, less what is missing now
  Vec3 angular_impulse_external{0, 0, 0};   // kg m^2/s, about the origin
  Vec3 angular_impulse_prescribed{0, 0, 0};  // kg m^2/s
};

// A part of a step that was accepted.
struct PartOfStep {
  const Model& model;
  const State &start, &end;
  double dt;                          // s
  const ElementBuffer& elements;      // as assembled at its start
  std::span<const Contact> contacts;  // as they were solved
  const VecX& forces;                 // N, exact ones of these contacts: (lambda, -gamma)
  std::span<const RigidStep> rigid;
};
void add(const PartOfStep& part, Ledger& ledger);

// Energy at the start of a step, without what its last step computed already.
class StartOfStep {
 public:
  Measures measures(const Model& model, const State& state) const;
  void keep(const State& end, const Measures& measures);  // for the next step

 private:
  VecX x_;
  double elastic_energy_ = 0;
};

// Energies at the end, and the ledger with its remainder.
void record(const Measures& start, const Measures& end, const Ledger& ledger, StepReport& report);

}  // namespace sim
