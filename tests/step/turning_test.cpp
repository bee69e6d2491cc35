// Elastic bodies that turn, however stiff: no energy from nothing, angular momentum kept, what the turn asks for
// left.
#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <cmath>
#include <numbers>

#include "mesh/generate.hpp"
#include "step/step.hpp"
#include "support/models.hpp"
#include "support/objects.hpp"

namespace sim {
namespace turning_test {

// 1 to 2 to 3 decimetres, which tumbles at about 10 rad/s.
Model brick(double young, double damping = 0) {
  Model model;
  model.gravity.setZero();
  model.materials = {{.name = "m", .young = young, .poisson = 0.3, .density = 7800, .stiffness_damping = damping}};
  model.initial_velocity.resize(0);
  test::add_object(model, "brick", ObjectType::deformable,
                   generate(BoxShape{.size = {0.3, 0.2, 0.1}, .cells = {3, 2, 1}}), {0, 0, 0});
  const Vec3 w(10, 0.5, 2), drift(1, 2, 3);
  for (Index i = 0; i < static_cast<Index>(model.mesh.vertices.size()); ++i)
    block(model.initial_velocity, i) = drift + w.cross(model.mesh.vertices[i]);
  finish_model(model);
  return model;
}

struct Tumble {
  double first = 0, most = 0, last = 0, elastic = 0, damped = 0;  // J
  Vec3 spin_before, spin_after;                                   // kg m^2/s
};
Tumble tumble(const Model& model, const Options& options, int steps) {
  State state = initial_state(model);
  Scratch scratch;
  Tumble result;
  const Measures start = measure(model, state);
  result.first = start.kinetic_energy;
  result.spin_before = start.angular_momentum;
  for (int n = 0; n < steps; ++n) {
    const StepReport report = step(model, options, state, scratch);
    EXPECT_EQ(report.status, StepStatus::converged) << report.reason;
    result.last = report.kinetic_energy + report.elastic_energy;
    result.most = std::max(result.most, result.last);
    result.elastic = std::max(result.elastic, report.elastic_energy);
    result.damped += report.dissipation_damping;
    result.spin_after = report.angular_momentum;
  }
  return result;
}

class Turning : public testing::TestWithParam<double> {};

// Of the linearisation at the start of the step 2e11 Pa made 40 times the energy of the motion at dt 0.01.
TEST_P(Turning, ATumblingBrickKeepsItsEnergyAndAngularMomentum) {
  for (const double dt : {1e-3, 1e-2}) {
    const Tumble result = tumble(brick(GetParam()), {.dt = dt}, 100);
    EXPECT_LT(result.most, 1.001 * result.first) << dt;
    EXPECT_GT(result.last, 0.999 * result.first) << dt;
    EXPECT_LT((result.spin_after - result.spin_before).norm(), 1e-4 * result.spin_before.norm()) << dt;
  }
}

INSTANTIATE_TEST_SUITE_P(Stiffnesses, Turning, testing::Values(1e7, 1e9, 2e11, 1e12),
                         [](const auto& young) { return "Young1e" + std::to_string(int(std::log10(young.param))); });

// An impact turns it the other way within the step. With the turn of the free body 2e11 Pa made 660 J of 133 J at
// dt 5e-3.
TEST_P(Turning, ABrickThatHitsAFloorMakesNoEnergy) {
  for (const double dt : {1e-3, 5e-3}) {
    Model model;
    model.materials = {{.name = "m", .young = GetParam(), .poisson = 0.3, .density = 7800}};
    model.initial_velocity.resize(0);
    const Object brick =
        test::add_object(model, "brick", ObjectType::deformable,
                         generate(BoxShape{.size = {0.3, 0.2, 0.1}, .cells = {3, 2, 1}}), {0, 0, 0.2});
    for (Index i = brick.vertices.begin; i < brick.vertices.end; ++i)
      block(model.initial_velocity, i) =
          Vec3(0, 0, -1) + Vec3(9, 4, 2).cross(model.mesh.vertices[i] - Vec3(0, 0, 0.2));
    test::add_object(model, "floor", ObjectType::fixed, generate(SlabShape{.size = {4, 4}}), {0, 0, -0.05});
    finish_model(model);
    State state = initial_state(model);
    Scratch scratch;
    const Measures start = measure(model, state);
    const double first = start.kinetic_energy + start.potential_energy;
    double before = first + start.elastic_energy, most_rise = 0, hits = 0;
    for (int n = 0; n < static_cast<int>(std::lround(0.4 / dt)); ++n) {
      const StepReport report = step(model, {.dt = dt}, state, scratch);
      ASSERT_EQ(report.status, StepStatus::converged) << report.reason;
      const double energy = report.kinetic_energy + report.elastic_energy + report.potential_energy;
      most_rise = std::max(most_rise, energy - before);
      before = energy;
      hits += report.active > 0 ? 1 : 0;
    }
    EXPECT_GT(hits, 2);
    EXPECT_LT(before, 0.9 * first);
    EXPECT_LT(most_rise, 1e-3 * first) << dt;
  }
}

// A bar of half a metre, held by an edge or by a hub.
Model bar(double young, const std::function<bool(const Vec3&)>& held, Motion motion = Motion()) {
  Model model = test::one_body(generate(BoxShape{.size = {0.5, 0.05, 0.05}, .cells = {10, 1, 1}}),
                               {.name = "m", .young = young, .poisson = 0.3, .density = 1000});
  model.prescribed.push_back({test::vertices_where(model, held), std::move(motion)});
  finish_model(model);
  return model;
}

// A pendulum: straight ways stretched 2e11 Pa for 305 J at dt 5e-3, where 3 J swing. Held by an edge it has the
// period of a rigid one of its vertices' masses.
TEST_P(Turning, APendulumIsNotStretchedAsItSwings) {
  constexpr double dt = 5e-3, gravity = 9.81;
  Model model = bar(GetParam(), [](const Vec3& X) { return X.x() < -0.2499 && X.z() < -0.0249; });
  model.gravity = {0, 0, -gravity};
  double mass = 0, inertia = 0, moment = 0, height = 0;  // about the edge
  for (Index i = 0; i < static_cast<Index>(model.mesh.vertices.size()); ++i) {
    const Vec3 arm = model.mesh.vertices[i] - Vec3(-0.25, model.mesh.vertices[i].y(), -0.025);
    const double m = model.elastic.mass[i];
    mass += m;
    inertia += m * arm.squaredNorm();
    moment += m * arm.x();
    height += m * arm.z();
  }
  const double lever = std::hypot(moment, height);  // kg m
  State state = initial_state(model);
  Scratch scratch;
  double elastic = 0, angle = 0, speed = 0;
  for (int n = 1; n <= 60; ++n) {
    const StepReport report = step(model, {.dt = dt}, state, scratch);
    ASSERT_EQ(report.status, StepStatus::converged) << report.reason;
    elastic = std::max(elastic, report.elastic_energy);
    for (int k = 0; k < 1000; ++k) {  // the rigid one
      speed -= dt / 1000 * gravity * lever / inertia * std::cos(std::atan2(height, moment) + angle);
      angle += dt / 1000 * speed;
    }
  }
  const Index tip = test::vertices_where(model, [](const Vec3& X) { return X.x() > 0.2499 && X.z() < 0; }).front();
  const Vec3 arm = block(state.x, tip) - Vec3(-0.25, 0, -0.025);
  EXPECT_NEAR(std::atan2(arm.z(), arm.x()), angle, 0.02);
  EXPECT_LT(elastic, 1e-2 * gravity * lever);
}

// Its hub goes round at 20 rad/s: what moves with it carries m w^2 r, and no more.
TEST_P(Turning, ABarOnADrivenHubIsStretchedByWhatHoldsItOnly) {
  constexpr double speed = 20;
  MotionSpec round;
  round.degrees_per_second = speed * 180 / std::numbers::pi;
  Model model = bar(
      GetParam(), [](const Vec3& X) { return std::abs(X.x()) < 0.0501; }, Motion(round));
  for (Index i = 0; i < static_cast<Index>(model.mesh.vertices.size()); ++i)
    block(model.initial_velocity, i) = Vec3(0, 0, speed).cross(model.mesh.vertices[i]);
  State state = initial_state(model);
  Scratch scratch;
  double elastic = 0;
  for (int n = 1; n <= 60; ++n) {
    const StepReport report = step(model, {.dt = 5e-3}, state, scratch);
    ASSERT_EQ(report.status, StepStatus::converged) << report.reason;
    elastic = std::max(elastic, report.elastic_energy);
  }
  // Of a bar: stress rho w^2 (R^2 - r^2) / 2, twice along 0.05 to 0.25 m.
  double stretched = 0;
  for (double r = 0.05; r < 0.25; r += 1e-4)
    stretched += 2 * 1e-4 * 0.05 * 0.05 * std::pow(500 * speed * speed * (0.0625 - r * r), 2) / (2 * GetParam());
  const double kinetic = measure(model, state).kinetic_energy;
  EXPECT_LT(elastic, 4 * stretched + 1e-5 * kinetic);
}

// What holds a ring together as it turns stretches it by rho w^2 r^2 / E, and that is not taken from it.
TEST(Turning, ASpinningRingIsStretched) {
  Model model;
  model.gravity.setZero();
  model.materials = {{.name = "m", .young = 1e6, .poisson = 0.3, .density = 1000, .stiffness_damping = 2e-3}};
  model.initial_velocity.resize(0);
  test::add_object(model, "ring", ObjectType::deformable,
                   generate(TorusShape{.segments = 36, .major_radius = 0.1, .side = 0.01}), {0, 0, 0});
  for (Index i = 0; i < static_cast<Index>(model.mesh.vertices.size()); ++i)
    block(model.initial_velocity, i) = Vec3(0, 0, 30).cross(model.mesh.vertices[i]);
  finish_model(model);
  State state = initial_state(model);
  Scratch scratch;
  for (int n = 0; n < 500; ++n) step(model, {.dt = 1e-3, .detect_collisions = false}, state, scratch);
  double before = 0, after = 0;
  for (Index i = 0; i < static_cast<Index>(model.mesh.vertices.size()); ++i) {
    before += model.mesh.vertices[i].norm();
    after += block(state.x, i).norm();
  }
  EXPECT_NEAR(after / before - 1, 1000 * 9 / 1e6, 5e-4);
}

// A turn strains nothing, so damping of strains takes nothing of it.
TEST(Turning, ATurnIsNotDamped) {
  const Tumble result = tumble(brick(1e9, 1e-4), {.dt = 1e-3}, 100);
  EXPECT_GE(result.damped, 0);
  EXPECT_LT(result.damped, 1e-3 * result.first);
  EXPECT_GT(result.last, 0.99 * result.first);
}

TEST(Turning, AsPublishedIsAsPublished) {
  const Model model = brick(1e9);
  const Tumble ours = tumble(model, {.dt = 1e-3}, 1);
  const Tumble published = tumble(model, {.dt = 1e-3, .contact = {.as_published = true}}, 1);
  EXPECT_GT(published.elastic, 10 * ours.elastic);
}

}  // namespace turning_test
}  // namespace sim
