// A step that is stopped, wherever, has not happened: and going on is as if nobody had asked.
#include <gtest/gtest.h>

#include "mesh/generate.hpp"
#include "step/step.hpp"
#include "support/counted_stop.hpp"
#include "support/models.hpp"

namespace sim {
namespace {

// A cube that comes down on a fixed one, and a third that flies by itself.
Model falling_cubes() {
  Model model;
  const auto cube = [&](const char* name, ObjectType type, const Vec3& at, const Vec3& velocity) {
    const Mesh part = generate(BoxShape{.size = {0.1, 0.1, 0.1}, .cells = {2, 2, 2}});
    Object object{.name = name, .type = type, .material = type == ObjectType::deformable ? 0 : -1};
    const auto begin = static_cast<Index>(model.mesh.vertices.size());
    object.tets.begin = static_cast<Index>(model.mesh.tets.size());
    object.triangles.begin = static_cast<Index>(model.mesh.triangles.size());
    for (const Vec3& X : part.vertices) model.mesh.vertices.push_back(X + at);
    for (Tet tet : part.tets) {
      for (Index& i : tet) i += begin;
      model.mesh.tets.push_back(tet);
    }
    for (Triangle triangle : part.triangles) {
      for (Index& i : triangle) i += begin;
      model.mesh.triangles.push_back(triangle);
    }
    object.vertices = {begin, static_cast<Index>(model.mesh.vertices.size())};
    object.tets.end = static_cast<Index>(model.mesh.tets.size());
    object.triangles.end = static_cast<Index>(model.mesh.triangles.size());
    model.initial_velocity.conservativeResize(3 * Eigen::Index{object.vertices.end});
    std::vector<Index> vertices;
    for (Index i = begin; i < object.vertices.end; ++i) {
      block(model.initial_velocity, i) = velocity;
      vertices.push_back(i);
    }
    if (type != ObjectType::deformable) model.told.push_back({vertices, Motion()});
    model.objects.push_back(object);
  };
  model.materials = {{.name = "rubber", .young = 5e5, .poisson = 0.2, .density = 1000}};
  cube("floor", ObjectType::fixed, {0, 0, -0.1}, Vec3::Zero());
  cube("falls", ObjectType::deformable, {0.01, 0.02, 0.005}, {0.1, 0, -1});
  cube("flies", ObjectType::deformable, {1, 0, 0}, {0, 0, 3});
  finish_model(model);
  return model;
}

bool same(const VecX& a, const VecX& b) {
  return a.size() == b.size() && (a.array() == b.array()).all();
}

void expect_same(const State& a, const State& b) {
  EXPECT_EQ(a.step, b.step);
  EXPECT_EQ(a.time, b.time);
  EXPECT_TRUE(same(a.x, b.x));
  EXPECT_TRUE(same(a.v, b.v));
  EXPECT_TRUE(same(a.left_over, b.left_over));
  ASSERT_EQ(a.contacts.contacts.size(), b.contacts.contacts.size());
  for (std::size_t i = 0; i < a.contacts.contacts.size(); ++i) {
    EXPECT_EQ(a.contacts.contacts[i].lambda, b.contacts.contacts[i].lambda);
    EXPECT_EQ(a.contacts.contacts[i].gap, b.contacts.contacts[i].gap);
  }
}

class StoppedStep : public testing::TestWithParam<const char*> {
 protected:
  static Options options(const Stop& stop) {
    Options result{.dt = 0.002};
    result.contact.method = method_by_name(GetParam());
    stop_when(stop, result);
    return result;
  }
};

TEST_P(StoppedStep, IsNotTakenAndTheNextOneIsAsIfNothingHadBeen) {
  const Model model = falling_cubes();
  State before = initial_state(model);
  Scratch scratch;
  StepReport report;
  while (report.active == 0 && before.step < 20) report = step(model, options({}), before, scratch);
  ASSERT_GT(report.active, 0) << "no impact";
  const test::CountedStop never;
  State expected = before;
  Scratch fresh;
  ASSERT_TRUE(step(model, options(never.token()), expected, fresh).accepted);
  ASSERT_GT(never.looks, 10);
  const long stride = std::max(1L, never.looks / 25);
  for (long look = 1; look < never.looks; look += stride) {
    SCOPED_TRACE(look);
    State state = before;
    const test::CountedStop stop{.asks_at = look};
    report = step(model, options(stop.token()), state, scratch);
    ASSERT_FALSE(report.accepted);
    EXPECT_EQ(report.status, StepStatus::interrupted);
    EXPECT_EQ(report.substeps, 1);
    EXPECT_LE(stop.looks - look, 100);
    expect_same(state, before);
    ASSERT_TRUE(step(model, options({}), state, scratch).accepted);
    expect_same(state, expected);
  }
}

INSTANTIATE_TEST_SUITE_P(Some, StoppedStep, testing::Values("auto", "cr-full", "exact", "ica"),
                         [](const auto& tested) {
                           std::string text = tested.param;
                           std::erase(text, '-');
                           return text;
                         });

}  // namespace
}  // namespace sim
