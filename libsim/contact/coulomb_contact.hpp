// One contact by itself, with Coulomb's exact cone:
//
//     u = W r + q,   0 <= r_n, u_n >= 0, one of them an equality,   |r_t| <= mu r_n,   r_t = -mu r_n u_t / |u_t|
//     where
//                                                                                      u_t is not 0
//
// Open where q_n >= 0. Else u_n = 0, and u_t = -kappa r_t with kappa >= 0: it sticks where kappa = 0 is inside the
// cone, and slides at the kappa where |r_t(kappa)| = mu r_n(kappa). There is one: at kappa = 0 the left side is the
// larger one, and as kappa grows r_t vanishes and r_n goes to -q_n / W_nn > 0.
#pragma once

#include "math/types.hpp"

namespace sim {

Vec3 coulomb_contact(const Mat3& W, const Vec3& q, double mu);  // r; W symmetric positive definite

}  // namespace sim
