// Elastic bodies that turn, however stiff: no energy from nothing, angular momentum kept, what the turn asks for
// left.
#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <cmath>

#include "mesh/generate.hpp"
#include "support/objects.hpp"

namespace sim {
namespace {

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

}  // namespace
}  // namespace sim
