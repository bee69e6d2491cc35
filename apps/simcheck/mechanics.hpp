// Energy and momentum of a frame, from its positions and velocities alone.
//
//     kinetic energy  sum m v.v / 2        potential energy  -sum m g.x        momentum  sum m v
//     angular momentum  sum m x cross v
//
// What rounding leaves of the sum of kinetic and potential energy, eps the rounding of a double:
//
//     eps (points and rigid objects) sum m |g|.|x|                                the sum of potential energies
//     eps (triangles) m |g| R                                                     the centre of a rigid object
//     eps density A max|x| (|g| R + (|v| + |w| R)^2)                              positions of a rigid object
//
// R is how far its vertices are from its centre. Its positions are rounded to eps |x|, which moves its surface, of
// area A, and gives or takes a layer of mass; that is worth the most at the far end of the body. Of the mass times
// g.x the layer would be worth far more: so the potential energy is that of the mass at rest, and the mass of the
// frame is compared with that.
//
// Numbers that cannot be known (no velocities) are NaN.
#pragma once

#include "agreement.hpp"
#include "subject.hpp"

namespace simcheck {

struct Frame {
  sim::VecX x, v;            // v is empty where the file has none
  double unseen_energy = 0;  // J, as the file has it
};

struct Mechanics {
  double kinetic = unknown, elastic = unknown, potential = unknown;  // J
  sim::Vec3 momentum{unknown, unknown, unknown};                     // kg m/s
  sim::Vec3 angular_momentum{unknown, unknown, unknown};             // kg m^2/s, about the origin
  // Sums of the absolute values of what is summed above: what rounding and differences are compared with.
  double potential_scale = 0, momentum_scale = 0, angular_scale = 0;
  double energy_rounding = 0;              // J
  double mass_change = 0, rigid_mass = 0;  // kg, of rigid objects: sum of |mass - mass at rest|, at rest

  double total() const { return kinetic + elastic + potential; }
};

Mechanics mechanics_of(const Subject& subject, const Frame& frame);

// Numbers that are finite can have energies that are not.
bool has_finite_sums(const Mechanics& m, bool moving);

}  // namespace simcheck
