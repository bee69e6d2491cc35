#include "model/ledger.hpp"

#include <utility>

namespace sim {

namespace {

double total_energy(const Measures& m) {
  return m.kinetic_energy + m.elastic_energy + m.potential_energy;
}

}  // namespace

void find_energy(const ElasticBodies& bodies, const VecX& x, EnergyAt& energy) {
  if (energy.knows(x)) return;
  energy.x = x;
  tet_energies(bodies, x, energy.of_tets);
  energy.elastic_energy = elastic_energy(bodies, x, energy.of_tets);
}

void record(const Model& model, const State& start, const State& end, const Ledger& ledger, KnownEnergy& known,
            StepReport& report) {
  find_energy(model.elastic, start.x, known.start);
  find_energy(model.elastic, end.x, known.end);
  const Measures before = measure(model, start, known.start.elastic_energy);
  const Measures after = measure(model, end, known.end.elastic_energy);
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
