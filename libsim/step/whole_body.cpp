#include "step/whole_body.hpp"

#include <Eigen/Geometry>
#include <Eigen/LU>
#include <Eigen/SVD>
#include <algorithm>
#include <cmath>
#include <limits>

#include "math/cross_matrix.hpp"

namespace sim {

namespace {

constexpr int most_iterations = 50;
constexpr double most_sine = 0.99;  // of the turn in a step: a quarter is the most that straight ways can make
constexpr double line = 1e-12;      // of the largest inertia: that of a line about itself, which is rounding

// D of d / dt: the sum of m r x (d x Q r) is D d.
Mat3 inertia_at(const Mat3& turned) {
  return turned.trace() * Mat3::Identity() - turned;
}

// d of D d = m. What lies on a line, as a straight cable does, does not turn about it: its inertia there is rounding,
// and so is the direction in which an inverse would find it. Inertia below `least` is taken for none.
Vec3 turn_by(const Mat3& D, const Vec3& m, double least = 0) {
  const double size = 0.5 * D.trace();
  if (least == 0 && D.determinant() > line * size * size * size) return D.inverse() * m;
  Eigen::JacobiSVD<Mat3> singular(D, Eigen::ComputeFullU | Eigen::ComputeFullV);
  const double largest = singular.singularValues()[0];
  singular.setThreshold(largest > 0 ? std::max(line, least / largest) : line);
  return singular.solve(m);
}

// The sum of m r x Q r, of Q times the sum of m r r^T.
Vec3 moment(const Mat3& turned) {
  return {turned(2, 1) - turned(1, 2), turned(0, 2) - turned(2, 0), turned(1, 0) - turned(0, 1)};
}

Mat3 rotation(const Vec3& turn) {
  return exponential(turn).toRotationMatrix();
}

}  // namespace

Vec3 angular_velocity(const Whole& whole, const Vec3& spin) {
  return turn_by(inertia_at(whole.second), spin, whole.own_inertia);
}

double part_that_turns(const Whole& whole) {
  const double turning = whole.spin.dot(angular_velocity(whole, whole.spin));
  return whole.motion > 0 ? std::min(1.0, turning / whole.motion) : 0;
}

Whole whole_body(const Model& model, std::span<const Index> rows, const VecX& x, const VecX& v) {
  Whole whole;
  for (const Index row : rows) {
    const Index vertex = model.plan.vertex_of_block[row];
    const double m = model.elastic.mass[vertex];
    whole.mass += m;
    whole.center += m * block(x, vertex);
    whole.velocity += m * block(v, vertex);
  }
  whole.center /= whole.mass;
  whole.velocity /= whole.mass;
  for (const Index row : rows) {
    const Index vertex = model.plan.vertex_of_block[row];
    const double m = model.elastic.mass[vertex];
    const Vec3 arm = block(x, vertex) - whole.center, motion = block(v, vertex) - whole.velocity;
    whole.spin += m * arm.cross(motion);
    whole.motion += m * motion.squaredNorm();
    whole.second += m * arm * arm.transpose();
  }
  const Object& object = model.objects[model.surface.vertex_object[model.plan.vertex_of_block[rows.front()]]];
  if (is_thin(object)) whole.own_inertia = whole.mass * object.thickness * object.thickness / 8;
  return whole;
}

Mat3 turn_of(const Whole& whole, double dt) {
  Vec3 aim = dt * whole.spin;
  double least = 0;
  Vec3 way = turn_by(inertia_at(whole.second), aim);  // in its direction, the sine of the turn
  if (whole.own_inertia > 0 && !(way.norm() <= most_sine)) {
    // What is bent by less than its thickness vibrates and does not turn, where that would be a turn by so much.
    least = whole.own_inertia;
    way = turn_by(inertia_at(whole.second), aim, least);
  }
  if (const double sine = way.norm(); sine > most_sine) {
    aim *= most_sine / sine;
    way *= most_sine / sine;
  }
  Mat3 Q = Mat3::Identity();
  for (int i = 0; i < most_iterations; ++i) {
    Q = rotation(way) * Q;
    if (!(way.norm() > 4 * std::numeric_limits<double>::epsilon())) break;
    const Mat3 turned = Q * whole.second;
    way = turn_by(inertia_at(turned), aim - moment(turned), least);
  }
  return Q;
}

Mat3 turn_before(Whole whole, double dt) {
  whole.spin = -whole.spin;
  return turn_of(whole, dt).transpose();
}

Arc arc_of(const Whole& whole, bool held) {
  Arc arc{whole.center, angular_velocity(whole, whole.spin)};
  if (const double square = arc.turn.squaredNorm(); held && square > 0)
    arc.pivot += arc.turn.cross(whole.velocity) / square;
  return arc;
}

Vec3 Arc::bow(const Vec3& x, double t) const {
  const Vec3 r = x - pivot;
  return rotation(t * turn) * r - r - t * turn.cross(r);
}

Vec3 Arc::bow_rate(const Vec3& x, double t) const {
  const Vec3 r = x - pivot;
  return turn.cross(rotation(t * turn) * r - r);
}

bool differ(const Mat3& Q, const Mat3& from) {
  return (Q - from).squaredNorm() > std::numeric_limits<double>::epsilon() && Q.allFinite();
}

Mat3 without_spin(const Whole& whole, const Mat3& C) {
  return C - cross_matrix(angular_velocity(whole, moment(C * whole.second)));
}

double momentum_of(const Model& model, std::span<const Index> rows, const VecX& x, const Whole& whole,
                   const Mat3& C) {
  double sum = 0;
  for (const Index row : rows) {
    const Index vertex = model.plan.vertex_of_block[row];
    sum += std::pow(model.elastic.mass[vertex], 2) * (C * (block(x, vertex) - whole.center)).squaredNorm();
  }
  return std::sqrt(sum);
}

}  // namespace sim
