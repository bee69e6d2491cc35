// Algorithm 1 for one part of a step, all of it in the best case, and for the objects that are to be solved for:
//
//     integrate -> detect -> (solve -> look for collisions -> re-linearise) until nothing changes -> commit
#pragma once

#include "step/part.hpp"

namespace sim {

// Takes what is `solved` (Scratch::division) to the end of the part. Objects of islands that do not get there are
// `divided` then, and where known ones are met (Division::met) nothing is advanced.
void advance(Part& part);

}  // namespace sim
