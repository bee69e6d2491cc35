// What is held cannot give way to what is driven: the run ends before one is led through the other.
#include <gtest/gtest.h>

#include <cmath>
#include <utility>

#include "mesh/generate.hpp"
#include "step/step.hpp"
#include "stepper/stepper.hpp"
#include "support/objects.hpp"

namespace sim {
namespace prescribed_test {

using test::add;

constexpr double dt = 1e-3, size = 0.2, thickness = 0.02;

Motion at_speed(const Vec3& velocity) {
  return Motion(MotionSpec{.velocity = velocity});
}

// A cube of which the face at x = -0.1 is held, or goes as `held` says, and a wall in front of it.
Model cube_and_wall(double gap, const Vec3& held, const Vec3& wall, double aside) {
  Model model;
  model.materials = {{.name = "soft", .young = 1e6, .poisson = 0.3, .density = 1000}};
  model.initial_velocity.resize(0);
  model.friction = 0.5;
  model.gravity.setZero();
  const Object cube = add(model, "cube", ObjectType::deformable,
                          generate(BoxShape{.size = {size, size, size}, .cells = {3, 3, 3}}), Vec3::Zero());
  PrescribedVertices face{{}, at_speed(held)};
  for (Index i = cube.vertices.begin; i < cube.vertices.end; ++i) {
    if (model.mesh.vertices[i][0] < -0.5 * size + 1e-9) face.vertices.push_back(i);
  }
  model.prescribed.push_back(std::move(face));
  add(model, "wall", ObjectType::scripted, generate(BoxShape{.size = {thickness, 1, 1}, .cells = {1, 1, 1}}),
      {-0.5 * size - gap - 0.5 * thickness, aside, 0.03}, Vec3::Zero(), at_speed(wall));
  finish_model(model);
  return model;
}

// Steps that were accepted of those asked for; `last` is the report of the last one.
int run(const Model& model, int steps, StepReport& last, StepperKind kind = StepperKind::implicit) {
  const Options options{.dt = dt, .stepper = kind};
  State state = initial_state(model);
  Stepper stepper = make_stepper(options);
  for (int n = 0; n < steps; ++n) {
    last = advance(model, options, state, stepper);
    if (!last.accepted) return n;
  }
  return steps;
}

// Aside by 0 the diagonal of the wall's face meets edges of the cube that move at one end; aside by 0.3 it does not.
class AWall : public testing::TestWithParam<double> {};

TEST_P(AWall, EndsTheRunBeforeItGoesThroughWhatIsHeld) {
  constexpr double gap = 0.01, speed = 0.31;
  StepReport last;
  EXPECT_EQ(run(cube_and_wall(gap, Vec3::Zero(), {speed, 0, 0}, GetParam()), 60, last),
            static_cast<int>(std::floor(gap / (speed * dt))));
  EXPECT_EQ(last.status, StepStatus::breakdown);
  EXPECT_NE(last.reason.find("cube"), std::string::npos) << last.reason;
  EXPECT_NE(last.reason.find("wall"), std::string::npos) << last.reason;
}

INSTANTIATE_TEST_SUITE_P(Places, AWall, testing::Values(0.0, 0.3));

TEST(Prescribed, WhatIsDrivenThroughAnObstacleEndsTheRunToo) {
  constexpr double gap = 0.01, speed = 0.31;
  StepReport last;
  EXPECT_EQ(run(cube_and_wall(gap, {-speed, 0, 0}, Vec3::Zero(), 0.3), 60, last),
            static_cast<int>(std::floor(gap / (speed * dt))));
}

// Neither answers of contacts nor layers can hold it, and frames in which it had gone through were "converged".
TEST(Prescribed, EndsRunsByLocalForcesAndByLayersAsWell) {
  constexpr double gap = 0.01, speed = 0.31;
  for (const StepperKind kind : {StepperKind::local, StepperKind::asynchronous}) {
    for (const double aside : {0.0, 0.3}) {
      StepReport last;
      EXPECT_EQ(run(cube_and_wall(gap, Vec3::Zero(), {speed, 0, 0}, aside), 60, last, kind),
                static_cast<int>(std::floor(gap / (speed * dt))));
      EXPECT_EQ(last.status, StepStatus::breakdown);
      EXPECT_NE(last.reason.find("prescribed motion leads"), std::string::npos) << last.reason;
    }
    StepReport last;
    EXPECT_EQ(run(cube_and_wall(1e-6, Vec3::Zero(), {0, 0.3, 0}, 0), 20, last, kind), 20) << last.reason;
  }
}

TEST(Prescribed, WhatGoesAlongOrPassesBesideGoesOn) {
  StepReport last;
  EXPECT_EQ(run(cube_and_wall(1e-6, {0.3, 0, 0}, {0.3, 0, 0}, 0), 20, last), 20) << last.reason;
  EXPECT_EQ(run(cube_and_wall(1e-6, Vec3::Zero(), {0, 0.3, 0}, 0), 20, last), 20) << last.reason;
  EXPECT_EQ(run(cube_and_wall(0, Vec3::Zero(), {0, 0.3, 0}, 0), 20, last), 20) << last.reason;
}

TEST(Prescribed, ExcludedPairsPass) {
  Model model = cube_and_wall(0.01, Vec3::Zero(), {0.31, 0, 0}, 0.3);
  model.surface.groups = {.of_object = {0, 1}, .count = 2, .excluded = {0, 1, 1, 0}};
  StepReport last;
  EXPECT_EQ(run(model, 60, last), 60) << last.reason;
}

}  // namespace prescribed_test
}  // namespace sim
