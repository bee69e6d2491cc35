// No accepted step leads through a surface: while there are no contact forces, the step before the collision is the
// last.
#include <gtest/gtest.h>

#include "collide/intersections.hpp"
#include "math/parallel.hpp"
#include "mesh/generate.hpp"
#include "step/step.hpp"
#include "support/models.hpp"

namespace sim {
namespace {

const Material rubber{.name = "rubber", .young = 5e5, .poisson = 0.2, .density = 1000};

// Appends an object to the model; obstacles stand still.
void add(Model& model, const std::string& name, ObjectType type, Mesh mesh, const Vec3& position,
         const Vec3& velocity) {
  const auto begin = static_cast<Index>(model.mesh.vertices.size());
  Object object{.name = name, .type = type, .material = type == ObjectType::deformable ? 0 : -1};
  object.vertices = {begin, begin + static_cast<Index>(mesh.vertices.size())};
  object.tets.begin = static_cast<Index>(model.mesh.tets.size());
  object.triangles.begin = static_cast<Index>(model.mesh.triangles.size());
  for (const Vec3& X : mesh.vertices) model.mesh.vertices.push_back(X + position);
  for (Tet tet : mesh.tets) {
    for (Index& i : tet) i += begin;
    model.mesh.tets.push_back(tet);
  }
  for (Triangle triangle : mesh.triangles) {
    for (Index& i : triangle) i += begin;
    model.mesh.triangles.push_back(triangle);
  }
  object.tets.end = static_cast<Index>(model.mesh.tets.size());
  object.triangles.end = static_cast<Index>(model.mesh.triangles.size());
  model.initial_velocity.conservativeResize(3 * Eigen::Index{object.vertices.end});
  std::vector<Index> vertices;
  for (Index i = object.vertices.begin; i < object.vertices.end; ++i) {
    block(model.initial_velocity, i) = velocity;
    vertices.push_back(i);
  }
  if (type != ObjectType::deformable) model.told.push_back({vertices, Motion()});
  model.objects.push_back(object);
}

Model falling_ring(const Vec3& velocity) {
  Model model;
  model.materials = {rubber};
  model.initial_velocity.resize(0);
  add(model, "ring", ObjectType::deformable, generate(TorusShape{}), {0, 0, 0.1}, velocity);
  add(model, "floor", ObjectType::fixed, generate(SlabShape{}), {0, 0, -0.05}, Vec3::Zero());
  finish_model(model);
  return model;
}

TEST(Collision, TheStepBeforeItIsTheLast) {
  const Model model = falling_ring(Vec3::Zero());
  State state = initial_state(model);
  Scratch scratch;
  StepReport report;
  State last;
  for (int n = 0; n < 1000; ++n) {
    last = state;
    report = step(model, {.dt = 0.001}, state, scratch);
    if (report.status != StepStatus::converged) break;
    ASSERT_TRUE(initial_intersections(model.surface, state.x).empty()) << "step " << report.step;
  }
  EXPECT_EQ(report.status, StepStatus::collision);
  EXPECT_NE(report.reason.find("\"ring\""), std::string::npos) << report.reason;
  EXPECT_NE(report.reason.find("\"floor\""), std::string::npos) << report.reason;
  EXPECT_TRUE((state.x.array() == last.x.array()).all());
  // 0.08 m of fall (the ring's lower side is 0.02 m under its centre): n (n + 1) / 2 g dt^2 < 0.08 gives 127 steps.
  EXPECT_EQ(state.step, 127);
}

TEST(Collision, ABodyShotThroughAPlateAtAThousandTimesItsSizeAStepIsCaught) {
  const Model model = falling_ring({0, 0, -0.24 * 1000 / 0.001});
  State state = initial_state(model);
  Scratch scratch;
  EXPECT_EQ(step(model, {.dt = 0.001}, state, scratch).status, StepStatus::collision);
  EXPECT_EQ(state.step, 0);
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
  add(model, "ring", ObjectType::deformable, generate(TorusShape{.segments = 36}), Vec3::Zero(), Vec3::Zero());
  MotionSpec to_the_left;
  to_the_left.velocity = {-1, 0, 0};
  model.told.push_back(
      {test::vertices_where(model, [](const Vec3& X) { return X.x() > 0.095; }), Motion(to_the_left)});
  model.told.push_back({test::vertices_where(model, [](const Vec3& X) { return X.x() < -0.095; }), Motion()});
  finish_model(model);
  State state = initial_state(model);
  Scratch scratch;
  StepReport report;
  for (int n = 0; n < 300 && report.status == StepStatus::converged; ++n) {
    report = step(model, {.dt = 0.001}, state, scratch);
    if (report.status == StepStatus::converged) {
      ASSERT_TRUE(initial_intersections(model.surface, state.x).empty()) << "step " << report.step;
    }
  }
  EXPECT_EQ(report.status, StepStatus::collision) << report.reason;
  EXPECT_GT(state.step, 50);  // it was 0.12 m wide inside
}

TEST(Collision, CandidatesAndBitsDoNotDependOnThreads) {
  const Model model = falling_ring(Vec3::Zero());
  const auto run = [&](int threads) {
    set_thread_count(threads);
    State state = initial_state(model);
    Scratch scratch;
    std::vector<Index> candidates;
    for (int n = 0; n < 127; ++n) candidates.push_back(step(model, {.dt = 0.001}, state, scratch).candidates);
    set_thread_count(1);
    return std::pair(candidates, state.x);
  };
  const auto one = run(1), three = run(3);
  EXPECT_EQ(one.first, three.first);
  EXPECT_GT(one.first.back(), 0);
  EXPECT_TRUE((one.second.array() == three.second.array()).all());
}

}  // namespace
}  // namespace sim
