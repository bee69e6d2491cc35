// What the tests of this room compare with: the definitions, worked out in the plainest way and apart from the code
// under test (library SVD, bisection, finite differences).
#pragma once

#include <Eigen/Geometry>
#include <Eigen/LU>
#include <Eigen/SVD>
#include <algorithm>
#include <cmath>

#include "elasticity/material.hpp"
#include "math/random.hpp"

namespace sim::test {

inline Mat3 random_matrix(Random& random, double size) {
  Mat3 M;
  for (int i = 0; i < 9; ++i) M(i % 3, i / 3) = random.uniform(-size, size);
  return M;
}

inline Mat3 random_rotation(Random& random) {
  const auto q = random_quaternion(random);
  return Eigen::Quaterniond(q[0], q[1], q[2], q[3]).toRotationMatrix();
}

inline Mat3 with_stretches(Random& random, const Vec3& s) {
  const Mat3 U = random_rotation(random);
  return U * s.asDiagonal() * random_rotation(random).transpose();
}

// Principal stretches, the smallest one negative where F is inverted.
inline Vec3 signed_stretches(const Mat3& F) {
  Vec3 s = Eigen::JacobiSVD<Mat3>(F).singularValues();
  if (F.determinant() < 0) s[2] = -s[2];
  return s;
}

inline Mat3 nearest_rotation(const Mat3& F) {
  const Eigen::JacobiSVD<Mat3> svd(F, Eigen::ComputeFullU | Eigen::ComputeFullV);
  const double sign = svd.matrixU().determinant() * svd.matrixV().determinant() < 0 ? -1 : 1;
  return svd.matrixU() * Vec3(1, 1, sign).asDiagonal() * svd.matrixV().transpose();
}

// f(a) + f'(a) (x - a) + f''(a)/2 (x - a)^2 of f = -mu ln x + lambda/2 ln^2 x below a, f itself above.
inline double continued_logarithm(double mu, double lambda, double x, double a) {
  const auto f = [&](double y) { return -mu * std::log(y) + lambda / 2 * std::log(y) * std::log(y); };
  if (x >= a) return f(x);
  const double slope = -mu / a + lambda * std::log(a) / a;
  const double curvature = mu / (a * a) + lambda * (1 - std::log(a)) / (a * a);
  return f(a) + slope * (x - a) + curvature / 2 * (x - a) * (x - a);
}

// What volume_energy.hpp adds to the corotational energy, and what it makes of the neo-Hookean one.
inline double defined_resistance(const ElasticLaw& law, double J) {
  const double mu = law.lame.mu, lambda = law.lame.lambda, c = law.continued_below;
  if (law.model == MaterialModel::neo_hookean) return continued_logarithm(mu, lambda, J, c);
  const double j = J / c;
  return J < c ? mu * (j - 1) + continued_logarithm(mu, std::max(lambda, 0.0), j, 0.01 / c) : 0;
}

// Smith, de Goes & Kim 2018, with their constants and less its value at rest.
inline double defined_stable_energy(const Lame& small_strain, const Vec3& s) {
  const double mu = 4.0 / 3 * small_strain.mu, lambda = small_strain.lambda + 5.0 / 6 * small_strain.mu;
  const double alpha = 1 + mu / lambda - mu / (4 * lambda);
  const double over_three = s.squaredNorm() - 3, J = s.prod();
  return mu / 2 * over_three - mu / 2 * std::log1p(over_three / 4) + lambda / 2 * (J - 1) * (J + 1 - 2 * alpha);
}

inline double defined_mooney_energy(const ElasticLaw& law, const Vec3& s) {
  const double c2 = law.c2_share * law.lame.mu / 2, c1 = law.lame.mu / 2 - c2;
  const Vec3 square = s.cwiseAbs2();
  const double I2 = square[0] * square[1] + square[1] * square[2] + square[2] * square[0];
  return c1 * (square.sum() - 3) + c2 * (I2 - 3) +
         continued_logarithm(2 * c1 + 4 * c2, law.lame.lambda - 4 * c2, s.prod(), 0.01);
}

// The energy densities as the headers material.hpp, invariant_energy.hpp and volume_energy.hpp define them.
inline double defined_energy(const ElasticLaw& law, const Vec3& s) {
  const double mu = law.lame.mu, lambda = law.lame.lambda;
  if (law.model == MaterialModel::stable_neo_hookean) return defined_stable_energy(law.lame, s);
  if (law.model == MaterialModel::mooney_rivlin) return defined_mooney_energy(law, s);
  if (law.model == MaterialModel::st_venant_kirchhoff) {
    const Vec3 E = (s.cwiseAbs2() - Vec3::Ones()) / 2;
    return mu * E.squaredNorm() + lambda / 2 * E.sum() * E.sum();
  }
  if (law.model == MaterialModel::corotational) {
    const double trace = s.sum() - 3;
    return mu * ((s[0] - 1) * (s[0] - 1) + (s[1] - 1) * (s[1] - 1) + (s[2] - 1) * (s[2] - 1)) +
           lambda / 2 * trace * trace + (law.as_published ? 0 : defined_resistance(law, s.prod()));
  }
  if (!law.as_published) return mu / 2 * (s.squaredNorm() - 3) + defined_resistance(law, s.prod());
  const auto plain = [&](const Vec3& q) {
    const double log_J = std::log(q[0] * q[1] * q[2]);
    return mu / 2 * (q.squaredNorm() - 3) - mu * log_J + lambda / 2 * log_J * log_J;
  };
  if (s[0] * s[1] * s[2] >= law.continued_below) return plain(s);
  const Vec3 r = s - Vec3::Ones();
  double low = 0, high = 1;  // the first point on the way from rest where the volume is down to the threshold
  for (int i = 0; i < 2000; ++i) {
    if ((Vec3::Ones() + i / 2000.0 * r).prod() < law.continued_below) {
      high = i / 2000.0;
      low = (i - 1) / 2000.0;
      break;
    }
    low = i / 2000.0;
  }
  for (int i = 0; i < 60; ++i) {
    const double middle = (low + high) / 2;
    ((Vec3::Ones() + middle * r).prod() >= law.continued_below ? low : high) = middle;
  }
  const Vec3 q = Vec3::Ones() + low * r;
  double slope = 0;
  for (int i = 0; i < 3; ++i) slope += r[i] * (mu * q[i] + (lambda * std::log(q.prod()) - mu) / q[i]);
  return plain(q) + (1 - low) * slope;
}

inline double defined_energy(const ElasticLaw& law, const Mat3& F) {
  return defined_energy(law, signed_stretches(F));
}

// f'(0) from four values at a distance of h and 2h: the error is of the order h^4.
template <class Function>
auto derivative(const Function& f, double h) {
  const auto near = f(h), near_back = f(-h), far = f(2 * h), far_back = f(-2 * h);
  using Value = std::decay_t<decltype(near)>;
  return Value((8.0 * (near - near_back) - (far - far_back)) / (12 * h));
}

inline const char* name_of(MaterialModel model) {
  switch (model) {
    case MaterialModel::corotational:
      return "corotational";
    case MaterialModel::neo_hookean:
      return "neo_hookean";
    case MaterialModel::stable_neo_hookean:
      return "stable_neo_hookean";
    case MaterialModel::mooney_rivlin:
      return "mooney_rivlin";
    case MaterialModel::st_venant_kirchhoff:
      return "st_venant_kirchhoff";
    case MaterialModel::edge_springs:
    case MaterialModel::grid_springs:
    case MaterialModel::shell:
    case MaterialModel::cable:
      break;
  }
  return "";
}

inline Material material(MaterialModel model, double young = 5e5, double poisson = 0.2,
                         Stiffness stiffness = Stiffness::exact, bool as_published = false) {
  Material m;
  m.name = name_of(model);
  m.model = model;
  m.stiffness = stiffness;
  m.young = young;
  m.poisson = poisson;
  m.as_published = as_published;
  return m;
}

inline ElasticLaw mooney_rivlin(double young, double poisson, double c2_share) {
  Material m = material(MaterialModel::mooney_rivlin, young, poisson);
  m.c2_share = c2_share;
  return elastic_law(m);
}

}  // namespace sim::test
