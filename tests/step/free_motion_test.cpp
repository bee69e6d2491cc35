// Bodies that nothing holds: what the scheme must conserve, and where its own errors are.
#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <cmath>

#include "math/parallel.hpp"
#include "mesh/generate.hpp"
#include "model/measure.hpp"
#include "step/step.hpp"
#include "support/models.hpp"

namespace sim {
namespace free_motion_test {

const Material rubber{.name = "rubber", .young = 5e5, .poisson = 0.2, .density = 1000};

// A ring that spins, drifts and vibrates (its vertices are stretched along x at the start).
Model spinning_ring(MaterialModel law) {
  Material material = rubber;
  material.model = law;
  if (law == MaterialModel::neo_hookean) material.stiffness = Stiffness::exact;
  Model model = test::one_body(generate(TorusShape{}), material);
  const Vec3 omega(3, -2, 5), drift(0.7, 0.3, -0.4);
  for (std::size_t i = 0; i < model.mesh.vertices.size(); ++i) {
    const Vec3& X = model.mesh.vertices[i];
    block(model.initial_velocity, static_cast<Index>(i)) = drift + omega.cross(X) + Vec3(4 * X.x(), 0, 0);
  }
  finish_model(model);
  return model;
}

void expect_converged(const StepReport& report) {
  ASSERT_EQ(report.status, StepStatus::converged) << report.reason;
}

TEST(FreeFall, FollowsTheSchemesClosedForm) {
  Model model = test::one_body(generate(TorusShape{}), rubber);
  model.gravity = {0.3, 0, -9.81};
  const Vec3 v0(1, 2, 3);
  for (Index i = 0; i < 72; ++i) block(model.initial_velocity, i) = v0;
  finish_model(model);
  Options options{.dt = 0.001};
  State state = initial_state(model);
  Scratch scratch;
  const int steps = 500;
  for (int n = 0; n < steps; ++n) expect_converged(step(model, options, state, scratch));
  // v_n = v0 + n dt g and x_n = x_0 + n dt v0 + n (n + 1) / 2 dt^2 g.
  const Vec3 velocity = v0 + steps * options.dt * model.gravity;
  const Vec3 path = steps * options.dt * v0 + 0.5 * steps * (steps + 1) * options.dt * options.dt * model.gravity;
  for (Index i = 0; i < 72; ++i) {
    EXPECT_LT((block(state.v, i) - velocity).norm(), 1e-12 * velocity.norm());
    EXPECT_LT((block(state.x, i) - model.mesh.vertices[i] - path).norm(), 1e-12 * path.norm());
  }
  EXPECT_NEAR(state.time, 0.5, 1e-15);
}

class FreeBody : public ::testing::TestWithParam<MaterialModel> {};

TEST_P(FreeBody, LinearMomentumIsConservedEveryStep) {
  const Model model = spinning_ring(GetParam());
  State state = initial_state(model);
  Scratch scratch;
  Vec3 before = measure(model, state).momentum;
  for (int n = 0; n < 200; ++n) {
    const StepReport report = step(model, {.dt = 0.001}, state, scratch);
    expect_converged(report);
    EXPECT_LT((report.momentum - before).norm(), 1e-12 * before.norm()) << "step " << n;
    before = report.momentum;
  }
}

TEST_P(FreeBody, ReallyVibratesAndTurns) {  // else the tests around this one would show little
  const Model model = spinning_ring(GetParam());
  State state = initial_state(model);
  Scratch scratch;
  double largest = 0;
  for (int n = 0; n < 200; ++n)
    largest = std::max(largest, step(model, {.dt = 0.001}, state, scratch).elastic_energy);
  EXPECT_GT(largest, 0.02 * measure(model, initial_state(model)).kinetic_energy);
  const Vec3 arm0 = model.mesh.vertices[0], arm1 = block(state.x, 0) - Vec3(0.2 * 0.7, 0.2 * 0.3, -0.2 * 0.4);
  EXPECT_GT(std::acos(arm0.normalized().dot(arm1.normalized())), 0.5);
}

// Semi-implicit Euler with one linearisation does not conserve angular momentum; its drift falls with the step.
TEST_P(FreeBody, AngularMomentumDriftShrinksAtFirstOrder) {
  const Model model = spinning_ring(GetParam());
  const auto drift_over_a_tenth_second = [&](double dt) {
    State state = initial_state(model);
    Scratch scratch;
    const Vec3 before = measure(model, state).angular_momentum;
    const auto steps = static_cast<int>(std::lround(0.1 / dt));
    for (int n = 0; n < steps; ++n) step(model, {.dt = dt}, state, scratch);
    return (measure(model, state).angular_momentum - before).norm() / before.norm();
  };
  const double usual = drift_over_a_tenth_second(1e-3), coarse = drift_over_a_tenth_second(6.25e-5),
               fine = drift_over_a_tenth_second(3.125e-5);
  std::printf("relative angular momentum drift in 0.1 s: %.2e at dt 1e-3, %.2e at 6.25e-5, %.2e at 3.125e-5\n", usual,
              coarse, fine);
  EXPECT_NEAR(coarse / fine, 2, 0.25);
}

TEST_P(FreeBody, EnergyDoesNotGrow) {
  const Model model = spinning_ring(GetParam());
  State state = initial_state(model);
  Scratch scratch;
  const double before = measure(model, state).kinetic_energy;
  for (int n = 0; n < 500; ++n) {
    const StepReport report = step(model, {.dt = 0.001}, state, scratch);
    EXPECT_LE(report.kinetic_energy + report.elastic_energy, before * (1 + 1e-9)) << "step " << n;
  }
}

TEST_P(FreeBody, SameBitsForOneAndTwoThreadsAndForASecondRun) {
  const Model model = spinning_ring(GetParam());
  const auto run = [&](int threads) {
    set_thread_count(threads);
    State state = initial_state(model);
    Scratch scratch;
    for (int n = 0; n < 50; ++n) step(model, {.dt = 0.001}, state, scratch);
    set_thread_count(1);
    return state;
  };
  const State one = run(1), again = run(1), two = run(2);
  EXPECT_TRUE((one.x.array() == again.x.array()).all() && (one.v.array() == again.v.array()).all());
  EXPECT_TRUE((one.x.array() == two.x.array()).all() && (one.v.array() == two.v.array()).all());
}

INSTANTIATE_TEST_SUITE_P(Materials, FreeBody,
                         ::testing::Values(MaterialModel::corotational, MaterialModel::neo_hookean),
                         [](const auto& instance) {
                           return instance.param == MaterialModel::corotational ? "Corotational" : "NeoHookean";
                         });

TEST(Damping, MassDampingSlowsABodyByOneOverOnePlusAlphaDt) {
  Material material = rubber;
  material.mass_damping = 3;
  Model model = test::one_body(generate(TorusShape{}), material);
  const Vec3 v0(1, -2, 0.5);
  for (Index i = 0; i < 72; ++i) block(model.initial_velocity, i) = v0;
  finish_model(model);
  State state = initial_state(model);
  Scratch scratch;
  for (int n = 0; n < 100; ++n) expect_converged(step(model, {.dt = 0.01}, state, scratch));
  const Vec3 expected = v0 / std::pow(1 + 3 * 0.01, 100);
  for (Index i = 0; i < 72; ++i) EXPECT_LT((block(state.v, i) - expected).norm(), 1e-11 * expected.norm());
}

TEST(Damping, StiffnessDampingLeavesRigidMotionAlone) {
  Material material = rubber;
  material.stiffness_damping = 0.1;
  Model model = test::one_body(generate(TorusShape{}), material);
  for (Index i = 0; i < 72; ++i) block(model.initial_velocity, i) = Vec3(1, -2, 0.5);
  finish_model(model);
  State state = initial_state(model);
  Scratch scratch;
  for (int n = 0; n < 100; ++n) expect_converged(step(model, {.dt = 0.01}, state, scratch));
  for (Index i = 0; i < 72; ++i) EXPECT_LT((block(state.v, i) - Vec3(1, -2, 0.5)).norm(), 1e-11);
}

TEST(Step, AFailedStepLeavesTheStateUntouchedAndSaysWhy) {
  const Model model = spinning_ring(MaterialModel::corotational);
  State state = initial_state(model);
  Scratch scratch;
  const State before = state;
  Options options{.dt = 0.01};
  options.linear.max_iterations = 2;
  const StepReport report = step(model, options, state, scratch);
  EXPECT_EQ(report.status, StepStatus::iteration_limit);
  EXPECT_NE(report.reason.find("after 2 iterations"), std::string::npos) << report.reason;
  EXPECT_EQ(state.step, 0);
  EXPECT_TRUE((state.x.array() == before.x.array()).all() && (state.v.array() == before.v.array()).all());
}

TEST(Step, NumbersThatAreNotFiniteAreABreakdown) {
  Model model = test::one_body(generate(TorusShape{}), rubber);
  model.initial_velocity[5] = std::numeric_limits<double>::infinity();
  finish_model(model);
  State state = initial_state(model);
  Scratch scratch;
  EXPECT_EQ(step(model, {}, state, scratch).status, StepStatus::breakdown);
}

TEST(Step, ScriptedVerticesAreWhereTheirMotionSays) {
  Model model = test::one_body(generate(BoxShape{.size = {1, 1, 1}, .cells = {2, 2, 2}}), rubber);
  MotionSpec spec;
  spec.degrees_per_second = 90;
  spec.translation_expression = {"0.1*sin(3*t)", "", "t^2"};
  const Motion motion(spec);
  const std::vector<Index> top = test::vertices_where(model, [](const Vec3& X) { return X.z() > 0.49; });
  model.prescribed.push_back({top, Motion(spec)});
  finish_model(model);
  State state = initial_state(model);
  Scratch scratch;
  for (int n = 0; n < 100; ++n) expect_converged(step(model, {.dt = 0.01}, state, scratch));
  for (const Index i : top) {
    EXPECT_LT((block(state.x, i) - motion.pose(1.0).apply(model.mesh.vertices[i])).norm(), 1e-14);
  }
  EXPECT_EQ(model.plan.pattern.rows(), 27 - 9);
}

// sqrt(0.0045 - t) ends at t = 0.0045: step 5 cannot be taken, and that is said of the object it was told of.
TEST(Step, MotionThatIsToldUpToATimeOnlyEndsThereWithTheNameOfTheObject) {
  for (const bool contact : {true, false}) {
    Model model = test::one_body(generate(BoxShape{.size = {1, 1, 1}, .cells = {2, 2, 2}}), rubber);
    MotionSpec spec;
    spec.translation_expression = {"sqrt(0.0045-t)", "", ""};
    model.prescribed.push_back(
        {test::vertices_where(model, [](const Vec3& X) { return X.z() > 0.49; }), Motion(spec)});
    finish_model(model);
    State state = initial_state(model);
    Scratch scratch;
    const Options options{.dt = 0.001, .detect_collisions = contact};
    for (int n = 0; n < 4; ++n) expect_converged(step(model, options, state, scratch));
    const StepReport report = step(model, options, state, scratch);
    EXPECT_FALSE(report.accepted);
    EXPECT_EQ(report.status, StepStatus::breakdown);
    EXPECT_NE(report.reason.find("\"body\" are prescribed to go to places that are not finite"), std::string::npos)
        << report.reason;
    EXPECT_EQ(state.step, 4);
    EXPECT_TRUE(state.x.allFinite());
  }
}

TEST(FirstNonFinite, IsTheObjectOfTheFirstToldVertexWithoutAVelocity) {
  Model model = test::one_body(generate(TorusShape{}), rubber);
  test::pin(model, [](const Vec3& X) { return X.x() > 0; });
  finish_model(model);
  VecX v = VecX::Zero(model.initial_velocity.size());
  EXPECT_EQ(first_non_finite(model, v), -1);
  for (const double bad : {std::nan(""), -std::numeric_limits<double>::infinity()}) {
    VecX prescribed = v, unknown = v;
    prescribed[3 * model.prescribed[0].vertices.back() + 2] = bad;
    EXPECT_EQ(first_non_finite(model, prescribed), 0);
    const auto free = test::vertices_where(model, [](const Vec3& X) { return X.x() < 0; });
    unknown[3 * free.front()] = bad;  // not told
    EXPECT_EQ(first_non_finite(model, unknown), -1);
  }
}

TEST(Step, ObstaclesDoNotTakePartInEnergyOrMomentum) {
  Model model = test::one_body(generate(TorusShape{}), rubber);
  Object wall = model.objects[0];
  wall.name = "wall";
  wall.type = ObjectType::scripted;
  wall.material = -1;
  model.objects = {wall};
  MotionSpec spec;
  spec.velocity = {1, 0, 0};
  model.prescribed.push_back({test::vertices_where(model, [](const Vec3&) { return true; }), Motion(spec)});
  finish_model(model);
  State state = initial_state(model);
  Scratch scratch;
  const StepReport report = step(model, {.dt = 0.1}, state, scratch);
  expect_converged(report);
  EXPECT_EQ(report.kinetic_energy, 0);
  EXPECT_EQ(report.momentum, Vec3::Zero());
  EXPECT_NEAR(state.x[0], model.mesh.vertices[0].x() + 0.1, 1e-15);
}

}  // namespace free_motion_test
}  // namespace sim
