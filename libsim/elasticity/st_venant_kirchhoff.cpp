#include "elasticity/st_venant_kirchhoff.hpp"

namespace sim {

namespace {

// s^2 - 1, for stretches near 1 to full digits.
Vec3 twice_strain(const Vec3& s) {
  return (s - Vec3::Ones()).cwiseProduct(s + Vec3::Ones());
}

}  // namespace

double st_venant_kirchhoff_energy(const Lame& lame, const Vec3& s) {
  const Vec3 e = twice_strain(s);
  return lame.mu / 4 * e.squaredNorm() + lame.lambda / 8 * e.sum() * e.sum();
}

Vec3 st_venant_kirchhoff_stress(const Lame& lame, const Vec3& s) {
  const Vec3 e = twice_strain(s);
  return s.cwiseProduct(lame.mu * e + Vec3::Constant(lame.lambda / 2 * e.sum()));
}

Mat3 st_venant_kirchhoff_stress(const Lame& lame, const Mat3& F) {
  const Mat3 H = F - Mat3::Identity();
  const Mat3 twice_E = H + H.transpose() + H.transpose() * H;
  return F * (lame.mu * twice_E + lame.lambda / 2 * twice_E.trace() * Mat3::Identity());
}

PrincipalDerivatives st_venant_kirchhoff_derivatives(const Lame& lame, const Vec3& s) {
  const Vec3 e = twice_strain(s), squares = s.cwiseAbs2();
  const double common = lame.lambda / 2 * e.sum();
  PrincipalDerivatives d;
  d.gradient = s.cwiseProduct(lame.mu * e + Vec3::Constant(common));
  d.hessian = lame.lambda * s * s.transpose();
  d.hessian.diagonal() += lame.mu * e + Vec3::Constant(common) + 2 * lame.mu * squares;
  for (int k = 0; k < 3; ++k) {
    const int a = (k + 1) % 3, b = (k + 2) % 3;
    d.flip[k] = common + lame.mu * (e[a] + s[a] * s[b] + squares[b]);
    d.twist[k] = common + lame.mu * (e[a] - s[a] * s[b] + squares[b]);
  }
  return d;
}

}  // namespace sim
