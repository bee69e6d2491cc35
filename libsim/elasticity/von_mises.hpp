// The von Mises stress of an element, from the true (Cauchy) stress that its material gives.
//
// With F = U diag(s) V^T and J = s1 s2 s3 the Cauchy stress is P F^T / J = U diag(s_a psi_a / J) U^T
// (elasticity/principal.hpp), so the principal stresses are sigma_a = s_a psi_a / J, and in Pa
//
//     von Mises^2 = ((sigma_1 - sigma_2)^2 + (sigma_2 - sigma_3)^2 + (sigma_3 - sigma_1)^2) / 2
//
// The elastic stress only: what damping adds is not in it. NaN for an element without volume or turned inside out
// (J <= 0), which has no Cauchy stress.
#pragma once

#include <vector>

#include "elasticity/assembly.hpp"

namespace sim {

double von_mises_stress(const ElasticLaw& law, const Mat3& F);
// Of every element at the positions x (of all vertices), in the order of bodies.tets.
std::vector<double> von_mises_stress(const ElasticBodies& bodies, const VecX& x);

}  // namespace sim
