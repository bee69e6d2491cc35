#include "elasticity/invariant_energy.hpp"

#include <cmath>

#include "elasticity/volume_energy.hpp"

namespace sim {

namespace {

// psi = w(I1, I2) + U(J): w and its derivatives after I1 (twice) and I2.
struct OfInvariants {
  double value, w1, w11, w2;  // Pa
};

OfInvariants without_volume(const ElasticLaw& law, const Vec3& s) {
  const double mu = law.lame.mu, I1 = s.squaredNorm();
  if (law.model == MaterialModel::stable_neo_hookean) {
    const double share = 1 / (I1 + 1), factor = mu * 2 / 3;
    return {factor * (I1 - 3 - std::log((I1 + 1) / 4)), factor * (1 - share), factor * share * share, 0};
  }
  const double c2 = 0.5 * mu * law.c2_share, c1 = 0.5 * mu - c2;
  const double I2 = volume_gradient(s).squaredNorm();
  return {c1 * (I1 - 3) + c2 * (I2 - 3), c1, 0, c2};
}

VolumeEnergy of_volume(const ElasticLaw& law, double J) {
  if (law.model != MaterialModel::stable_neo_hookean) return volume_energy(law, J);
  const double mu = law.lame.mu, stiffness = law.lame.lambda + mu * 5 / 6;
  return {(J - 1) * (0.5 * stiffness * (J - 1) - mu), stiffness * (J - 1) - mu, stiffness};
}

Vec3 gradient(const OfInvariants& w, const Vec3& s) {
  const Vec3 squares = s.cwiseAbs2();
  return 2 * s.cwiseProduct(Vec3::Constant(w.w1 + w.w2 * squares.sum()) - w.w2 * squares);
}

}  // namespace

bool is_of_invariants(MaterialModel model) {
  return model == MaterialModel::stable_neo_hookean || model == MaterialModel::mooney_rivlin;
}

Lame volume_coefficients(const ElasticLaw& law) {
  const double two_c2 = law.lame.mu * law.c2_share;
  return {law.lame.mu + two_c2, law.lame.lambda - 2 * two_c2};
}

double invariant_energy(const ElasticLaw& law, const Vec3& s) {
  return without_volume(law, s).value + of_volume(law, volume_ratio(s)).value;
}

Vec3 invariant_stress(const ElasticLaw& law, const Vec3& s) {
  return gradient(without_volume(law, s), s) + of_volume(law, volume_ratio(s)).slope * volume_gradient(s);
}

PrincipalDerivatives invariant_derivatives(const ElasticLaw& law, const Vec3& s) {
  const OfInvariants w = without_volume(law, s);
  PrincipalDerivatives d;
  d.gradient = gradient(w, s);
  const Vec3 squares = s.cwiseAbs2();
  d.hessian = 4 * (w.w11 + w.w2) * s * s.transpose();
  d.hessian.diagonal() += Vec3::Constant(2 * w.w1 + 2 * w.w2 * squares.sum()) - 6 * w.w2 * squares;
  const Vec3 products = volume_gradient(s);  // of the other two
  d.flip = Vec3::Constant(2 * w.w1) + 2 * w.w2 * (squares - products);
  d.twist = Vec3::Constant(2 * w.w1) + 2 * w.w2 * (squares + products);
  add_volume_energy(of_volume(law, volume_ratio(s)), s, d);
  return d;
}

}  // namespace sim
