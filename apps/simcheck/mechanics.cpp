#include "mechanics.hpp"

#include <Eigen/Cholesky>
#include <cmath>

#include "elasticity/assembly.hpp"

namespace simcheck {

namespace {

struct Twist {
  sim::Vec3 velocity, angular_velocity;
};

// The rigid motion nearest to the velocities of the vertices, by least squares: its velocity at `point`.
Twist twist_of(sim::Range vertices, const Frame& frame, const sim::Vec3& point) {
  sim::Vec3 middle = sim::Vec3::Zero(), mean = sim::Vec3::Zero();
  for (sim::Index i = vertices.begin; i < vertices.end; ++i) {
    middle += sim::block(frame.x, i) / vertices.size();
    mean += sim::block(frame.v, i) / vertices.size();
  }
  sim::Mat3 matrix = sim::Mat3::Zero();
  sim::Vec3 right = sim::Vec3::Zero();
  for (sim::Index i = vertices.begin; i < vertices.end; ++i) {
    const sim::Vec3 arm = sim::block(frame.x, i) - middle, v = sim::block(frame.v, i) - mean;
    matrix += arm.squaredNorm() * sim::Mat3::Identity() - arm * arm.transpose();
    right += arm.cross(v);
  }
  const sim::Vec3 w = matrix.ldlt().solve(right);
  return {mean + w.cross(point - middle), w};
}

double radius_of_gyration(const sim::MassProperties& body) {
  return std::sqrt(body.inertia.trace() / (2 * body.mass));
}

// Mass and inertia anew from where the surface is in this frame, whatever pose the run thought it had.
void add_rigid(const Subject& subject, const Frame& frame, Mechanics& m) {
  const Substance& substance = *subject.substance;
  if (substance.rigid.empty()) return;
  std::vector<sim::Vec3> vertices(subject.rest.vertices.size());
  for (std::size_t i = 0; i < vertices.size(); ++i) vertices[i] = sim::block(frame.x, static_cast<sim::Index>(i));
  for (const RigidObject& object : substance.rigid) {
    const sim::MassProperties body = properties_of(object, subject.rest.triangles, vertices);
    const double potential = -body.mass * substance.gravity.dot(body.center), size = radius_of_gyration(body);
    m.potential += potential;
    m.potential_scale += std::abs(potential) + body.mass * substance.gravity.norm() * size;
    if (frame.v.size() == 0) continue;
    const Twist twist = twist_of(object.vertices, frame, body.center);
    const sim::Vec3 momentum = body.mass * twist.velocity, spin = body.inertia * twist.angular_velocity;
    m.kinetic += (momentum.dot(twist.velocity) + spin.dot(twist.angular_velocity)) / 2;
    m.momentum += momentum;
    m.angular_momentum += body.center.cross(momentum) + spin;
    // Of a body that only turns the momentum is a sum of vertices that cancel each other.
    const double absolute = momentum.norm() + body.mass * size * twist.angular_velocity.norm();
    m.momentum_scale += absolute;
    m.angular_scale += body.center.norm() * absolute + spin.norm();
  }
}
}  // namespace

Mechanics mechanics_of(const Subject& subject, const Frame& frame) {
  const Substance& substance = *subject.substance;
  Mechanics m;
  const bool moving = frame.v.size() > 0;
  m.potential = 0;
  if (moving) {
    m.kinetic = 0;
    m.momentum.setZero();
    m.angular_momentum.setZero();
  }
  for (sim::Index i = 0; i < static_cast<sim::Index>(substance.mass.size()); ++i) {
    const double mass = substance.mass[i];
    const sim::Vec3 x = sim::block(frame.x, i);
    const double potential = -mass * substance.gravity.dot(x);
    m.potential += potential;
    m.potential_scale += std::abs(potential);
    if (!moving) continue;
    const sim::Vec3 v = sim::block(frame.v, i);
    m.kinetic += mass * v.squaredNorm() / 2;
    m.momentum += mass * v;
    m.angular_momentum += mass * x.cross(v);
    m.momentum_scale += mass * v.norm();
    m.angular_scale += mass * x.norm() * v.norm();
  }
  add_rigid(subject, frame, m);
  m.elastic = elastic_energy(substance.elastic, frame.x);
  return m;
}

bool has_finite_sums(const Mechanics& m, bool moving) {
  const bool still = std::isfinite(m.elastic) && std::isfinite(m.potential);
  return still && (!moving || (std::isfinite(m.kinetic) && m.momentum.allFinite() && m.angular_momentum.allFinite()));
}

}  // namespace simcheck
