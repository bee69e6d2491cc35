#include <cmath>
#include <numbers>

#include "elasticity/damped_forces.hpp"
#include "elasticity/strain_rate_forces.hpp"
#include "elasticity/strains.hpp"

namespace sim {

namespace {

// theta and its gradient. A hinge one of whose triangles has no area turns nobody.
struct Bent {
  bool has_angle = false;
  double angle = 0;
  Corners<4> gradient{Vec3::Zero(), Vec3::Zero(), Vec3::Zero(), Vec3::Zero()};
};

Bent bent(const Corners<4>& x) {
  const Vec3 e = x[1] - x[0], left = x[2] - x[0], right = x[3] - x[0];
  const Vec3 n1 = e.cross(left), n2 = right.cross(e);
  const double length = e.norm(), area1 = n1.squaredNorm(), area2 = n2.squaredNorm();
  Bent b;
  if (!(length > 0 && area1 > 0 && area2 > 0)) return b;
  b.has_angle = true;
  b.angle = std::atan2(n1.cross(n2).dot(e) / length, n1.dot(n2));
  const Vec3 m1 = n1 / area1, m2 = n2 / area2;
  const double s2 = left.dot(e) / length, s3 = right.dot(e) / length;
  b.gradient[2] = -length * m1;
  b.gradient[3] = -length * m2;
  b.gradient[1] = s2 * m1 + s3 * m2;
  b.gradient[0] = -(b.gradient[1] + b.gradient[2] + b.gradient[3]);
  return b;
}

double rate_of(const Bent& b, const Corners<4>& v) {  // of theta
  double rate = 0;
  for (std::size_t k = 1; k < 4; ++k) rate += b.gradient[k].dot(v[k] - v[0]);
  return rate;
}

double turned_by(const Hinge& hinge, double angle) {
  constexpr double turn = 2 * std::numbers::pi;
  const double by = std::remainder(angle - hinge.rest_angle, turn);
  return by == -std::numbers::pi ? std::numbers::pi : by;
}

void store_forces(const Hinge& hinge, const Bent& b, double* forces) {
  const double moment = -2 * hinge.stiffness * turned_by(hinge, b.angle);
  for (std::size_t k = 0; k < 4; ++k) Eigen::Map<Vec3>{forces + 3 * k} = moment * b.gradient[k];
}

}  // namespace

Hinge make_hinge(std::array<Index, 4> vertices, const Corners<4>& rest, double bend, Index material) {
  const Vec3 e = rest[1] - rest[0];
  const double area = 0.5 * (e.cross(rest[2] - rest[0]).norm() + e.cross(rest[3] - rest[0]).norm());
  return {vertices, material, hinge_angle(rest), bend * 3 * e.squaredNorm() / area};
}

double hinge_angle(const Corners<4>& x) {
  return bent(x).angle;
}

double element_energy(const Hinge& hinge, const Corners<4>& x) {
  const double by = turned_by(hinge, bent(x).angle);
  return hinge.stiffness * by * by;
}

void element_forces(const Hinge& hinge, const Corners<4>& x, double* forces) {
  store_forces(hinge, bent(x), forces);
}

void element_forces_and_stiffness(const Hinge& hinge, const Corners<4>& x, const ElementScale& scale, double* forces,
                                  double* blocks) {
  const Bent b = bent(x);
  store_forces(hinge, b, forces);
  const double factor = 2 * hinge.stiffness * scale.whole * (1 + scale.damping);
  for (std::size_t pair = 0; pair < corner_pairs.size(); ++pair) {
    const auto [i, j] = corner_pairs[pair];
    const Vec3 scaled = factor * b.gradient[i];
    Eigen::Map<Mat3>{blocks + 9 * pair} = scaled * b.gradient[j].transpose();
  }
}

double strain_rate_product(const Hinge& hinge, const Corners<4>& x, const Corners<4>& v) {
  const double rate = rate_of(bent(x), v);
  return 2 * hinge.stiffness * rate * rate;
}

void add_strain_rate_forces(const Hinge& hinge, const Corners<4>& x, const Corners<4>& v, double scale,
                            double* forces) {
  const Bent b = bent(x);
  const double moment = -2 * scale * hinge.stiffness * rate_of(b, v);
  for (std::size_t k = 0; k < 4; ++k) Eigen::Map<Vec3>{forces + 3 * k} += moment * b.gradient[k];
}

StrainChange<1> strain_change(const Hinge&, const Corners<4>& x0, const Corners<4>& x1) {
  constexpr double turn = 2 * std::numbers::pi;
  const Bent start = bent(x0), end = bent(x1);
  if (!start.has_angle || !end.has_angle) return {{0}, false};
  return {{std::remainder(end.angle - start.angle, turn)}};
}

Strains<1> strain_rates(const Hinge&, const Corners<4>& x, const Corners<4>& v) {
  return {rate_of(bent(x), v)};
}

void add_forces_of_rates(const Hinge& hinge, const Corners<4>& x, const Strains<1>& rates, double scale,
                         double* forces) {
  const Bent b = bent(x);
  const double moment = -2 * scale * hinge.stiffness * rates[0];
  for (std::size_t k = 0; k < 4; ++k) Eigen::Map<Vec3>{forces + 3 * k} += moment * b.gradient[k];
}

double power_of_rates(const Hinge& hinge, const Corners<4>&, const Strains<1>& rates) {
  return 2 * hinge.stiffness * rates[0] * rates[0];
}

double damped_forces(const Hinge& hinge, const Corners<4>& x, const Corners<4>& v, double beta, double* forces) {
  const Bent b = bent(x);
  const double rate = rate_of(b, v), moment = -2 * hinge.stiffness * (turned_by(hinge, b.angle) + beta * rate);
  for (std::size_t k = 0; k < 4; ++k) Eigen::Map<Vec3>{forces + 3 * k} = moment * b.gradient[k];
  return 2 * beta * hinge.stiffness * rate * rate;
}

}  // namespace sim
