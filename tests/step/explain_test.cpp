// Why a step failed: in scenes of which the reason is known, it is the one that is told.
#include <gtest/gtest.h>

#include "mesh/generate.hpp"
#include "step/explain.hpp"
#include "step/step.hpp"
#include "support/models.hpp"
#include "support/objects.hpp"

namespace sim {
namespace explain_test {

const Material rubber{.name = "rubber", .young = 5e5, .poisson = 0.2, .density = 1000};

void expect_contains(const std::string& text, const std::string& part) {
  EXPECT_NE(text.find(part), std::string::npos) << "no \"" << part << "\" in:\n" << text;
}
void expect_without(const std::string& text, const std::string& part) {
  EXPECT_EQ(text.find(part), std::string::npos) << "\"" << part << "\" in:\n" << text;
}

// Until a step is not taken.
StepReport run_until_it_fails(const Model& model, const Options& options, int most_steps) {
  State state = initial_state(model);
  Scratch scratch;
  StepReport report;
  for (int n = 0; n < most_steps && report.accepted; ++n) report = step(model, options, state, scratch);
  return report;
}

Motion moving(const Vec3& velocity) {
  return Motion(MotionSpec{.velocity = velocity});
}

// Between z = -0.05 and 0.05 there is the ball; plates close at 1 m/s each.
Model pressed_ball(ObjectType type) {
  Model model;
  model.materials = {rubber};
  model.gravity.setZero();
  test::add(model, "ball", type, generate(SphereShape{.radius = 0.05, .resolution = 4}), {0, 0, 0});
  const Mesh plate = generate(SlabShape{.size = {0.3, 0.3}, .thickness = 0.02});
  test::add(model, "lower plate", ObjectType::scripted, plate, {0, 0, -0.0601}, Vec3::Zero(), moving({0, 0, 1}));
  test::add(model, "upper plate", ObjectType::scripted, plate, {0, 0, 0.0601}, Vec3::Zero(), moving({0, 0, -1}));
  finish_model(model);
  return model;
}

class PressedBall : public testing::TestWithParam<const char*> {};

TEST_P(PressedBall, IsHeldBetweenPlatesThatClose) {
  for (const ObjectType type : {ObjectType::rigid, ObjectType::deformable}) {
    SCOPED_TRACE(to_string(type));
    Options options{.dt = 0.002};
    options.contact.method = method_by_name(GetParam());
    options.contact.max_iterations = 1000;
    options.contact.most_rounds = 10;
    options.contact.most_halvings = 2;
    const StepReport report = run_until_it_fails(pressed_ball(type), options, 100);
    ASSERT_FALSE(report.accepted);
    expect_contains(report.reason,
                    "likely: \"ball\" is held between \"lower plate\" and \"upper plate\", which come to "
                    "within ");
    expect_contains(report.reason, " m of each other at (");
  }
}

INSTANTIATE_TEST_SUITE_P(Some, PressedBall, testing::Values("auto", "cr-full", "ica"), [](const auto& tested) {
  std::string text = tested.param;
  std::erase(text, '-');
  return text;
});

// Two contacts of a ball with plates below and above, that hold it but do not move.
struct Held {
  Model model;
  std::vector<Contact> contacts;
  VecX x, v;

  explicit Held(double lower_speed = 0, double upper_speed = 0) : model(pressed_ball(ObjectType::deformable)) {
    x.resize(3 * static_cast<Eigen::Index>(model.mesh.vertices.size()));
    v.setZero(x.size());
    for (std::size_t i = 0; i < model.mesh.vertices.size(); ++i)
      block(x, static_cast<Index>(i)) = model.mesh.vertices[i];
    move(1, {0, 0, lower_speed});
    move(2, {0, 0, upper_speed});
    for (const Index plate : {1, 2}) contacts.push_back(contact_with(plate));
  }

  void move(Index object, const Vec3& velocity) {
    const Range vertices = model.objects[object].vertices;
    for (Index i = vertices.begin; i < vertices.end; ++i) block(v, i) = velocity;
  }
  // Of the ball's vertex that is nearest to the plate.
  Contact contact_with(Index plate) const {
    const double side = plate == 1 ? -1 : 1;
    Contact contact;
    const Range ball = model.objects[0].vertices;
    contact.vertices[0] = ball.begin;
    for (Index i = ball.begin; i < ball.end; ++i) {
      if (side * block(x, i).z() > side * block(x, contact.vertices[0]).z()) contact.vertices[0] = i;
    }
    const Range vertices = model.objects[plate].vertices;
    Index found = 1;
    for (Index i = vertices.begin; i < vertices.end && found < 4; ++i) {
      if (std::abs(block(x, i).z()) < 0.055) contact.vertices[found++] = i;
    }
    contact.weights = {1, -1.0 / 3, -1.0 / 3, -1.0 / 3};
    contact.n = Vec3(0, 0, -side);
    return contact;
  }
  Situation situation() const { return {model, contacts, x, v, 0.001}; }
};

const std::vector<Index> the_ball{0}, all{0, 1, 2};

TEST(LikelyReason, IsTheViceWhereItCloses) {
  const Held closing(1, -2);
  const std::string text = likely_reason(closing.situation(), all, false);
  // 2 x 0.0501 m, closing at 3 m/s for 1 ms.
  EXPECT_EQ(
      text.find("\"ball\" is held between \"lower plate\" and \"upper plate\", which come to within 0.0972 m of "
                "each other at ("),
      0U)
      << text;
}

TEST(LikelyReason, IsTheViceThatWouldPassThroughItself) {
  const Held closing(100, -200);
  expect_contains(likely_reason(closing.situation(), all, false), "which come to within 0 m of each other at (");
}

TEST(LikelyReason, IsNoViceWhereThePlatesStandPartOrMoveTogether) {
  for (const auto& [lower, upper] : {std::pair{0.0, 0.0}, {-1.0, 0.0}, {3.0, 3.0}}) {
    const Held held(lower, upper);
    EXPECT_EQ(likely_reason(held.situation(), all, false), "") << lower << ' ' << upper;
    EXPECT_FALSE(find_vice(held.situation(), all).closes);
  }
  // Both sides are needed.
  Held one(1, -1);
  one.contacts.pop_back();
  EXPECT_EQ(likely_reason(one.situation(), all, true), "");
  // And of objects that are asked for.
  EXPECT_EQ(likely_reason(Held(1, -1).situation(), std::vector<Index>{1}, true), "");
}

TEST(LikelyReason, IsNoViceWhereBothJawsTurnTogether) {
  Held turning;
  for (const Index object : {1, 2}) {
    const Range vertices = turning.model.objects[object].vertices;
    for (Index i = vertices.begin; i < vertices.end; ++i) {
      const Vec3 x = block(turning.x, i);
      const double angle = 0.3;
      const Vec3 to(x.x(), std::cos(angle) * x.y() - std::sin(angle) * x.z(),
                    std::sin(angle) * x.y() + std::cos(angle) * x.z());
      block(turning.v, i) = (to - x) / turning.situation().dt;
    }
  }
  EXPECT_FALSE(find_vice(turning.situation(), all).closes);
}

TEST(LikelyReason, IsThatContactsContradictEachOtherWhereNothingMoves) {
  const std::string text = likely_reason(Held().situation(), the_ball, true);
  EXPECT_EQ(text.find("contacts contradict each other: \"ball\" is held between \"lower plate\" and \"upper plate\", "
                      "0.1 m apart at ("),
            0U)
      << text;
}

TEST(LikelyReason, IsTheElementThatIsSqueezedBelowTheRangeOfItsLaw) {
  Held held;
  const ElasticBodies& bodies = held.model.elastic;
  EXPECT_EQ(likely_reason(held.situation(), the_ball, false), "");
  const double threshold = bodies.laws[0].continued_below;
  ASSERT_GT(threshold, 0);
  // One corner nearly in the plane of the others.
  const auto [a, b, c, d] = bodies.tets[7];
  const Vec3 in_plane = (block(held.x, b) + block(held.x, c) + block(held.x, d)) / 3;
  block(held.x, a) = in_plane + 0.5 * threshold * (block(held.x, a) - in_plane);
  const std::string text = likely_reason(held.situation(), the_ball, false);
  expect_contains(text, " of \"ball\" at (");
  expect_contains(text, " of its rest volume");
  expect_without(text, "held between");
}

TEST(LikelyReason, OfQuasiStaticStepsIsThatNothingButContactsHoldsABody) {
  const Held held;
  Situation situation = held.situation();
  situation.is_static = true;
  expect_contains(likely_reason(situation, all, false),
                  "nothing but contacts holds \"ball\", and quasi-static steps find no balance that is far away");
  // What is seen to be in the way comes first.
  expect_without(likely_reason(situation, the_ball, true), "nothing but contacts");
}

// A bar whose ends are told to go through each other.
TEST(Explain, ABarThatIsPressedToNothingNamesTheElement) {
  Model model;
  model.materials = {rubber};
  model.gravity.setZero();
  test::add(model, "bar", ObjectType::deformable, generate(BoxShape{.size = {0.4, 0.1, 0.1}, .cells = {4, 1, 1}}),
            {0, 0, 0});
  for (const double side : {-1.0, 1.0}) {
    model.prescribed.push_back({test::vertices_where(model, [&](const Vec3& X) { return side * X.x() > 0.199; }),
                                moving({-2 * side, 0, 0})});
  }
  finish_model(model);
  Options options{.dt = 0.01};
  options.contact.most_halvings = 2;
  const StepReport report = run_until_it_fails(model, options, 40);
  ASSERT_FALSE(report.accepted);
  expect_contains(report.reason, "tetrahedron ");
  expect_contains(report.reason, " of \"bar\" at (");
}

// Too few iterations: the island and the place are named, and no reason is made up.
TEST(Explain, AnIslandThatIsNotSolvedIsNamedWithItsWorstPlaceAndItsTolerances) {
  Model model;
  model.materials = {rubber};
  const Mesh cube = generate(BoxShape{.size = {0.1, 0.1, 0.1}, .cells = {2, 2, 2}});
  test::add(model, "floor", ObjectType::fixed, cube, {0, 0, -0.1});
  test::add(model, "cube", ObjectType::deformable, cube, {0.01, 0.02, 0.0001}, {0.3, 0, -1});
  test::add(model, "bystander", ObjectType::deformable, cube, {1, 0, 0});
  finish_model(model);
  Options options{.dt = 0.002};
  options.contact.method = CrOptions{};
  options.contact.max_iterations = 3;
  options.contact.most_halvings = 0;
  options.linear.tolerance = 1e-3;
  StepReport report = run_until_it_fails(model, options, 5);
  ASSERT_FALSE(report.accepted);
  EXPECT_EQ(report.status, StepStatus::iteration_limit);
  expect_contains(report.reason, "times what they may miss; in the contact island of \"floor\" and \"cube\"");
  expect_contains(report.reason, " may be missed");
  expect_contains(report.reason, "solver.relative_tolerance 0.01 (default), contact.tolerance ");
  expect_contains(report.reason, " m (default)");
  expect_without(report.reason, "bystander");
  expect_without(report.reason, "likely");

  options.contact.relative_momentum = 0.02;
  options.contact.tolerance.momentum = 0.25;
  options.contact.gaps_given = true;
  report = run_until_it_fails(model, options, 5);
  ASSERT_FALSE(report.accepted);
  expect_contains(report.reason, "(solver.relative_tolerance 0.02, solver.tolerance 0.25 kg m/s, contact.tolerance ");
  expect_without(report.reason, "(default)");
}

}  // namespace explain_test
}  // namespace sim
