// Constraint anticipation (Baraff 1996) as Otaduy et al. 2009 have it for comparison (sections 5.1 and 5.4):
//
//     A v* = b,   W = L A^-1 L^T,   q = L v* - c
//     s = W r + q by projected Gauss-Seidel: of each contact the normal, then both tangents
//     v = v* + A^-1 L^T r
//
// with the friction of one_sided_pyramid.hpp. W is dense, of forward solves with the Cholesky factors of A, block by
// block (Verschoor & Jalba 2019, section 6.2.4; contact/delassus.hpp). Factors are kept as long as A is the same.
// Iterations are passes over all contacts; there are no products with A.
#pragma once

#include "contact/published/free_flight.hpp"
#include "linear/block_cholesky.hpp"

namespace sim::published {

using KeptFactors = Kept<CholeskyFactor>;

SolveReport solve_constraint_anticipation(const ContactProblem& problem, const ContactTolerance& tolerance,
                                          const SolveLimits& limits, KeptFactors& kept, ContactSolution& solution,
                                          Trace* trace);

}  // namespace sim::published
