#include <Eigen/Geometry>
#include <cmath>
#include <numbers>

#include "elasticity/damped_forces.hpp"
#include "elasticity/strain_rate_forces.hpp"
#include "elasticity/strains.hpp"
#include "math/cross_matrix.hpp"

namespace sim {

namespace {

constexpr double folded = 1e-12;          // of |a||b|: edges that lie on each other have no plane
constexpr double straight = 1e-12;        // q that is rounding
constexpr double nearly_straight = 0.01;  // of q before

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

// The shortest turn from one unit vector to another that is not its opposite.
Mat3 shortest_turn(const Vec3& from, const Vec3& to) {
  const Vec3 sum = from + to;
  return Mat3::Identity() - sum * sum.transpose() / (1 + from.dot(to)) + 2 * to * from.transpose();
}

// About the tangent t, of rates from where q was (turned by then from tangent to tangent) to where it is.
Mat3 roll(const Vec3& was, const Vec3& is, const Vec3& t) {
  const double before = was.norm(), now = is.norm(), longer = std::max(before, now);
  if (!(longer > 0)) return Mat3::Identity();
  const double angle = std::atan2(t.dot(was.cross(is)), was.dot(is)), half = std::numbers::pi;
  const double besides = std::abs(angle) <= half / 2 ? angle : angle - std::copysign(half, angle);
  const double part = 1 - std::pow(std::abs(before - now) / longer, 2);
  return Eigen::AngleAxisd(part * besides, t).toRotationMatrix();
}

// What of a rate of q changes |q|, and a part of the rest; all of it where it is straight.
Vec3 rate_along(const Bent& b, const Vec3& rate, double across) {
  return b.q.norm() < straight ? rate : Vec3(across * rate + (1 - across) * b.q.dot(rate) / b.q.squaredNorm() * b.q);
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
                                  double* blocks, double across) {
  constexpr std::array<std::array<std::size_t, 2>, 3> pairs{{{0, 1}, {0, 2}, {1, 2}}};
  const Bent b = bent(x);
  store_forces(bend, b, forces);
  const Opening o = opening(b);
  if (o.is_straight) across = 1;
  const double factor = scale.whole * bend.stiffness, all = 1 + across * scale.damping;
  for (std::size_t pair = 0; pair < pairs.size(); ++pair) {
    const auto [i, j] = pairs[pair];
    Mat3 K = all * b.derivative[i].transpose() * b.derivative[j];
    if (!o.is_straight) K += (1 - across) * scale.damping * o.gradient[i] * o.gradient[j].transpose();
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

BendChange strain_change(const Bend&, const Corners<3>& x0, const Corners<3>& x1) {
  const Bent start = bent(x0), end = bent(x1);
  const Vec3 t0 = tangent(x0), t1 = tangent(x1);
  BendChange change;
  change.carried = start.has_plane && end.has_plane && 1 + t0.dot(t1) > folded;
  if (!change.carried) return change;
  const Mat3 along = shortest_turn(t0, t1);
  change.turn = roll(along * start.q, end.q, t1) * along;
  Eigen::Map<Vec3>{change.by.data()} = end.q - change.turn * start.q;
  const double before = start.q.norm(), now = end.q.norm();
  if (before > 0) change.across = std::max(0.0, 1 - now / (nearly_straight * before));
  return change;
}

Strains<3> carried(const BendChange& change, const Strains<3>& rates) {
  Strains<3> result;
  Eigen::Map<Vec3>{result.data()} = change.turn * Eigen::Map<const Vec3>(rates.data());
  return result;
}

Strains<3> strain_rates(const Bend&, const Corners<3>& x, const Corners<3>& v) {
  const Bent b = bent(x);
  Vec3 rate = Vec3::Zero();
  for (std::size_t k = 1; k < 3; ++k) rate += b.derivative[k] * (v[k] - v[0]);
  const Vec3 along = rate_along(b, rate, 0);
  return {along[0], along[1], along[2]};
}

void add_forces_of_rates(const Bend& bend, const Corners<3>& x, const Strains<3>& rates, double scale, double* forces,
                         double across) {
  const Bent b = bent(x);
  const Vec3 rate = rate_along(b, Eigen::Map<const Vec3>(rates.data()), across);
  for (std::size_t k = 0; k < 3; ++k)
    Eigen::Map<Vec3>{forces + 3 * k} -= scale * bend.stiffness * (b.derivative[k].transpose() * rate);
}

double power_of_rates(const Bend& bend, const Corners<3>& x, const Strains<3>& rates, double across) {
  const Eigen::Map<const Vec3> rate(rates.data());
  return bend.stiffness * rate.dot(rate_along(bent(x), rate, across));
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
