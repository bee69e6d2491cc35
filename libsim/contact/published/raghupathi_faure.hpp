// QP-Collide: Raghupathi & Faure 2006, Algorithm 1, with the remedies of section 7. Without friction:
//
//     [ A    -J^T ] [ v ]   [  b ]      rows of the active set; J = j_n / h, c = c_n / h with the length h of the
//     step [ -J   -l   ] [ p ] = [ -c ]      p = h lambda, the impulses; l = 1e-3 1/kg against rows that depend on
//     each other
//
// The unconstrained system is solved first (line 1), and what it violates is the active set (lines 3 to 9). Then, at
// most 3 n + m times: solve by conjugate gradients (line 12), let go of what pulls, take in what is violated (lines
// 13 to 24). What toggles for ever is left out for good (section 7.2). Where detection comes in between (line 2), and
// fixed velocities and limits of strain: docs/papers/raghupathi-faure-2006.md.
#pragma once

#include "contact/report.hpp"

namespace sim::published {

SolveReport solve_raghupathi_faure(const ContactProblem& problem, const ContactTolerance& tolerance,
                                   const SolveLimits& limits, ContactSolution& solution, Trace* trace);

}  // namespace sim::published
