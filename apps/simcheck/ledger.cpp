#include "ledger.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace simcheck {

namespace {

constexpr double rounding_of_strain = 1e-10;  // of the energy of a strain of 1e-6: that of 1e-11

// Of the sum of numbers that are losses: the fall that is the largest beyond what gaps were worth on its way.
class LargestFall {
 public:
  LargestFall(std::int64_t first_step, Growth& largest) : largest_(largest) { begin(first_step); }

  void add(double loss, double gaps, std::int64_t step) {
    sum_ += loss;
    raise(gaps);
    const Start& worst = starts_.back().worst;
    const double fall = worst.sum - sum_;
    if (fall - worst.gaps > largest_.excess()) largest_ = {fall, worst.step, step, worst.gaps};
    begin(step);
  }

 private:
  struct Start {  // the sum after a step, and the largest work of gaps since
    double sum = 0, gaps = 0;
    std::int64_t step = 0;
    double high() const { return sum - gaps; }
  };
  // Starts with the same work of gaps since, of which the highest counts; the work falls from entry to entry.
  struct Entry {
    Start highest, worst;  // worst: of this entry and those before
  };

  void push(const Start& start) {
    const bool lower = !starts_.empty() && starts_.back().worst.high() > start.high();
    starts_.push_back({start, lower ? starts_.back().worst : start});
  }
  void begin(std::int64_t step) { push({sum_, 0, step}); }
  void raise(double gaps) {
    Start highest{-std::numeric_limits<double>::infinity(), gaps, 0};
    while (!starts_.empty() && starts_.back().highest.gaps <= gaps) {
      const Start& last = starts_.back().highest;
      if (last.sum >= highest.sum) highest = {last.sum, gaps, last.step};
      starts_.pop_back();
    }
    push(highest);
  }

  Growth& largest_;
  double sum_ = 0;
  std::vector<Entry> starts_;
};

struct Row {
  std::int64_t step;
  double kinetic, elastic, potential, contact, work, loads, correction, friction, damping, scheme, gaps;
  sim::Vec3 momentum, angular_momentum;  // given

  double energy() const { return kinetic + elastic + potential + contact; }
  // J: that of energy(), here and in the run.
  double rounding() const {
    return 4 * eps * (std::abs(kinetic) + std::abs(elastic) + std::abs(potential) + std::abs(contact));
  }
  double given() const { return work + loads + correction - friction - damping - scheme; }
  double sum() const {
    return std::abs(work) + std::abs(loads) + std::abs(correction) + std::abs(friction) + std::abs(damping) +
           std::abs(scheme);
  }
};

Row row_of(const RecordedSteps& steps, std::size_t k) {
  const auto number = [&](const char* name) { return steps.number(name, k); };
  const auto vector = [&](const char* name) { return steps.vector(name, k); };
  return {static_cast<std::int64_t>(number("step")),
          number("kinetic_energy"),
          number("elastic_energy"),
          number("potential_energy"),
          number("contact_energy"),
          number("work_prescribed"),
          number("work_loads"),
          number("work_correction"),
          number("dissipation_friction"),
          number("dissipation_damping"),
          number("dissipation_scheme"),
          number("work_of_gaps"),
          vector("impulse_external") + vector("impulse_prescribed") + vector("impulse_left_over") +
              vector("impulse_scheme"),
          vector("angular_impulse_external") + vector("angular_impulse_prescribed")};
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

void look_for_unborne(const Subject& subject, LedgerFinding& f) {
  constexpr double least_part = 0.5;
  const RecordedSteps& steps = subject.steps;
  if (!subject.substance || !subject.substance->is_quasi_static || steps.columns.at("active").empty()) return;
  for (std::size_t k = 0; k < steps.columns.at("step").size(); ++k) {
    if (steps.number("accepted", k) == 0 || !(steps.number("active", k) == 0)) continue;
    const double pulls = steps.vector("impulse_external", k).norm(),
                 bears = steps.vector("impulse_prescribed", k).norm();
    // Of a pressure all around rounding is left: its work along a gap is below that of the energies in play.
    const double work = pulls / steps.number("dt", k) * subject.substance->gap_tolerance;
    if (!(work > eps * f.energy_scale) || bears >= least_part * pulls) continue;
    if (f.unborne.steps++ > 0) continue;
    f.unborne.first = static_cast<std::int64_t>(steps.number("step", k));
    f.unborne.force = pulls / steps.number("dt", k);
  }
}

}  // namespace

RunLedger::RunLedger(const Subject& subject) {
  LedgerFinding& f = finding_;
  if (!subject.steps.has_ledger) return;
  const std::vector<Row> rows = rows_of(subject.steps);
  if (rows.empty()) return;
  first_step_ = subject.reader.frame_step(0);
  first_energy_ = rows.front().energy() - rows.front().given();
  for (const Row& row : rows)
    f.energy_scale = std::max(
        f.energy_scale, row.kinetic + row.elastic + row.contact + std::abs(row.potential - rows.front().potential));
  const std::int64_t start = rows.front().step - 1;
  LargestFall losses(start, f.made), scheme(start, f.by_scheme), friction(start, f.by_friction),
      damping(start, f.by_damping);
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
    losses.add(row.friction + row.damping + row.scheme - row.correction, row.gaps, row.step);
    scheme.add(row.scheme - row.correction, row.gaps, row.step);
    friction.add(row.friction, row.gaps, row.step);
    damping.add(row.damping, 0, row.step);
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
  look_for_unborne(subject, f);
  f.all_steps = static_cast<std::int64_t>(rows.size());
  if (f.steps < f.all_steps) given_.clear();
  f.rounding = largest_imbalance * f.energy_scale;
  f.allowed = largest_growth * f.energy_scale;
  if (subject.substance) {
    const Substance& s = *subject.substance;
    f.rounding += rounding_of_strain * s.smallest_elastic_scale;
    f.allowed += s.total_mass * s.gravity.norm() * s.gap_tolerance + f.rounding;
  }
  f.allowed_of_damping = subject.reader.info().solver == "acm" ? f.allowed : f.rounding;
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
