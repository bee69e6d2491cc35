#include "contact/automatic.hpp"

#include <algorithm>
#include <limits>

namespace sim {

namespace {

constexpr double most_blocks = 2e7;  // of W

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

double expected_flops(const ContactProblem& problem, const AutoOptions& options, ExactScratch& s) {
  prepare(problem, s.bodies);
  double flops = 0, blocks = 0, bytes = 0;
  for (Index part = 0; part < s.bodies.parts.count(); ++part) {
    const CompliantBody& body = s.bodies.bodies[s.bodies.body_of_part[part]];
    const CholeskyPattern& pattern = *body.C.pattern;
    const double contacts = static_cast<double>(body.contacts.size()), rows = 3.0 * pattern.blocks();
    if (!(problem.version != 0 && body.version == problem.version && body.definite)) flops += pattern.flops;
    flops += pattern.solve_flops * (2 + 1.5 * contacts) + 9 * contacts * contacts * rows;
    blocks += contacts * contacts;
    bytes += 8.0 * static_cast<double>(pattern.values) + 72 * contacts * contacts;
  }
  if (blocks > most_blocks || bytes > options.exact.most_bytes) return std::numeric_limits<double>::infinity();
  coupling_pattern(problem, s.bodies, s.W);
  const CholeskyPattern F = analyse(s.W);
  return flops + F.flops + options.expected * (F.solve_flops + 18.0 * s.W.slots());
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
  const double n = options.dense_flop * expected_flops(problem, options, exact) / iteration_flops(problem);
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
