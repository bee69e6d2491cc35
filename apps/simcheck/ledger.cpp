#include "ledger.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace simcheck {

namespace {

struct Row : sim::EnergyRow {
  sim::Vec3 momentum, angular_momentum;  // given

  // J: that of energy(), here and in the run.
  double rounding() const {
    return 4 * eps * (std::abs(kinetic) + std::abs(elastic) + std::abs(potential) + std::abs(contact));
  }
  double sum() const {
    return std::abs(work) + std::abs(loads) + std::abs(correction) + std::abs(friction) + std::abs(damping) +
           std::abs(scheme);
  }
};

Row row_of(const RecordedSteps& steps, std::size_t k) {
  const auto vector = [&](const char* name) { return steps.vector(name, k); };
  Row row;
  row.step = static_cast<std::int64_t>(steps.number("step", k));
  for (const sim::EnergyColumn& column : sim::energy_columns) row.*column.of_row = steps.number(column.name, k);
  row.momentum = vector("impulse_external") + vector("impulse_prescribed") + vector("impulse_left_over") +
                 vector("impulse_scheme");
  row.angular_momentum = vector("angular_impulse_external") + vector("angular_impulse_prescribed");
  return row;
}

// Those that moved the bodies.
std::vector<Row> rows_of(const RecordedSteps& steps) {
  std::vector<Row> rows;
  for (std::size_t k = 0; k < steps.columns.at("step").size(); ++k)
    if (steps.columns.at("accepted")[k] != 0) rows.push_back(row_of(steps, k));
  return rows;
}

void judge_balance(const std::vector<Row>& rows, LedgerFinding& f) {
  for (std::size_t k = 1; k < rows.size(); ++k) {
    const Row &before = rows[k - 1], &row = rows[k];
    if (row.step != before.step + 1 || std::isnan(row.given())) continue;
    const double off = std::abs(row.energy() - before.energy() - row.given());
    const double missing = std::isfinite(off) ? std::max(0.0, off - before.rounding() - row.rounding()) : off;
    const double in_play = f.energy_scale + row.sum();
    // Where nothing is in play not even rounding may be missing.
    const double relative = missing > 0 ? missing / std::max(in_play, std::numeric_limits<double>::min()) : 0;
    if (relative > f.imbalance || !std::isfinite(relative)) {
      f.imbalance = std::isfinite(relative) ? relative : std::numeric_limits<double>::infinity();
      f.imbalance_step = row.step;
    }
  }
}

sim::Unborne find_unborne(const Subject& subject, double energy_scale) {
  const RecordedSteps& steps = subject.steps;
  if (!subject.substance || !subject.substance->is_quasi_static || steps.columns.at("active").empty()) return {};
  sim::UnborneLoads unborne;
  for (std::size_t k = 0; k < steps.columns.at("step").size(); ++k) {
    if (steps.number("accepted", k) == 0) continue;
    unborne.add(static_cast<std::int64_t>(steps.number("step", k)), steps.number("dt", k), steps.number("active", k),
                steps.vector("impulse_external", k), steps.vector("impulse_prescribed", k));
  }
  return unborne.finding(subject.substance->gap_tolerance, energy_scale);
}

sim::EnergyAllowance allowance_of(const Subject& subject) {
  sim::EnergyAllowance allowance;
  allowance.damping_may_give = subject.reader.info().solver == "acm";
  if (!subject.substance) return allowance;
  const Substance& s = *subject.substance;
  allowance.of_gaps = s.total_mass * s.gravity.norm() * s.gap_tolerance;
  allowance.of_small_strain = s.smallest_elastic_scale;
  return allowance;
}

}  // namespace

RunLedger::RunLedger(const Subject& subject) {
  LedgerFinding& f = finding_;
  if (!subject.steps.has_ledger) return;
  const std::vector<Row> rows = rows_of(subject.steps);
  if (rows.empty()) return;
  first_step_ = subject.reader.frame_step(0);
  first_energy_ = rows.front().energy() - rows.front().given();
  sim::EnergyAccount account;
  for (const Row& row : rows) account.add(row);
  static_cast<sim::EnergyFinding&>(f) = account.finding(allowance_of(subject));
  Given given;
  given_.push_back(given);
  double contact_before = 0, sum = 0;
  for (const Row& row : rows) {
    if (std::isnan(row.given())) continue;
    ++f.steps;
    f.work_prescribed += row.work;
    f.work_loads += row.loads;
    f.work_correction += row.correction;
    f.friction += row.friction;
    f.damping += row.damping;
    f.scheme += row.scheme;
    // Frames do not tell what contacts store: what they have at their end is not in the energies of a frame.
    given.energy += row.given() - (row.contact - contact_before);
    contact_before = row.contact;
    contacts_store_ = contacts_store_ || row.contact != 0;
    sum += row.sum();
    given.rounding = eps * static_cast<double>(f.steps) * sum;
    given.momentum += row.momentum;
    given.angular_momentum += row.angular_momentum;
    if (row.step == first_step_ + static_cast<std::int64_t>(given_.size())) given_.push_back(given);
  }
  judge_balance(rows, f);
  f.unborne = find_unborne(subject, f.energy_scale);
  f.all_steps = static_cast<std::int64_t>(rows.size());
  if (f.steps < f.all_steps) given_.clear();
}

void RunLedger::begin_with(double energy) {
  if (!contacts_store_) return;
  for (std::size_t k = 1; k < given_.size(); ++k) given_[k].energy += first_energy_ - energy;
}

std::optional<Given> RunLedger::until(std::int64_t step) const {
  const std::int64_t index = step - first_step_;
  if (index < 0 || index >= static_cast<std::int64_t>(given_.size())) return {};
  return given_[static_cast<std::size_t>(index)];
}

}  // namespace simcheck
