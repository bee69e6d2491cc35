// The step as published, with the published form of every method, and what happens between two solves of it: counts
// of rounds are worked out by hand from Verschoor & Jalba 2019, Algorithm 1, and Otaduy et al. 2009, section 4.
#include "model/published.hpp"

#include <gtest/gtest.h>

#include <numbers>

#include "mesh/generate.hpp"
#include "step/step.hpp"
#include "support/objects.hpp"

namespace sim {
namespace published_test {

constexpr double dt = 0.001, eps2 = 5e-6;

// A cube that comes down on a floor, sliding where there is friction.
Model cube_over_floor(double friction, double gap = 2e-4, const Vec3& velocity = {0.2, 0, -0.1},
                      void (*add_more)(Model&) = nullptr) {
  Model model;
  model.materials = {{.name = "rubber", .young = 5e5, .poisson = 0.3, .density = 1000}};
  model.initial_velocity.resize(0);
  model.friction = friction;
  const Object cube =
      test::add_object(model, "cube", ObjectType::deformable,
                       generate(BoxShape{.size = {0.1, 0.1, 0.1}, .cells = {2, 2, 2}}), {0.01, 0.02, 0.05 + gap});
  test::set_velocity(model, cube, velocity);
  test::add_object(model, "floor", ObjectType::fixed, generate(SlabShape{.size = {8, 8}}), {0, 0, -0.05});
  if (add_more) add_more(model);
  finish_model(model);
  return model;
}

Options published(const char* method, double eps1 = 5e-5) {
  Options options{.dt = dt, .method = method};
  options.contact.tolerance = {eps1, eps2};
  run_as_published(method, options);
  return options;
}

class PublishedStep : public testing::TestWithParam<const char*> {
 protected:
  static Options options() { return published(GetParam()); }
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
    State state = initial_state(model);
    Scratch scratch;
    EXPECT_EQ(step(model, published(method), state, scratch).status, StepStatus::converged);
    return state.contacts.contacts.size();
  };
  for (const char* method : {"ica", "constraint-anticipation"}) {
    EXPECT_GE(contacts_after_a_step(method, 0.4 * eps2), 4U) << method;
    EXPECT_EQ(contacts_after_a_step(method, 400 * eps2), 0U) << method;
  }
  EXPECT_EQ(contacts_after_a_step("cr-full", 0.4 * eps2), 0U);
}

// Rows may miss the safety distance eps2 by eps2 (line 22 of Algorithm 1), and gaps are right inside (0, 2 eps2).
TEST_P(PublishedStep, KeepsTheSafetyDistanceUnderWeight) {
  const Model model = cube_over_floor(0, eps2, Vec3::Zero());
  State state = initial_state(model);
  Scratch scratch;
  Index pushing = 0;
  for (int n = 1; n <= 30; ++n) {
    ASSERT_EQ(step(model, options(), state, scratch).status, StepStatus::converged) << "step " << n;
    for (const Contact& contact : state.contacts.contacts) {
      if (contact.state == FrictionState::open) continue;
      ++pushing;
      EXPECT_GT(gap(contact, state.x), 0) << "step " << n;
      EXPECT_LT(gap(contact, state.x), 2 * eps2) << "step " << n;
      EXPECT_EQ(contact.target_gap, eps2) << "step " << n;
    }
  }
  EXPECT_GT(pushing, 30);
}

// "When the CR method converges ... inactive constraints are removed" (section 3.1).
TEST(PublishedRounds, LeaveNoInactiveContactOfConjugateResiduals) {
  const Model model = cube_over_floor(0.5);
  const Options options = published("cr-full");
  State state = initial_state(model);
  Scratch scratch;
  Index pushed = 0;
  for (int n = 1; n <= 60; ++n) {
    ASSERT_EQ(step(model, options, state, scratch).status, StepStatus::converged);
    for (const Contact& contact : state.contacts.contacts) EXPECT_NE(contact.state, FrictionState::open);
    pushed = std::max(pushed, static_cast<Index>(state.contacts.contacts.size()));
  }
  EXPECT_GE(pushed, 4);
}

Mesh turned(Mesh mesh, double angle, const Vec3& axis) {
  for (Vec3& X : mesh.vertices) X = Eigen::AngleAxisd(angle, axis) * X;
  return mesh;
}

// A bar along x, on an edge, over the edge of a fixed one along y, `over` apart. It falls, flies along x and turns
// about the line along y through the point of its edge that is over the other one.
void add_crossing_bars(Model& model, double along, double turning, double over = 1e-4) {
  constexpr double side = 0.05, right_angle = std::numbers::pi / 2;
  const double half = side / std::sqrt(2.0);
  const Mesh on_edge =
      turned(generate(BoxShape{.size = {0.3, side, side}, .cells = {6, 1, 1}}), right_angle / 2, Vec3::UnitX());
  const Object bar = test::add_object(model, "bar", ObjectType::deformable, on_edge, {0.004, 0, half + over});
  for (Index i = bar.vertices.begin; i < bar.vertices.end; ++i) {
    const Vec3 arm = model.mesh.vertices[i] - Vec3(0, 0, over);
    block(model.initial_velocity, i) = Vec3(along, 0, -0.5) + turning * Vec3::UnitY().cross(arm);
  }
  test::add_object(model, "edge", ObjectType::fixed, turned(on_edge, right_angle, Vec3::UnitZ()), {0, 0.003, -half});
}

// One cube is pushed onto the next, which only then flies against a wall.
void add_row_of_cubes(Model& model, const Vec3& at) {
  const auto cube = [](double side) { return generate(BoxShape{.size = {side, side, side}, .cells = {1, 1, 1}}); };
  test::add(model, "first", ObjectType::rigid, cube(0.08), at, {1, 0, 0});
  test::add(model, "second", ObjectType::rigid, cube(0.1), at + Vec3(0.0902, 0.003, 0.002));
  test::add_object(model, "wall", ObjectType::fixed, cube(0.4), at + Vec3(0.0902 + 0.05 + 1e-4 + 0.2, 0.01, 0.02));
}

Model in_flight() {
  Model model;
  model.materials = {{.name = "rubber", .young = 1e6, .poisson = 0.3, .density = 1000}};
  model.initial_velocity.resize(0);
  model.gravity.setZero();
  return model;
}

// Where eps1 is so small that rows end within eps2, too.
Options precise(const char* method) {
  return published(method, 1e-9);
}

Index rounds_of(const Options& options, Model& model) {
  finish_model(model);
  State state = initial_state(model);
  Scratch scratch;
  const StepReport report = step(model, options, state, scratch);
  EXPECT_EQ(report.status, StepStatus::converged) << report.reason;
  EXPECT_EQ(report.substeps, 1);
  return report.relinearizations;
}

// The normal of crossing edges turns by a degree while the gap is right: no paper has another round for that.
TEST(PublishedRounds, EndWhereGapsAreRightWhateverNormalsDo) {
  for (const char* method : {"cr-full", "sp-cr", "ica"}) {
    Model model = in_flight();
    add_crossing_bars(model, 0, 20);
    EXPECT_EQ(rounds_of(precise(method), model), 1) << method;
  }
  Model model = in_flight();
  add_crossing_bars(model, 0, 20);
  Options program = precise("cr-full");
  program.contact.rounds = Rounds::program;
  program.contact.tracking = {};
  EXPECT_GT(rounds_of(program, model), 1);
}

// Lines 25 to 28: contacts are linearised anew in rounds of their own, after all that bring something new.
//
// The edge meets the other one 0.2 ms after the start, its normal turned by 0.01 rad. In the 0.8 ms that are left it
// turns by another 0.04 rad and slides 0.8 mm, to where it is 0.8 mm * 0.04 = 6 eps2 higher than the row says.
// Linearised there the row is right within 6 eps2 * 0.05^2.
TEST(PublishedRounds, LineariseAnewOnlyWhereNothingNewCollides) {
  Model cubes = in_flight();
  add_row_of_cubes(cubes, Vec3::Zero());
  EXPECT_EQ(rounds_of(precise("cr-full"), cubes), 2);  // the second cube; the wall

  Model bars = in_flight();
  add_crossing_bars(bars, 1, 50);
  EXPECT_EQ(rounds_of(precise("cr-full"), bars), 2);  // the edge; its gap

  Model both = in_flight();
  add_crossing_bars(both, 1, 50);
  add_row_of_cubes(both, {0, 2, 0});
  EXPECT_EQ(rounds_of(precise("cr-full"), both), 3);  // the second cube and the edge; the wall; the gap
}

// Section 4 of Otaduy et al. 2009: "Loop CMR while g* is not empty".
TEST(PublishedRounds, OfOtaduyEndWhereNothingCollides) {
  for (const char* method : {"ica", "constraint-anticipation"}) {
    Model cubes = in_flight();
    add_row_of_cubes(cubes, Vec3::Zero());
    EXPECT_EQ(rounds_of(precise(method), cubes), 2) << method;
  }
}

// High above, stiff, and shaken: its free flight takes conjugate gradients longer than all else.
void add_shaken_cube(Model& model) {
  model.materials.push_back({.name = "stiff", .young = 1e9, .poisson = 0.3, .density = 1000});
  const Object cube = test::add_object(model, "another", ObjectType::deformable,
                                       generate(BoxShape{.size = {0.1, 0.1, 0.1}, .cells = {4, 4, 4}}), {0, 0, 3});
  model.objects.back().material = 1;
  for (Index i = cube.vertices.begin; i < cube.vertices.end; ++i)
    block(model.initial_velocity, i) = 0.1 * Vec3(i % 7, i % 3, -(i % 5));
}

// A cube is on the floor from the first solve on.
StepReport step_with_contacts(const char* method, void (*add_more)(Model&)) {
  const Model model = cube_over_floor(0.5, 0.4 * eps2, {0.2, 0, -0.1}, add_more);
  State state = initial_state(model);
  Scratch scratch;
  const StepReport report = step(model, published(method), state, scratch);
  EXPECT_EQ(report.status, StepStatus::converged) << method << ": " << report.reason;
  EXPECT_GT(report.active, 0) << method;
  return report;
}

TEST(PublishedCounts, AreThoseOfTheMethodWhateverFliesBeside) {
  for (const char* method : {"constraint-anticipation", "sp-cr", "sp-active-set"}) {
    const StepReport alone = step_with_contacts(method, nullptr);
    const StepReport beside = step_with_contacts(method, add_shaken_cube);
    EXPECT_GT(alone.iterations, 0) << method;
    EXPECT_EQ(alone.iterations, beside.iterations) << method;
  }
  const StepReport passes = step_with_contacts("constraint-anticipation", nullptr);
  EXPECT_EQ(passes.iterations, passes.passes);
  EXPECT_EQ(passes.products, 0);  // by factors alone
  EXPECT_EQ(passes.factorisations, 1);
  // One system of all, as published, would take as long as the longest.
  EXPECT_GT(step_with_contacts("cr-full", add_shaken_cube).iterations,
            step_with_contacts("cr-full", nullptr).iterations);
}

// The bodies of a step are factored once, however often it is solved: the blocks of mass and of inertia of two cubes,
// in the second and the third solve.
TEST(PublishedCounts, OfConstraintAnticipationHaveAFactorOfABodyAStep) {
  Model cubes = in_flight();
  add_row_of_cubes(cubes, Vec3::Zero());
  finish_model(cubes);
  State state = initial_state(cubes);
  Scratch scratch;
  const StepReport report = step(cubes, precise("constraint-anticipation"), state, scratch);
  EXPECT_EQ(report.relinearizations, 2);
  EXPECT_EQ(report.factorisations, 2 * 2);
}

TEST(PublishedLimits, AreNone) {
  Options options{.dt = dt, .method = "sp-cr"};
  options.contact.max_iterations = 5;
  run_as_published("sp-cr", options);
  EXPECT_EQ(options.contact.max_iterations, 100'000);
}

// Six iterations at most of an impact at 3.6 m/s: what the method has thrown off by then (8.7 m/s) is not gone on
// with.
TEST(Step, GoesOnUnconvergedOnlyWithWhatCameNearer) {
  for (const char* method : {"cr-full", "cr-diag", "sp-cr", "sp-active-set"}) {
    for (Index most = 1; most <= 6; ++most) {
      const Model model = cube_over_floor(0.5, 2e-4, {3, 0, -2});
      Options options{.dt = dt, .method = method};
      options.contact.method = method_by_name(method);
      options.contact.tolerance = {5e-5, eps2};
      options.contact.max_iterations = most;
      options.contact.accept_unconverged = true;
      State state = initial_state(model);
      Scratch scratch;
      for (int n = 1; n <= 6 && step(model, options, state, scratch).accepted; ++n)
        EXPECT_LT(state.v.cwiseAbs().maxCoeff(), 2 * 3.6) << method << ", " << most << ", step " << n;
    }
  }
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
