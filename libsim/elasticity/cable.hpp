// The elements of a cable: an object of segments with the material `cable`.
//
// A spring k_s along every segment, a bend of the stiffness B at every vertex of two segments (a cable is straight at
// rest, whatever its path), and the mass density * pi/4 * thickness^2 a metre, half of it at either end of a segment.
// Where more than two segments meet they turn freely.
#pragma once

#include "elasticity/assembly.hpp"

namespace sim {

struct Cable {
  std::span<const Triangle> segments;  // {a, b, b}, of vertices of `rest`
  Index material = 0;
};

// Adds to `parts`.
void add_cable(std::span<const Vec3> rest, const Cable& cable, const Material& material, ThinParts& parts);

double mass_per_length(const Material& material);  // kg/m, of a cable

}  // namespace sim
