// Constraint anticipation (Baraff 1996): all contact forces from the dense Delassus operator.
//
//     u = W r + q,   W = L A^-1 L^T,   q = L A^-1 b - c,   r = (lambda, -gamma)
//     repeat for each contact i:   r_i = the solution of contact i by itself, the others held   (coulomb_contact.hpp)
//     v = A^-1 (b + L^T r)
//
// Block Gauss-Seidel on W, each contact solved exactly with Coulomb's cone: the exact answer for small problems, and
// the cost that methods without W avoid (Verschoor & Jalba 2019, figure 12), which the report holds on its own:
// `construction_seconds`. Iterations are passes over all contacts.
#pragma once

#include "contact/report.hpp"

namespace sim {

struct ConstraintAnticipationOptions {
  bool exploit_blocks = true;            // contact/delassus.hpp
  double most_bytes = 4.0 * 1073741824;  // where W needs more, the problem is refused
};

SolveReport solve_constraint_anticipation(const ContactProblem& problem, const ContactTolerance& tolerance,
                                          const SolveLimits& limits, const ConstraintAnticipationOptions& options,
                                          ContactSolution& solution, Trace* trace);

}  // namespace sim
