#include "recorded_steps.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "model/report.hpp"

namespace simcheck {

RecordedSteps read_steps(const sim::ResultReader& reader) {
  RecordedSteps steps;
  for (const char* name : {"step", "time", "status", "kinetic_energy", "elastic_energy", "potential_energy",
                           "momentum", "angular_momentum"})
    steps.columns[name] = reader.step_column(name);
  constexpr std::array ledger{"accepted",
                              "work_prescribed",
                              "work_correction",
                              "dissipation_friction",
                              "dissipation_damping",
                              "dissipation_scheme",
                              "impulse_external",
                              "impulse_prescribed",
                              "impulse_left_over",
                              "angular_impulse_external",
                              "angular_impulse_prescribed"};
  steps.has_ledger =
      std::all_of(ledger.begin(), ledger.end(), [&](const char* name) { return reader.has_step_column(name); });
  if (steps.has_ledger) {
    for (const char* name : ledger) steps.columns[name] = reader.step_column(name);
    const std::vector<double>& others = steps.columns["work_prescribed"];
    std::vector<double>& loads = steps.columns["work_loads"];
    loads.assign(others.size(), 0.0);
    if (reader.has_step_column("work_loads")) loads = reader.step_column("work_loads");
    // Rows of runs before there were loads.
    for (std::size_t row = 0; row < loads.size(); ++row)
      if (std::isnan(loads[row]) && !std::isnan(others[row])) loads[row] = 0;
    std::vector<double>& stored = steps.columns["contact_energy"];
    stored.assign(others.size(), 0.0);
    if (reader.has_step_column("contact_energy")) stored = reader.step_column("contact_energy");
    for (double& energy : stored) energy = std::isnan(energy) ? 0 : energy;
    std::vector<double>& gaps = steps.columns["work_of_gaps"];  // none in older files
    gaps.assign(others.size(), 0.0);
    if (reader.has_step_column("work_of_gaps")) gaps = reader.step_column("work_of_gaps");
    for (double& work : gaps) work = std::isnan(work) ? 0 : work;
    for (const char* name : {"active", "dt"}) {
      steps.columns[name] = {};
      if (reader.has_step_column(name)) steps.columns[name] = reader.step_column(name);
    }
    std::vector<double>& scheme = steps.columns["impulse_scheme"];
    scheme.assign(3 * others.size(), 0.0);
    if (reader.has_step_column("impulse_scheme")) scheme = reader.step_column("impulse_scheme");
    for (std::size_t k = 0; k < scheme.size(); ++k)
      if (std::isnan(scheme[k]) && !std::isnan(others[k / 3])) scheme[k] = 0;
  }
  const auto &numbers = steps.columns["step"], &statuses = steps.columns["status"];
  for (std::size_t row = 0; row < numbers.size(); ++row) {
    const auto status = static_cast<sim::StepStatus>(static_cast<std::int32_t>(statuses[row]));
    ++steps.statuses[to_string(status)];
    // That of a step that was not taken is the last one, and no frame has its number.
    steps.row_of_step[static_cast<std::int64_t>(numbers[row])] = row;
  }
  return steps;
}

}  // namespace simcheck
