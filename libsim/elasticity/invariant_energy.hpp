// Energy densities of rubber: of the invariants I1 = sum s_a^2, I2 = sum s_a^2 s_b^2 over the three pairs, and
// J = s1 s2 s3, in Lame's constants of small strains.
//
//   stable_neo_hookean   psi = 2/3 mu (I1 - 3 - ln((I1 + 1) / 4)) - mu (J - 1) + (lambda + 5/6 mu)/2 (J - 1)^2
//                        (Smith, de Goes & Kim 2018: mu'/2 (I1 - 3) + lambda'/2 (J - alpha)^2 - mu'/2 ln(I1 + 1) with
//                        mu' = 4/3 mu, lambda' = lambda + 5/6 mu, alpha = 1 + 3/4 mu'/lambda', less its value at
//                        rest)
//   mooney_rivlin        psi = c1 (I1 - 3) + c2 (I2 - 3) - m ln J + L/2 (ln J)^2
//                        c1 + c2 = mu/2, m = 2 c1 + 4 c2 (no stress at rest), L = lambda - 4 c2 (>= 0)
//
// The first is smooth for every F, through J = 0 and beyond, and its force leads back. The second is neo_hookean
// where c2 = 0; below J = ElasticLaw::continued_below it goes on as elasticity/volume_energy.hpp says.
#pragma once

#include "elasticity/principal.hpp"

namespace sim {

bool is_of_invariants(MaterialModel model);

// The factors of -ln J and (ln J)^2 / 2: m and L of mooney_rivlin, mu and lambda of other laws.
Lame volume_coefficients(const ElasticLaw& law);

double invariant_energy(const ElasticLaw& law, const Vec3& s);
Vec3 invariant_stress(const ElasticLaw& law, const Vec3& s);
PrincipalDerivatives invariant_derivatives(const ElasticLaw& law, const Vec3& s);

}  // namespace sim
