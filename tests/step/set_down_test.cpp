// What is set down beside the angle of friction: friction may not let through in the first step what it holds in all
// others. Its impulse, all in all, is mu times that of the floor's normal forces.
#include <gtest/gtest.h>

#include <numbers>

#include "mesh/generate.hpp"
#include "step/step.hpp"
#include "support/objects.hpp"

namespace sim {
namespace set_down_test {

using test::add_object;

constexpr double gravity = 9.81, mu = 0.46, slope = 25 * std::numbers::pi / 180;  // tan 25 degrees: 0.4663

struct SetDown {
  double gap;  // m, where eps2 is 6.25e-6 m
  double dt;   // s
};

class SetDownOnASlope : public testing::TestWithParam<SetDown> {};

TEST_P(SetDownOnASlope, SlidesAsCoulombHasIt) {
  const auto [gap, dt] = GetParam();
  Model model;
  model.materials = {{.name = "wood", .density = 1000}};
  model.initial_velocity.resize(0);
  model.friction = mu;
  model.gravity = gravity * Vec3(std::sin(slope), 0, -std::cos(slope));
  const Object block_on_it =
      add_object(model, "block", ObjectType::rigid, generate(BoxShape{.size = {0.2, 0.2, 0.1}, .cells = {4, 4, 2}}),
                 {0, 0, 0.05 + gap});
  add_object(model, "floor", ObjectType::fixed, generate(SlabShape{.size = {8, 8}}), {0, 0, -0.05});
  finish_model(model);
  State state = initial_state(model);
  Scratch scratch;
  const int steps = static_cast<int>(std::lround(0.04 / dt));
  for (int n = 1; n <= steps; ++n)
    ASSERT_EQ(step(model, {.dt = dt}, state, scratch).status, StepStatus::converged) << "step " << n;
  // In any time t, from rest to no motion along the normal: v = g (sin a - mu cos a) t.
  const double expected = gravity * (std::sin(slope) - mu * std::cos(slope)) * steps * dt;
  const Vec3 v =
      state.rigid[static_cast<std::size_t>(model.surface.vertex_body[block_on_it.vertices.begin])].velocity;
  EXPECT_NEAR(v[2], 0, 1e-5);
  EXPECT_NEAR(v[0], expected, 0.01 * gravity * dt);  // what a step may miss
}

INSTANTIATE_TEST_SUITE_P(Gaps, SetDownOnASlope,
                         testing::Values(SetDown{2.5e-6, 2e-3}, SetDown{3e-6, 1e-3}, SetDown{8e-6, 2e-3},
                                         SetDown{1e-4, 2e-3}, SetDown{1e-4, 2e-4}),
                         [](const auto& at) { return "Case" + std::to_string(at.index); });

// Cubes rim on rim, a hundred millionth of their size apart. Their rims had the normals of each other's sides, bore
// the upper one as a wedge, and no method could solve the second step.
TEST(SetDown, CubesThatBeginNearlyInTouchBearEachOther) {
  for (const double size : {0.1, 1.0, 10.0}) {
    for (const Index cells : {1, 2, 3}) {
      Model model;
      model.materials = {{.name = "wood", .density = 1000}};
      model.initial_velocity.resize(0);
      model.friction = 0.5;
      model.gravity = {0, 0, -gravity};
      const double gap = 1e-8 * size;
      const BoxShape cube{.size = {size, size, size}, .cells = {cells, cells, cells}};
      add_object(model, "lower", ObjectType::rigid, generate(cube), {0, 0, 0.5 * size + gap});
      add_object(model, "upper", ObjectType::rigid, generate(cube), {0, 0, 1.5 * size + 2 * gap});
      add_object(model, "floor", ObjectType::fixed, generate(SlabShape{.size = {5 * size, 5 * size}}), {0, 0, -0.05});
      finish_model(model);
      State state = initial_state(model);
      Scratch scratch;
      for (int n = 1; n <= 5; ++n)
        ASSERT_EQ(step(model, {.dt = 2e-3}, state, scratch).status, StepStatus::converged) << size << ", " << n;
      Vec3 force = Vec3::Zero();  // of the floor and the lower one on what is above
      double aside = 0;
      for (const Contact& c : state.contacts.contacts) {
        const double up = c.n[2] > 0 ? 1 : -1;
        force += up * c.lambda * c.n;
        aside += c.lambda * c.n.head<2>().norm();
      }
      const double weight = gravity * 1000 * size * size * size;
      EXPECT_NEAR(force[2], 3 * weight, 0.03 * weight) << size << ", " << cells;
      EXPECT_LT(aside, 1e-6 * weight) << size << ", " << cells;
      for (const RigidState& body : state.rigid) EXPECT_LT(body.velocity.norm(), 1e-5) << size << ", " << cells;
    }
  }
}

}  // namespace set_down_test
}  // namespace sim
