// The step as published, with the published form of every method.
#include "model/published.hpp"

#include <gtest/gtest.h>

#include "mesh/generate.hpp"
#include "support/objects.hpp"

namespace sim {
namespace published_test {

constexpr double dt = 0.001, eps2 = 5e-6;

// A cube that comes down on a floor, sliding where there is friction.
Model cube_over_floor(double friction, double gap = 2e-4, const Vec3& velocity = {0.2, 0, -0.1}) {
  Model model;
  model.materials = {{.name = "rubber", .young = 5e5, .poisson = 0.3, .density = 1000}};
  model.initial_velocity.resize(0);
  model.friction = friction;
  const Object cube =
      test::add_object(model, "cube", ObjectType::deformable,
                       generate(BoxShape{.size = {0.1, 0.1, 0.1}, .cells = {2, 2, 2}}), {0.01, 0.02, 0.05 + gap});
  test::set_velocity(model, cube, velocity);
  test::add_object(model, "floor", ObjectType::fixed, generate(SlabShape{.size = {8, 8}}), {0, 0, -0.05});
  finish_model(model);
  return model;
}

class PublishedStep : public testing::TestWithParam<const char*> {
 protected:
  static Options options() {
    Options options{.dt = dt, .method = GetParam()};
    options.contact.tolerance = {5e-5, eps2};
    run_as_published(GetParam(), options);
    return options;
  }
};

TEST_P(PublishedStep, SetsACubeDownOnAFloorWithinTheGap) {
  const double friction = std::string(GetParam()) == "qp-active-set" ? 0 : 0.5;
  const Model model = cube_over_floor(friction);
  State state = initial_state(model);
  Scratch scratch;
  Index contacts = 0;
  for (int n = 1; n <= 100; ++n) {
    const StepReport report = step(model, options(), state, scratch);
    ASSERT_TRUE(report.accepted) << "step " << n << ": " << report.reason;
    ASSERT_EQ(report.status, StepStatus::converged) << "step " << n << ": " << report.reason;
    if (report.active > 0) {
      ASSERT_GT(report.min_gap, 0) << "step " << n;
    }
    ASSERT_TRUE(state.left_over.isZero(0));
    for (const Contact& contact : state.contacts.contacts) ASSERT_EQ(contact.drift[0], 0);
    contacts = std::max(contacts, report.active);
  }
  EXPECT_GE(contacts, 4);
  double lowest = 1;
  for (Index i = 0; i < model.objects[0].vertices.end; ++i) lowest = std::min(lowest, block(state.x, i).z());
  EXPECT_GT(lowest, 0);
  EXPECT_LT(lowest, 0.002);  // it may bounce
}

// Without weight and motion nothing collides: what has a contact has it because it is near.
TEST(ProximitySet, IsWhatIsNearerThanTheToleranceWhenTheStepBegins) {
  const auto contacts_after_a_step = [](const char* method, double gap) {
    Model model = cube_over_floor(0.5, gap, Vec3::Zero());
    model.gravity.setZero();
    Options options{.dt = dt, .method = method};
    options.contact.tolerance = {5e-5, eps2};
    run_as_published(method, options);
    State state = initial_state(model);
    Scratch scratch;
    EXPECT_EQ(step(model, options, state, scratch).status, StepStatus::converged);
    return state.contacts.contacts.size();
  };
  EXPECT_GE(contacts_after_a_step("ica", 0.4 * eps2), 4U);
  EXPECT_EQ(contacts_after_a_step("ica", 400 * eps2), 0U);
  EXPECT_EQ(contacts_after_a_step("cr-full", 0.4 * eps2), 0U);
}

INSTANTIATE_TEST_SUITE_P(All, PublishedStep,
                         testing::Values("cr-full", "cr-diag", "ica", "sp-active-set", "sp-cr", "qp-active-set",
                                         "constraint-anticipation"),
                         [](const auto& tested) {
                           std::string name = tested.param;
                           std::erase(name, '-');
                           return name;
                         });

}  // namespace published_test
}  // namespace sim
