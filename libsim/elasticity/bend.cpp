#include <Eigen/Geometry>

#include "elasticity/damped_forces.hpp"
#include "elasticity/strain_rate_forces.hpp"
#include "elasticity/strains.hpp"

namespace sim {

namespace {

constexpr double folded = 1e-12;    // of |a||b|: edges that lie on each other have no plane
constexpr double straight = 1e-12;  // q that is rounding

Mat3 cross_matrix(const Vec3& a) {  // [a]x y = a x y
  Mat3 m;
  m << 0, -a[2], a[1], a[2], 0, -a[0], -a[1], a[0], 0;
  return m;
}

// q and its derivative by the corners. A bend whose edges have no length or lie on each other bends nobody.
struct Bent {
  bool has_plane = false;
  Vec3 q{0, 0, 0};
  std::array<Mat3, 3> derivative{Mat3::Zero(), Mat3::Zero(), Mat3::Zero()};
};

Bent bent(const Corners<3>& x) {
  const Vec3 a = x[1] - x[0], b = x[2] - x[1];
  const double la = a.norm(), lb = b.norm(), chi = la * lb + a.dot(b);
  Bent bent;
  if (!(chi > folded * la * lb)) return bent;
  bent.has_plane = true;
  bent.q = 2 / chi * a.cross(b);
  const Mat3 by_a = (-2 * cross_matrix(b) - bent.q * (b + lb / la * a).transpose()) / chi;
  const Mat3 by_b = (2 * cross_matrix(a) - bent.q * (a + la / lb * b).transpose()) / chi;
  bent.derivative = {-by_a, by_a - by_b, by_b};
  return bent;
}

// What changes |q|: its gradient by the corners. Where it is straight every change of q does.
struct Opening {
  bool is_straight = true;
  Corners<3> gradient{Vec3::Zero(), Vec3::Zero(), Vec3::Zero()};
};

Opening opening(const Bent& b) {
  const double length = b.q.norm();
  Opening o;
  o.is_straight = length < straight;
  if (o.is_straight) return o;
  for (std::size_t k = 0; k < 3; ++k) o.gradient[k] = b.derivative[k].transpose() * (b.q / length);
  return o;
}

// D v over the stiffness.
Corners<3> damped(const Bent& b, const Corners<3>& v) {
  const Opening o = opening(b);
  Corners<3> result;
  Vec3 rate_of_q = Vec3::Zero();
  double rate = 0;
  for (std::size_t k = 1; k < 3; ++k) {
    rate_of_q += b.derivative[k] * (v[k] - v[0]);
    rate += o.gradient[k].dot(v[k] - v[0]);
  }
  for (std::size_t k = 0; k < 3; ++k)
    result[k] = o.is_straight ? Vec3(b.derivative[k].transpose() * rate_of_q) : Vec3(rate * o.gradient[k]);
  return result;
}

// Unit vector along both edges.
Vec3 tangent(const Corners<3>& x) {
  return ((x[1] - x[0]).normalized() + (x[2] - x[1]).normalized()).normalized();
}

// Whether q turns by more than a quarter from x0 to x1, besides the shortest turn that leads from tangent to tangent.
bool is_turned_over(const Corners<3>& x0, const Vec3& q0, const Corners<3>& x1, const Vec3& q1) {
  const Vec3 t0 = tangent(x0), t1 = tangent(x1);
  const double cosine = 1 + t0.dot(t1);
  return q0.dot(q1) * cosine < t1.dot(q0) * t0.dot(q1);
}

void store_forces(const Bend& bend, const Bent& b, double* forces) {
  for (std::size_t k = 0; k < 3; ++k)
    Eigen::Map<Vec3>{forces + 3 * k} = -bend.stiffness * (b.derivative[k].transpose() * b.q);
}

}  // namespace

Bend make_bend(std::array<Index, 3> vertices, const Corners<3>& rest, double bend, Index material) {
  const double length = 0.5 * ((rest[1] - rest[0]).norm() + (rest[2] - rest[1]).norm());
  return {vertices, material, bend / length};
}

double element_energy(const Bend& bend, const Corners<3>& x) {
  return 0.5 * bend.stiffness * bent(x).q.squaredNorm();
}

void element_forces(const Bend& bend, const Corners<3>& x, double* forces) {
  store_forces(bend, bent(x), forces);
}

void element_forces_and_stiffness(const Bend& bend, const Corners<3>& x, const ElementScale& scale, double* forces,
                                  double* blocks) {
  constexpr std::array<std::array<std::size_t, 2>, 3> pairs{{{0, 1}, {0, 2}, {1, 2}}};
  const Bent b = bent(x);
  store_forces(bend, b, forces);
  const Opening o = opening(b);
  const double factor = scale.whole * bend.stiffness, all = o.is_straight ? 1 + scale.damping : 1;
  for (std::size_t pair = 0; pair < pairs.size(); ++pair) {
    const auto [i, j] = pairs[pair];
    Mat3 K = all * b.derivative[i].transpose() * b.derivative[j];
    if (!o.is_straight) K += scale.damping * o.gradient[i] * o.gradient[j].transpose();
    Eigen::Map<Mat3>{blocks + 9 * pair} = factor * K;
  }
}

double strain_rate_product(const Bend& bend, const Corners<3>& x, const Corners<3>& v) {
  const Corners<3> Dv = damped(bent(x), v);
  double product = 0;
  for (std::size_t k = 1; k < 3; ++k) product += Dv[k].dot(v[k] - v[0]);
  return bend.stiffness * product;
}

void add_strain_rate_forces(const Bend& bend, const Corners<3>& x, const Corners<3>& v, double scale,
                            double* forces) {
  const Corners<3> Dv = damped(bent(x), v);
  for (std::size_t k = 0; k < 3; ++k) Eigen::Map<Vec3>{forces + 3 * k} -= scale * bend.stiffness * Dv[k];
}

StrainChange<1> strain_change(const Bend&, const Corners<3>& x0, const Corners<3>& x1) {
  const Bent start = bent(x0), end = bent(x1);
  if (!start.has_plane || !end.has_plane) return {{0}, 0};
  const double sign = is_turned_over(x0, start.q, x1, end.q) ? -1 : 1;
  return {{end.q.norm() - sign * start.q.norm()}, sign};
}

Strains<1> strain_rates(const Bend&, const Corners<3>& x, const Corners<3>& v) {
  const Bent b = bent(x);
  const Opening o = opening(b);
  Vec3 rate_of_q = Vec3::Zero();
  double rate = 0;
  for (std::size_t k = 1; k < 3; ++k) {
    rate_of_q += b.derivative[k] * (v[k] - v[0]);
    rate += o.gradient[k].dot(v[k] - v[0]);
  }
  return {o.is_straight ? rate_of_q.norm() : rate};
}

void add_forces_of_rates(const Bend& bend, const Corners<3>& x, const Strains<1>& rates, double scale,
                         double* forces) {
  const Opening o = opening(bent(x));
  const double force = -scale * bend.stiffness * rates[0];
  for (std::size_t k = 0; k < 3; ++k) Eigen::Map<Vec3>{forces + 3 * k} += force * o.gradient[k];
}

double power_of_rates(const Bend& bend, const Strains<1>& rates) {
  return bend.stiffness * rates[0] * rates[0];
}

double damped_forces(const Bend& bend, const Corners<3>& x, const Corners<3>& v, double beta, double* forces) {
  const Bent b = bent(x);
  store_forces(bend, b, forces);
  const Corners<3> Dv = damped(b, v);
  double product = 0;
  for (std::size_t k = 0; k < 3; ++k) {
    Eigen::Map<Vec3>{forces + 3 * k} -= beta * bend.stiffness * Dv[k];
    product += Dv[k].dot(v[k] - v[0]);
  }
  return beta * bend.stiffness * product;
}

}  // namespace sim
