// A step is the same in every inertial frame: what lies on a belt at 10 m/s goes its way as if the belt stood still.
#include <gtest/gtest.h>

#include "mesh/generate.hpp"
#include "step/step.hpp"
#include "support/objects.hpp"

namespace sim {
namespace frame_test {

using test::add_object;
using test::set_velocity;

constexpr double dt = 0.001;

Model cube_on_belt(ObjectType type, const Vec3& velocity) {
  Model model;
  model.materials = {{.name = "rubber", .young = 5e5, .poisson = 0.3, .density = 1000}};
  model.initial_velocity.resize(0);
  MotionSpec belt;
  belt.velocity = velocity;
  const Object cube = add_object(model, "cube", type, generate(BoxShape{.size = {0.1, 0.1, 0.1}, .cells = {2, 2, 2}}),
                                 {0.01, 0.02, 0.05 + 2e-6});
  set_velocity(model, cube, velocity);
  model.objects[0].velocity = velocity;
  add_object(model, "belt", ObjectType::scripted, generate(SlabShape{.size = {8, 8}}), {0, 0, -0.05}, Motion(belt));
  finish_model(model);
  return model;
}

class Frame : public testing::TestWithParam<ObjectType> {};

TEST_P(Frame, ACubeOnABeltLiesAsOnAFloor) {
  const Vec3 velocity(10, 3, 0);
  const Model still = cube_on_belt(GetParam(), Vec3::Zero()), moving = cube_on_belt(GetParam(), velocity);
  State at_rest = initial_state(still), carried = initial_state(moving);
  Scratch scratch, other;
  Index active = 0;
  for (int n = 1; n <= 300; ++n) {
    ASSERT_EQ(step(still, {.dt = dt}, at_rest, scratch).status, StepStatus::converged) << "step " << n;
    const StepReport report = step(moving, {.dt = dt}, carried, other);
    ASSERT_EQ(report.status, StepStatus::converged) << "step " << n;
    active = report.active;
    double farthest = 0;
    for (Index i = 0; i < still.objects[0].vertices.end; ++i) {
      const Vec3 expected = block(at_rest.x, i) + n * dt * velocity;
      farthest = std::max(farthest, (block(carried.x, i) - expected).norm());
    }
    ASSERT_LT(farthest, 1e-8) << "step " << n;
  }
  EXPECT_GT(active, 3);
}

INSTANTIATE_TEST_SUITE_P(All, Frame, testing::Values(ObjectType::deformable, ObjectType::rigid),
                         [](const auto& cube) { return std::string(to_string(cube.param)); });

}  // namespace frame_test
}  // namespace sim
