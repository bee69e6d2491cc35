// Contacts of a step for its records: each with the mean of its forces over the parts of the step, so that what is
// recorded carries the bodies, however a body rings between its parts.
#pragma once

#include "local/part.hpp"

namespace sim {

// The contacts of the state, with the forces of this part, to those of the parts before; lambda and friction are
// impulses (N s) while the step is not over.
void add_to_records(const LocalPart& part, std::vector<Contact>& records);

// At the end of a step of length dt, at x: forces, gaps at its end, and without what is open and far.
void finish_records(const VecX& x, double dt, std::vector<Contact>& records);

}  // namespace sim
