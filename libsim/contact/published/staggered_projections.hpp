// Staggered projections (Kaufman et al. 2008) as Verschoor & Jalba 2019 ran them (section 6.2.3): the unconstrained
// velocity A v* = b, once a step, corrected by two QPs in turn,
//
//     lambda <- min over v of 1/2 v'Av - v'(b - J_t' gamma)    subject to  j_n v >= c_n
//     gamma  <- min over v of 1/2 v'Av - v'(b + J' lambda) with friction |gamma_1|, |gamma_2| <= mu lambda
//
// each begun with what the one before has left and solved to the tolerances by diagonally preconditioned conjugate
// residuals. `active_set` changes rows when these have converged, all that break their condition at once; `cr` on the
// way, at the intervals and by the conditions of Algorithm 2. Ends where the whole problem is within the tolerances,
// friction being a pyramid along t1 and t2. docs/papers/verschoor-jalba-2019.md has what the papers leave open.
//
// Iterations are those of the QPs, as the paper counts them; products are those of v*, too.
#pragma once

#include "contact/published/free_flight.hpp"

namespace sim::published {

SolveReport solve_sp_active_set(const ContactProblem& problem, const ContactTolerance& tolerance,
                                const SolveLimits& limits, Unconstrained& kept, ContactSolution& solution,
                                Trace* trace);
SolveReport solve_sp_cr(const ContactProblem& problem, const ContactTolerance& tolerance, const SolveLimits& limits,
                        Unconstrained& kept, ContactSolution& solution, Trace* trace);

}  // namespace sim::published
