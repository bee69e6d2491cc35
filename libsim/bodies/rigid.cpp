#include "bodies/rigid.hpp"

#include <Eigen/Eigenvalues>
#include <cmath>
#include <limits>
#include <numbers>

namespace sim {

namespace {

constexpr int most_iterations = 50;   // for the middle of a step; a tenth of a turn a step takes about ten
constexpr double energy_kept = 1e-3;  // that turning without torque may miss in a part of a step
constexpr double nearly = 1e-9;       // of w: rounding goes on above its last digits
constexpr int most_parts = 1 << 12;

Mat3 axes_at(const RigidBody& body, const Eigen::Quaterniond& turn) {
  return turn.toRotationMatrix() * body.axes;
}

Vec3 angular_velocity_at(const RigidBody& body, const Mat3& axes, const Vec3& spin) {
  return axes * (axes.transpose() * spin).cwiseQuotient(body.inertia);
}

// The middle of a turn without torque, R* of the header, and how fast it turns there.
struct Middle {
  Mat3 axes;
  Vec3 w;
  bool found = false;  // by the iteration, and with the energy that it begins with
};

Middle find_middle(const RigidBody& body, const Eigen::Quaterniond& turn, const Vec3& spin, double dt) {
  Middle middle;
  middle.axes = axes_at(body, turn);
  middle.w = angular_velocity_at(body, middle.axes, spin);
  const double energy = spin.dot(middle.w);
  double change = 0;
  for (int i = 0; i < most_iterations; ++i) {
    middle.axes = axes_at(body, (exponential(0.5 * dt * middle.w) * turn).normalized());
    const Vec3 next = angular_velocity_at(body, middle.axes, spin);
    change = (next - middle.w).norm();
    middle.w = next;
    if (!(change > 4 * std::numeric_limits<double>::epsilon() * middle.w.norm())) break;
  }
  const Mat3 end = axes_at(body, (exponential(dt * middle.w) * turn).normalized());
  const double more = spin.dot(angular_velocity_at(body, end, spin)) - energy;
  middle.found = !(change > nearly * middle.w.norm() || std::abs(more) > energy_kept * energy);
  return middle;
}

// The turn that leads to `end`, of all that differ by whole turns the one that is nearest to `way`.
Vec3 turn_to(const Eigen::Quaterniond& end, const Vec3& way) {
  const double sine = end.vec().norm();
  if (!(sine > 0)) return way;
  const Vec3 axis = end.vec() / sine;
  constexpr double whole = 2 * std::numbers::pi;
  const double angle = 2 * std::atan2(sine, end.w());
  return (angle + whole * std::round((way.dot(axis) - angle) / whole)) * axis;
}

struct FreeTurn {
  Mat3 axes;  // halfway
  Vec3 carried{0, 0, 0};
};

// A step without torque, in as many parts as it takes.
FreeTurn turn_freely(const RigidBody& body, const RigidState& state, double dt) {
  const Middle whole = find_middle(body, state.turn, state.spin, dt);
  if (whole.found) return {whole.axes};
  for (int parts = 2;; parts *= 2) {
    const double part = dt / parts;
    Eigen::Quaterniond turn = state.turn, half = turn;
    Vec3 way(0, 0, 0);
    bool found = true;
    for (int i = 0; i < parts && (found || parts >= most_parts); ++i) {
      const Middle middle = find_middle(body, turn, state.spin, part);
      found &= middle.found;
      turn = (exponential(part * middle.w) * turn).normalized();
      way += part * middle.w;
      if (2 * (i + 1) == parts) half = turn;
    }
    if (!found && parts < most_parts) continue;
    const Mat3 axes = axes_at(body, half);
    const Vec3 w = turn_to(turn * state.turn.conjugate(), way) / dt;
    return {axes, state.spin - axes * body.inertia.cwiseProduct(axes.transpose() * w)};
  }
}

}  // namespace

MassProperties mass_properties(std::span<const Vec3> vertices, std::span<const Triangle> triangles, double density) {
  MassProperties sum;
  if (triangles.empty()) return sum;
  // Cones from a vertex: from the origin the volumes of a body far away would cancel to noise.
  const Vec3 apex = vertices[triangles[0][0]];
  double volume = 0;
  Vec3 first = Vec3::Zero();
  Mat3 second = Mat3::Zero();  // integral of x x^T
  for (const Triangle& t : triangles) {
    const Vec3 a = vertices[t[0]] - apex, b = vertices[t[1]] - apex, c = vertices[t[2]] - apex, all = a + b + c;
    const double six = a.dot(b.cross(c));
    volume += six / 6;
    first += six / 24 * all;
    second += six / 120 * (a * a.transpose() + b * b.transpose() + c * c.transpose() + all * all.transpose());
  }
  const Vec3 middle = first / volume;
  const Mat3 about_middle = second - first * middle.transpose();
  sum.mass = density * volume;
  sum.center = apex + middle;
  sum.inertia = density * (about_middle.trace() * Mat3::Identity() - 0.5 * (about_middle + about_middle.transpose()));
  return sum;
}

RigidBody make_rigid_body(const MassProperties& properties) {
  constexpr double rounding = 1e-13;  // part of the trace
  RigidBody body;
  body.mass = properties.mass;
  body.center = properties.center;
  body.radius = std::sqrt(properties.inertia.trace() / (3 * properties.mass));
  body.axes.setIdentity();
  body.inertia = properties.inertia.diagonal();
  const Mat3 off = properties.inertia - Mat3(body.inertia.asDiagonal());
  // Bodies with equal moments have no axes of their own: rounding is not to choose them.
  if (off.norm() > rounding * properties.inertia.trace()) {
    const Eigen::SelfAdjointEigenSolver<Mat3> found(properties.inertia);
    body.axes = found.eigenvectors();
    body.inertia = found.eigenvalues();
    if (body.axes.determinant() < 0) body.axes.col(0) *= -1;
  }
  return body;
}

Eigen::Quaterniond exponential(const Vec3& turn) {
  const double half = 0.5 * turn.norm();
  const double part = half > 1e-4 ? 0.5 * std::sin(half) / half : 0.5 - half * half / 12;  // sin(half) / |turn|
  return {std::cos(half), part * turn[0], part * turn[1], part * turn[2]};
}

RigidState initial_state(const RigidBody& body) {
  RigidState state;
  state.center = body.center;
  state.velocity = body.velocity;
  state.spin = body.axes * body.inertia.cwiseProduct(body.axes.transpose() * body.angular_velocity);
  return state;
}

Vec3 angular_velocity(const RigidBody& body, const RigidState& state) {
  return angular_velocity_at(body, axes_at(body, state.turn), state.spin);
}

double kinetic_energy(const RigidBody& body, const RigidState& state) {
  return 0.5 * (body.mass * state.velocity.squaredNorm() + state.spin.dot(angular_velocity(body, state)));
}

void integrate(const RigidBlocks& blocks, std::span<const RigidState> states, const Vec3& gravity,
               std::vector<RigidStep>& steps, BlockMatrix& A, VecX& b, VecX& v) {
  steps.resize(blocks.bodies.size());
  for (Index i = 0; i < static_cast<Index>(steps.size()); ++i) {
    const RigidBody& body = blocks.bodies[i];
    const RigidState& state = states[i];
    RigidStep& step = steps[i];
    step.start = state.center;
    const FreeTurn free = turn_freely(body, state, blocks.dt);
    step.axes = free.axes;
    step.carried = free.carried;

    const Index linear = blocks.linear(i), angular = blocks.angular(i);
    const double damped = 1 + blocks.dt * body.damping;
    const Vec3 inertia = body.inertia / (body.radius * body.radius);
    A.at(A.find(linear, linear)) = damped * body.mass * Mat3::Identity();
    A.at(A.find(angular, angular)) = Mat3((damped * inertia).asDiagonal());
    const Vec3 spin = state.spin - step.carried + state.left_over_spin;
    block(b, linear) = body.mass * (state.velocity + blocks.dt * gravity) + state.left_over;
    block(b, angular) = step.axes.transpose() * spin / body.radius;
    block(v, linear) = block(b, linear) / (damped * body.mass);
    block(v, angular) = block(b, angular).cwiseQuotient(damped * inertia);
  }
}

void set_last_velocities(const RigidBlocks& blocks, std::span<const RigidState> states,
                         std::span<const RigidStep> steps, VecX& v) {
  for (Index i = 0; i < static_cast<Index>(steps.size()); ++i) {
    const RigidBody& body = blocks.bodies[i];
    block(v, blocks.linear(i)) = states[i].velocity;
    block(v, blocks.angular(i)) = body.radius * steps[i].axes.transpose() * angular_velocity(body, states[i]);
  }
}

void move(const RigidBlocks& blocks, std::span<const RigidState> states, const VecX& v,
          std::vector<RigidStep>& steps) {
  for (Index i = 0; i < static_cast<Index>(steps.size()); ++i) {
    const RigidBody& body = blocks.bodies[i];
    RigidStep& step = steps[i];
    const Vec3 velocity = block(v, blocks.linear(i)), u = block(v, blocks.angular(i));
    step.turn = blocks.dt / body.radius * (step.axes * u);
    const Eigen::Quaterniond more = exponential(step.turn);
    step.end.center = states[i].center + blocks.dt * velocity;
    step.end.turn = (more * states[i].turn).normalized();
    step.end.velocity = velocity;
    step.end.spin = step.axes * body.inertia.cwiseProduct(u) / body.radius + step.carried;
    step.end.left_over.setZero();
    step.end.left_over_spin.setZero();
    step.turned = more.toRotationMatrix();
  }
}

void set_left_over(const RigidBlocks& blocks, const VecX& missing, std::vector<RigidStep>& steps) {
  for (Index i = 0; i < static_cast<Index>(steps.size()); ++i) {
    steps[i].end.left_over = block(missing, blocks.linear(i));
    steps[i].end.left_over_spin = blocks.bodies[i].radius * (steps[i].axes * block(missing, blocks.angular(i)));
  }
}

void place(const RigidBody& body, const RigidState& state, std::span<const Vec3> rest, VecX& x) {
  const Mat3 turn = state.turn.toRotationMatrix();
  for (Index i = body.vertices.begin; i < body.vertices.end; ++i) {
    block(x, i) = state.center + turn * (rest[i] - body.center);
  }
}

void set_velocities(const RigidBody& body, const RigidState& state, const VecX& x, VecX& v) {
  const Vec3 w = angular_velocity(body, state);
  for (Index i = body.vertices.begin; i < body.vertices.end; ++i) {
    block(v, i) = state.velocity + w.cross(block(x, i) - state.center);
  }
}

}  // namespace sim
