#include "contact/report.hpp"

#include <algorithm>

#include "math/format.hpp"

namespace sim {

bool within(const ContactResidual& residual, const ContactTolerance& tolerance) {
  return residual.momentum <= tolerance.momentum && residual.constraint() <= tolerance.constraint;
}

double in_tolerances(double momentum, double constraint, const ContactTolerance& tolerance) {
  return std::max(momentum / tolerance.momentum, constraint / tolerance.constraint);
}

std::string describe(const ContactResidual& residual, const ContactTolerance& tolerance) {
  return format("momentum is off by %.3g times, contacts by %.3g times what they may miss",
                residual.momentum / tolerance.momentum, residual.constraint() / tolerance.constraint);
}

const char* to_string(SolveStatus status) {
  switch (status) {
    case SolveStatus::converged:
      return "converged";
    case SolveStatus::iteration_limit:
      return "iteration limit";
    case SolveStatus::stalled:
      return "stalled";
    case SolveStatus::over_constrained:
      return "over-constrained";
    case SolveStatus::breakdown:
      return "breakdown";
    case SolveStatus::refused:
      return "refused";
    case SolveStatus::interrupted:
      return "interrupted";
    case SolveStatus::unsettled:
      return "unsettled";
    case SolveStatus::by_its_rule:
      return "ended by its own rule";
  }
  return "unknown";
}

void tell_ignored_friction(const ContactProblem& problem, SolveReport& report) {
  const auto rough = std::count_if(problem.mu.begin(), problem.mu.end(), [](double mu) { return mu > 0; });
  if (rough == 0) return;
  report.reason = format(
      "without friction, which %d of %d contacts have: this method ignores it, with it the residual of the "
      "contacts is %.3g m",
      static_cast<int>(rough), problem.contacts(), report.cone_residual.constraint());
}

SolveReport one_after_the_other(const SolveReport& first, SolveReport last) {
  last.iterations += first.iterations;
  last.resets += first.resets;
  last.evaluations += first.evaluations;
  last.flops += first.flops;
  last.products += first.products;
  last.passes += first.passes;
  last.factorisations += first.factorisations;
  return last;
}

}  // namespace sim
