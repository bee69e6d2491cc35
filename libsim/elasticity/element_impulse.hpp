// What the elements of a step give to their corners, from what assemble() kept of them (elasticity/assembly.hpp):
//
//     impulse of an element on its corners     dt f_e(x0) - (dt^2 K_e + dt beta D_e) v      kg m/s
//     stiffness damping of an element          dt beta v . D_e v  >= 0                      J
//
// where v is v1, less what is turn of its body (step/turning.hpp): v1 - way r. Along a spring that is turn as far as
// it takes part in it.
//
// An element gives nothing to itself: the impulses on its four corners add up to zero but for rounding.
#pragma once

#include "elasticity/assembly.hpp"

namespace sim {

struct TurnOfElements {
  std::span<const Index> body_of_vertex;    // or -1; that of an element is that of any of its corners that has one
  std::span<const Mat3> way;                // 1/s, a body; empty: nothing turns
  std::span<const double> takes_part = {};  // a spring: 0 to 1; empty: all wholly
};
// m/s: what that takes from the relative velocity way e of a spring's corners. `e` goes from corner 0 to 1.
Vec3 no_turn_of_spring(const Vec3& e, const Mat3& way, double takes_part);
// A step as it was taken: v1 of all vertices, prescribed ones included.
struct ElementMotion {
  const VecX &x0, &v1;
  double dt = 0;  // s
  TurnOfElements turn = {};
};

// Of all elements, on the chosen vertices (by vertex: not 0); adds to their entries of `impulse`.
void add_impulses_on(std::span<const std::uint8_t> chosen, const ElasticBodies& bodies, const ElementBuffer& elements,
                     const ElementMotion& motion, VecX& impulse);

// J: v1 times what a tetrahedron gives to its corners, the work that a step takes it to do.
double impulse_work(const ElasticBodies& bodies, const ElementBuffer& elements, const ElementMotion& motion,
                    Index tet);

// J, with the D of the positions x0.
double stiffness_damping_loss(const ElasticBodies& bodies, const ElementMotion& motion);

}  // namespace sim
