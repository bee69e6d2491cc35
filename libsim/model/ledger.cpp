#include "model/ledger.hpp"

#include <utility>

namespace sim {

namespace {

double total_energy(const Measures& m) {
  return m.kinetic_energy + m.elastic_energy + m.potential_energy;
}

}  // namespace

void weigh_impulses(const Ledger& before, double weight, Ledger& ledger) {
  for (Vec3 Ledger::*impulse :
       {&Ledger::impulse_external, &Ledger::impulse_prescribed, &Ledger::impulse_left_over, &Ledger::impulse_scheme,
        &Ledger::angular_impulse_external, &Ledger::angular_impulse_prescribed})
    weigh(before.*impulse, weight, ledger.*impulse);
}

void find_energy(const ElasticBodies& bodies, const VecX& x, EnergyAt& energy) {
  if (energy.knows(x)) return;
  energy.x = x;
  tet_energies(bodies, x, energy.of_tets);
}

void record(const Model& model, const State& start, const State& end, const Ledger& ledger, KnownEnergy& known,
            StepReport& report) {
  const auto measure_at = [&](const State& state, EnergyAt& energy) {
    find_energy(model.elastic, state.x, energy);
    return measure(model, state, elastic_energy(model.elastic, state.x, unseen_of(state), energy.of_tets));
  };
  const Measures before = measure_at(start, known.start), after = measure_at(end, known.end);
  std::swap(known.start, known.end);
  report.kinetic_energy = after.kinetic_energy;
  report.elastic_energy = after.elastic_energy;
  report.potential_energy = after.potential_energy;
  report.momentum = after.momentum;
  report.angular_momentum = after.angular_momentum;
  report.min_volume_ratio = after.volumes.of_all.ratio;
  report.inverted = after.volumes.inverted;
  report.extrapolated = after.volumes.continued;
  report.smallest_tet = after.volumes.of_all.tet;
  report.smallest_extrapolated_tet = after.volumes.of_continued.tet;
  report.work_prescribed = ledger.work_prescribed;
  report.work_loads = ledger.work_loads;
  report.dissipation_friction = ledger.dissipation_friction;
  report.dissipation_damping = ledger.dissipation_damping;
  report.work_correction = ledger.work_correction;
  report.work_of_gaps = ledger.work_of_gaps;
  report.contact_work = ledger.contact_work;
  report.dissipation_scheme = ledger.work_prescribed + ledger.work_loads + ledger.work_correction -
                              ledger.dissipation_friction - ledger.dissipation_damping -
                              (total_energy(after) - total_energy(before));
  report.impulse_external = ledger.impulse_external;
  report.impulse_prescribed = ledger.impulse_prescribed;
  report.impulse_left_over = ledger.impulse_left_over;
  report.impulse_scheme = ledger.impulse_scheme;
  report.angular_impulse_external = ledger.angular_impulse_external;
  report.angular_impulse_prescribed = ledger.angular_impulse_prescribed;
}

}  // namespace sim
