#include "step/turning.hpp"

#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <limits>

#include "math/parallel.hpp"

namespace sim {

namespace {

constexpr int most_iterations = 50;
constexpr double most_sine = 0.99;  // of the turn in a step: a quarter is the most that straight ways can make

// A body as a whole, about its centre.
struct Whole {
  double mass = 0;               // kg
  Vec3 center = Vec3::Zero();    // m
  Vec3 velocity = Vec3::Zero();  // m/s, of the centre
  Vec3 spin = Vec3::Zero();      // kg m^2/s
  Mat3 second = Mat3::Zero();    // kg m^2: sum of m r r^T
};

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
    const Vec3 arm = block(x, vertex) - whole.center;
    whole.spin += m * arm.cross(block(v, vertex) - whole.velocity);
    whole.second += m * arm * arm.transpose();
  }
  return whole;
}

// D of d / dt: the sum of m r x (d x Q r) is D d.
Mat3 inertia_at(const Mat3& turned) {
  return turned.trace() * Mat3::Identity() - turned;
}

// The sum of m r x Q r, of Q times the sum of m r r^T.
Vec3 moment(const Mat3& turned) {
  return {turned(2, 1) - turned(1, 2), turned(0, 2) - turned(2, 0), turned(1, 0) - turned(0, 1)};
}

Mat3 rotation(const Vec3& turn) {  // rad
  const double angle = turn.norm();
  return angle > 0 ? Eigen::AngleAxisd(angle, turn / angle).toRotationMatrix() : Mat3(Mat3::Identity());
}

// Q of the header by Newton's method.
Mat3 turn_of(const Whole& whole, double dt) {
  Vec3 aim = dt * whole.spin;
  Vec3 way = inertia_at(whole.second).inverse() * aim;  // in its direction, the sine of the turn
  if (const double sine = way.norm(); sine > most_sine) {
    aim *= most_sine / sine;
    way *= most_sine / sine;
  }
  Mat3 Q = Mat3::Identity();
  for (int i = 0; i < most_iterations; ++i) {
    Q = rotation(way) * Q;
    if (!(way.norm() > 4 * std::numeric_limits<double>::epsilon())) break;
    const Mat3 turned = Q * whole.second;
    way = inertia_at(turned).inverse() * (aim - moment(turned));
  }
  return Q;
}

// The sum over the row of (A - M - dt alpha M) u.
Vec3 strain_of_chord(const BlockMatrix& A, const VecX& chord, Index row) {
  Vec3 sum = Vec3::Zero();
  for (Index slot = A.row_begin[row]; slot < A.row_begin[row + 1]; ++slot)
    sum += A.at(slot) * (block(chord, A.column[slot]) - block(chord, row));
  return sum;
}

// Less stretches by less than rounding; what is no number is told where the motion is judged.
bool differ(const Mat3& Q, const Mat3& from) {
  return (Q - from).squaredNorm() > std::numeric_limits<double>::epsilon() && Q.allFinite();
}

void set_chord(const Model& model, std::span<const Index> rows, const VecX& x0, const Whole& whole, const Mat3& Q,
               double dt, VecX& chord) {
  for (const Index row : rows) {
    const Vec3 arm = block(x0, model.plan.vertex_of_block[row]) - whole.center;
    block(chord, row) = (Q * arm - arm) / dt;
  }
}

void turn_body(const TurnInput& step, Index body, std::span<const Index> rows, Turning& turning, VecX& b, VecX& v) {
  turning.turns[body] = 0;
  turning.turn[body] = Mat3::Identity();
  if (turning.is_free[body] == 0) return;
  const Whole whole = whole_body(step.model, rows, step.x0, step.v);
  const Mat3 Q = turn_of(whole, step.dt);
  if (!differ(Q, turning.turn[body])) return;
  turning.turns[body] = 1;
  turning.turn[body] = Q;
  set_chord(step.model, rows, step.x0, whole, Q, step.dt, turning.chord);
  const Vec3 fall = step.dt * step.model.gravity;
  for (const Index row : rows) {
    block(b, row) += strain_of_chord(step.A, turning.chord, row);
    const Vec3 motion = block(step.v, step.model.plan.vertex_of_block[row]) - whole.velocity;
    block(v, row) = whole.velocity + fall + Q * motion;
  }
}

}  // namespace

void prepare(const Model& model, const Bodies& bodies, Turning& turning) {
  const auto elastic = static_cast<Index>(model.plan.vertex_of_block.size());
  turning.body_of_row.assign(bodies.of_row.begin(), bodies.of_row.begin() + elastic);
  turning.is_free.assign(static_cast<std::size_t>(bodies.count()), 0);
  turning.turns.assign(turning.is_free.size(), 0);
  turning.turn.assign(turning.is_free.size(), Mat3::Identity());
  for (VecX* rows : {&turning.chord, &turning.other, &turning.strain}) rows->setZero(3 * Eigen::Index{elastic});
}

void find_free(const Model& model, const Bodies& bodies, std::span<const Index> object_of_body, const Guides& guides,
               Turning& turning) {
  std::vector<std::uint8_t> prescribed(model.objects.size(), 0);
  for (std::size_t k = 0; k < model.prescribed.size(); ++k) {
    if (guides.holds[k] == 0) continue;
    for (const Index vertex : model.prescribed[k].vertices) prescribed[model.surface.vertex_object[vertex]] = 1;
  }
  const auto elastic = static_cast<Index>(model.plan.vertex_of_block.size());
  for (Index body = 0; body < bodies.count(); ++body)
    turning.is_free[body] = bodies.rows_of(body).front() < elastic && prescribed[object_of_body[body]] == 0 ? 1 : 0;
}

void turn(const TurnInput& input, Turning& turning, VecX& b, VecX& v) {
  parallel_for(input.bodies.count(), 1, [&](Index begin, Index end) {
    for (Index body = begin; body < end; ++body) turn_body(input, body, input.bodies.rows_of(body), turning, b, v);
  });
}

void turn_nothing(Turning& turning) {
  std::fill(turning.turns.begin(), turning.turns.end(), 0);
}

bool turn_as_solved(const TurnInput& input, Index body, const MayMiss& miss, Turning& turning, VecX& b, VecX& v) {
  if (turning.is_free[body] == 0) return false;
  const Model& model = input.model;
  const std::span<const Index> rows = input.bodies.rows_of(body);
  const Whole whole = whole_body(model, rows, input.x0, input.v);
  const Mat3 Q = turn_of(whole, input.dt);
  if (!differ(Q, turning.turn[body])) return false;
  set_chord(model, rows, input.x0, whole, Q, input.dt, turning.other);
  const auto arm = [&](Index row) -> Vec3 { return block(input.x0, model.plan.vertex_of_block[row]) - whole.center; };
  Vec3 spin = Vec3::Zero();
  double missed = 0;  // squared
  for (const Index row : rows) {
    if (turning.turns[body] == 0) block(turning.chord, row).setZero();
    const Vec3 momentum =
        model.elastic.mass[model.plan.vertex_of_block[row]] * (block(turning.other, row) - block(turning.chord, row));
    spin += arm(row).cross(momentum);
    missed += momentum.squaredNorm();
  }
  if (!(missed > miss.momentum * miss.momentum)) return false;
  const Vec3 w = inertia_at(whole.second).inverse() * spin;
  for (const Index row : rows)
    block(turning.strain, row) = block(turning.other, row) - block(turning.chord, row) - w.cross(arm(row));
  double energy = 0;
  for (const Index row : rows)
    energy += 0.5 * block(turning.strain, row).dot(strain_of_chord(input.A, turning.strain, row));
  if (!(energy > whole.mass * miss.specific_energy)) return false;
  for (const Index row : rows)
    block(b, row) += strain_of_chord(input.A, turning.other, row) - strain_of_chord(input.A, turning.chord, row);
  for (const Index row : rows) {
    block(turning.chord, row) = block(turning.other, row);
    block(v, row) += block(turning.strain, row);
  }
  turning.turns[body] = 1;
  turning.turn[body] = Q;
  return true;
}

void leave_strains(const AssemblyPlan& plan, const Turning& turning, VecX& v) {
  for (Index row = 0; row < static_cast<Index>(turning.body_of_row.size()); ++row) {
    if (turning.turns[turning.body_of_row[row]] != 0)
      block(v, plan.vertex_of_block[row]) -= block(turning.chord, row);
  }
}

}  // namespace sim
