// Quasi-static: bodies whose way meets what they have no contact with yet are led back.
//
//     a way of a rigid body meets a pair without contact
//       its island:  the point of linearisation y, sigma and the contacts stay as they were
//                    new contacts are all that comes of the round
//     each pair does so once in a part
//
// By its weight a body goes as far as its size, and as friction goes by the way of the whole step, it may hold the
// body where such a way ends, too. So what can hold it where it is has to be known before it goes anywhere. Elastic
// bodies yield: what they meet pushes them back in the rounds that follow.
#pragma once

#include <array>
#include <vector>

#include "collide/check.hpp"

namespace sim {

struct Part;

// After a solve and its detection: marks bodies in NewtonScratch::led_back.
void lead_back(Part& part);

// Rows of contacts are linearised where the arms of rigid bodies have been turned to: of those that are led back at
// y.
void turn_back(Part& part);

// Whether a body of these vertices is led back in this round.
bool is_led_back(const Part& part, const std::array<Index, 4>& vertices);

// Hits of the round without those of what is led back: their contacts say nothing of a way that is not gone.
std::vector<Hit> hits_of_ways(const Part& part);

}  // namespace sim
