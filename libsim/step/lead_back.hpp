// Quasi-static: bodies whose way meets what they have no contact with yet are led back.
//
//     a way meets a pair without contact, of a rigid body or of an elastic one that falls: no contact pushes it yet
//       its island:  the point of linearisation y, sigma and the contacts stay as they were
//                    new contacts are all that comes of the round
//     each pair does so once in a part
//
// By its weight or its loads a body goes as far as its size, and as friction goes by the way of the whole step, it
// may hold the body where such a way ends, too. So what can hold it where it is has to be known before it goes
// anywhere. Elastic bodies that something bears yield: what else they meet pushes them back in the rounds that
// follow.
#pragma once

#include <array>
#include <vector>

#include "collide/check.hpp"

namespace sim {

struct Part;

// A body: whether a contact pushes it, as solved.
std::vector<std::uint8_t> pushed_bodies(const Part& part);

// After a solve and its detection: marks bodies in NewtonScratch::led_back.
void lead_back(Part& part, const std::vector<std::uint8_t>& falling);

// The solution of what is led back is y: there the arms of rigid bodies have been turned to, by which rows of
// contacts are linearised, and new contacts are pressed by no way that was not gone (step/tolerance.hpp).
void turn_back(Part& part);

// Whether a body of these vertices is led back in this round.
bool is_led_back(const Part& part, const std::array<Index, 4>& vertices);

// Hits of the round without those of what is led back or not in balance: their contacts say nothing of a way that is
// not gone.
std::vector<Hit> hits_of_ways(const Part& part);

}  // namespace sim
