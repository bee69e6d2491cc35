// What the damping of a thin element gives to its corners where these move at given velocities: -D v, with the D of
// elasticity/thin.hpp.
#pragma once

#include "elasticity/thin.hpp"

namespace sim {

// Adds scale times -D v to the forces, three numbers a corner, of corners at x with the velocities v.
void add_strain_rate_forces(const Spring& spring, const Corners<2>& x, const Corners<2>& v, double scale,
                            double* forces);
void add_strain_rate_forces(const Membrane& membrane, const Corners<3>& x, const Corners<3>& v, double scale,
                            double* forces);
void add_strain_rate_forces(const Hinge& hinge, const Corners<4>& x, const Corners<4>& v, double scale,
                            double* forces);
void add_strain_rate_forces(const Bend& bend, const Corners<3>& x, const Corners<3>& v, double scale, double* forces);

}  // namespace sim
