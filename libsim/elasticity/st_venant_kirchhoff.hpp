// Saint Venant and Kirchhoff: linear in Green's strain.
//
//     psi = mu E:E + lambda/2 (tr E)^2,  E = (F^T F - 1)/2,  P = F (2 mu E + lambda tr E 1)
//     psi_a  = s_a w_a,  w_a = mu (s_a^2 - 1) + lambda/2 (I1 - 3),  I1 = sum s_a^2
//     psi_aa = w_a + (2 mu + lambda) s_a^2,  psi_ab = lambda s_a s_b
//
// It softens where it is squeezed (along one axis, nu = 0: P = E/2 (s^3 - s), least at s = 0.577) and does not resist
// being turned inside out: psi is even in s.
#pragma once

#include "elasticity/principal.hpp"

namespace sim {

double st_venant_kirchhoff_energy(const Lame& lame, const Vec3& s);
Vec3 st_venant_kirchhoff_stress(const Lame& lame, const Vec3& s);  // psi_a
Mat3 st_venant_kirchhoff_stress(const Lame& lame, const Mat3& F);  // P
PrincipalDerivatives st_venant_kirchhoff_derivatives(const Lame& lame, const Vec3& s);

}  // namespace sim
