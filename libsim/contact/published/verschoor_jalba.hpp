// Conjugate residuals with constraints that change state: Verschoor & Jalba 2019, Algorithms 1 to 3 as printed, with
// nothing added. What they do not say, and how it was read: docs/papers/verschoor-jalba-2019.md. The line numbers in
// the source are theirs.
//
// It ends by the paper's rule (line 22 and 23): |r| < eps1 and |U r|_inf < eps2, or |B C^-1 r| < eps1, and no
// constraint changes. Where that is not within the tolerances by the residual of all methods, the status is
// `by_its_rule`.
#pragma once

#include "contact/report.hpp"

namespace sim::published {

SolveReport solve_verschoor_jalba_full(const ContactProblem& problem, const ContactTolerance& tolerance,
                                       const SolveLimits& limits, ContactSolution& solution, Trace* trace);
SolveReport solve_verschoor_jalba_diag(const ContactProblem& problem, const ContactTolerance& tolerance,
                                       const SolveLimits& limits, ContactSolution& solution, Trace* trace);

}  // namespace sim::published
