// Staggered projections (Kaufman et al. 2008): a QP for the normal forces and one for friction, in turn,
//
//     lambda <- min over v of 1/2 v'Av - v'(b - J_t' gamma)    subject to  j_n v >= c_n
//     gamma  <- min over v of 1/2 v'Av - v'(b + J' lambda) with friction |gamma_1|, |gamma_2| <= mu lambda
//
// each beginning with what the last one left. That the rounds contract is not certain: with a strong coupling of
// normals and tangents, or much friction, they oscillate or diverge. What comes of them is a report's `rounds` and
// `contraction`. Friction is a pyramid along t1 and t2 (contact/residual.hpp).
//
// As run by Verschoor & Jalba 2019 (section 6.2.3), with what differs: docs/decisions/staggered-projections.md.
#pragma once

#include "contact/box_qp.hpp"
#include "contact/cr_constraints.hpp"

namespace sim {

struct SpOptions {
  BoxQpOptions qp;
  // A QP is solved to this part of what its residual is at the beginning, but not further than to `tightest` of the
  // tolerances.
  double inexact = 0.3;
  double tightest = 0.5;
  // Given up where this many rounds did not lower the residual by a hundredth.
  Index most_without_progress = 100;
};

struct SpScratch {
  CrVectors vectors;
  CrSystem system;
  CrConstraints constraints;  // compliance and duplicates
  BoxQp normals, friction;
  std::vector<Vec2> gamma_before;
  ResidualScratch residual;
};

SolveReport solve_sp(const ContactProblem& problem, const ContactTolerance& tolerance, const SolveLimits& limits,
                     const SpOptions& options, SpScratch& scratch, ContactSolution& solution, Trace* trace);

}  // namespace sim
