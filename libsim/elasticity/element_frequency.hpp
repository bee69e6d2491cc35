// The highest frequency of every element alone, for explicit steps.
//
//     omega^2 = largest eigenvalue of K_e against M_e
//
// K_e is the stiffness at the given positions, M_e the element's share of the lumped mass of its corners: each vertex
// shares its mass equally among the kinds of elements that it has, and within a kind in proportion to what they are
// stiff there. The shares of a vertex add up to its mass, so the largest omega is a bound of the assembled system.
#pragma once

#include <span>
#include <vector>

#include "elasticity/assembly.hpp"

namespace sim {

using ByKind = std::array<std::vector<double>, element_kinds>;  // a number an element

// rad/s. Vertices that `moves` does not mark stand still, whatever their mass.
ByKind element_frequencies(const ElasticBodies& bodies, const VecX& x, std::span<const std::uint8_t> moves);

}  // namespace sim
