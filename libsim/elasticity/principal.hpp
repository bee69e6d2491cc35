// An isotropic energy density as a function psi(s) of the three principal stretches, and what its derivatives say
// about dP/dF.
//
// With F = U diag(s) V^T, P = U diag(psi_i) V^T where psi_i = d psi / d s_i. A change dF, seen in that frame as
// dX = U^T dF V, changes the stress by dY = U^T dP V with (Smith et al. 2019; Stomakhin et al. 2012)
//
//     dY_aa = sum_c psi_ac dX_cc
//     dY_ab = (flip + twist)/2 dX_ab + (flip - twist)/2 dX_ba     for each pair a != b,
//     flip  = (psi_a - psi_b) / (s_a - s_b)                       eigenvalue of the symmetric  dX_ab =  dX_ba
//     twist = (psi_a + psi_b) / (s_a + s_b)                       eigenvalue of the turning    dX_ab = -dX_ba
//
// so dP/dF is positive semi-definite exactly when the Hessian psi_ac and the six numbers flip and twist are.
#pragma once

#include "elasticity/material.hpp"

namespace sim {

struct PrincipalDerivatives {
  Vec3 gradient;  // Pa, psi_a
  Mat3 hessian;   // Pa, psi_ac
  Vec3 flip;      // Pa; entry k belongs to the pair of the other two indices
  Vec3 twist;     // Pa
};

// s as rotation_svd() gives it: at most s[2] is negative.
double principal_energy(const ElasticLaw& law, const Vec3& s);
Vec3 principal_stress(const ElasticLaw& law, const Vec3& s);  // psi_a
PrincipalDerivatives principal_derivatives(const ElasticLaw& law, const Vec3& s);

// Of R K_0 R^T: the corotational ones with the rotation held, so that turning (twist) meets nothing.
PrincipalDerivatives linear_derivatives(const Lame& lame, const Vec3& s);

// dY_ab = same_ab dX_ab + across_ab dX_ba of a pair a != b.
struct PairFactors {
  Mat3 same, across;  // Pa; zero on the diagonal
};
PairFactors pair_factors(const PrincipalDerivatives& derivatives);

// What of a pair is left without turns of the deformed element. A turn about the axis k is (dX_ab, dX_ba) along
// (s_b, -s_a), so the part along q = (s_a, s_b) / |(s_a, s_b)|, and of the stiffness q.(..)q. With F = R S that part
// is the rate of S, dS_ab = (s_a dX_ab + s_b dX_ba) / (s_a + s_b). At rest nothing changes.
struct PairStrain {
  double qa = 0, qb = 0;
  double stiffness = 0;  // Pa
};
PairStrain pair_strain(const PrincipalDerivatives& derivatives, const Vec3& s, int k);
PairFactors rotation_free_factors(const PrincipalDerivatives& derivatives, const Vec3& s);

// Removes what makes dP/dF indefinite: the nearest semi-definite one in the Frobenius norm. The gradient stays.
void remove_negative(PrincipalDerivatives& derivatives);

}  // namespace sim
