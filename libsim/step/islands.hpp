// The contact problem of a part of a step, island by island.
#pragma once

#include "step/part.hpp"

namespace sim {

// Rows at the contacts as they are, then all islands that are not settled, with the target tolerance of the first
// round. What they find is put into the contacts.
void solve(Part& part, bool first);

// Before a step.
void forget(HardestSolve& hardest);

}  // namespace sim
