// Bodies that a part of a step would give energy.
//
// A semi-implicit step takes f - dt K (v1 - u) for the forces of the elements, f and K at its start and u the turn of
// the body (step/turning.hpp). What they store on the way is another matter where K becomes another: a spring without
// tension resists nothing across, and is stretched by u^2 / 2 l when it is thrown by u; a membrane that is stretched
// to twice its length is many times stiffer; a body that turns by a rad goes by a straight way. Then
//
//     made = psi(x1) - psi(x0) + v1 . (dt f - dt^2 K (v1 - u)) - (v1 - v0) . m (v1 - v0) / 2        J
//
// is positive: what the linearisation gives (the damping of the stiffness taken off), less what the scheme takes.
// What contacts, loads and prescribed motion do is no part of it.
//
// Generalized alpha has the forces of the end, and its energy goes up and down with vibrations that a step does not
// resolve. But a body that nothing touches, holds or loads keeps its spin, L; with the inertia I of its end
//
//     made = (L1 - L0) . I^-1 (L1 + L0) / 2                                                          J
//
// is what turns too far for the step have made of it.
#pragma once

#include "step/part.hpp"

namespace sim {

// psi has what straight ways strain links by, too, which the step was not solved with (elasticity/straight_ways.hpp):
// a whip has that for nothing, as the next step lets go of it; a string that is held at both ends has not.
//
// Objects that have been solved for and that would have a hundredth more energy than they may, cables and sheets half
// of it, beyond what gaps within their tolerance are worth. In a part of the shortest kind psi of cables and sheets
// is without that strain, and of solids there are none: what is squeezed to nothing gains energy in the end however
// short the parts are, and is taken as elements that turn inside out are. Of implicit Euler and quasi-static steps,
// and of steps as published, none.
struct Growth {
  std::vector<Index> objects;
  double made = 0;  // J, of the first
};
Growth find_growth(Part& part);  // finds elastic energies, too: Scratch::energy

}  // namespace sim
