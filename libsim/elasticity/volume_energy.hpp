// What keeps an element from being turned inside out: the energy of its volume ratio J = det F where it is nearly
// used up. Laws go on with it below ElasticLaw::continued_below, unless they are to be as published.
//
//   neo_hookean    psi = mu/2 (sum s_i^2 - 3) + U(J),   U = -mu ln J + lambda/2 (ln J)^2: its own energy, written so;
//                  below J = a its Taylor polynomial of second order at a
//   corotational   psi + U(J),   U = mu (j - 1 - ln j) + lambda/2 (ln j)^2 with j = J / c, zero with its slope at
//                  J = c, and the same Taylor polynomial below j = a
//   mooney_rivlin  as neo_hookean, with the coefficients of elasticity/invariant_energy.hpp for mu and lambda
//
// The polynomial goes through J = 0 and beyond without a kink. Unlike a tangent it keeps its stiffness, so one
// linearised step leads back to about J = 2 a instead of throwing the element out
// (docs/decisions/squeezed-elements.md).
#pragma once

#include "elasticity/principal.hpp"

namespace sim {

struct VolumeEnergy {
  double value = 0, slope = 0, curvature = 0;  // Pa: U, dU/dJ, d2U/dJ2
};

// J where U begins to count: c, or a of the others; -infinity of stable_neo_hookean, which needs none.
double resisting_threshold(MaterialModel model, const Lame& lame);

// Of a law that is not as published, for J < continued_below. (Of neo_hookean and mooney_rivlin: U, which psi has in
// all its range. Not for stable_neo_hookean.)
VolumeEnergy volume_energy(const ElasticLaw& law, double J);

// Pa: d2U/dJ2 in the mean from J0 to J1, (U'(J1) - U'(J0)) / (J1 - J0), of a U that counts below continued_below
// only.
double mean_curvature(const ElasticLaw& law, double J0, double J1);

Mat3 volume_stress(const ElasticLaw& law, const Mat3& F);  // dU/dF

// Adds U(s1 s2 s3) to the derivatives of the rest.
void add_volume_energy(const VolumeEnergy& U, const Vec3& s, PrincipalDerivatives& derivatives);

inline double volume_ratio(const Vec3& s) {
  return s[0] * s[1] * s[2];
}
inline Vec3 volume_gradient(const Vec3& s) {
  return {s[1] * s[2], s[0] * s[2], s[0] * s[1]};
}

}  // namespace sim
