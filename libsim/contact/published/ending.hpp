// How a published method ended, and what that is worth by the residual of all methods (contact/residual.hpp): it may
// stop by its own rule where it is not within the tolerances. Then it says so, and is not called converged.
#pragma once

#include <functional>

#include "contact/report.hpp"

namespace sim::published {

enum class Ending { by_rule, iteration_limit, breakdown };

struct MethodEnd {
  const char* method;
  Ending ending;
};

// Status, reason and both residuals; with the cone, or with `law` where the method has another one. A law of its own
// that FrictionLaw does not have comes as a residual: `own`.
void judge(const ContactProblem& problem, const ContactTolerance& tolerance, const MethodEnd& end,
           const ContactSolution& solution, SolveReport& report, const FrictionLaw& law = {});
void judge_with(const ContactResidual& own, const ContactTolerance& tolerance, const MethodEnd& end,
                SolveReport& report);

}  // namespace sim::published
