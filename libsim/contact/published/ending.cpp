#include "contact/published/ending.hpp"

#include <cmath>

#include "math/format.hpp"

namespace sim::published {

void judge_with(const ContactResidual& own, const ContactTolerance& tolerance, const MethodEnd& end,
                SolveReport& report) {
  report.residual = own;
  if (within(own, tolerance)) {
    report.status = SolveStatus::converged;
    return;
  }
  const bool finite = std::isfinite(own.momentum + own.constraint());
  const bool broke = end.ending == Ending::breakdown || !finite;
  report.status = broke                           ? SolveStatus::breakdown
                  : end.ending == Ending::by_rule ? SolveStatus::by_its_rule
                                                  : SolveStatus::iteration_limit;
  report.reason = format("%s %s after %d iterations and %d changes of constraints: ", end.method,
                         broke                           ? "broke down (division by nothing, or not a number)"
                         : end.ending == Ending::by_rule ? "ended by the published rule"
                                                         : "did not converge",
                         report.iterations, report.resets) +
                  describe(own, tolerance);
}

void judge(const ContactProblem& problem, const ContactTolerance& tolerance, const MethodEnd& end,
           const ContactSolution& solution, SolveReport& report, const FrictionLaw& law) {
  report.cone_residual = contact_residual(problem, solution);
  judge_with(law.axis.empty() ? report.cone_residual : contact_residual(problem, solution, law), tolerance, end,
             report);
}

}  // namespace sim::published
