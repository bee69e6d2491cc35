// No accepted step leads through a surface.
#include <gtest/gtest.h>
#include <algorithm>

#include "collide/intersections.hpp"
#include "math/parallel.hpp"
#include "mesh/generate.hpp"
#include "model/measure.hpp"
#include "step/step.hpp"
#include "support/models.hpp"
#include "support/objects.hpp"

namespace sim {
namespace collision_test {

const Material rubber{.name = "rubber", .young = 5e5, .poisson = 0.2, .density = 1000};

Model falling_ring(const Vec3& velocity) {
  Model model;
  model.materials = {rubber};
  model.initial_velocity.resize(0);
  test::add(model, "ring", ObjectType::deformable, generate(TorusShape{}), {0, 0, 0.1}, velocity);
  test::add(model, "floor", ObjectType::fixed, generate(SlabShape{}), {0, 0, -0.05}, Vec3::Zero());
  finish_model(model);
  return model;
}

TEST(Collision, ARingThatFallsOnTheFloorComesToRestOnIt) {
  const Model model = falling_ring(Vec3::Zero());
  State state = initial_state(model);
  Scratch scratch;
  StepReport report;
  double highest = measure(model, state).kinetic_energy + measure(model, state).potential_energy;
  for (int n = 0; n < 700; ++n) {
    report = step(model, {.dt = 0.001}, state, scratch);
    ASSERT_EQ(report.status, StepStatus::converged) << "step " << report.step << ": " << report.reason;
    ASSERT_TRUE(initial_intersections(model.surface, state.x).empty()) << "step " << report.step;
    const double energy = report.kinetic_energy + report.potential_energy + report.elastic_energy;
    EXPECT_LT(energy, highest + 1e-6) << "step " << report.step;
    highest = energy;
  }
  EXPECT_GT(report.active, 0);
  EXPECT_LT(report.kinetic_energy, 1e-4);
  // The floor is at z = 0.
  double lowest = 1;
  for (Index i = model.objects[0].vertices.begin; i < model.objects[0].vertices.end; ++i)
    lowest = std::min(lowest, block(state.x, i).z());
  EXPECT_GT(lowest, 0);
  EXPECT_GE(report.min_gap, lowest);  // of pairs in contact; others may be nearer
  EXPECT_LT(report.min_gap, 2 * lowest);
  // What holds the ring up is its weight.
  double push = 0, weight = 0;
  for (const Contact& contact : state.contacts.contacts) push += contact.n.z() * contact.lambda;
  for (Index i = model.objects[0].vertices.begin; i < model.objects[0].vertices.end; ++i) {
    weight += 9.81 * model.elastic.mass[i];
  }
  EXPECT_NEAR(push, weight, 0.05 * weight);
}

TEST(Collision, ABodyThatFliesPastOthersInContactFallsAsFreely) {
  Model model = falling_ring(Vec3::Zero());
  test::add(model, "flying", ObjectType::deformable, generate(TorusShape{}), {3, 0, 5}, {0.3, 0.1, 1});
  finish_model(model);
  State state = initial_state(model);
  Scratch scratch;
  const int steps = 300;
  Index most = 0, apart = 0;
  for (int n = 0; n < steps; ++n) {
    const StepReport report = step(model, {.dt = 0.001}, state, scratch);
    ASSERT_EQ(report.status, StepStatus::converged) << report.reason;
    most = std::max(most, report.active);
    if (report.contacts > 0) apart += scratch.groups.apart.empty() ? 0 : 1;
  }
  EXPECT_GT(most, 10);
  EXPECT_GT(apart, 100);
  const Vec3 v = Vec3(0.3, 0.1, 1) + steps * 0.001 * model.gravity;
  double mass = 0;
  Vec3 momentum = Vec3::Zero();
  for (Index i = model.objects[2].vertices.begin; i < model.objects[2].vertices.end; ++i) {
    mass += model.elastic.mass[i];
    momentum += model.elastic.mass[i] * block(state.v, i);
  }
  EXPECT_LT((momentum - mass * v).norm(), steps * 1e-12 * mass * v.norm());
}

// Two rings that fall far from each other: each group by itself, and both as one.
TEST(Collision, GroupsSolvedByThemselvesGoTheWayOfAllTogether) {
  Model model = falling_ring(Vec3::Zero());
  test::add(model, "other", ObjectType::deformable, generate(TorusShape{}), {0.6, 0, 0.1005}, {0.3, 0, 0});
  finish_model(model);
  std::array<State, 2> states{initial_state(model), initial_state(model)};
  std::array<Scratch, 2> scratches;
  std::size_t most = 0;
  for (int n = 0; n < 200; ++n) {
    for (const bool together : {false, true}) {
      Options options{.dt = 0.001};
      options.contact.together = together;
      options.contact.tolerance.momentum = 1e-9;
      const StepReport report = step(model, options, states[together ? 1 : 0], scratches[together ? 1 : 0]);
      ASSERT_EQ(report.status, StepStatus::converged) << report.reason;
      EXPECT_LE(scratches[1].groups.groups.size(), 1U);
      if (report.active > 0) most = std::max(most, scratches[0].groups.groups.size());
    }
  }
  EXPECT_EQ(most, 2U);
  EXPECT_LT((states[0].x - states[1].x).lpNorm<Eigen::Infinity>(), 1e-5);
  // A gap may be off by the solver's part of eps2, in a step.
  const double freedom = solver_part * ContactTolerance{}.constraint / 0.001;
  EXPECT_LT((states[0].v - states[1].v).lpNorm<Eigen::Infinity>(), freedom);
}

TEST(Collision, ABodyShotAtAPlateAtAThousandTimesItsSizeAStepDoesNotPassThrough) {
  const Model model = falling_ring({0, 0, -0.24 * 1000 / 0.001});
  State state = initial_state(model);
  Scratch scratch;
  const StepReport report = step(model, {.dt = 0.001}, state, scratch);
  EXPECT_EQ(state.step, report.accepted ? 1 : 0);  // it may give up, but not go through
  EXPECT_TRUE(initial_intersections(model.surface, state.x).empty());
  EXPECT_GT(state.x[2], 0);
}

TEST(Collision, RoundsThatRunOutNameWhatIsLeftAndWhose) {
  const Model model = falling_ring({0, 0, -200});
  State state = initial_state(model);
  Scratch scratch;
  Options options{.dt = 0.001};
  options.contact.most_halvings = 0;
  options.contact.most_rounds = 1;  // the first only finds the collisions
  StepReport report = step(model, options, state, scratch);
  ASSERT_EQ(report.status, StepStatus::collision);
  EXPECT_NE(report.reason.find("did not settle in 1 rounds: "), std::string::npos) << report.reason;
  EXPECT_NE(report.reason.find(" left, a"), std::string::npos) << report.reason;
  EXPECT_NE(report.reason.find("\"ring\" meets "), std::string::npos) << report.reason;
}

// Otaduy et al. 2009 linearise no contact anew, so none is what did not settle.
TEST(Collision, RoundsOfOtaduyThatRunOutNameCollisionsAlone) {
  const Model model = falling_ring({0, 0, -200});
  State state = initial_state(model);
  Scratch scratch;
  Options options{.dt = 0.001};
  options.contact.rounds = Rounds::otaduy;
  options.contact.most_halvings = 0;
  options.contact.most_rounds = 1;
  const StepReport report = step(model, options, state, scratch);
  ASSERT_EQ(report.status, StepStatus::collision);
  EXPECT_NE(report.reason.find("collisions did not settle in 1 rounds: "), std::string::npos) << report.reason;
  EXPECT_EQ(report.reason.find("re-linearised"), std::string::npos) << report.reason;
}

// The bounds of gaps are such that no contact can keep them, so each that pushes is named as what is left.
TEST(Collision, RoundsThatRunOutNameContactsThatDoNotSettle) {
  const Model model = falling_ring({0, 0, -2});
  Options options{.dt = 0.001};
  options.contact.most_halvings = 0;
  options.contact.tracking.highest_gap = -1e6;
  State state = initial_state(model);
  Scratch scratch;
  StepReport report;
  for (int n = 0; n < 100 && report.status == StepStatus::converged; ++n)
    report = step(model, options, state, scratch);
  ASSERT_EQ(report.status, StepStatus::collision);
  EXPECT_NE(report.reason.find("did not settle in 50 rounds: "), std::string::npos) << report.reason;
  EXPECT_NE(report.reason.find("with a gap out of bounds, the worst is "), std::string::npos) << report.reason;
  EXPECT_NE(report.reason.find("\"ring\""), std::string::npos) << report.reason;
  EXPECT_NE(report.reason.find(" of \"floor\""), std::string::npos) << report.reason;
}

TEST(Collision, WithoutDetectionObjectsPassThroughEachOther) {
  const Model model = falling_ring({0, 0, -100});
  State state = initial_state(model);
  Scratch scratch;
  for (int n = 0; n < 5; ++n) {
    const StepReport report = step(model, {.dt = 0.001, .detect_collisions = false}, state, scratch);
    ASSERT_EQ(report.status, StepStatus::converged);
    EXPECT_EQ(report.candidates, 0);
  }
  EXPECT_LT(state.x[2], -0.1);
}

TEST(Collision, ARingPressedTogetherMeetsItself) {
  Model model;
  model.gravity.setZero();
  model.materials = {rubber};
  model.initial_velocity.resize(0);
  test::add(model, "ring", ObjectType::deformable, generate(TorusShape{.segments = 36}), Vec3::Zero(), Vec3::Zero());
  MotionSpec to_the_left;
  to_the_left.velocity = {-1, 0, 0};
  model.prescribed.push_back(
      {test::vertices_where(model, [](const Vec3& X) { return X.x() > 0.095; }), Motion(to_the_left)});
  model.prescribed.push_back({test::vertices_where(model, [](const Vec3& X) { return X.x() < -0.095; }), Motion()});
  finish_model(model);
  State state = initial_state(model);
  Scratch scratch;
  Index most = 0;
  for (int n = 0; n < 150; ++n) {
    const StepReport report = step(model, {.dt = 0.001}, state, scratch);
    if (!report.accepted) break;  // squeezed flat: the told halves meet in the end
    ASSERT_TRUE(initial_intersections(model.surface, state.x).empty()) << "step " << report.step;
    most = std::max(most, report.active);
  }
  EXPECT_GT(state.step, 100);  // it was 0.12 m wide inside
  EXPECT_GT(most, 0);
}

TEST(Collision, CandidatesAndBitsDoNotDependOnThreads) {
  const Model model = falling_ring(Vec3::Zero());
  const auto run = [&](int threads) {
    set_thread_count(threads);
    State state = initial_state(model);
    Scratch scratch;
    std::vector<Index> candidates;
    for (int n = 0; n < 200; ++n) candidates.push_back(step(model, {.dt = 0.001}, state, scratch).candidates);
    set_thread_count(1);
    return std::pair(candidates, state.x);
  };
  const auto one = run(1), three = run(3);
  EXPECT_EQ(one.first, three.first);
  EXPECT_GT(one.first.back(), 0);
  EXPECT_TRUE((one.second.array() == three.second.array()).all());
}

// What a checkpoint holds is all there is: working memory from before makes no difference to a single bit.
TEST(Collision, ScratchMayBeThrownAwayBetweenSteps) {
  const Model model = falling_ring({0.7, 0.2, -1});
  for (const SolverName& solver : known_solvers()) {
    Options options{.dt = 0.001};
    options.contact.method = method_by_name(solver.name);
    State kept = initial_state(model), anew = kept;
    Scratch scratch;
    Index most = 0, sliding = 0;
    for (int n = 0; n < 200; ++n) {
      Scratch fresh;
      const StepReport one = step(model, options, kept, scratch), other = step(model, options, anew, fresh);
      ASSERT_TRUE((kept.x.array() == anew.x.array()).all()) << solver.name << ", step " << n;
      ASSERT_TRUE((kept.v.array() == anew.v.array()).all()) << solver.name << ", step " << n;
      ASSERT_EQ(one.iterations, other.iterations) << solver.name << ", step " << n;
      ASSERT_EQ(one.candidates, other.candidates) << solver.name << ", step " << n;
      most = std::max(most, one.active);
      sliding = std::max(sliding, one.sliding);
    }
    EXPECT_GT(most, 3) << solver.name;
    EXPECT_GT(sliding, 0) << solver.name;
  }
}

}  // namespace collision_test
}  // namespace sim
