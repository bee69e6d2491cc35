// What the elements of a step give to their corners, from what assemble() kept of them (elasticity/assembly.hpp):
//
//     impulse of an element on its corners     dt f_e(x0) - (dt^2 K_e + dt beta D_e) v1      kg m/s
//     stiffness damping of an element          dt beta v . D_e v  >= 0                       J
//
// An element gives nothing to itself: the impulses on its four corners add up to zero but for rounding.
#pragma once

#include "elasticity/assembly.hpp"

namespace sim {

// A step as it was taken: v1 of all vertices, prescribed ones included.
struct ElementMotion {
  const ElementBuffer& elements;
  const VecX& v1;
  double dt = 0;  // s
};

// Of all elements, on the chosen vertices (by vertex: not 0); adds to their entries of `impulse`.
void add_impulses_on(std::span<const std::uint8_t> chosen, const ElasticBodies& bodies, const ElementMotion& motion,
                     VecX& impulse);

// J, with the D of the positions x0: v is v1, or what is left of it beside turns (step/turning.hpp).
double stiffness_damping_loss(const ElasticBodies& bodies, const VecX& x0, const VecX& v, double dt);

}  // namespace sim
