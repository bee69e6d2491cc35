// Conjugate residuals with constraints that change state on the way: Algorithm 1 of Verschoor & Jalba 2019.
//
//     B y = d:    [ A   L^T ] [      v      ]   [ b - J_t^T gamma' ]
//                 [ L   -D  ] [ -lambda, g  ] = [         c        ]
//
// Of L the rows of pushing contacts take part: the normal row, both tangents of a sticking contact, and of a sliding
// one the tangent across its friction. The friction of a sliding contact is gamma = gamma' + g with gamma' =
// mu lambda' delta of before on the right-hand side; g turns it after the slip, through D (cr_constraints.hpp).
//
// What goes beyond the paper, and what it brings: docs/decisions/conjugate-residual.md. The paper's algorithm itself
// is published/verschoor_jalba.hpp.
#pragma once

#include "contact/anticipation.hpp"
#include "contact/cr_constraints.hpp"
#include "contact/cr_iteration.hpp"

namespace sim {

struct CrOptions {
  CrPreconditioner preconditioner = CrPreconditioner::full;
  CrIntervals intervals;
  double proximal = 1e-3;  // P of contact/cr_system.hpp
  Index most_resets =
      60;  // then it begins anew, cold: a warm start can mislead; after twice as many more it gives up
  Index resets_alone = 1;        // then, and whenever there are twice as many again, contacts are looked at together
  SweepLimits sweeps;            // in doing so (contact/anticipation.hpp), before
  Index resets_in_a_hurry = 16;  // as many; from then on
  SweepLimits thorough{.most = 1000, .most_slow = 1000};
};

struct CrScratch {
  ContactSolution best;
  Anticipation anticipation;
  CrSystem system;
  CrConstraints constraints;
  CrVectors vectors;
  ResidualScratch residual;
};

SolveReport solve_cr(const ContactProblem& problem, const ContactTolerance& tolerance, const SolveLimits& limits,
                     const CrOptions& options, CrScratch& scratch, ContactSolution& solution, Trace* trace);

}  // namespace sim
