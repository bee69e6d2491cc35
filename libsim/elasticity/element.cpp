#include "elasticity/element.hpp"

#include <Eigen/LU>
#include <algorithm>
#include <cmath>

#include "elasticity/strains.hpp"
#include "elasticity/volume_energy.hpp"

namespace sim {

namespace {

using Corners = std::array<Vec3, 4>;

// M b_i for all corners.
Corners turned_gradients(const Mat3& M, const Mat3& inverse_shape) {
  const Mat3 G = M * inverse_shape.transpose();
  return {-(G.col(0) + G.col(1) + G.col(2)), G.col(0), G.col(1), G.col(2)};
}

void store_forces(const Element& element, const Mat3& P, double* forces) {
  Eigen::Map<Mat3>{forces} = -element.rest_volume * (P * element.inverse_shape.transpose());
}

bool is_rotated_linear(const Element& element) {
  return element.law.stiffness == Stiffness::rotated_linear && element.F.determinant() >= element.law.continued_below;
}

// What K is made of, semi-definite.
PrincipalDerivatives stiffness_in_frame(const Element& element, const Vec3& s) {
  if (is_rotated_linear(element)) return linear_derivatives(element.law.lame, s);
  PrincipalDerivatives d = principal_derivatives(element.law, s);
  remove_negative(d);
  return d;
}

void rotated_linear(const Element& element, double scale, double* forces, double* blocks) {
  const Mat3 R = polar_rotation(element.F);
  store_forces(element, corotational_stress(element.law.lame, R, element.F), forces);
  const Corners g = turned_gradients(R, element.inverse_shape);
  const double mu = scale * element.rest_volume * element.law.lame.mu;
  const double lambda = scale * element.rest_volume * element.law.lame.lambda;
  for (std::size_t pair = 0; pair < corner_pairs.size(); ++pair) {
    const auto [i, j] = corner_pairs[pair];
    const Vec3 mu_j = mu * g[j], lambda_j = lambda * g[j];
    Mat3 K = mu_j * g[i].transpose() + g[i] * lambda_j.transpose();
    K.diagonal().array() += mu_j.dot(g[i]);
    Eigen::Map<Mat3>{blocks + 9 * pair} = K;
  }
}

// A dP/dF in the frame of the SVD.
struct InFrame {
  Mat3 hessian;
  PairFactors pairs;

  // Contracted with two shape gradients.
  Mat3 between(const Vec3& gi, const Vec3& gj) const {
    Mat3 K = hessian.cwiseProduct(gi * gj.transpose()) + pairs.across.cwiseProduct(gj * gi.transpose());
    K.diagonal() += pairs.same * gi.cwiseProduct(gj);
    return K;
  }
};

void add_blocks(const Element& element, const RotationSvd& svd, const InFrame& frame, double scale, double* blocks) {
  const Corners g = turned_gradients(svd.V.transpose(), element.inverse_shape);
  const Mat3 scaled_U = scale * element.rest_volume * svd.U;
  for (std::size_t pair = 0; pair < corner_pairs.size(); ++pair) {
    const auto [i, j] = corner_pairs[pair];
    Eigen::Map<Mat3>{blocks + 9 * pair} += scaled_U * frame.between(g[i], g[j]) * svd.U.transpose();
  }
}

void exact(const Element& element, const ElementScale& scale, double* forces, double* blocks) {
  const RotationSvd svd = rotation_svd(element.F);
  PrincipalDerivatives d = principal_derivatives(element.law, svd.sigma);
  store_forces(element, svd.U * d.gradient.asDiagonal() * svd.V.transpose(), forces);
  remove_negative(d);
  InFrame sum{(1 + scale.damping) * d.hessian, pair_factors(d)};
  if (scale.damping > 0) {
    const PairFactors free = rotation_free_factors(d, svd.sigma);
    sum.pairs.same += scale.damping * free.same;
    sum.pairs.across += scale.damping * free.across;
  }
  std::fill_n(blocks, 9 * corner_pairs.size(), 0.0);
  add_blocks(element, svd, sum, scale.whole, blocks);
}

void add_damping(const Element& element, double scale, double* blocks) {
  const RotationSvd svd = rotation_svd(element.F);
  const PrincipalDerivatives d = stiffness_in_frame(element, svd.sigma);
  add_blocks(element, svd, {d.hessian, rotation_free_factors(d, svd.sigma)}, scale, blocks);
}

// dY that D makes of dX, both in the frame of the SVD.
Mat3 rate_stress(const Element& element, const RotationSvd& svd, const Mat3& dX) {
  const PrincipalDerivatives d = stiffness_in_frame(element, svd.sigma);
  Mat3 dY = Mat3::Zero();
  dY.diagonal() = d.hessian * dX.diagonal();
  for (int k = 0; k < 3; ++k) {
    const int a = (k + 1) % 3, b = (k + 2) % 3;
    const PairStrain strain = pair_strain(d, svd.sigma, k);
    const double along = strain.stiffness * (strain.qa * dX(a, b) + strain.qb * dX(b, a));
    dY(a, b) = strain.qa * along;
    dY(b, a) = strain.qb * along;
  }
  return dY;
}

}  // namespace

void element_forces(const Element& element, double* forces) {
  store_forces(element, stress(element.law, element.F), forces);
}

void element_forces_and_stiffness(const Element& element, const ElementScale& scale, double* forces, double* blocks) {
  if (!is_rotated_linear(element)) return exact(element, scale, forces, blocks);
  rotated_linear(element, scale.whole, forces, blocks);
  if (scale.damping > 0) add_damping(element, scale.whole * scale.damping, blocks);
}

double strain_rate_product(const Element& element, const Mat3& dF) {
  const RotationSvd svd = rotation_svd(element.F);
  const Mat3 dX = svd.U.transpose() * dF * svd.V;
  return element.rest_volume * dX.cwiseProduct(rate_stress(element, svd, dX)).sum();
}

void add_strain_rate_forces(const Element& element, const Mat3& dF, double scale, double* forces) {
  const RotationSvd svd = rotation_svd(element.F);
  const Mat3 dY = rate_stress(element, svd, svd.U.transpose() * dF * svd.V);
  std::array<double, 9> damping{};
  store_forces(element, scale * (svd.U * dY * svd.V.transpose()), damping.data());
  for (std::size_t k = 0; k < damping.size(); ++k) forces[k] += damping[k];
}

// ---- rates of strain (elasticity/strains.hpp)

Stretch stretch_of(const RotationSvd& svd) {
  Stretch stretch{svd.V * svd.sigma.asDiagonal() * svd.V.transpose(), Vec3::Zero()};
  if (svd.sigma[2] < 0) stretch.inverted = std::sqrt(-2 * svd.sigma[2]) * svd.V.col(2);
  return stretch;
}

StretchChange stretch_change(const Stretch& start, const RotationSvd& svd) {
  const Stretch end = stretch_of(svd);
  StretchChange change{{end.S - start.S, false}, !start.is_inverted() && !end.is_inverted()};
  if (start.is_inverted() && end.is_inverted()) {
    change.by.rate += end.inverted * end.inverted.transpose() - start.inverted * start.inverted.transpose();
    change.by.of_root = true;
  }
  return change;
}

DampedTet damped_tet(const Element& element) {
  const RotationSvd svd = rotation_svd(element.F);
  return {element, svd, stiffness_in_frame(element, svd.sigma)};
}

DampedTet damped_tet(const Element& element, double J0) {
  const ElasticLaw& law = element.law;
  DampedTet tet{element, rotation_svd(element.F), {}};
  const Vec3& s = tet.svd.sigma;
  const double J1 = volume_ratio(s);
  if (law.model != MaterialModel::corotational || !(std::min(J0, J1) < law.continued_below)) {
    tet.stiffness = stiffness_in_frame(element, s);
    return tet;
  }
  const Vec3 n = volume_gradient(s);
  tet.stiffness = principal_derivatives(law, s);
  tet.stiffness.hessian += (mean_curvature(law, J0, J1) - mean_curvature(law, J1, J1)) * n * n.transpose();
  remove_negative(tet.stiffness);
  return tet;
}

Mat3 stretch_rate(const RotationSvd& svd, const Mat3& dF) {
  const Vec3& s = svd.sigma;
  const Mat3 dX = svd.U.transpose() * dF * svd.V;
  Mat3 rate = Mat3::Zero();
  rate.diagonal() = dX.diagonal();
  for (int k = 0; k < 3; ++k) {
    const int a = (k + 1) % 3, b = (k + 2) % 3;
    if (s[a] + s[b] > 0) rate(a, b) = rate(b, a) = (s[a] * dX(a, b) + s[b] * dX(b, a)) / (s[a] + s[b]);
  }
  return svd.V * rate * svd.V.transpose();
}

namespace {

// The rates of the three stretches and, of each pair, of what is along q (elasticity/principal.hpp).
struct RatesInFrame {
  Vec3 axes, pairs;
};
RatesInFrame in_frame(const RotationSvd& svd, const StretchRate& rate) {
  const Mat3 S = svd.V.transpose() * rate.rate * svd.V;
  RatesInFrame of{S.diagonal(), Vec3::Zero()};
  const Vec3 s = rate.of_root ? Vec3(svd.sigma.cwiseAbs()) : svd.sigma;
  if (rate.of_root && svd.sigma[2] < 0) of.axes[2] = -of.axes[2];
  for (int k = 0; k < 3; ++k) {
    const int a = (k + 1) % 3, b = (k + 2) % 3;
    const double length = std::hypot(s[a], s[b]);
    if (length > 0) of.pairs[k] = (s[a] + s[b]) / length * S(a, b);
  }
  return of;
}

}  // namespace

void add_forces_of_rates(const DampedTet& tet, const StretchRate& rate, double scale, double* forces) {
  const auto& [element, svd, d] = tet;
  const RatesInFrame rates = in_frame(svd, rate);
  Mat3 dY = Mat3::Zero();
  dY.diagonal() = d.hessian * rates.axes;
  for (int k = 0; k < 3; ++k) {
    const int a = (k + 1) % 3, b = (k + 2) % 3;
    const PairStrain strain = pair_strain(d, svd.sigma, k);
    dY(a, b) = strain.qa * strain.stiffness * rates.pairs[k];
    dY(b, a) = strain.qb * strain.stiffness * rates.pairs[k];
  }
  std::array<double, 9> damping{};
  store_forces(element, scale * (svd.U * dY * svd.V.transpose()), damping.data());
  for (std::size_t k = 0; k < damping.size(); ++k) forces[k] += damping[k];
}

double power_of_rates(const DampedTet& tet, const StretchRate& rate) {
  const RatesInFrame rates = in_frame(tet.svd, rate);
  double power = rates.axes.dot(tet.stiffness.hessian * rates.axes);
  for (int k = 0; k < 3; ++k)
    power += pair_strain(tet.stiffness, tet.svd.sigma, k).stiffness * rates.pairs[k] * rates.pairs[k];
  return tet.element.rest_volume * power;
}

}  // namespace sim
