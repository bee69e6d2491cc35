// QP-Collide: Raghupathi & Faure 2006, Algorithm 1, with the remedies of section 7. Without friction:
//
//     [  A   -J^T ] [ v ]   [  b ]      rows of the active set; J = j_n / h, c = c_n / h with the length h of the
//     [ -J   -l   ] [ p ] = [ -c ]      step; p = h lambda, the impulses; l = 1e-3 1/kg against rows that depend on
//                                       each other
//
// The unconstrained system is solved first (line 1), and what it violates is the active set (lines 3 to 9). Then, at
// most 3 n + m times: solve by conjugate gradients (line 12), let go of what pulls, take in what is violated (lines
// 13 to 24), and detect collisions again (line 2). What toggles for ever is left out for good (section 7.2). Fixed
// velocities and limits of strain: docs/papers/raghupathi-faure-2006.md.
#pragma once

#include <unordered_map>

#include "contact/report.hpp"

namespace sim::published {

// All rows are known: nothing is detected on the way.
SolveReport solve_raghupathi_faure(const ContactProblem& problem, const ContactTolerance& tolerance,
                                   const SolveLimits& limits, ContactSolution& solution, Trace* trace);

// Where Algorithm 1 is in a step (ContactProblem::version), by who the rows are (ContactProblem::id).
struct QpCollideProgress {
  enum class Set : std::uint8_t { unseen, inactive, active, removed };
  struct Row {
    Set set = Set::unseen;
    Index toggles = 0;
  };
  std::uint64_t version = 0;
  Index k = 0;           // of Algorithm 1
  bool settled = false;  // the last QP changed nothing
  std::unordered_map<std::uint64_t, Row> rows;
};

// From one detection to the next: line 1, or one QP with the changes of its active set. The status is `unsettled`
// until a QP changes nothing. Rows that are new since are put into their sets by the solution of before (lines 3 to
// 9).
SolveReport solve_raghupathi_faure_once(const ContactProblem& problem, const ContactTolerance& tolerance,
                                        const SolveLimits& limits, QpCollideProgress& progress,
                                        ContactSolution& solution, Trace* trace);

}  // namespace sim::published
