// Rigid bodies in contact: with obstacles, with each other, and with elastic ones.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "collide/intersections.hpp"
#include "math/error.hpp"
#include "math/parallel.hpp"
#include "mesh/generate.hpp"
#include "model/measure.hpp"
#include "step/step.hpp"
#include "support/objects.hpp"

namespace sim {
namespace rigid_test {

using test::add_object;

constexpr double g = 9.81, eps2 = 5e-6;

Model empty_model(double friction) {
  Model model;
  model.materials = {{.name = "stone", .young = 5e5, .poisson = 0.2, .density = 2000}};
  model.initial_velocity.resize(0);
  model.friction = friction;
  return model;
}

// On a floor at z = 0, gravity turned as if the floor were a slope along x.
Model on_slope(double degrees, double friction) {
  Model model = empty_model(friction);
  const double angle = degrees * std::numbers::pi / 180;
  model.gravity = g * Vec3(std::sin(angle), 0, -std::cos(angle));
  add_object(model, "floor", ObjectType::fixed, generate(SlabShape{.size = {20, 20}}), {0, 0, -0.05});
  return model;
}

// Runs `steps`, all of which must converge with the gaps of pushing contacts in (0, eps2) and nothing overlapping.
template <class Watch>
void run(const Model& model, const Options& options, int steps, State& state, const Watch& watch) {
  Scratch scratch;
  for (int n = 0; n < steps; ++n) {
    const StepReport report = step(model, options, state, scratch);
    ASSERT_EQ(report.status, StepStatus::converged) << "step " << report.step << ": " << report.reason;
    for (const Contact& contact : state.contacts.contacts) {
      if (contact.state == FrictionState::open) continue;
      ASSERT_GT(contact.gap, 0) << "step " << report.step;
      ASSERT_LT(contact.gap, std::max(eps2, contact.target_gap + 0.3 * eps2)) << "step " << report.step;
    }
    watch(report);
  }
  EXPECT_TRUE(initial_intersections(model.surface, state.x).empty());
}
void run(const Model& model, const Options& options, int steps, State& state) {
  run(model, options, steps, state, [](const StepReport&) {});
}

// A ton slides on a plate of a milligram: in every step the floor bears it, within a hundredth of its weight.
TEST(Rigid, WhatSlidesOnALightPlateIsBorneInEveryStep) {
  Model model = on_slope(0, 0.3);
  model.materials.push_back({.name = "leaf", .density = 4e-4});
  model.materials[0].density = 1e4;
  const Mesh box = generate(BoxShape{.size = {1, 1, 0.1}, .cells = {4, 4, 1}});
  const Object& ton = add_object(model, "ton", ObjectType::rigid, box, {0, 0, 0.0600002});
  for (Index i = ton.vertices.begin; i < ton.vertices.end; ++i) block(model.initial_velocity, i) = Vec3(1, 0, 0);
  const Mesh plate = generate(BoxShape{.size = {0.5, 0.5, 0.01}, .cells = {2, 2, 2}});
  add_object(model, "leaf", ObjectType::rigid, plate, {0, 0, 0.0050001}).material = 1;
  finish_model(model);
  Options options;
  options.dt = 1e-3;
  options.contact.method = AutoOptions{};
  State state = initial_state(model);
  const double weight = 1000 * g;
  run(model, options, 60, state, [&](const StepReport& report) {
    EXPECT_LT(report.residual, 0.01 * weight * options.dt) << report.step;
    if (report.step > 1) {
      EXPECT_NEAR(report.impulse_prescribed[2], weight * options.dt, 0.02 * weight * options.dt) << report.step;
    }
  });
}

// A ball of meridians and circles of latitude about the y axis: what it rolls on along x has `segments` edges.
Mesh fine_ball(double radius, int segments, int rings) {
  Mesh mesh;
  for (int j = 1; j < rings; ++j) {
    const double polar = std::numbers::pi * j / rings;
    for (int i = 0; i < segments; ++i) {
      const double angle = 2 * std::numbers::pi * i / segments;
      mesh.vertices.emplace_back(radius * std::sin(polar) * std::sin(angle), -radius * std::cos(polar),
                                 radius * std::sin(polar) * std::cos(angle));
    }
  }
  const auto first = static_cast<Index>(mesh.vertices.size());
  mesh.vertices.emplace_back(0, -radius, 0);
  mesh.vertices.emplace_back(0, radius, 0);
  const auto at = [&](int j, int i) { return static_cast<Index>((j - 1) * segments + i % segments); };
  for (int i = 0; i < segments; ++i) {
    mesh.triangles.push_back({first, at(1, i + 1), at(1, i)});
    mesh.triangles.push_back({first + 1, at(rings - 1, i), at(rings - 1, i + 1)});
    for (int j = 1; j + 1 < rings; ++j) {
      mesh.triangles.push_back({at(j, i), at(j + 1, i + 1), at(j + 1, i)});
      mesh.triangles.push_back({at(j, i), at(j, i + 1), at(j + 1, i + 1)});
    }
  }
  return mesh;
}

double lowest(const Mesh& mesh) {
  double z = 0;
  for (const Vec3& x : mesh.vertices) z = std::min(z, x.z());
  return z;
}

TEST(Rigid, ABoxSlidesDownASlopeAsCoulombHasIt) {
  Model model = on_slope(30, 0.3);
  add_object(model, "box", ObjectType::rigid, generate(BoxShape{.size = {0.2, 0.2, 0.1}, .cells = {1, 1, 1}}),
             {0.01, 0.02, 0.05 + 2e-6});
  finish_model(model);
  State state = initial_state(model);
  const double start = state.rigid[0].center.x(), dt = 0.001;
  const int steps = 500;
  run(model, {.dt = dt}, steps, state);
  const double a = g * (std::sin(std::numbers::pi / 6) - 0.3 * std::cos(std::numbers::pi / 6));
  const double way = 0.5 * a * dt * dt * steps * (steps + 1);  // semi-implicit Euler
  EXPECT_NEAR(state.rigid[0].velocity.x(), a * dt * steps, 1e-4 * a * dt * steps);
  EXPECT_NEAR(state.rigid[0].center.x() - start, way, 1e-3 * way);
  EXPECT_LT(state.rigid[0].spin.norm(), 1e-4);
}

TEST(Rigid, ABoxHoldsBelowTheFrictionAngle) {
  Model model = on_slope(30, 0.6);  // tan 30 = 0.577
  add_object(model, "box", ObjectType::rigid, generate(BoxShape{.size = {0.2, 0.2, 0.1}, .cells = {1, 1, 1}}),
             {0.01, 0.02, 0.05 + 2e-6});
  finish_model(model);
  State state = initial_state(model);
  run(model, {.dt = 0.001}, 200, state);
  const VecX x = state.x;
  run(model, {.dt = 0.001}, 800, state);
  EXPECT_LT((state.x - x).cwiseAbs().maxCoeff(), 1e-6);
}

TEST(Rigid, ABallRollsDownASlopeWithoutSlipping) {
  Model model = on_slope(20, 0.8);
  const Mesh ball = fine_ball(0.1, 720, 4);
  add_object(model, "ball", ObjectType::rigid, ball, {0.01, 0.02, 2e-6 - lowest(ball)});
  finish_model(model);
  const RigidBody& body = model.rigid[0];
  const double dt = 0.001, r = -lowest(ball), inertia = body.inertia[1];  // of the faceted body
  ASSERT_LT((body.axes - Mat3::Identity()).norm(), 1e-12);
  State state = initial_state(model);
  const Vec3 start = state.rigid[0].center;
  const int steps = 300;
  run(model, {.dt = dt}, steps, state);
  const double a = g * std::sin(std::numbers::pi / 9) / (1 + inertia / (body.mass * r * r));
  const RigidState& end = state.rigid[0];
  EXPECT_NEAR(end.velocity.x(), a * dt * steps, 0.01 * a * dt * steps);
  EXPECT_NEAR(angular_velocity(body, end).y() * r, end.velocity.x(), 0.002 * end.velocity.x());
  EXPECT_NEAR(end.center.x() - start.x(), 0.5 * a * dt * dt * steps * (steps + 1), 0.01 * a * 0.045);
  EXPECT_NEAR(end.center.y(), start.y(), 1e-3);
}

TEST(Rigid, ATopOnItsTipPrecesses) {
  // A double cone, its tip down: four-sided, so that two of its moments are equal.
  Mesh mesh;
  mesh.vertices = {{0, 0, 0}, {0.1, 0, 0.06}, {0, 0.1, 0.06}, {-0.1, 0, 0.06}, {0, -0.1, 0.06}, {0, 0, 0.1}};
  for (Index i = 0; i < 4; ++i) {
    mesh.triangles.push_back({0, 1 + (i + 1) % 4, 1 + i});
    mesh.triangles.push_back({5, 1 + i, 1 + (i + 1) % 4});
  }
  const double tilt = 0.3;
  const Mat3 turn = Eigen::AngleAxisd(tilt, Vec3::UnitY()).toRotationMatrix();
  for (Vec3& x : mesh.vertices) x = turn * x;
  Model model = on_slope(0, 0.9);
  Object& top = add_object(model, "top", ObjectType::rigid, mesh, {0.01, 0.02, 2e-6});
  finish_model(model);
  // Steady precession about the tip: I1' W^2 cos - I3 w3 W + m g l = 0, the slow root.
  const RigidBody& body = model.rigid[0];
  const double l = (body.center - Vec3(0.01, 0.02, 2e-6)).norm(), spin = 120;
  const Vec3 axis = turn.col(2);
  Vec3 moments = body.inertia;
  std::sort(moments.data(), moments.data() + 3);
  ASSERT_NEAR(moments[0], moments[1], 1e-12);  // two are equal, the third is that of the axis
  const double I3 = moments[2], I1 = moments[0] + body.mass * l * l, c = std::cos(tilt);
  const double w3I3 = I3 * spin;
  const double rate = 2 * body.mass * g * l / (w3I3 + std::sqrt(w3I3 * w3I3 - 4 * I1 * c * body.mass * g * l));
  top.angular_velocity = rate * Vec3::UnitZ() + (spin - rate * c) * axis;
  top.velocity = top.angular_velocity.cross(l * axis);
  finish_model(model);
  State state = initial_state(model);
  const double dt = 2.5e-4, time = 0.5;
  run(model, {.dt = dt}, static_cast<int>(time / dt), state);
  const Vec3 now = state.rigid[0].turn * axis;
  const double angle = std::atan2(now.y(), now.x());
  EXPECT_GT(rate * time, 1);
  EXPECT_NEAR(angle, rate * time, 0.01 * rate * time);
  EXPECT_NEAR(std::acos(now.z()), tilt, 0.01);
}

struct Momenta {
  Vec3 linear, angular;
};
// With what the solves have left over, which the next step gets.
Momenta momenta(const Model& model, const State& state) {
  const Measures m = measure(model, state);
  Momenta sum{m.momentum, m.angular_momentum};
  for (Index i = 0; i < model.plan.vertex_count; ++i) {
    sum.linear += block(state.left_over, i);
    sum.angular += block(state.x, i).cross(Vec3(block(state.left_over, i)));
  }
  for (const RigidState& body : state.rigid) {
    sum.linear += body.left_over;
    sum.angular += body.center.cross(body.left_over) + body.left_over_spin;
  }
  return sum;
}

TEST(Rigid, TwoBodiesThatMeetKeepMomentumAndAngularMomentum) {
  Model model = empty_model(0.5);
  model.gravity.setZero();
  const Mesh box = generate(BoxShape{.size = {0.2, 0.1, 0.1}, .cells = {1, 1, 1}});
  Object& a = add_object(model, "a", ObjectType::rigid, box, {0, 0, 0});
  a.velocity = {1, 0.2, 0};
  a.angular_velocity = {1, 2, 5};
  Object& b = add_object(model, "b", ObjectType::rigid, generate(TorusShape{}), {0.25, 0.03, 0.01});
  b.velocity = {-1, 0, 0.1};
  finish_model(model);
  State state = initial_state(model);
  const Momenta before = momenta(model, state);
  const double energy = measure(model, state).kinetic_energy;
  Index most = 0;
  run(model, {.dt = 0.001}, 200, state, [&](const StepReport& report) { most = std::max(most, report.active); });
  const Momenta after = momenta(model, state);
  EXPECT_GT(most, 0);
  const double p = model.rigid[0].mass + model.rigid[1].mass;  // of about 1 m/s
  EXPECT_LT((after.linear - before.linear).norm(), 1e-12 * p);
  // Forces act where the bodies were at the start of the step of the impact: up to 2 m/s times its length apart.
  const double impulse = model.rigid[0].mass * (state.rigid[0].velocity - model.rigid[0].velocity).norm();
  EXPECT_GT(impulse, 1);
  EXPECT_LT((after.angular - before.angular).norm(), 2 * 0.001 * impulse);
  EXPECT_LT(measure(model, state).kinetic_energy, energy);
}

TEST(Rigid, ABodyThatHitsAnElasticOneKeepsMomentum) {
  Model model = empty_model(0.5);
  model.gravity.setZero();
  Object& ring = add_object(model, "ring", ObjectType::deformable, generate(TorusShape{}), {0.25, 0.03, 0.01});
  test::set_velocity(model, ring, {-1, 0, 0.1});
  add_object(model, "box", ObjectType::rigid, generate(BoxShape{.size = {0.2, 0.1, 0.1}, .cells = {1, 1, 1}}),
             {0, 0, 0})
      .velocity = {1, 0.2, 0};
  finish_model(model);
  State state = initial_state(model);
  const Momenta before = momenta(model, state);
  const double energy = measure(model, state).kinetic_energy, mass = model.rigid[0].mass + model.elastic.mass.sum();
  Index most = 0;
  Options options{.dt = 0.001};
  options.linear.tolerance = 1e-15;  // as far as it goes, in the steps without contacts
  run(model, options, 200, state, [&](const StepReport& report) { most = std::max(most, report.active); });
  EXPECT_GT(most, 0);
  EXPECT_LT((momenta(model, state).linear - before.linear).norm(), 1e-12 * mass);
  const Measures after = measure(model, state);
  EXPECT_LT(after.kinetic_energy + after.elastic_energy, energy);
}

Model wall(int courses) {
  Model model = empty_model(0.5);
  add_object(model, "floor", ObjectType::fixed, generate(SlabShape{}), {0, 0, -0.05});
  const Mesh whole = generate(BoxShape{.size = {0.2, 0.1, 0.1}, .cells = {1, 1, 1}});
  const Mesh half = generate(BoxShape{.size = {0.099, 0.1, 0.1}, .cells = {1, 1, 1}});
  for (int k = 0; k < courses; ++k) {
    const double z = 0.05 + 5e-6 + k * (0.1 + 5e-6);
    for (int i = 0; i < (k % 2 == 0 ? 3 : 2); ++i)
      add_object(model, "brick", ObjectType::rigid, whole, {(i - (k % 2 == 0 ? 1 : 0.5)) * 0.201, 0.01, z});
    for (const double side : {-1.0, 1.0}) {
      if (k % 2 == 1) add_object(model, "half brick", ObjectType::rigid, half, {side * 0.2515, 0.01, z});
    }
  }
  finish_model(model);
  return model;
}

// Iterations a step at rest, in the mean, of a box that was thrown.
double iterations_at_rest(double friction, const Vec3& velocity) {
  Model model = on_slope(0, friction);
  Object& box = add_object(model, "box", ObjectType::rigid,
                           generate(BoxShape{.size = {0.1, 0.1, 0.1}, .cells = {3, 3, 3}}), {0, 0, 0.051});
  box.velocity = velocity;
  box.angular_velocity = {1, 2, 3};
  finish_model(model);
  State state = initial_state(model);
  double sum = 0;
  run(model, {.dt = 1e-3}, 1200, state, [&](const StepReport& report) {
    if (report.step > 1000) sum += report.iterations;
  });
  EXPECT_LT(state.v.cwiseAbs().maxCoeff(), 1e-5);
  return sum / 200;
}

// Contacts that began to stick at different times hold positions that no motion brings back together, and must not
// brace the box between them for it: one in fifty throws then took some 20 iterations a step for ever.
TEST(Rigid, ABoxRestsOnARoughFloorWithFewIterations) {
  for (const double friction : {1.0, 2.0}) {
    for (const Vec3& velocity : {Vec3(1, 0.3, 0), Vec3(0.8, 0.5, 0), Vec3(-0.6, 0.9, 0)}) {
      EXPECT_LT(iterations_at_rest(friction, velocity), 5) << friction << ", " << velocity.transpose();
    }
  }
}

TEST(Rigid, AWallOfBricksStands) {
  const Model model = wall(6);
  State state = initial_state(model);
  const VecX start = state.x;
  run(model, {.dt = 0.002}, 500, state);
  const VecX middle = state.x;
  run(model, {.dt = 0.002}, 500, state);
  EXPECT_LT(measure(model, state).kinetic_energy, 1e-7);
  EXPECT_LT((middle - start).cwiseAbs().maxCoeff(), 1e-4);  // it settles by 6 gaps of 5e-6
  EXPECT_LT((state.x - middle).cwiseAbs().maxCoeff(), 5e-6);
}

TEST(Rigid, ATurntableTakesABoxRound) {
  Model model = empty_model(0.5);
  MotionSpec turning;
  turning.degrees_per_second = 90;
  add_object(model, "table", ObjectType::scripted, generate(CylinderShape{.radius = 0.5, .length = 0.1}),
             {0, 0, -0.05}, Motion(turning));
  add_object(model, "box", ObjectType::rigid, generate(BoxShape{.size = {0.1, 0.1, 0.1}, .cells = {1, 1, 1}}),
             {0.3, 0, 0.05 + 2e-6})
      .velocity = {0, 0.3 * std::numbers::pi / 2, 0};
  model.objects.back().angular_velocity = {0, 0, std::numbers::pi / 2};
  finish_model(model);
  State state = initial_state(model);
  run(model, {.dt = 0.001}, 1000, state);
  // 0.5 g holds it against w^2 r = 0.74 m/s^2: after a second it is a quarter of a turn further.
  EXPECT_LT((state.rigid[0].center - Vec3(0, 0.3, 0.05)).norm(), 1e-3);
  const Vec3 x = state.rigid[0].turn * Vec3::UnitX();
  EXPECT_LT((x - Vec3(0, 1, 0)).norm(), 5e-3);
}

TEST(Rigid, ATurntableDragsABoxThatWasAtRest) {
  Model model = empty_model(0.3);
  MotionSpec turning;
  turning.degrees_per_second = 120;
  add_object(model, "table", ObjectType::scripted, generate(CylinderShape{.radius = 0.5, .length = 0.1}),
             {0, 0, -0.05}, Motion(turning));
  add_object(model, "box", ObjectType::rigid, generate(BoxShape{.size = {0.1, 0.1, 0.04}, .cells = {1, 1, 1}}),
             {0.2, 0, 0.02 + 2e-6});
  finish_model(model);
  State state = initial_state(model);
  run(model, {.dt = 0.001}, 50, state);
  // At first it slides: friction accelerates it at mu g against the slip, which is along y.
  EXPECT_NEAR(state.rigid[0].velocity.y(), 0.3 * g * 0.05, 0.05 * 0.3 * g * 0.05);
  run(model, {.dt = 0.001}, 950, state);
  const Vec3 w(0, 0, 120 * std::numbers::pi / 180);  // then it goes round with the table
  EXPECT_LT((state.rigid[0].velocity - w.cross(state.rigid[0].center)).norm(), 5e-3);
  EXPECT_LT((angular_velocity(model.rigid[0], state.rigid[0]) - w).norm(), 0.02);
}

Model pile() {  // a rigid box that falls on an elastic ring beside another rigid one
  Model model = empty_model(0.5);
  add_object(model, "floor", ObjectType::fixed, generate(SlabShape{}), {0, 0, -0.05});
  add_object(model, "ring", ObjectType::deformable, generate(TorusShape{}), {0, 0, 0.021});
  add_object(model, "box", ObjectType::rigid, generate(BoxShape{.size = {0.2, 0.1, 0.1}, .cells = {1, 1, 1}}),
             {0.02, 0.01, 0.1})
      .angular_velocity = {1, 2, 0};
  add_object(model, "ball", ObjectType::rigid, generate(SphereShape{.radius = 0.05, .resolution = 2}),
             {0.03, 0.02, 0.25});
  finish_model(model);
  return model;
}

TEST(Rigid, BitsDoNotDependOnThreadsOrScratch) {
  const Model model = pile();
  const auto go = [&](int threads, bool keep) {
    set_thread_count(threads);
    State state = initial_state(model);
    auto scratch = std::make_unique<Scratch>();
    for (int n = 0; n < 250; ++n) {
      if (!keep) scratch = std::make_unique<Scratch>();
      EXPECT_TRUE(step(model, {.dt = 0.001}, state, *scratch).accepted);
    }
    set_thread_count(1);
    return state;
  };
  const State one = go(1, true);
  for (const State& other : {go(3, true), go(1, false)}) {
    EXPECT_TRUE((one.x.array() == other.x.array()).all());
    EXPECT_TRUE((one.v.array() == other.v.array()).all());
  }
}

TEST(Rigid, VerticesAreWhereThePoseHasThem) {
  const Model model = pile();
  State state = initial_state(model);
  run(model, {.dt = 0.001}, 400, state);
  for (std::size_t k = 0; k < model.rigid.size(); ++k) {
    const RigidBody& body = model.rigid[k];
    const double corner = (model.mesh.vertices[body.vertices.begin] - body.center).norm();
    const Vec3 first = block(state.x, body.vertices.begin);
    for (Index i = body.vertices.begin; i < body.vertices.end; ++i) {
      const double rest = (model.mesh.vertices[i] - model.mesh.vertices[body.vertices.begin]).norm();
      EXPECT_NEAR((block(state.x, i) - first).norm(), rest, 1e-14 * corner + 1e-15);
    }
  }
}

TEST(Rigid, EveryMethodTakesThem) {
  const Model model = pile();
  for (const SolverName& name : known_solvers()) {
    if (std::string(name.name) == "qp-active-set") continue;  // knows no friction
    Options options{.dt = 0.001};
    options.contact.method = method_by_name(name.name);
    // Staggered projections stall before a hundredth of the weight where rows depend on each other.
    if (std::holds_alternative<SpOptions>(options.contact.method)) options.contact.relative_momentum = 0.05;
    State state = initial_state(model);
    Scratch scratch;
    for (int n = 0; n < 250; ++n) {
      const StepReport report = step(model, options, state, scratch);
      ASSERT_EQ(report.status, StepStatus::converged)
          << name.name << ", step " << report.step << ": " << report.reason;
    }
    EXPECT_TRUE(initial_intersections(model.surface, state.x).empty()) << name.name;
    EXPECT_GT(state.rigid[0].center.z(), 0.08) << name.name;
  }
}

TEST(Rigid, ASurfaceThatIsNotClosedIsRefusedByName) {
  Model model = empty_model(0);
  Mesh open = generate(BoxShape{.size = {1, 1, 1}, .cells = {1, 1, 1}});
  open.triangles.pop_back();
  add_object(model, "bowl", ObjectType::rigid, open, {0, 0, 0});
  EXPECT_THROW(
      try { finish_model(model); } catch (const InputError& error) {
        EXPECT_NE(std::string(error.what()).find("\"bowl\""), std::string::npos) << error.what();
        throw;
      },
      InputError);
  Model inside_out = empty_model(0);
  Mesh box = generate(BoxShape{.size = {1, 1, 1}, .cells = {1, 1, 1}});
  for (Triangle& t : box.triangles) std::swap(t[0], t[1]);
  add_object(inside_out, "sock", ObjectType::rigid, box, {0, 0, 0});
  EXPECT_THROW(finish_model(inside_out), InputError);
}

}  // namespace rigid_test
}  // namespace sim
