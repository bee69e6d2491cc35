// What the elements of a step give to their corners, from what assemble() kept of them (elasticity/assembly.hpp):
//
//     impulse of an element on its corners     dt f_e(x0) - (dt^2 K_e + dt beta D_e) v      kg m/s
//     stiffness damping of an element          dt beta v . D_e v  >= 0                      J
//
// where v is v1, less what is turn of its body (step/turning.hpp): v1 - way r. The strain of that is taken out of
// springs and membranes as far as they take part in the turn.
//
// An element gives nothing to itself: the impulses on its four corners add up to zero but for rounding.
#pragma once

#include "elasticity/assembly.hpp"

namespace sim {

struct TurnOfElements {
  std::span<const Index> body_of_vertex;  // or -1; that of an element is that of any of its corners that has one
  std::span<const Mat3> way;              // 1/s, a body; empty: nothing turns
  std::span<const double> part_of_spring = {}, part_of_membrane = {};  // 0 to 1; empty: all wholly
};
// A step as it was taken: v1 of all vertices, prescribed ones included.
struct ElementMotion {
  const VecX &x0, &v1;
  double dt = 0;  // s
  TurnOfElements turn = {};
};

// Of all elements, on the chosen vertices (by vertex: not 0); adds to their entries of `impulse`. What goes as one
// rigid body strains nothing, though straight ways would: elements whose corners are all of one of these (by vertex:
// its number, or -1; empty: none) give nothing.
void add_impulses_on(std::span<const std::uint8_t> chosen, const ElasticBodies& bodies, const ElementBuffer& elements,
                     const ElementMotion& motion, VecX& impulse, std::span<const Index> rigid = {});

// J: v1 times what a tetrahedron gives to its corners, the work that a step takes it to do.
double impulse_work(const ElasticBodies& bodies, const ElementBuffer& elements, const ElementMotion& motion,
                    Index tet);

// J, with the D of the positions x0.
double stiffness_damping_loss(const ElasticBodies& bodies, const ElementMotion& motion);

// What the buffer holds of an element (ElementBuffer::blocks) times v, at its corners. A common velocity of the
// corners drops out before it is multiplied: what is left has the rounding of strain rates.
template <std::size_t count>
Corners<count> stiffness_times(const double* blocks, const Corners<count>& v) {
  Corners<count> y;
  y.fill(Vec3::Zero());
  for (std::size_t i = 0; i < count; ++i) {
    for (std::size_t j = i + 1; j < count; ++j, blocks += 9) {
      const Eigen::Map<const Mat3> K(blocks);
      const Vec3 difference = v[j] - v[i];
      y[i] += K * difference;
      y[j] -= K.transpose() * difference;
    }
  }
  return y;
}

}  // namespace sim
