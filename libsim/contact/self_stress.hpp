// Forces of contacts that press bodies against each other and move nothing: L^T s = 0. Bodies that deform have none.
// Of rigid ones, as of a slider in its slot, motion does not tell them: conjugate residuals that start without forces
// find hardly any, since what they add is L times something, but what a start has of them stays.
#pragma once

#include "contact/problem.hpp"

namespace sim {

// Whether forces r (reaction()) are self-stress but for less than half of their norm. False where that is not found
// out.
bool is_self_stress(const ContactProblem& problem, const VecX& r);

}  // namespace sim
