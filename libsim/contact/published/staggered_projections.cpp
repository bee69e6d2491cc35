#include "contact/published/staggered_projections.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "contact/friction_states.hpp"
#include "contact/published/ending.hpp"
#include "contact/published/kkt_system.hpp"

namespace sim::published {

namespace {

// x of kkt_system.hpp: -lambda, gamma_1, gamma_2 a contact. A row is free, its force an unknown, or held.
struct Rows {
  const ContactProblem& problem;
  Kkt& B;
  ConjugateResidual& cr;
  double eps2;
  VecX s;  // m, L v - c

  double& x(Index row) { return cr.y.x[row]; }
  bool is_free(Index row) const { return B.active[row] != 0; }

  void look() { slip(problem, cr.y.v, s); }

  // Line 19 of Algorithm 2: what does less than eps2 is left as it is.
  bool hold(Index row, double force) {
    if (B.compliance[row] * std::abs(force - x(row)) <= eps2) return false;
    B.active[row] = 0;
    x(row) = force;
    return true;
  }

  bool set_free(Index row) {
    if (std::abs(s[row]) <= eps2) return false;
    B.active[row] = 1;
    return true;
  }
};

// The QP of the normal forces. A row lets go where it pulls; on the way only where it also opens (Algorithm 2, line
// 6).
struct NormalQp {
  Rows& rows;

  void begin() {
    for (Index i = 0; i < rows.problem.contacts(); ++i)
      block(rows.B.active, i) << (rows.x(3 * i) < 0 ? 1.0 : 0.0), 0, 0;
  }

  bool change(bool on_the_way) {
    rows.look();
    bool changed = false;
    for (Index row = 0; row < rows.s.size(); row += 3) {
      if (!rows.is_free(row)) {
        if (rows.s[row] <= 0 && rows.set_free(row)) changed = true;
      } else if (rows.x(row) >= 0 && (!on_the_way || rows.s[row] >= 0)) {
        if (rows.hold(row, 0)) changed = true;
      }
    }
    return changed;
  }
};

// The QP of friction, a row of the pyramid at a time: free where it sticks, held at its bound where it slides.
struct FrictionQp {
  Rows& rows;
  std::vector<char> slides;  // a row, from round to round
  VecX bound;                // N, a row

  explicit FrictionQp(Rows& all) : rows(all), slides(static_cast<std::size_t>(all.problem.c.size()), 0) {}

  double side(Index row) const { return rows.cr.y.x[row] < 0 ? -1 : 1; }

  void begin() {
    bound.setZero(rows.problem.c.size());
    for (Index i = 0; i < rows.problem.contacts(); ++i) {
      const double most = rows.problem.mu[i] * std::max(0.0, -rows.x(3 * i));
      rows.B.active[3 * i] = 0;
      for (Index row = 3 * i + 1; row <= 3 * i + 2; ++row) {
        bound[row] = most;
        if (most == 0) slides[row] = 0;  // what begins to push begins as sticking
        rows.B.active[row] = most > 0 && slides[row] == 0 ? 1 : 0;
        if (rows.B.active[row] == 0) rows.x(row) = side(row) * most;
      }
    }
  }

  bool change(bool on_the_way) {
    rows.look();
    bool changed = false;
    for (Index row = 0; row < rows.s.size(); ++row) {
      if (bound[row] == 0) continue;
      const double gamma = rows.x(row), slipping = rows.s[row] * side(row);
      if (rows.is_free(row)) {
        const bool leaves = std::abs(gamma) > bound[row] && (!on_the_way || slipping > 0);
        if (!leaves || !rows.hold(row, side(row) * bound[row])) continue;
      } else if (slipping > 0 || !rows.set_free(row)) {
        continue;
      }
      slides[row] = rows.is_free(row) ? 0 : 1;
      changed = true;
    }
    return changed;
  }
};

struct Staggered {
  const ContactProblem& problem;
  const ContactTolerance& tolerance;
  const SolveLimits& limits;
  Trace* trace;
  SolveReport report;
  Kkt B;
  ConjugateResidual cr;
  Rows rows{problem, B, cr, tolerance.constraint, {}};
  NormalQp normal{rows};
  FrictionQp friction{rows};
  FrictionLaw pyramid{std::vector<Vec2>(static_cast<std::size_t>(problem.contacts()), Vec2(1, 0))};

  Staggered(const ContactProblem& problem_, const ContactTolerance& tolerance_, const SolveLimits& limits_,
            Trace* trace_, Pair start)
      : problem(problem_),
        tolerance(tolerance_),
        limits(limits_),
        trace(trace_),
        B(problem),
        cr(B, Preconditioner::diag, std::move(start)) {}

  bool is_small() const { return cr.size() < tolerance.momentum && cr.worst_row() < tolerance.constraint; }

  bool counted(bool changed) {
    ++report.evaluations;
    report.resets += changed ? 1 : 0;
    return changed;
  }

  bool is_time() const {
    const double interval = std::max(1.0, std::log2(cr.size() / tolerance.momentum) / 3);
    return report.iterations % static_cast<Index>(interval) == 0;
  }

  template <class Qp, class ChangesOnTheWay>
  Ending solve_qp(Qp& qp, const ChangesOnTheWay& changes_on_the_way) {
    qp.begin();
    cr.restart();
    for (;;) {
      if (is_small()) {
        if (!counted(qp.change(false))) return Ending::by_rule;
        cr.restart();
      }
      if (limits.met(report.iterations)) return Ending::iteration_limit;
      const double alpha = cr.advance();
      ++report.iterations;
      if (!std::isfinite(alpha)) return Ending::breakdown;
      const bool changed = changes_on_the_way(qp, alpha);
      if (changed) {
        cr.restart();
      } else {
        cr.turn();
      }
      if (trace != nullptr)
        trace->push_back({cr.size(), 0, cr.worst_row(), changed ? TraceMark::constraints_changed : TraceMark::none});
    }
  }

  bool is_solved() {
    ContactSolution now;
    now.v = cr.y.v;
    set_forces(cr.y.x, now);
    ++report.products;
    return within(contact_residual(problem, now, pyramid), tolerance);
  }

  template <class ChangesOnTheWay>
  Ending run(const ChangesOnTheWay& changes_on_the_way) {
    for (;;) {
      const Index before = report.iterations;
      ++report.rounds;
      Ending end = solve_qp(normal, changes_on_the_way);
      if (end == Ending::by_rule) end = solve_qp(friction, changes_on_the_way);
      if (end != Ending::by_rule || is_solved() || report.iterations == before) return end;
    }
  }

  SolveReport finish(Ending ending, ContactSolution& solution) {
    solution.v = cr.y.v;
    set_forces(cr.y.x, solution);
    derive_states(problem, solution, pyramid);
    report.products += cr.products;
    judge(problem, tolerance, {"staggered projections as published", ending}, solution, report, pyramid);
    return report;
  }
};

// The unconstrained velocity, which is then corrected: from what the solve before has corrected it to, and not at all
// where nothing pushed.
template <class ChangesOnTheWay>
SolveReport solve_sp(const ContactProblem& problem, const ContactTolerance& tolerance, const SolveLimits& limits,
                     Unconstrained& kept, const ChangesOnTheWay& changes_on_the_way, ContactSolution& solution,
                     Trace* trace) {
  Pair start{solution.v, rows_of(solution)};
  VecX unconstrained = solution.v;
  const FreeFlight flight = fly_freely(problem, tolerance.momentum, limits, kept, unconstrained);
  if (start.x.isZero(0)) start.v = unconstrained;
  Staggered method(problem, tolerance, limits, trace, std::move(start));
  method.report.products = flight.products;
  const Ending ending =
      flight.status == CgStatus::converged
          ? method.run([&](auto& qp, double alpha) { return changes_on_the_way(method, qp, alpha); })
      : flight.status == CgStatus::breakdown ? Ending::breakdown
                                             : Ending::iteration_limit;
  return method.finish(ending, solution);
}

}  // namespace

SolveReport solve_sp_active_set(const ContactProblem& problem, const ContactTolerance& tolerance,
                                const SolveLimits& limits, Unconstrained& kept, ContactSolution& solution,
                                Trace* trace) {
  const auto never = [](Staggered&, auto&, double) { return false; };
  return solve_sp(problem, tolerance, limits, kept, never, solution, trace);
}

SolveReport solve_sp_cr(const ContactProblem& problem, const ContactTolerance& tolerance, const SolveLimits& limits,
                        Unconstrained& kept, ContactSolution& solution, Trace* trace) {
  const auto at_intervals = [](Staggered& method, auto& qp, double alpha) {
    return alpha > 0 && method.is_time() && method.counted(qp.change(true));
  };
  return solve_sp(problem, tolerance, limits, kept, at_intervals, solution, trace);
}

}  // namespace sim::published
