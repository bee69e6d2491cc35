// The state of every contact that given velocities and forces speak for: for a warm start from a solution that comes
// as numbers only. It is the branch that the residual's projections take (contact/residual.hpp):
//
//     open       where s_n >= k lambda
//     sliding    else, where |gamma + s_t / k| > mu max(0, lambda), or mu = 0; delta is along that vector
//     sticking   else
//
// With a pyramid |.| is the larger part along its axes, and delta is along the friction that is allowed of it.
#pragma once

#include "contact/residual.hpp"

namespace sim {

// Reads v, lambda and gamma of `solution`; writes state and delta.
void derive_states(const ContactProblem& problem, ContactSolution& solution, const FrictionLaw& law = {});

}  // namespace sim
