#include "contact/automatic.hpp"

#include <algorithm>
#include <limits>

namespace sim {

namespace {

// Both counted together; the status and the residual are those of the last one.
SolveReport joined(const SolveReport& first, SolveReport last) {
  last.iterations += first.iterations;
  last.resets += first.resets;
  last.evaluations += first.evaluations;
  last.flops += first.flops;
  return last;
}

}  // namespace

double iteration_flops(const ContactProblem& problem) {
  // A product with A, four with L, and some 25 passes over the unknowns.
  return 18.0 * problem.A.slots() + 72.0 * problem.L.slots() + 150.0 * problem.A.rows();
}

SolveReport solve_auto(const ContactProblem& problem, const Precision& precision, const SolveLimits& limits,
                       const AutoOptions& options, CrScratch& cr, ExactScratch& exact, ContactSolution& y,
                       Trace* trace) {
  const Index most = limits.iterations;
  const auto by_cr = [&](const ContactTolerance& wanted, Index iterations) {
    return solve_cr(problem, wanted, {iterations, limits.stop}, options.cr, cr, y, trace);
  };
  const auto by_exact = [&] {
    SolveReport report = solve_exact(problem, precision, limits, options.exact, exact, y, trace);
    report.by_exact = report.status == SolveStatus::converged ? 1 : 0;
    return report;
  };
  // Few iterations need no look at the costs.
  SolveReport report = by_cr(precision.wish, std::min(options.few, most));
  if (report.status == SolveStatus::converged || limits.met(options.few)) return report;
  const double n = options.dense_flop * expected_flops(problem, options.exact, exact).least() / iteration_flops(problem);
  const bool wishes = within(report.residual, precision.tolerance);
  if (wishes && n > options.for_a_wish) return report;
  const double left = static_cast<double>(most - options.few);
  if (n > static_cast<double>(options.few))
    report = joined(report,
                    by_cr(precision.wish, static_cast<Index>(std::min(n - static_cast<double>(options.few), left))));
  if (report.status == SolveStatus::converged || n >= most || limits.stop.asked()) return report;
  const ContactSolution best = y;
  const SolveReport last = report;
  report = joined(report, by_exact());
  if (report.status == SolveStatus::converged) return report;
  const auto error = [&](const SolveReport& one) {
    return in_tolerances(one.residual.momentum, one.residual.constraint(), precision.tolerance);
  };
  if (!(error(report) < error(last))) {
    y = best;
    report.residual = last.residual;
  }
  return error(report) <= 1 ? report : joined(report, by_cr(precision.tolerance, most));
}

}  // namespace sim
