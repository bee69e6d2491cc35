#include <algorithm>

#include "elasticity/damped_forces.hpp"
#include "elasticity/strain_rate_forces.hpp"
#include "elasticity/strains.hpp"

namespace sim {

namespace {

struct Stretched {
  Vec3 n;  // from corner 0 to 1
  double length;
  bool has_direction;
};

Stretched stretched(const Spring& spring, const Corners<2>& x) {
  const Vec3 e = x[1] - x[0];
  const double length = e.norm();
  const bool has_direction = length > shortest_spring * spring.rest_length;
  return {has_direction ? Vec3(e / length) : Vec3(Vec3::Zero()), length, has_direction};
}

}  // namespace

Spring make_spring(std::array<Index, 2> vertices, const Corners<2>& rest, double stiffness, Index material) {
  return {vertices, material, (rest[1] - rest[0]).norm(), stiffness};
}

double element_energy(const Spring& spring, const Corners<2>& x, double unseen) {
  const double longer = (x[1] - x[0]).norm() - spring.rest_length - unseen;
  return 0.5 * spring.stiffness * longer * longer;
}

void element_forces(const Spring& spring, const Corners<2>& x, double* forces) {
  const Stretched s = stretched(spring, x);
  const Vec3 pull = spring.stiffness * (s.length - spring.rest_length) * s.n;
  Eigen::Map<Vec3>{forces} = pull;
  Eigen::Map<Vec3>{forces + 3} = -pull;
}

void element_forces_and_stiffness(const Spring& spring, const Corners<2>& x, const ElementScale& scale,
                                  double* forces, double* blocks, double unseen) {
  element_forces(spring, x, forces);
  const Stretched s = stretched(spring, x);
  const double across = s.has_direction ? std::max(0.0, 1 - (spring.rest_length + unseen) / s.length) : 1.0;
  const double along = 1 + scale.damping - across;
  Mat3 K = along * s.n * s.n.transpose();
  K.diagonal().array() += across;
  Eigen::Map<Mat3>{blocks} = -scale.whole * spring.stiffness * K;
}

double strain_rate_product(const Spring& spring, const Corners<2>& x, const Corners<2>& v) {
  const double rate = stretched(spring, x).n.dot(v[1] - v[0]);
  return spring.stiffness * rate * rate;
}

void add_strain_rate_forces(const Spring& spring, const Corners<2>& x, const Corners<2>& v, double scale,
                            double* forces) {
  const Vec3 n = stretched(spring, x).n, pull = scale * spring.stiffness * n.dot(v[1] - v[0]) * n;
  Eigen::Map<Vec3>{forces} += pull;
  Eigen::Map<Vec3>{forces + 3} -= pull;
}

StrainChange<1> strain_change(const Spring&, const Corners<2>& x0, const Corners<2>& x1) {
  return {{(x1[1] - x1[0]).norm() - (x0[1] - x0[0]).norm()}};
}

Strains<1> strain_rates(const Spring& spring, const Corners<2>& x, const Corners<2>& v) {
  return {stretched(spring, x).n.dot(v[1] - v[0])};
}

void add_forces_of_rates(const Spring& spring, const Corners<2>& x, const Strains<1>& rates, double scale,
                         double* forces) {
  const Vec3 pull = scale * spring.stiffness * rates[0] * stretched(spring, x).n;
  Eigen::Map<Vec3>{forces} += pull;
  Eigen::Map<Vec3>{forces + 3} -= pull;
}

double power_of_rates(const Spring& spring, const Corners<2>&, const Strains<1>& rates) {
  return spring.stiffness * rates[0] * rates[0];
}

double damped_forces(const Spring& spring, const Corners<2>& x, const Corners<2>& v, double beta, double* forces) {
  const Stretched s = stretched(spring, x);
  const double rate = s.n.dot(v[1] - v[0]);
  const Vec3 pull = spring.stiffness * (s.length - spring.rest_length + beta * rate) * s.n;
  Eigen::Map<Vec3>{forces} = pull;
  Eigen::Map<Vec3>{forces + 3} = -pull;
  return beta * spring.stiffness * rate * rate;
}

}  // namespace sim
