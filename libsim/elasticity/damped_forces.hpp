// Forces of an element and of its damping at once, from one look at where it is: for who asks a million times a
// second.
#pragma once

#include "elasticity/thin.hpp"

namespace sim {

// N, three numbers a corner: of element_forces() and beta times -D v, of corners at x with the velocities v. Returns
// what the damping takes: beta v . D v, W.
double damped_forces(const Spring& spring, const Corners<2>& x, const Corners<2>& v, double beta, double* forces);
double damped_forces(const Membrane& membrane, const Corners<3>& x, const Corners<3>& v, double beta, double* forces);
double damped_forces(const Hinge& hinge, const Corners<4>& x, const Corners<4>& v, double beta, double* forces);
double damped_forces(const Bend& bend, const Corners<3>& x, const Corners<3>& v, double beta, double* forces);

inline constexpr double shortest_spring = 1e-9;  // of its rest length: below that it has no direction

// On corner 0 of a spring, which is `e` away from corner 1.
inline Vec3 spring_pull(const Spring& spring, const Vec3& e) {
  const double length = e.norm();
  if (!(length > shortest_spring * spring.rest_length)) return Vec3::Zero();
  return spring.stiffness * (length - spring.rest_length) / length * e;
}

}  // namespace sim
