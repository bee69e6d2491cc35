// Clocks that follow contacts. A kick of an element in a vertex of mass m that contacts hold with F makes it move by
// F h / m until they, which tick more often, have stopped it: what restitution and friction take then comes from
// nothing, some F^2 h / (2 m) a second. So the elements of a vertex that begins a step in layer n tick as often as
// that layer. Where nothing takes energy, neither restitution nor friction, clocks stay what they are: they are
// symplectic, and to change them would add to the energy of what hops.
#pragma once

#include "asynchronous/pair_table.hpp"

namespace sim {

// A vertex: the level of the deepest layer that it is in at x, of pairs that take energy; 0 where it is in none.
std::vector<std::uint8_t> levels_of_contacts(const PairRules& rules, const VecX& x, Detection& detection);

}  // namespace sim
