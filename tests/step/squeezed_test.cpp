// Bodies that are squeezed to nearly nothing resist, keep the orientation of their elements, and come to rest.
#include <gtest/gtest.h>

#include <algorithm>

#include "mesh/generate.hpp"
#include "model/measure.hpp"
#include "step/step.hpp"
#include "support/models.hpp"
#include "support/objects.hpp"

namespace sim {
namespace squeezed_test {

constexpr double side = 0.1, young = 1e5;  // m, Pa

Mesh cube() {
  return generate(BoxShape{.size = {side, side, side}, .cells = {3, 3, 3}});
}

class Squeezed : public testing::TestWithParam<MaterialModel> {
 protected:
  Material material(double poisson, double stiffness_damping = 0) const {
    return {.name = "soft",
            .model = GetParam(),
            .young = young,
            .poisson = poisson,
            .density = 1000,
            .stiffness_damping = stiffness_damping};
  }
};
std::string name_of(const testing::TestParamInfo<MaterialModel>& test) {
  if (test.param == MaterialModel::mooney_rivlin) return "MooneyRivlin";
  return test.param == MaterialModel::corotational ? "Corotational" : "NeoHookean";
}
INSTANTIATE_TEST_SUITE_P(Laws, Squeezed,
                         testing::Values(MaterialModel::corotational, MaterialModel::neo_hookean,
                                         MaterialModel::mooney_rivlin),
                         name_of);

class SqueezedAsPublished : public Squeezed {};
INSTANTIATE_TEST_SUITE_P(Laws, SqueezedAsPublished,
                         testing::Values(MaterialModel::corotational, MaterialModel::neo_hookean), name_of);

struct Pressing {
  Index inverted = 0;         // most of any step
  double least_volume = 1;    // ratio, of any step
  std::vector<double> force;  // N, on the upper face, a step
};

// The upper face of a cube comes down to `left` of the cube's height, the lower one is held.
Pressing press(const Material& material, double left) {
  constexpr Index steps = 100;
  constexpr double dt = 0.01;
  Model model = test::one_body(cube(), material);
  test::pin(model, [](const Vec3& X) { return X.z() < -0.49 * side; });
  MotionSpec down;
  const double speed = (1 - left) * side / (steps * dt);
  down.velocity = {0, 0, -speed};
  model.prescribed.push_back(
      {test::vertices_where(model, [](const Vec3& X) { return X.z() > 0.49 * side; }), Motion(down)});
  finish_model(model);
  State state = initial_state(model);
  Scratch scratch;
  Pressing result;
  for (Index n = 0; n < steps; ++n) {
    const StepReport report = step(model, {.dt = dt, .detect_collisions = false}, state, scratch);
    EXPECT_EQ(report.status, StepStatus::converged) << report.reason;
    if (!report.accepted) return result;
    result.inverted = std::max(result.inverted, report.inverted);
    result.least_volume = std::min(result.least_volume, report.min_volume_ratio);
    result.force.push_back(report.work_prescribed / (speed * dt));
  }
  return result;
}

TEST_P(Squeezed, ACubePressedToATwentiethPushesBackEverHarder) {
  const Pressing pressed = press(material(0.3), 0.05);
  EXPECT_EQ(pressed.inverted, 0);
  EXPECT_GT(pressed.least_volume, 0);
  EXPECT_LT(pressed.least_volume, 0.1);
  ASSERT_EQ(pressed.force.size(), 100U);
  for (std::size_t n = 1; n < pressed.force.size(); ++n)
    EXPECT_GT(pressed.force[n], pressed.force[n - 1]) << "step " << n + 1;
  EXPECT_GT(pressed.force.back(), 10 * young * side * side);
}

TEST_P(SqueezedAsPublished, TheSameCubeIsTurnedInsideOut) {
  Material published = material(0.3);
  published.as_published = true;
  EXPECT_GT(press(published, 0.05).inverted, 0);
}

// Its lower layers carry up to twenty times its stiffness. They buckle, and what is left then creeps: by a factor of
// 5 in 25 steps of neo_hookean.
TEST_P(Squeezed, ACubeUnderAHugeWeightOfItsOwnComesToRestWithVolume) {
  Model model = test::one_body(cube(), material(0.3, 0.02));
  test::pin(model, [](const Vec3& X) { return X.z() < -0.49 * side; });
  model.gravity = {0, 0, -20 * young / (1000 * side)};
  finish_model(model);
  State state = initial_state(model);
  Scratch scratch;
  double first_energy = 0;
  for (Index n = 0; n < 300; ++n) {
    const StepReport report = step(model, {.dt = 0.005, .detect_collisions = false}, state, scratch);
    ASSERT_EQ(report.status, StepStatus::converged) << report.reason;
    ASSERT_EQ(report.inverted, 0) << "step " << report.step;
    first_energy = std::max(first_energy, report.kinetic_energy);
    if (n == 299) {
      EXPECT_LT(report.kinetic_energy, 1e-9 * first_energy);
    }
  }
}

TEST_P(Squeezed, AnElementThatBeginsJustInsideOutTurnsBack) {
  Model model = test::one_body(cube(), material(0.3));
  finish_model(model);
  State state = initial_state(model);
  // A corner, past the opposite faces of its tets: their heights are a third of the cube's.
  const Index corner = test::vertices_where(model, [](const Vec3& X) { return X.minCoeff() > 0.49 * side; }).front();
  block(state.x, corner) -= Vec3::Constant(0.34 * side);
  const VolumeSummary first = measure(model, state).volumes;
  ASSERT_GT(first.inverted, 0);
  ASSERT_LT(first.of_all.ratio, -0.01);
  Scratch scratch;
  StepReport report;
  for (Index n = 0; n < 200; ++n) {
    report = step(model, {.dt = 0.002, .detect_collisions = false}, state, scratch);
    ASSERT_EQ(report.status, StepStatus::converged) << report.reason;
  }
  EXPECT_EQ(report.inverted, 0);
  EXPECT_GT(report.min_volume_ratio, 0.99);
}

// Faster than its waves, and by its diameter a step.
TEST_P(Squeezed, ABallThrownAtAWallWithALongStepKeepsItsElements) {
  Model model;
  model.gravity.setZero();
  model.materials = {material(0.3)};
  model.initial_velocity.resize(0);
  test::add_object(model, "wall", ObjectType::fixed, generate(SlabShape{.size = {2, 2}}), {0, 0, -0.05});
  test::add_object(model, "ball", ObjectType::deformable, generate(SphereShape{.radius = 0.05, .resolution = 3}),
                   {0, 0, 0.1});
  test::set_velocity(model, model.objects[1], {0, 0, -20});
  finish_model(model);
  State state = initial_state(model);
  Scratch scratch;
  Index most_parts = 1;
  for (Index n = 0; n < 20; ++n) {
    const StepReport report = step(model, {.dt = 0.005}, state, scratch);
    ASSERT_EQ(report.status, StepStatus::converged) << report.reason;
    EXPECT_EQ(report.inverted, 0) << "step " << report.step;
    most_parts = std::max(most_parts, report.substeps);
  }
  if (GetParam() == MaterialModel::corotational) {
    EXPECT_GT(most_parts, 1);  // one step would lead through zero volume
  }
  for (Index i = model.objects[1].vertices.begin; i < model.objects[1].vertices.end; ++i)
    EXPECT_GT(block(state.x, i).z(), 0);
}

}  // namespace squeezed_test
}  // namespace sim
