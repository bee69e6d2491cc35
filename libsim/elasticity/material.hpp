// Elastic materials: energy density, stress and stiffness as functions of the deformation gradient F.
//
// Both are isotropic, so with F = U diag(s) V^T (math/decompose.hpp) the energy density is a function psi(s1, s2,
// s3).
//
//   corotational   psi = mu sum (s_i - 1)^2 + lambda/2 (sum s_i - 3)^2                         (Mueller & Gross 2004)
//                  P = 2 mu (F - R) + lambda tr(R^T F - 1) R,  R the rotation of F's polar decomposition
//   neo_hookean    psi = mu/2 (sum s_i^2 - 3) - mu ln J + lambda/2 (ln J)^2,  J = s1 s2 s3
//
// and stable_neo_hookean and mooney_rivlin of elasticity/invariant_energy.hpp, and st_venant_kirchhoff of the header
// of that name. All five are those of linear elasticity with young and poisson where strains are small.
//
// Where J is below ElasticLaw::continued_below, they resist being turned inside out by a stiff energy of J
// (elasticity/volume_energy.hpp), but for stable_neo_hookean, which resists by itself, and st_venant_kirchhoff, which
// does not resist. Two have a published form that does not: corotational stays as it is, and neo_hookean is
// extrapolated linearly once J < extrapolate_below (Stomakhin et al. 2012): with r = s - (1,1,1) and q = 1 + t r the
// point of the segment from 1 to s where J(q) = extrapolate_below, psi(s) = psi(q) + (1 - t) r . grad psi(q), which
// is finite and pushes back through inversion.
//
// Four are not of volumes: edge_springs, grid_springs and shell of sheets (elasticity/sheet.hpp), cable of cables
// (elasticity/cable.hpp).
#pragma once

#include <optional>
#include <string>

#include "math/types.hpp"

namespace sim {

enum class MaterialModel {
  corotational,
  neo_hookean,
  stable_neo_hookean,
  mooney_rivlin,
  st_venant_kirchhoff,
  edge_springs,
  grid_springs,
  shell,
  cable
};
bool is_of_sheets(MaterialModel model);
bool is_thin(MaterialModel model);  // of sheets or cables
bool has_published_form(MaterialModel model);

// What goes into K. Every choice is positive semi-definite.
enum class Stiffness {
  rotated_linear,  // R K_0 R^T, the paper's; corotational only
  exact,           // -df/dx with the negative eigenvalues of each element removed
};

struct Material {
  std::string name;
  MaterialModel model = MaterialModel::corotational;
  Stiffness stiffness = Stiffness::rotated_linear;
  double young = 5e5;           // Pa
  double poisson = 0.2;         // in (-1, 0.5); of mooney_rivlin from c2_share / (1 + 2 c2_share) up
  double c2_share = 0.2;        // c2 / (c1 + c2), in [0, 1]; mooney_rivlin only
  double density = 1000;        // kg/m^3
  double thickness = 1e-3;      // m; of sheets and cables: gives mass, and what contact keeps apart
  double stretch = 100;         // N/m, k_s of one spring; edge_springs, grid_springs, cable
  std::optional<double> shear;  // N/m, k_d; grid_springs only; none: k_s / 2, which is isotropic
  double flexion = 0;           // N/m, of springs across two cells; grid_springs only
  double bend = 0;              // J, k_B of hinges; edge_springs, grid_springs; N m^2, B of a cable
  std::array<double, 2> strain_limit{1,
                                     1};  // of springs: shorter and longer than at rest by this part at most; 1: any
  double mass_damping = 0;                // 1/s, alpha of Rayleigh's C = alpha M + beta K
  double stiffness_damping = 0;           // s, beta, of rates of strain (elasticity/element.hpp)
  std::optional<double> friction;         // Coulomb's coefficient of its surface; none: the scene's
  bool as_published = false;              // bare, or extrapolated linearly
  std::optional<double> extrapolate_below;  // share of the rest volume; neo_hookean only, which it makes as published
};
inline constexpr double published_extrapolate_below = 0.7;  // where neo_hookean as published does not say

struct Lame {
  double mu = 0;      // Pa
  double lambda = 0;  // Pa
};
Lame lame(const Material& material);
// Of mooney_rivlin, where the factor L of (ln J)^2 is zero: with less, that term pulls elements together that are far
// from their volume at rest. -1 of the others, which have no such bound.
double least_poisson(const Material& material);

// A material as the element loops use it.
struct ElasticLaw {
  MaterialModel model = MaterialModel::corotational;
  Stiffness stiffness = Stiffness::rotated_linear;
  Lame lame;
  double continued_below = 0;  // J where the energy is no longer psi above; -infinity: it always is
  bool as_published = false;   // does not resist being turned inside out
  double c2_share = 0;         // of mooney_rivlin
};
ElasticLaw elastic_law(const Material& material);  // stiffness is `exact` of all but corotational

using Mat9 = Eigen::Matrix<double, 9, 9>;  // dP/dF; entry (i + 3j, k + 3l) is dP_ij/dF_kl (column-major vec)

double energy_density(const ElasticLaw& law, const Mat3& F);
Mat3 stress(const ElasticLaw& law, const Mat3& F);  // P = d psi / dF, first Piola-Kirchhoff
Mat3 corotational_stress(const Lame& lame, const Mat3& R,
                         const Mat3& F);                                 // the same with R = polar_rotation(F) known
Mat9 stress_derivative(const ElasticLaw& law, const Mat3& F);            // exact and symmetric, not projected
Mat9 projected_stress_derivative(const ElasticLaw& law, const Mat3& F);  // the same without its negative eigenvalues

}  // namespace sim
