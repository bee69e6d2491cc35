#include "elasticity/principal.hpp"

#include <Eigen/LU>
#include <cmath>

#include "elasticity/invariant_energy.hpp"
#include "elasticity/st_venant_kirchhoff.hpp"
#include "elasticity/volume_energy.hpp"
#include "math/decompose.hpp"

namespace sim {

namespace {

// At s_a + s_b = 0 (an element flat or inverted just so far that the nearest rotation jumps) the energy has a kink
// and the twist is a true pole; its denominator is held above this.
constexpr double least_sum = 1e-6;

Vec3 twist(const Vec3& gradient, const Vec3& s) {
  const auto pair = [&](int a, int b) { return (gradient[a] + gradient[b]) / std::max(s[a] + s[b], least_sum); };
  return {pair(1, 2), pair(0, 2), pair(0, 1)};
}

// psi = mu sum (s_a - 1)^2 + lambda/2 (sum s_a - 3)^2
double corotational_energy(const Lame& lame, const Vec3& s) {
  const Vec3 r = s - Vec3::Ones();
  return lame.mu * r.squaredNorm() + 0.5 * lame.lambda * r.sum() * r.sum();
}

Vec3 corotational_stress(const Lame& lame, const Vec3& s) {
  const Vec3 r = s - Vec3::Ones();
  return 2 * lame.mu * r + Vec3::Constant(lame.lambda * r.sum());
}

PrincipalDerivatives corotational_derivatives(const Lame& lame, const Vec3& s) {
  PrincipalDerivatives d;
  d.gradient = corotational_stress(lame, s);
  d.hessian = Mat3::Constant(lame.lambda);
  d.hessian.diagonal().array() += 2 * lame.mu;
  d.flip = Vec3::Constant(2 * lame.mu);
  d.twist = twist(d.gradient, s);
  return d;
}

// psi = mu/2 (sum s_a^2 - 3) - mu ln J + lambda/2 (ln J)^2, written with log_J so that the caller can take it from
// where it is known.
struct NeoHookean {
  double mu, lambda, log_J;

  double energy(const Vec3& s) const {
    return 0.5 * mu * (s.squaredNorm() - 3) - mu * log_J + 0.5 * lambda * log_J * log_J;
  }
  Vec3 gradient(const Vec3& s) const { return mu * s + (lambda * log_J - mu) * s.cwiseInverse(); }
  Mat3 hessian(const Vec3& s) const {
    const Vec3 inverse = s.cwiseInverse();
    Mat3 H = lambda * inverse * inverse.transpose();
    H.diagonal() += Vec3::Constant(mu) + (mu - lambda * log_J) * inverse.cwiseAbs2();
    return H;
  }
  // The derivative of the Hessian along r.
  Mat3 third(const Vec3& s, const Vec3& r) const {
    const Vec3 inverse = s.cwiseInverse();
    const Vec3 w = r.cwiseProduct(inverse);
    Mat3 T = -lambda * (w * Vec3::Ones().transpose() + Vec3::Ones() * w.transpose());
    T.diagonal().array() -= lambda * w.sum() + 2 * (mu - lambda * log_J) * w.array();
    return inverse.asDiagonal() * T * inverse.asDiagonal();
  }
};

// The root t of J(1 + t r) = threshold in (0, 1), given that J at t = 1 is below it or negative. Up to the first zero
// of J its logarithm is concave along the segment, so there is one root, and J falls through it.
double threshold_crossing(const Vec3& r, double threshold) {
  const auto value = [&](double t) { return (1 + t * r[0]) * (1 + t * r[1]) * (1 + t * r[2]) - threshold; };
  const auto slope = [&](double t) {
    const Vec3 q = Vec3::Ones() + t * r;
    return r[0] * q[1] * q[2] + q[0] * r[1] * q[2] + q[0] * q[1] * r[2];
  };
  double low = 0, high = std::min(1.0, -1 / r.minCoeff());  // value(low) > 0 >= value(high)
  double t = 0.5 * high;
  constexpr int iteration_limit = 100;  // of bisection at worst; Newton needs about six
  for (int iteration = 0; iteration < iteration_limit; ++iteration) {
    const double f = value(t);
    (f > 0 ? low : high) = t;
    double next = t - f / slope(t);
    if (!(next > low && next < high)) next = 0.5 * (low + high);
    const double step = std::abs(next - t);
    t = next;
    if (step <= 4e-16 * t) break;
  }
  return t;
}

// Where and how the energy is continued (see material.hpp): r = s - 1, q = 1 + t r. The crossing moves with s as
// t(s), whose derivatives follow from g(s, t) = ln J(1 + t r) = const.
struct Extrapolation {
  Vec3 r, q;
  double t;
  NeoHookean at_q;
  Vec3 n;      // gradient of ln J at q
  Vec3 dt_ds;  // gradient of t(s)

  Extrapolation(const ElasticLaw& law, const Vec3& s)
      : r(s - Vec3::Ones()),
        t(threshold_crossing(r, law.continued_below)),
        at_q{law.lame.mu, law.lame.lambda, std::log(law.continued_below)} {
    q = Vec3::Ones() + t * r;
    n = q.cwiseInverse();
    dt_ds = -t / n.dot(r) * n;
  }

  // psi = psi(q) + (1 - t) r . psi'(q)
  double energy() const { return at_q.energy(q) + (1 - t) * r.dot(at_q.gradient(q)); }

  // psi' = psi'(q) + (1 - t) (t H r + (r.H r) dt/ds)
  Vec3 gradient() const {
    const Vec3 Hr = at_q.hessian(q) * r;
    return at_q.gradient(q) + (1 - t) * (t * Hr + r.dot(Hr) * dt_ds);
  }

  // With A(s, t) = psi(q) + (1 - t) r . psi'(q):  psi'' = A_ss + A_st t'^T + t' A_st^T + A_tt t' t'^T + A_t t''
  Mat3 hessian() const {
    const Mat3 H = at_q.hessian(q), T = at_q.third(q, r);
    const Vec3 Hr = H * r, Tr = T * r;
    const double rHr = r.dot(Hr);
    const Vec3 A_st = (2 - 2 * t) * Hr + (1 - t) * t * Tr;
    const double A_tt = (1 - t) * r.dot(Tr) - rHr;
    const double A_t = (1 - t) * rHr;
    // t'' from the second derivatives of g; those of ln J at q are -1/q_a^2 on the diagonal.
    const Vec3 N = -n.cwiseAbs2();
    const Vec3 g_st = n + t * N.cwiseProduct(r);
    const double g_tt = N.dot(r.cwiseAbs2());
    Mat3 t_ss = g_st * dt_ds.transpose() + dt_ds * g_st.transpose() + g_tt * dt_ds * dt_ds.transpose();
    t_ss.diagonal() += t * t * N;
    t_ss /= -n.dot(r);
    return (2 - t) * t * H + (1 - t) * t * t * T + A_st * dt_ds.transpose() + dt_ds * A_st.transpose() +
           A_tt * dt_ds * dt_ds.transpose() + A_t * t_ss;
  }

  // The divided difference of the gradient, worked out so that nothing cancels when s_a = s_b: every term is a
  // rational function of s_a and s_b, and s_a - s_b divides out.
  double flip(int a, int b, double rHr) const {
    const double repulsion = at_q.mu - at_q.lambda * at_q.log_J;
    const double inverse = 1 / (q[a] * q[b]);
    const double of_gradient = t * (at_q.mu + repulsion * inverse);
    const double of_Hr =
        at_q.mu + repulsion * (1 - t * t * r[a] * r[b]) * inverse * inverse - at_q.lambda * t * n.dot(r) * inverse;
    const double of_dt_ds = t * t / n.dot(r) * inverse;
    return of_gradient + (1 - t) * (t * of_Hr + rHr * of_dt_ds);
  }
};

bool is_continued(const ElasticLaw& law, double J) {
  return !(J >= law.continued_below);
}

NeoHookean plain_neo_hookean(const ElasticLaw& law, const Vec3& s) {
  return {law.lame.mu, law.lame.lambda, std::log(s[0] * s[1] * s[2])};
}

PrincipalDerivatives neo_hookean_derivatives(const ElasticLaw& law, const Vec3& s) {
  PrincipalDerivatives d;
  const double J = volume_ratio(s);
  if (is_continued(law, J) && !law.as_published) {
    const double mu = law.lame.mu;
    d = {mu * s, mu * Mat3::Identity(), Vec3::Constant(mu), Vec3::Constant(mu)};
    add_volume_energy(volume_energy(law, J), s, d);
    return d;
  }
  if (is_continued(law, J)) {
    const Extrapolation beyond(law, s);
    const double rHr = beyond.r.dot(beyond.at_q.hessian(beyond.q) * beyond.r);
    d.gradient = beyond.gradient();
    d.hessian = beyond.hessian();
    d.flip = {beyond.flip(1, 2, rHr), beyond.flip(0, 2, rHr), beyond.flip(0, 1, rHr)};
  } else {
    const NeoHookean psi = plain_neo_hookean(law, s);
    d.gradient = psi.gradient(s);
    d.hessian = psi.hessian(s);
    const double repulsion = psi.mu - psi.lambda * psi.log_J;
    const auto flip = [&](int a, int b) { return psi.mu + repulsion / (s[a] * s[b]); };
    d.flip = {flip(1, 2), flip(0, 2), flip(0, 1)};
  }
  d.twist = twist(d.gradient, s);
  return d;
}

bool is_positive_definite(const Mat3& S) {  // Sylvester
  const double minor2 = S(0, 0) * S(1, 1) - S(1, 0) * S(1, 0);
  return S(0, 0) > 0 && minor2 > 0 && S.determinant() > 0;
}

}  // namespace

double principal_energy(const ElasticLaw& law, const Vec3& s) {
  if (is_of_invariants(law.model)) return invariant_energy(law, s);
  if (law.model == MaterialModel::st_venant_kirchhoff) return st_venant_kirchhoff_energy(law.lame, s);
  const double J = volume_ratio(s);
  const bool continued = is_continued(law, J);
  if (law.model == MaterialModel::corotational) {
    return corotational_energy(law.lame, s) + (continued ? volume_energy(law, J).value : 0);
  }
  if (!continued) return plain_neo_hookean(law, s).energy(s);
  if (law.as_published) return Extrapolation(law, s).energy();
  return 0.5 * law.lame.mu * (s.squaredNorm() - 3) + volume_energy(law, J).value;
}

Vec3 principal_stress(const ElasticLaw& law, const Vec3& s) {
  if (is_of_invariants(law.model)) return invariant_stress(law, s);
  if (law.model == MaterialModel::st_venant_kirchhoff) return st_venant_kirchhoff_stress(law.lame, s);
  const double J = volume_ratio(s);
  const bool continued = is_continued(law, J);
  if (law.model == MaterialModel::corotational) {
    Vec3 stress = corotational_stress(law.lame, s);
    if (continued) stress += volume_energy(law, J).slope * volume_gradient(s);
    return stress;
  }
  if (!continued) return plain_neo_hookean(law, s).gradient(s);
  if (law.as_published) return Extrapolation(law, s).gradient();
  return law.lame.mu * s + volume_energy(law, J).slope * volume_gradient(s);
}

PrincipalDerivatives principal_derivatives(const ElasticLaw& law, const Vec3& s) {
  if (is_of_invariants(law.model)) return invariant_derivatives(law, s);
  if (law.model == MaterialModel::st_venant_kirchhoff) return st_venant_kirchhoff_derivatives(law.lame, s);
  if (law.model == MaterialModel::neo_hookean) return neo_hookean_derivatives(law, s);
  PrincipalDerivatives d = corotational_derivatives(law.lame, s);
  if (is_continued(law, volume_ratio(s))) add_volume_energy(volume_energy(law, volume_ratio(s)), s, d);
  return d;
}

PrincipalDerivatives linear_derivatives(const Lame& lame, const Vec3& s) {
  PrincipalDerivatives d = corotational_derivatives(lame, s);
  d.twist.setZero();
  return d;
}

PairFactors pair_factors(const PrincipalDerivatives& d) {
  PairFactors factors{Mat3::Zero(), Mat3::Zero()};
  for (int k = 0; k < 3; ++k) {
    const int a = (k + 1) % 3, b = (k + 2) % 3;
    factors.same(a, b) = factors.same(b, a) = 0.5 * (d.flip[k] + d.twist[k]);
    factors.across(a, b) = factors.across(b, a) = 0.5 * (d.flip[k] - d.twist[k]);
  }
  return factors;
}

PairStrain pair_strain(const PrincipalDerivatives& d, const Vec3& s, int k) {
  const int a = (k + 1) % 3, b = (k + 2) % 3;
  const double length = std::hypot(s[a], s[b]);
  if (!(length > 0)) return {};  // what turns about k is a line along it
  const double qa = s[a] / length, qb = s[b] / length;
  return {qa, qb, 0.5 * (d.flip[k] * (qa + qb) * (qa + qb) + d.twist[k] * (qa - qb) * (qa - qb))};
}

PairFactors rotation_free_factors(const PrincipalDerivatives& d, const Vec3& s) {
  PairFactors factors{Mat3::Zero(), Mat3::Zero()};
  for (int k = 0; k < 3; ++k) {
    const int a = (k + 1) % 3, b = (k + 2) % 3;
    const PairStrain strain = pair_strain(d, s, k);
    factors.same(a, b) = strain.stiffness * strain.qa * strain.qa;
    factors.same(b, a) = strain.stiffness * strain.qb * strain.qb;
    factors.across(a, b) = factors.across(b, a) = strain.stiffness * strain.qa * strain.qb;
  }
  return factors;
}

void remove_negative(PrincipalDerivatives& derivatives) {
  derivatives.flip = derivatives.flip.cwiseMax(0.0);
  derivatives.twist = derivatives.twist.cwiseMax(0.0);
  if (is_positive_definite(derivatives.hessian)) return;
  const SymmetricEigen eigen = symmetric_eigen(derivatives.hessian);
  if (eigen.values[0] >= 0) return;
  const Vec3 kept = eigen.values.cwiseMax(0.0);
  derivatives.hessian = eigen.vectors * kept.asDiagonal() * eigen.vectors.transpose();
}

}  // namespace sim
