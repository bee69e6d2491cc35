// A step that is stopped, wherever, has not happened: and going on is as if nobody had asked.
#include <gtest/gtest.h>

#include "mesh/generate.hpp"
#include "step/step.hpp"
#include "support/counted_stop.hpp"
#include "support/objects.hpp"

namespace sim {
namespace stop_test {

// A cube that comes down on a fixed one, and a third that flies by itself.
Model falling_cubes() {
  Model model;
  model.materials = {{.name = "rubber", .young = 5e5, .poisson = 0.2, .density = 1000}};
  const Mesh cube = generate(BoxShape{.size = {0.1, 0.1, 0.1}, .cells = {2, 2, 2}});
  test::add(model, "floor", ObjectType::fixed, cube, {0, 0, -0.1});
  test::add(model, "falls", ObjectType::deformable, cube, {0.01, 0.02, 0.005}, {0.1, 0, -1});
  test::add(model, "flies", ObjectType::deformable, cube, {1, 0, 0}, {0, 0, 3});
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

}  // namespace stop_test
}  // namespace sim
