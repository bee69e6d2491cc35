// Energy and momentum of a frame, from its positions and velocities alone.
//
//     kinetic energy  sum m v.v / 2        potential energy  -sum m g.x        momentum  sum m v
//     angular momentum  sum m x cross v
//
// Numbers that cannot be known (no velocities) are NaN.
#pragma once

#include "agreement.hpp"
#include "subject.hpp"

namespace simcheck {

struct Frame {
  sim::VecX x, v;  // v is empty where the file has none
};

struct Mechanics {
  double kinetic = unknown, elastic = unknown, potential = unknown;  // J
  sim::Vec3 momentum{unknown, unknown, unknown};                     // kg m/s
  sim::Vec3 angular_momentum{unknown, unknown, unknown};             // kg m^2/s, about the origin
  // Sums of the absolute values of what is summed above: what rounding and differences are compared with.
  double potential_scale = 0, momentum_scale = 0, angular_scale = 0;

  double total() const { return kinetic + elastic + potential; }
};

Mechanics mechanics_of(const Subject& subject, const Frame& frame);

// Numbers that are finite can have energies that are not.
bool has_finite_sums(const Mechanics& m, bool moving);

}  // namespace simcheck
