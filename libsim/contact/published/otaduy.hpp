// Iterative constraint anticipation: Otaduy et al. 2009, section 5.5, step by step.
//
//     A v* = b                                                  once a step: kept while A and b are the same
//     1.    dv(0), lambda(0), gamma(0) from the solve before
//     2.    B = L D^-1 L^T with A = D - L_A - U_A in 3x3 blocks
//     3.    until convergence
//     3.1     q = L (v* + D^-1 (L_A + U_A) dv(i-1)) - c
//     3.2     s = B r + q by projected Gauss-Seidel, each contact three times: normal, then both tangents
//     3.3     (D - L_A) dv(i) = U_A dv(i-1) + L^T r
//
// Friction is that of one_sided_pyramid.hpp. The inner loop ends by the paper's rule; the outer one at the
// tolerances, as in the comparison of Verschoor & Jalba 2019 (section 6.2.2): docs/papers/otaduy-2009.md.
//
// Iterations are products with A: those of v*, and one an outer iteration (contact/relaxation.hpp). `passes` are
// those of the inner loop.
#pragma once

#include "contact/published/free_flight.hpp"

namespace sim::published {

SolveReport solve_otaduy(const ContactProblem& problem, const ContactTolerance& tolerance, const SolveLimits& limits,
                         Unconstrained& kept, ContactSolution& solution, Trace* trace);

}  // namespace sim::published
