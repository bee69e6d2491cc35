// What a step was given and what it lost: sums over its parts, of any stepper. What each of them is, and how they add
// up to the change of energy and momentum, is told by docs/decisions/energy-ledger.md; the implicit step's own are in
// step/ledger.hpp, those of local forces in local/account.hpp.
#pragma once

#include "model/measure.hpp"

namespace sim {

struct Ledger {                                                     // sums over the parts of a step
  double work_prescribed = 0, work_loads = 0, work_correction = 0;  // J
  double dissipation_friction = 0, dissipation_damping = 0;         // J
  double work_of_gaps = 0;                                          // J, no part of the balance
  std::vector<double> contact_work;          // J, of contacts on each object; empty: nobody has told it
  Vec3 impulse_external{0, 0, 0};            // kg m/s: of gravity, of loads and of mass damping
  Vec3 impulse_prescribed{0, 0, 0};          // kg m/s: of obstacles, and of what holds pinned or scripted vertices
  Vec3 impulse_left_over{0, 0, 0};           // kg m/s: s0 - s1
  Vec3 impulse_scheme{0, 0, 0};              // kg m/s
  Vec3 angular_impulse_external{0, 0, 0};    // kg m^2/s, about the origin
  Vec3 angular_impulse_prescribed{0, 0, 0};  // kg m^2/s
};

// What has come to a sum since `before`, times `weight`.
inline void weigh(const Vec3& before, double weight, Vec3& sum) {
  if (weight != 1) sum = before + weight * (sum - before);
}
void weigh_impulses(const Ledger& before, double weight, Ledger& ledger);

// Where energies of tetrahedra are known already: what a step ends with, the next one starts with.
struct EnergyAt {
  VecX x;                       // m, of all vertices
  std::vector<double> of_tets;  // J
  bool knows(const VecX& place) const { return x.size() == place.size() && x == place; }
};
void find_energy(const ElasticBodies& bodies, const VecX& x, EnergyAt& energy);  // where it is not known
struct KnownEnergy {
  EnergyAt start, end;
};

// Energies and momenta at the end of a step, and its ledger with the remainder.
void record(const Model& model, const State& start, const State& end, const Ledger& ledger, KnownEnergy& known,
            StepReport& report);

}  // namespace sim
