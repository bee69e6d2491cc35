#include "contact/automatic.hpp"

#include <algorithm>
#include <cmath>

#include "linear/definite.hpp"

namespace sim {

namespace {

// Both counted together; the status and the residual are those of the last one.
SolveReport joined(const SolveReport& first, SolveReport last) {
  last.iterations += first.iterations;
  last.resets += first.resets;
  last.evaluations += first.evaluations;
  last.flops += first.flops;
  last.products += first.products;
  last.passes += first.passes;
  last.factorisations += first.factorisations;
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
  const auto error = [&](const ContactResidual& residual, const ContactTolerance& tolerance) {
    return in_tolerances(residual.momentum, residual.constraint(), tolerance);
  };
  compliance(problem, exact.k);
  const double first = error(contact_residual(problem, exact.k, y, exact.residual), precision.wish);
  // Few iterations need no look at the costs.
  SolveReport report = by_cr(precision.wish, std::min(options.few, most));
  ++report.products;  // of that residual
  if (report.status == SolveStatus::converged || limits.met(options.few)) return report;
  const double n = dense_flop * expected_flops(problem, options.exact, exact).least() / iteration_flops(problem);
  const bool wishes = within(report.residual, precision.tolerance);
  if (wishes && n > options.for_a_wish) return report;
  const double orders_come = std::log(first / error(report.residual, precision.wish));
  const bool will_do = std::log(first) / orders_come * options.few <= n;  // false where it has come nowhere
  if (orders_come > 0 && will_do)
    report = joined(report, by_cr(precision.wish, static_cast<Index>(std::min<double>(n, most)) - options.few));
  if (report.status == SolveStatus::converged || n >= most || limits.stop.asked()) return report;
  const ContactSolution best = y;
  const SolveReport last = report;
  report = joined(report, by_exact());
  if (report.status == SolveStatus::converged) return report;
  const double now = error(report.residual, precision.tolerance);
  if (!(now < error(last.residual, precision.tolerance))) {
    y = best;
    report.residual = last.residual;
  }
  return within(report.residual, precision.tolerance) ? report : joined(report, by_cr(precision.tolerance, most));
}

}  // namespace sim
