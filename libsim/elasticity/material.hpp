// Elastic materials: energy density, stress and stiffness as functions of the deformation gradient F.
//
// Both are isotropic, so with F = U diag(s) V^T (math/decompose.hpp) the energy density is a function psi(s1, s2,
// s3).
//
//   corotational   psi = mu sum (s_i - 1)^2 + lambda/2 (sum s_i - 3)^2                         (Mueller & Gross 2004)
//                  P = 2 mu (F - R) + lambda tr(R^T F - 1) R,  R the rotation of F's polar decomposition
//   neo_hookean    psi = mu/2 (sum s_i^2 - 3) - mu ln J + lambda/2 (ln J)^2,  J = s1 s2 s3
//
// Where J is below ElasticLaw::continued_below, both resist being turned inside out by a stiff energy of J
// (elasticity/volume_energy.hpp). As published they do not: corotational stays as it is, and neo_hookean is
// extrapolated linearly once J < extrapolate_below (Stomakhin et al. 2012): with r = s - (1,1,1) and q = 1 + t r the
// point of the segment from 1 to s where J(q) = extrapolate_below, psi(s) = psi(q) + (1 - t) r . grad psi(q), which
// is finite and pushes back through inversion.
#pragma once

#include <optional>
#include <string>

#include "math/types.hpp"

namespace sim {

enum class MaterialModel { corotational, neo_hookean };

// What goes into K. Every choice is positive semi-definite.
enum class Stiffness {
  rotated_linear,  // R K_0 R^T, the paper's; corotational only
  exact,           // -df/dx with the negative eigenvalues of each element removed
};

struct Material {
  std::string name;
  MaterialModel model = MaterialModel::corotational;
  Stiffness stiffness = Stiffness::rotated_linear;
  double young = 5e5;                       // Pa
  double poisson = 0.2;                     // in (-1, 0.5)
  double density = 1000;                    // kg/m^3
  double mass_damping = 0;                  // 1/s, alpha of Rayleigh's C = alpha M + beta K
  double stiffness_damping = 0;             // s, beta
  std::optional<double> friction;           // Coulomb's coefficient of its surface; none: the scene's
  bool as_published = false;                // bare, or extrapolated linearly
  std::optional<double> extrapolate_below;  // share of the rest volume; neo_hookean only, which it makes as published
};
inline constexpr double published_extrapolate_below = 0.7;  // where neo_hookean as published does not say

struct Lame {
  double mu = 0;      // Pa
  double lambda = 0;  // Pa
};
Lame lame(const Material& material);

// A material as the element loops use it.
struct ElasticLaw {
  MaterialModel model = MaterialModel::corotational;
  Stiffness stiffness = Stiffness::rotated_linear;
  Lame lame;
  double continued_below = 0;  // J where the energy is no longer psi above; -infinity: it always is
  bool as_published = false;
};
ElasticLaw elastic_law(const Material& material);  // stiffness of neo_hookean is always `exact`

using Mat9 = Eigen::Matrix<double, 9, 9>;  // dP/dF; entry (i + 3j, k + 3l) is dP_ij/dF_kl (column-major vec)

double energy_density(const ElasticLaw& law, const Mat3& F);
Mat3 stress(const ElasticLaw& law, const Mat3& F);  // P = d psi / dF, first Piola-Kirchhoff
Mat3 corotational_stress(const Lame& lame, const Mat3& R,
                         const Mat3& F);                                 // the same with R = polar_rotation(F) known
Mat9 stress_derivative(const ElasticLaw& law, const Mat3& F);            // exact and symmetric, not projected
Mat9 projected_stress_derivative(const ElasticLaw& law, const Mat3& F);  // the same without its negative eigenvalues

}  // namespace sim
