// Sheets and cables that a part of a step would give energy.
//
// The step takes f - dt K v1 for the forces of the elements, f and K at its start. What they store on the way is
// another matter where K becomes another: a spring without tension resists nothing across, and is stretched by
// u^2 / 2 l when it is thrown by u; a membrane that is stretched to twice its length is many times stiffer. Then
//
//     made = psi(x1) - psi(x0) + v1 . (dt f - dt^2 K v1) - (v1 - v0) . m (v1 - v0) / 2        J
//
// is positive: what the linearisation gives (the damping of the stiffness taken off), less what the scheme takes.
// Solids have their own measure, elements that would be turned inside out (elasticity/volumes.hpp).
#pragma once

#include "step/part.hpp"

namespace sim {

// Objects that have been solved for and that would have a hundredth more energy than they may, beyond what gaps
// within their tolerance are worth. Of other schemes than the semi-implicit one, and of steps as published, none.
struct Growth {
  std::vector<Index> objects;
  double made = 0;  // J, of the first
};
Growth find_growth(const Part& part);

}  // namespace sim
