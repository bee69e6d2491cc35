#include "contact/qp_active_set.hpp"

#include <algorithm>
#include <cmath>

#include "math/format.hpp"

namespace sim {

namespace {

constexpr int most_repeats = 100;  // solves with an active set that stays, for what the perturbation leaves

struct QpActiveSet {
  const ContactProblem& problem;
  const ContactTolerance& tolerance;
  const QpActiveSetOptions& options;
  QpActiveSetScratch& s;
  ContactSolution& y;
  const SolveLimits& limits;
  Trace* trace;
  CrIteration it{problem, s.system, s.vectors, y, CrPreconditioner::diag};
  SolveReport report;
  Index returns = 0;  // from the watch list
  bool stuck = false;
  double negligible = negligible_part * tolerance.constraint;

  bool active(Index i) const { return s.row[i] == QpRow::active || s.row[i] == QpRow::fixed; }

  void begin() {
    const auto contacts = static_cast<std::size_t>(problem.contacts());
    it.resize();
    prepare(problem, s.system);
    compliance(problem, s.system.inverse_diagonal, s.k);
    s.k_judged = s.k;
    s.no_friction.assign(contacts, 0.0);
    s.changes.assign(contacts, 0);
    s.row.assign(contacts, QpRow::inactive);
    for (const Index i : options.fixed) {
      s.row[i] = QpRow::fixed;
      s.k_judged[i] = 0;
    }
    for (Index i = 0; i < problem.contacts(); ++i) {
      y.gamma[i].setZero();
      if (s.row[i] == QpRow::inactive && y.lambda[i] > 0) s.row[i] = QpRow::active;
      if (!active(i)) y.lambda[i] = 0;
    }
  }

  void set_rows() {
    for (Index i = 0; i < problem.contacts(); ++i) {
      RowMask& mask = s.system.rows[i];
      mask = {};
      mask.normal = active(i);
      if (!mask.normal) continue;
      mask.D_normal = options.perturbation * s.system.row_compliance[3 * i];
      mask.lambda_there = y.lambda[i];
    }
  }

  // Line 12 of Algorithm 1. True where it got there, or nowhere (`stuck`).
  bool solve_active() {
    ++report.rounds;
    set_rows();
    it.compute_residual();
    stuck = false;
    bool begun = false;
    while (!it.is_small(tolerance) && !stuck) {
      if (limits.met(it.products)) return false;
      if (begun) {
        it.turn();
      } else {
        it.reset();
      }
      begun = true;
      if (!std::isfinite(it.advance())) {
        report.status = SolveStatus::breakdown;
        return false;
      }
      if (trace != nullptr) trace->push_back(it.trace_row(false));
      stuck = !it.is_small(tolerance) && it.at_local_minimum(tolerance.momentum);
    }
    return true;
  }

  void move(Index i, QpRow to) {
    const bool toggles = options.watch > 0 && ++s.changes[i] > options.watch;
    s.row[i] = toggles ? QpRow::watched : to;
    if (!active(i)) y.lambda[i] = 0;
  }

  // Lines 13 to 24.
  bool change_sets() {
    ++report.evaluations;
    slip(problem, y.v, s.residual.slip);
    bool changed = false;
    for (Index i = 0; i < problem.contacts(); ++i) {
      const bool pulls = -s.k[i] * y.lambda[i] > negligible;
      const bool violated = s.residual.slip[3 * i] < -negligible;
      if (s.row[i] == QpRow::active && pulls) {
        move(i, QpRow::inactive);
      } else if (s.row[i] == QpRow::inactive && violated) {
        move(i, QpRow::active);
      } else {
        continue;
      }
      changed = true;
    }
    report.resets += changed ? 1 : 0;
    return changed;
  }

  bool take_back_from_the_watch_list() {
    if (returns >= problem.contacts()) return false;
    Index worst = -1;
    for (Index i = 0; i < problem.contacts(); ++i) {
      const double gap = s.residual.slip[3 * i];
      if (s.row[i] != QpRow::watched || gap >= -negligible) continue;
      if (worst < 0 || gap < s.residual.slip[3 * worst]) worst = i;
    }
    if (worst < 0) return false;
    ++returns;
    ++report.resets;
    s.changes[worst] = 0;
    s.row[worst] = QpRow::active;
    return true;
  }

  // Of the problem without friction; a fixed row is off by |s|.
  void finish() {
    report.iterations = it.products;
    report.products = ++it.with_A;  // that of the residual, too
    report.cone_residual = contact_residual(problem, s.k, y, s.residual);
    const double momentum = report.cone_residual.momentum;
    slip(problem, y.v, s.residual.slip);
    derive_states();
    VecX& judged = s.residual.slip;
    double pull = 0;
    for (Index i = 0; i < problem.contacts(); ++i) {
      if (s.row[i] == QpRow::fixed) {
        judged[3 * i] = -std::abs(judged[3 * i]);
      } else {
        pull = std::max(pull, -y.lambda[i]);
      }
    }
    report.residual = conditions_residual(s.no_friction, s.k_judged, judged, y);
    report.residual.momentum = momentum;
    report.residual.pull = pull;
  }

  void derive_states() {
    for (Index i = 0; i < problem.contacts(); ++i) {
      const Vec2 s_t = s.residual.slip.segment<2>(3 * i + 1);
      y.state[i] = active(i) ? FrictionState::sliding : FrictionState::open;
      y.delta[i] = !active(i) ? Vec2(0, 0) : s_t.norm() > 0 ? Vec2(s_t.normalized()) : Vec2(1, 0);
    }
  }

  bool solved() {
    finish();
    return within(report.residual, tolerance);  // nothing tangential: without friction
  }

  SolveReport& converged() {
    tell_ignored_friction(problem, report);
    return report;
  }

  SolveReport& give_up(SolveStatus status, const char* what) {
    finish();
    report.status = status;
    const auto watched = std::count(s.row.begin(), s.row.end(), QpRow::watched);
    report.reason =
        format(
            "the active-set QP %s after %d iterations in %d solves, with %d constraints left out because they "
            "toggled: ",
            what, report.iterations, report.rounds, static_cast<int>(watched)) +
        describe(report.residual, tolerance);
    return report;
  }

  SolveReport& run() {
    begin();
    if (solved()) return converged();
    it.multiply_with_A();
    int repeats = 0;
    while (!limits.met(report.rounds)) {
      if (!solve_active()) {
        return report.status == SolveStatus::breakdown
                   ? give_up(SolveStatus::breakdown, "broke down (matrix not definite, or not a number)")
                   : give_up(SolveStatus::iteration_limit, "did not converge");
      }
      if (change_sets()) {
        repeats = 0;
        continue;
      }
      if (stuck) return give_up(SolveStatus::over_constrained, "found constraints that contradict each other");
      if (take_back_from_the_watch_list()) continue;
      if (solved()) return converged();
      // What the perturbation has left, or rounding.
      if (++repeats == most_repeats) return give_up(SolveStatus::iteration_limit, "does not get nearer");
      it.multiply_with_A();
    }
    return give_up(SolveStatus::iteration_limit, "did not converge");
  }
};

}  // namespace

SolveReport solve_qp_active_set(const ContactProblem& problem, const ContactTolerance& tolerance,
                                const SolveLimits& limits, const QpActiveSetOptions& options,
                                QpActiveSetScratch& scratch, ContactSolution& solution, Trace* trace) {
  QpActiveSet method{problem, tolerance, options, scratch, solution, limits, trace};
  return method.run();
}

}  // namespace sim
