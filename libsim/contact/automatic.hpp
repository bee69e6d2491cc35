// The default method: conjugate residuals while they are cheap, the exact method where A is too stiff for them.
//
//     n = C_exact / C_cr     what the exact method is expected to cost, in iterations of conjugate residuals
//     cr-full for `few` iterations, or for a fifth of n; on to n if, as far as they have come, n will do
//     then exact for what conjugate residuals are expected to need, as far as they have come, but for n to 4 n: each
//     of its forms may take so much; then cr-full for twice that
//     then exact without that bound, and cr-full
//
// By compliances exact begins an island from the forces of the solve's beginning or from those of conjugate
// residuals, whichever come nearer with the velocities that belong to them.
//
// Where the exact method took over, contacts remember it (ContactSolution::for_exact). The next solves in which n is
// no more than `few`, as where the factors of the bodies are known, then go to it at once, and it may take 4 n: 2 of
// them; 4, 8 and at most 16 if conjugate residuals fail again. Where it did not get there, and cr-full did, the next
// solves are cr-full's first, for as long, while it gets there.
//
// So an island costs at most about twice what the cheaper method takes. A target tolerance is worth no more than
// `for_a_target` iterations. Costs are counted in flops from the patterns, never measured: bits do not depend on the
// machine.
#pragma once

#include "contact/conjugate_residual.hpp"
#include "contact/exact.hpp"

namespace sim {

struct AutoOptions {
  CrOptions cr;
  ExactOptions exact;
  Index few = 50;              // iterations that are not worth a count
  double share = 0.2;          // of n: what a change of the method may cost
  double times_more = 4;       // of what a count was: what a method may take before the other one has its turn
  int most_doublings = 4;      // of the solves that go to the exact method at once
  double for_a_target = 1000;  // 0: the exact method is for the tolerance only, not at once either
};

double iteration_flops(const ContactProblem& problem);  // of conjugate residuals

SolveReport solve_auto(const ContactProblem& problem, const Precision& precision, const SolveLimits& limits,
                       const AutoOptions& options, CrScratch& cr, ExactScratch& exact, ContactSolution& solution,
                       Trace* trace);

}  // namespace sim
