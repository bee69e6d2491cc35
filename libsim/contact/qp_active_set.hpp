// QP Collide (Raghupathi & Faure 2006): non-penetration without friction, by an active set of constraints,
//
//     min over v of 1/2 v'Av - v'b   subject to  j_n v >= c_n
//
//     [ A     L^T ] [   v     ]   [ b ]
//     [ L   -w S  ] [ -lambda ] = [ c ]     S = diag(L A_d^-1 L^T), rows of the active set only
//
// Until nothing changes: solve this, let go of rows with lambda < 0, take in rows with j_n v < c_n. w = 1e-3 keeps
// the system regular where rows depend on each other (section 7.1). By itself it would leave rows w S lambda short of
// their constraint: here it acts on the change of lambda since the solve before, and vanishes as the solves are
// repeated.
//
// Rows that toggle go on a watch list (section 7.2): they leave both sets while the others settle. In the paper they
// never come back; here the one that is violated most does, as often as there are rows.
//
// Friction is ignored: the problem that is solved has mu = 0, and its residual is the report's; cone_residual is that
// with friction, and `reason` says so though the status may be `converged`.
//
// More constraints of the paper, as rows of a problem like contacts: a strain limit is a one-sided row with the
// spring's direction for a normal (section 4.5). A fixed velocity is a row that is always in the active set, `fixed`:
// it pulls as well as pushes (section 4.4).
#pragma once

#include "contact/cr_iteration.hpp"

namespace sim {

struct QpActiveSetOptions {
  double perturbation = 1e-3;  // w; 0: none
  Index watch = 4;             // changes of a row before it goes on the watch list; 0: there is no list
  std::vector<Index> fixed;    // contacts whose normal row is an equality
};

enum class QpRow : std::uint8_t { inactive, active, watched, fixed };

struct QpActiveSetScratch {
  CrVectors vectors;
  CrSystem system;
  std::vector<QpRow> row;        // a contact
  std::vector<Index> changes;    // a contact: since it was last off the watch list
  std::vector<double> k;         // m/N: compliance
  std::vector<double> k_judged;  // 0 where the row is fixed
  std::vector<double> no_friction;
  ResidualScratch residual;
};

SolveReport solve_qp_active_set(const ContactProblem& problem, const ContactTolerance& tolerance,
                                const SolveLimits& limits, const QpActiveSetOptions& options,
                                QpActiveSetScratch& scratch, ContactSolution& solution, Trace* trace);

}  // namespace sim
