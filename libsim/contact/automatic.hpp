// The default method: conjugate residuals while they are cheap, the exact method where A is too stiff for them.
//
//     n = C_exact / C_cr       what the exact method is expected to cost, in iterations of conjugate residuals
//     cr-full for max(n, few) iterations; what is not as wished then goes to exact, from where it is; and what exact
//     does not solve goes back to cr-full. A wish is worth no more than `for_a_wish` iterations.
//
// So an island costs at most about twice what the cheaper method takes. Costs are counted in flops from the patterns,
// never measured: bits do not depend on the machine. A flop of a dense front counts for a part of one of a sparse
// product.
#pragma once

#include "contact/conjugate_residual.hpp"
#include "contact/exact.hpp"

namespace sim {

struct AutoOptions {
  CrOptions cr;
  ExactOptions exact;
  Index few = 50;            // iterations that are not worth a count
  double dense_flop = 0.25;  // of a flop of a sparse product
  double for_a_wish = 1000;
};

double iteration_flops(const ContactProblem& problem);  // of conjugate residuals

SolveReport solve_auto(const ContactProblem& problem, const Precision& precision, const SolveLimits& limits,
                       const AutoOptions& options, CrScratch& cr, ExactScratch& exact, ContactSolution& solution,
                       Trace* trace);

}  // namespace sim
