#include "elasticity/volume_energy.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <limits>

#include "elasticity/invariant_energy.hpp"

namespace sim {

namespace {

// Measured (docs/decisions/squeezed-elements.md): with an a of 0.1 elements turn under loads of ten times E, and with
// a smaller c steps of impacts do not converge.
constexpr double a = 0.01, c = 0.3;

}  // namespace

double resisting_threshold(MaterialModel model, const Lame& lame) {
  if (model == MaterialModel::stable_neo_hookean) return -std::numeric_limits<double>::infinity();
  if (model == MaterialModel::corotational) return c;
  if (model == MaterialModel::mooney_rivlin) return a;
  if (lame.lambda >= 0) return a;
  // Where lambda is negative, (ln J)^2 pulls the element together in the end: before its stiffness is gone.
  return std::max(a, std::exp((lame.mu + lame.lambda) / (2 * lame.lambda)));
}

VolumeEnergy volume_energy(const ElasticLaw& law, double J) {
  const bool extra = law.model == MaterialModel::corotational;
  const Lame of_logarithm = volume_coefficients(law);
  const double mu = of_logarithm.mu, lambda = extra ? std::max(of_logarithm.lambda, 0.0) : of_logarithm.lambda;
  const double unit = extra ? c : 1;  // U is a function of j = J / unit
  const double j = J / unit, at = std::max(j, (extra ? a : law.continued_below) / unit), beyond = j - at;
  const double log = std::log(at);
  VolumeEnergy U{-mu * log + 0.5 * lambda * log * log, (lambda * log - mu) / at,
                 (mu + lambda - lambda * log) / (at * at)};
  if (extra) {
    U.value += mu * (at - 1);
    U.slope += mu;
  }
  return {U.value + beyond * (U.slope + 0.5 * beyond * U.curvature), (U.slope + beyond * U.curvature) / unit,
          U.curvature / (unit * unit)};
}

double mean_curvature(const ElasticLaw& law, double J0, double J1) {
  const auto at = [&](double J) { return J < law.continued_below ? volume_energy(law, J) : VolumeEnergy{}; };
  const VolumeEnergy start = at(J0), end = at(J1);
  return J0 == J1 ? end.curvature : std::max(0.0, (end.slope - start.slope) / (J1 - J0));
}

Mat3 volume_stress(const ElasticLaw& law, const Mat3& F) {
  Mat3 cofactors;  // dJ/dF
  cofactors << F.col(1).cross(F.col(2)), F.col(2).cross(F.col(0)), F.col(0).cross(F.col(1));
  return volume_energy(law, F.col(0).dot(cofactors.col(0))).slope * cofactors;
}

void add_volume_energy(const VolumeEnergy& U, const Vec3& s, PrincipalDerivatives& derivatives) {
  const Vec3 n = volume_gradient(s);
  derivatives.gradient += U.slope * n;
  derivatives.hessian += U.curvature * n * n.transpose();
  for (int k = 0; k < 3; ++k) {
    const int a = (k + 1) % 3, b = (k + 2) % 3;
    derivatives.hessian(a, b) += U.slope * s[k];
    derivatives.hessian(b, a) += U.slope * s[k];
  }
  derivatives.flip -= U.slope * s;
  derivatives.twist += U.slope * s;
}

}  // namespace sim
