// Stress and strain of elements, as frames of results hold them.
//
// With F = U diag(s) V^T and J = s1 s2 s3 the Cauchy (true) stress is P F^T / J = U diag(s_a psi_a / J) U^T
// (elasticity/principal.hpp), so the principal stresses are sigma_a = s_a psi_a / J along the columns of U, and in Pa
//
//     von Mises^2 = ((sigma_1 - sigma_2)^2 + (sigma_2 - sigma_3)^2 + (sigma_3 - sigma_1)^2) / 2
//
// The elastic stress only: what damping adds is not in it. The strain is that of Green and Lagrange, (F^T F - 1) / 2,
// in the axes of the body at rest, which turning leaves as it is. All are NaN of an element without volume or turned
// inside out (J <= 0), which has no Cauchy stress.
#pragma once

#include <array>
#include <vector>

#include "elasticity/assembly.hpp"

namespace sim {

// xx, xy, xz, yy, yz, zz: the rows of the upper triangle, in which order XDMF has them too. Entries of the tensor:
// those of shear are not doubled.
using SymmetricTensor = std::array<double, 6>;

double von_mises_stress(const ElasticLaw& law, const Mat3& F);
SymmetricTensor cauchy_stress(const ElasticLaw& law, const Mat3& F);  // Pa
SymmetricTensor green_strain(const Mat3& F);

struct AskedFields {
  bool von_mises = false;
  bool stress = false;
  bool strain = false;
};
inline bool any(const AskedFields& asked) {
  return asked.von_mises || asked.stress || asked.strain;
}

// Of every tet; empty what was not asked for.
struct TetFields {
  std::vector<double> von_mises;        // Pa
  std::vector<SymmetricTensor> stress;  // Pa, Cauchy
  std::vector<SymmetricTensor> strain;  // Green-Lagrange
};
// At the positions x (of all vertices), in the order of bodies.tets.
TetFields tet_fields(const ElasticBodies& bodies, const VecX& x, const AskedFields& asked);

}  // namespace sim
