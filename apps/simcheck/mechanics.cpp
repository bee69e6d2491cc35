#include "mechanics.hpp"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>
#include <limits>

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

double absolute_product(const sim::Vec3& a, const sim::Vec3& b) {
  return a.cwiseAbs().dot(b.cwiseAbs());
}

double radius_of_gyration(const sim::MassProperties& body) {
  return std::sqrt(body.inertia.trace() / (2 * body.mass));
}

// J, beside that of sums over objects; `speed` is that of the centre, m/s, `spin` rad/s.
double energy_rounding_of(const RigidObject& object, const Subject& subject, const Frame& frame,
                          const sim::Vec3& center, double speed, double spin) {
  double area = 0, farthest = 0, radius = 0;
  for (sim::Index t = object.triangles.begin; t < object.triangles.end; ++t) {
    const auto& [a, b, c] = subject.rest.triangles[t];
    const sim::Vec3 x = sim::block(frame.x, a);
    area += (sim::block(frame.x, b) - x).cross(sim::block(frame.x, c) - x).norm() / 2;
  }
  for (sim::Index i = object.vertices.begin; i < object.vertices.end; ++i) {
    farthest = std::max(farthest, sim::block(frame.x, i).norm());
    radius = std::max(radius, (sim::block(frame.x, i) - center).norm());
  }
  const double layer = object.density * area * farthest, weight = subject.substance->gravity.norm() * radius;
  const double fastest = speed + spin * radius;
  return eps * (object.triangles.size() * object.mass * weight + layer * (weight + fastest * fastest));
}

// Inertia anew from where the surface is in this frame, whatever pose the run thought it had.
void add_rigid(const Subject& subject, const Frame& frame, Mechanics& m) {
  const Substance& substance = *subject.substance;
  if (substance.rigid.empty()) return;
  std::vector<sim::Vec3> vertices(subject.rest.vertices.size());
  for (std::size_t i = 0; i < vertices.size(); ++i) vertices[i] = sim::block(frame.x, static_cast<sim::Index>(i));
  for (const RigidObject& object : substance.rigid) {
    const sim::MassProperties body = properties_of(object, subject.rest.triangles, vertices);
    const double size = radius_of_gyration(body);
    m.rigid_mass += object.mass;
    m.mass_change += std::abs(body.mass - object.mass);
    m.potential -= object.mass * substance.gravity.dot(body.center);
    m.potential_scale +=
        object.mass * (absolute_product(substance.gravity, body.center) + substance.gravity.norm() * size);
    if (frame.v.size() == 0) continue;
    const Twist twist = twist_of(object.vertices, frame, body.center);
    const sim::Vec3 momentum = body.mass * twist.velocity, spin = body.inertia * twist.angular_velocity;
    m.kinetic += (momentum.dot(twist.velocity) + spin.dot(twist.angular_velocity)) / 2;
    m.momentum += momentum;
    m.angular_momentum += body.center.cross(momentum) + spin;
    // Of a body that only turns the momentum is a sum of vertices that cancel each other.
    const double absolute = momentum.norm() + body.mass * size * twist.angular_velocity.norm();
    m.momentum_scale += absolute;
    // Nor are the arms of a body at the origin nothing because its centre has none.
    m.angular_scale += (body.center.norm() + size) * absolute;
    m.energy_rounding +=
        energy_rounding_of(object, subject, frame, body.center, twist.velocity.norm(), twist.angular_velocity.norm());
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
  std::size_t summands = substance.rigid.size();
  for (sim::Index i = 0; i < static_cast<sim::Index>(substance.mass.size()); ++i) {
    const double mass = substance.mass[i];
    if (mass == 0) continue;
    ++summands;
    const sim::Vec3 x = sim::block(frame.x, i);
    m.potential -= mass * substance.gravity.dot(x);
    m.potential_scale += mass * absolute_product(substance.gravity, x);
    if (!moving) continue;
    const sim::Vec3 v = sim::block(frame.v, i);
    m.kinetic += mass * v.squaredNorm() / 2;
    m.momentum += mass * v;
    m.angular_momentum += mass * x.cross(v);
    m.momentum_scale += mass * v.norm();
    m.angular_scale += mass * x.norm() * v.norm();
  }
  add_rigid(subject, frame, m);
  m.energy_rounding += eps * static_cast<double>(summands) * m.potential_scale;
  m.elastic = elastic_energy(substance.elastic, frame.x) - frame.unseen_energy;
  return m;
}

bool has_finite_sums(const Mechanics& m, bool moving) {
  const bool still = std::isfinite(m.elastic) && std::isfinite(m.potential);
  return still && (!moving || (std::isfinite(m.kinetic) && m.momentum.allFinite() && m.angular_momentum.allFinite()));
}

}  // namespace simcheck
