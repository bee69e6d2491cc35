#include "step/turning.hpp"

#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <limits>

#include "math/parallel.hpp"

namespace sim {

namespace {

constexpr int most_iterations = 50;  // for the middle of the step, as in bodies/rigid.cpp

// A body as a whole.
struct Whole {
  double mass = 0;               // kg
  Vec3 center = Vec3::Zero();    // m
  Vec3 velocity = Vec3::Zero();  // m/s, of the centre
  Vec3 spin = Vec3::Zero();      // kg m^2/s, about the centre
  Mat3 inertia = Mat3::Zero();   // kg m^2
  Mat3 before = Mat3::Zero();    // kg m^2: where it was `back` ago
};

Mat3 inertia_of(double m, const Vec3& arm) {
  return m * (arm.squaredNorm() * Mat3::Identity() - arm * arm.transpose());
}

Whole whole_body(const Model& model, std::span<const Index> rows, const VecX& x, const VecX& v, double back) {
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
    whole.inertia += inertia_of(m, arm);
    whole.before += inertia_of(m, arm - back * motion);
  }
  return whole;
}

Mat3 rotation(const Vec3& turn) {  // rad
  const double angle = turn.norm();
  return angle > 0 ? Eigen::AngleAxisd(angle, turn / angle).toRotationMatrix() : Mat3(Mat3::Identity());
}

// Whether strains cross the body within the step: then they follow the turn at once, and what the straight way of the
// vertices stretches is not theirs. Softer bodies turn while they vibrate, which the linearisation at x0 has better.
bool is_stiff(const Model& model, std::span<const Index> rows, const Whole& whole, double dt) {
  const Index vertex = model.plan.vertex_of_block[rows.front()];
  const Material& material = model.materials[model.objects[model.surface.vertex_object[vertex]].material];
  const double radius_squared = whole.inertia.trace() / whole.mass;
  return material.young * dt * dt > material.density * radius_squared;
}

// The angular velocity halfway of a step without torque: w = I(R)^-1 L, R = exp(dt w / 2).
Vec3 angular_velocity_halfway(const Whole& whole, const Mat3& inverse_inertia, double dt) {
  Vec3 w = inverse_inertia * whole.spin;
  for (int i = 0; i < most_iterations; ++i) {
    const Mat3 half = rotation(0.5 * dt * w);
    const Vec3 next = half * (inverse_inertia * (half.transpose() * whole.spin));
    const double change = (next - w).norm();
    w = next;
    if (!(change > 4 * std::numeric_limits<double>::epsilon() * w.norm())) break;
  }
  return w;
}

// Rows of A: blocks beside the diagonal in pairs, so that A stays symmetric bit for bit; translations strain nothing.
void turn_rows(const Model& model, std::span<const Index> rows, const Mat3& Q, double dt, std::vector<Index>& mirror,
               BlockMatrix& A) {
  for (const Index row : rows) mirror[row] = A.row_begin[row];
  for (const Index row : rows) {
    for (Index slot = A.row_begin[row]; slot < A.row_begin[row + 1]; ++slot) {
      const Index column = A.column[slot];
      if (column <= row) continue;
      const Mat3 turned = Q * A.at(slot) * Q.transpose();
      A.at(slot) = turned;
      A.at(mirror[column]++) = turned.transpose();  // columns and rows ascend, and the pattern is symmetric
    }
  }
  for (const Index row : rows) {
    Mat3 sum = Mat3::Zero();
    for (Index slot = A.row_begin[row]; slot < A.row_begin[row + 1]; ++slot) {
      if (A.column[slot] != row) sum += A.at(slot);
    }
    const Index vertex = model.plan.vertex_of_block[row];
    Mat3 diagonal = -0.5 * (sum + sum.transpose());
    diagonal.diagonal().array() += model.elastic.mass[vertex] + dt * model.elastic.damping_mass[vertex];
    A.at(model.plan.diagonal[row]) = diagonal;
  }
}

// The sum over the row of (A* - M - dt alpha M) u.
Vec3 strain_of_chord(const BlockMatrix& A, const VecX& chord, Index row) {
  Vec3 sum = Vec3::Zero();
  for (Index slot = A.row_begin[row]; slot < A.row_begin[row + 1]; ++slot)
    sum += A.at(slot) * (block(chord, A.column[slot]) - block(chord, row));
  return sum;
}

struct Step {  // what turn() is given
  const Model& model;
  const VecX &x0, &v0;
  double dt, back;
};

// dw of the header. With it goes the chord of the body's rows.
Vec3 faster(const Step& step, std::span<const Index> rows, const Whole& whole, const Mat3& inverse_inertia,
            const Mat3& Q, VecX& chord) {
  const Vec3 w0 = whole.before.inverse() * whole.spin;  // v0 x v0 = 0: the spin about the middle is that about x0
  Vec3 lost = whole.spin;
  for (const Index row : rows) {
    const Index vertex = step.model.plan.vertex_of_block[row];
    const Vec3 arm = block(step.x0, vertex) - whole.center, motion = block(step.v0, vertex) - whole.velocity;
    block(chord, row) = (Q * arm - arm) / step.dt;
    const Vec3 strains = motion - w0.cross(arm - step.back * motion);
    lost -= step.model.elastic.mass[vertex] * (Q * (arm + step.dt * strains)).cross(motion);
  }
  return Q * (inverse_inertia * (Q.transpose() * lost));
}

void turn_body(const Step& step, Index body, std::span<const Index> rows, Turning& turning, BlockMatrix& A, VecX& b,
               VecX& v) {
  turning.turns[body] = 0;
  if (turning.is_free[body] == 0) return;
  const Whole whole = whole_body(step.model, rows, step.x0, step.v0, step.back);
  if (!is_stiff(step.model, rows, whole, step.dt)) return;
  const Mat3 inverse_inertia = whole.inertia.inverse();
  const Vec3 angle = step.dt * angular_velocity_halfway(whole, inverse_inertia, step.dt);
  // Less stretches by less than rounding; what is no number is told where the motion is judged.
  if (!(angle.squaredNorm() > std::numeric_limits<double>::epsilon()) || !angle.allFinite()) return;
  turning.turns[body] = 1;
  const Mat3 Q = turning.turn[body] = rotation(angle);
  turn_rows(step.model, rows, Q, step.dt, turning.mirror, A);
  const Vec3 dw = faster(step, rows, whole, inverse_inertia, Q, turning.chord);
  const Vec3 fall = step.dt * step.model.gravity;
  for (const Index row : rows) {
    const Index vertex = step.model.plan.vertex_of_block[row];
    const double m = step.model.elastic.mass[vertex];
    const Vec3 arm = block(step.x0, vertex) - whole.center, kept = m * (block(step.v0, vertex) + fall);
    const Vec3 inside = Q * (block(b, row) - kept);
    block(b, row) = kept + inside + m * dw.cross(Q * arm) + strain_of_chord(A, turning.chord, row);
    block(v, row) = whole.velocity + fall + Q * (block(step.v0, vertex) - whole.velocity);
  }
}

}  // namespace

void prepare(const Model& model, const Bodies& bodies, Turning& turning) {
  const auto elastic = static_cast<Index>(model.plan.vertex_of_block.size());
  turning.body_of_row.assign(bodies.of_row.begin(), bodies.of_row.begin() + elastic);
  turning.is_free.assign(static_cast<std::size_t>(bodies.count()), 0);
  turning.turns.assign(turning.is_free.size(), 0);
  turning.turn.assign(turning.is_free.size(), Mat3::Identity());
  turning.chord.setZero(3 * Eigen::Index{elastic});
  turning.mirror.resize(bodies.of_row.size());
}

void find_free(const Model& model, const Bodies& bodies, std::span<const Index> object_of_body, const Guides& guides,
               Turning& turning) {
  std::vector<std::uint8_t> told(model.objects.size(), 0);
  for (std::size_t k = 0; k < model.told.size(); ++k) {
    if (guides.holds[k] == 0) continue;
    for (const Index vertex : model.told[k].vertices) told[model.surface.vertex_object[vertex]] = 1;
  }
  const auto elastic = static_cast<Index>(model.plan.vertex_of_block.size());
  for (Index body = 0; body < bodies.count(); ++body)
    turning.is_free[body] = bodies.rows_of(body).front() < elastic && told[object_of_body[body]] == 0 ? 1 : 0;
}

void turn(const Model& model, const Bodies& bodies, const VecX& x0, const VecX& v0, double dt, double back,
          Turning& turning, BlockMatrix& A, VecX& b, VecX& v) {
  const Step step{model, x0, v0, dt, back};
  parallel_for(bodies.count(), 1, [&](Index begin, Index end) {
    for (Index body = begin; body < end; ++body) turn_body(step, body, bodies.rows_of(body), turning, A, b, v);
  });
}

void turn_nothing(Turning& turning) {
  std::fill(turning.turns.begin(), turning.turns.end(), 0);
}

void turn_back(const AssemblyPlan& plan, const Turning& turning, VecX& v) {
  for (Index row = 0; row < static_cast<Index>(turning.body_of_row.size()); ++row) {
    const Index body = turning.body_of_row[row], vertex = plan.vertex_of_block[row];
    if (turning.turns[body] == 0) continue;
    const Vec3 strains = block(v, vertex) - block(turning.chord, row);
    block(v, vertex) = turning.turn[body].transpose() * strains;
  }
}

}  // namespace sim
