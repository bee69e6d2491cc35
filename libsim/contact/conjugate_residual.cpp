#include "contact/conjugate_residual.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "contact/even_forces.hpp"
#include "math/format.hpp"

namespace sim {

namespace {

constexpr double less_proximal = 0.3;
constexpr int most_without_progress = 20;  // times that rounding keeps the true residual above the tolerance

struct ConjugateResiduals {
  const ContactProblem& problem;
  const ContactTolerance& tolerance;
  const CrOptions& options;
  CrScratch& s;
  ContactSolution& y;
  Trace* trace;
  CrRules rules{tolerance.constraint};
  CrIteration it{problem, s.system, s.vectors, y, options.preconditioner};
  std::vector<Patch> patches = find_patches(problem);
  SolveReport report;
  Index next_look = 0;
  bool started_anew = false;
  double best = std::numeric_limits<double>::infinity();  // residual in tolerances, of the solution in s.best
  Index resets_since_start = 0, most_resets = options.most_resets;

  // What pushes shares its forces anew, before friction follows from them. What slides by less than it may miss
  // sticks.
  void share_forces() {
    if (patches.empty()) return;
    slip(problem, y.v, s.constraints.slip);
    share_among_duplicates(s.constraints, y);
    std::vector<FrictionState> states = y.state;
    for (Index i = 0; i < problem.contacts(); ++i) {
      const bool moves = s.constraints.slip.segment<2>(3 * i + 1).norm() > tolerance.constraint;
      if (states[i] == FrictionState::sliding && !moves) states[i] = FrictionState::sticking;
    }
    share_evenly(problem, states, patches, y);
    gather_from_duplicates(s.constraints, y);
  }

  bool constraints_change() {
    ++report.evaluations;
    share_forces();
    if (!evaluate(problem, rules, s.constraints, y, s.system)) return false;
    ++report.resets;
    ++resets_since_start;
    return true;
  }

  // States as the solution has them, and all else as at the beginning.
  void begin_afresh() {
    s.system.P = options.proximal;
    next_look = options.resets_alone;
    begin(problem, s.constraints, y, s.system);
  }

  // From the solution as it stands.
  void start() {
    it.multiply_with_A();
    it.preconditioner = options.preconditioner;
    constraints_change();
    resets_since_start = 0;
    it.reset();
  }
  // Once, and as from nothing: some warm starts mislead.
  bool may_start_anew() {
    if (std::exchange(started_anew, true)) return false;
    start_cold(problem, y);
    begin_afresh();
    most_resets *= 2;
    start();
    return true;
  }

  // Contacts that keep changing each other's state are looked at together.
  void look_at_all(const SolveLimits& left) {
    next_look = 2 * resets_since_start;
    SweepLimits sweeps = resets_since_start < options.resets_in_a_hurry ? options.sweeps : options.thorough;
    sweeps.most = std::min(sweeps.most, left.iterations);
    sweeps.stop = left.stop;
    const Index sweep_products = anticipate(problem, s.constraints.k, tolerance, sweeps, s.anticipation, y, trace);
    it.products += sweep_products;
    it.with_A += sweep_products;
    begin(problem, s.constraints, y, s.system);
    it.multiply_with_A();
    it.preconditioner = options.preconditioner;
    it.reset();
  }

  // The solution as the caller gets it.
  void finish() {
    report.iterations = it.products;
    ++it.with_A;  // of the residual
    report.products = it.with_A;
    report.passes = s.anticipation.lcp.passes;
    share_among_duplicates(s.constraints, y);
    report.residual = contact_residual(problem, s.constraints.k, y, s.residual);
    report.cone_residual = report.residual;
  }

  bool solved() {
    finish();
    if (within(report.residual, tolerance)) return true;
    keep_best();
    gather_from_duplicates(s.constraints, y);
    return false;
  }

  void keep_best() {
    const double error = in_tolerances(report.residual.momentum, report.residual.constraint(), tolerance);
    if (!(error < best)) return;
    best = error;
    s.best = y;
  }

  SolveReport& give_up(SolveStatus status) {
    finish();
    if (within(report.residual, tolerance)) return report;
    keep_best();
    if (std::isfinite(best)) y = s.best;
    report.residual = report.cone_residual = contact_residual(problem, s.constraints.k, y, s.residual);
    report.status = status;
    report.reason = format("conjugate residuals %s after %d iterations and %d changes of constraints: ",
                           status == SolveStatus::breakdown ? "broke down (matrix not definite, or not a number)"
                           : status == SolveStatus::stalled
                               ? "gave up, their constraints changing for ever or rounding in the way,"
                           : status == SolveStatus::over_constrained ? "found contacts that contradict each other"
                                                                     : "did not converge",
                           it.products, report.resets) +
                    describe(report.residual, tolerance);
    return report;
  }

  SolveReport& run(const SolveLimits& limits) {
    it.resize();
    prepare(problem, s.system);
    prepare(problem, s.system, s.constraints);
    s.anticipation.prepared = false;
    s.anticipation.lcp.passes = 0;
    begin_afresh();
    if (solved()) return report;
    start();
    report.resets = 0;
    int without_progress = 0;
    Index changes_in_balance = 0;  // since the last iteration: none is counted for them
    while (!limits.met(it.products)) {
      if (!it.is_small(tolerance)) {
        const double alpha = it.advance();
        changes_in_balance = 0;
        if (!std::isfinite(alpha)) {
          // The indefinite preconditioner has met a direction in which it sees nothing: go round it with the other.
          if (it.preconditioner == CrPreconditioner::diag) return give_up(SolveStatus::breakdown);
          it.preconditioner = CrPreconditioner::diag;
          it.multiply_with_A();
          it.reset();
          continue;
        }
        const bool changed = alpha > 0 && it.is_time(options.intervals, resets_since_start) && constraints_change();
        if (trace != nullptr) trace->push_back(it.trace_row(changed));
        if (changed && resets_since_start >= next_look) {
          look_at_all({limits.iterations - it.products, limits.stop});
          if (resets_since_start >= options.resets_in_a_hurry && solved()) return report;
          continue;
        }
        if (resets_since_start >= most_resets) {
          if (!may_start_anew()) return give_up(SolveStatus::stalled);
          continue;
        }
        if (changed) {
          it.preconditioner = options.preconditioner;
          it.reset();
          continue;
        }
      }
      const bool stuck = it.at_local_minimum(tolerance.momentum);
      if (it.is_small(tolerance) || stuck) {
        if (solved()) return report;
        if (constraints_change()) {
          // What keeps changing without an iteration is looked at together, too: that is counted, and ends.
          const Index products = it.products;
          if (++changes_in_balance % options.resets_in_a_hurry != 0 && resets_since_start < next_look) {
            it.reset();
          } else {
            look_at_all({limits.iterations - it.products, limits.stop});
            if (it.products == products && !may_start_anew()) return give_up(SolveStatus::stalled);
          }
          continue;
        }
        const bool contradiction = stuck && !it.is_small(tolerance);
        if (contradiction || ++without_progress == most_without_progress) {
          if (!may_start_anew()) return give_up(contradiction ? SolveStatus::over_constrained : SolveStatus::stalled);
          without_progress = 0;
          continue;
        }
        s.system.P *= less_proximal;  // where it holds up forces that must grow
        it.multiply_with_A();
        it.reset();
        continue;
      }
      it.turn();
    }
    return give_up(SolveStatus::iteration_limit);
  }
};

}  // namespace

SolveReport solve_cr(const ContactProblem& problem, const ContactTolerance& tolerance, const SolveLimits& limits,
                     const CrOptions& options, CrScratch& scratch, ContactSolution& solution, Trace* trace) {
  ConjugateResiduals method{problem, tolerance, options, scratch, solution, trace};
  return method.run(limits);
}

}  // namespace sim
