#include "contact/box_qp.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace sim {

namespace {

constexpr Index most_without_fall = 10;  // changes of all rows at once without fewer of them: then one by one

double force(const ContactSolution& y, Index row) {
  return row % 3 == 0 ? -y.lambda[row / 3] : y.gamma[row / 3][row % 3 - 1];
}

void set_force(ContactSolution& y, Index row, double g) {
  if (row % 3 == 0) {
    y.lambda[row / 3] = 0 - g;
  } else {
    y.gamma[row / 3][row % 3 - 1] = g;
  }
}

struct BoxQpSolve {
  CrIteration& it;
  const std::vector<double>& k;
  const ContactTolerance& tolerance;
  const BoxQpOptions& options;
  BoxQp& qp;
  BoxQpReport report;
  Index on_the_way = 0;
  double looked = 0;                                 // |r| when rows were last looked at on the way
  Index fewest = std::numeric_limits<Index>::max();  // rows that broke their condition
  Index without_fall = 0;
  double negligible = negligible_part * tolerance.constraint;

  Index rows() const { return static_cast<Index>(qp.state.size()); }
  bool fixed(Index row) const { return qp.low[row] == qp.high[row]; }

  void set_mask(Index contact) {
    const auto is_free = [&](Index row) { return qp.state[row] == RowState::free; };
    RowMask& mask = it.system.rows[contact];
    mask = {};
    mask.normal = is_free(3 * contact);
    const bool first = is_free(3 * contact + 1), second = is_free(3 * contact + 2);
    if (first || second) mask.tangents = first && second ? RowMask::Tangents::both : RowMask::Tangents::across;
    if (first && !second) mask.direction = {0, 1};
  }

  void set(Index row, RowState state) {
    qp.state[row] = state;
    if (state != RowState::free) set_force(it.y, row, state == RowState::low ? qp.low[row] : qp.high[row]);
  }

  void begin() {
    for (Index row = 0; row < rows(); ++row) set(row, fixed(row) ? RowState::low : qp.state[row]);
    for (Index i = 0; i < it.problem.contacts(); ++i) set_mask(i);
    it.compute_residual();
  }

  // The state that a row is to have. One that lets go of its bound must slip the way the bound's force resists.
  RowState wanted(Index row) const {
    const double g = force(it.y, row), s = qp.slip[row], stiff = k[row / 3];
    switch (qp.state[row]) {
      case RowState::free:
        if (stiff * (g - qp.high[row]) > negligible && s > -negligible) return RowState::high;
        if (stiff * (qp.low[row] - g) > negligible && s < negligible) return RowState::low;
        return RowState::free;
      case RowState::high:
        return s < -negligible && !fixed(row) ? RowState::free : RowState::high;
      case RowState::low:
        return s > negligible && !fixed(row) ? RowState::free : RowState::low;
    }
    return qp.state[row];
  }

  Index count_broken() {
    ++report.evaluations;
    slip(it.problem, it.y.v, qp.slip);
    Index broken = 0;
    for (Index row = 0; row < rows(); ++row) broken += wanted(row) != qp.state[row] ? 1 : 0;
    return broken;
  }

  bool change(bool only_the_last) {
    for (Index row = rows() - 1; row >= 0; --row) {
      const RowState state = wanted(row);
      if (state == qp.state[row]) continue;
      set(row, state);
      set_mask(row / 3);
      if (only_the_last) break;
    }
    ++report.resets;
    return true;
  }

  bool change_on_the_way() {
    if (options.switching != QpSwitching::on_the_way || on_the_way >= options.most_on_the_way) return false;
    if (!it.is_time(options.intervals, report.resets) || it.size > options.again * looked) return false;
    looked = it.size;
    if (count_broken() == 0) return false;
    ++on_the_way;
    return change(false);
  }

  bool change_at_convergence() {
    const Index broken = count_broken();
    if (broken == 0) return false;
    without_fall = broken < fewest ? 0 : without_fall + 1;
    fewest = std::min(fewest, broken);
    return change(without_fall > most_without_fall);
  }

  QpEnd run(const SolveLimits& limits, Trace* trace) {
    begin();
    bool begun = false;  // has a direction for the rows as they are
    while (true) {
      if (limits.stop.asked()) return QpEnd::iteration_limit;
      if (!it.is_small(tolerance)) {
        if (it.products >= limits.iterations) return QpEnd::iteration_limit;
        if (!begun) it.reset();
        if (!begun) looked = std::numeric_limits<double>::infinity();
        begun = true;
        if (!std::isfinite(it.advance())) return QpEnd::breakdown;
        const bool changed = change_on_the_way();
        if (trace != nullptr) trace->push_back(it.trace_row(changed));
        if (changed) {
          it.compute_residual();
          begun = false;
          continue;
        }
      }
      const bool stuck = begun && it.at_local_minimum(tolerance.momentum);
      if (it.is_small(tolerance) || stuck) {
        if (without_fall > most_without_fall + 2 * rows()) return QpEnd::cycling;
        if (!change_at_convergence()) return it.is_small(tolerance) ? QpEnd::solved : QpEnd::over_constrained;
        it.compute_residual();
        begun = false;
      } else {
        it.turn();
      }
    }
  }
};

}  // namespace

void states_from_forces(const ContactSolution& solution, BoxQp& qp) {
  constexpr double almost = 1 - 1e-9;
  qp.state.resize(static_cast<std::size_t>(qp.low.size()));
  for (Index row = 0; row < static_cast<Index>(qp.state.size()); ++row) {
    const double g = force(solution, row);
    qp.state[row] = g >= almost * qp.high[row]  ? RowState::high
                    : g <= almost * qp.low[row] ? RowState::low
                                                : RowState::free;
  }
}

BoxQpReport solve_box_qp(CrIteration& it, const std::vector<double>& k, const ContactTolerance& tolerance,
                         const BoxQpOptions& options, const SolveLimits& limits, BoxQp& qp, Trace* trace) {
  BoxQpSolve solve{it, k, tolerance, options, qp};
  solve.report.end = solve.run(limits, trace);
  return solve.report;
}

}  // namespace sim
