// How fast elastic bodies can vibrate: what an explicit scheme may take for a step.
//
//     omega^2 <= max over vertices i of  (1/m_i) sum over the elements e at i of lambda_max(K_e)
//
// Proof: give element e the share m_i lambda_e / sum lambda of the mass of each of its corners. Then K <= omega^2 M
// element by element. Of springs that is 2 sum k_e / m_i. For regular meshes it is 1.3 to 1.5 times the true omega.
//
// lambda_max is found by power iteration. Elements whose stiffness is constant but for turns (Stiffness::
// rotated_linear) have it from rest on; others that are strained have it from their stiffness as they are.
#pragma once

#include "elasticity/assembly.hpp"

namespace sim {

struct FrequencyBuffer {
  std::vector<double> at_rest;  // N/m, an element by its first corner: lambda_max
  std::vector<double> of_corner;
  std::vector<double> of_chunk;
};

// 1/s: the bound above over the vertices that have unknowns, with the elements at x. `rest`: of all vertices.
double largest_frequency(const ElasticBodies& bodies, const AssemblyPlan& plan, std::span<const Vec3> rest,
                         const VecX& x, FrequencyBuffer& buffer);

// s: the longest step in which the explicit scheme (velocity Verlet, damping of stiffness by the last velocity) does
// not let vibrations of the frequency grow:  2/omega (sqrt(1 + xi^2) - xi),  xi = beta omega / 2.
double longest_explicit_step(double frequency, double stiffness_damping);

}  // namespace sim
