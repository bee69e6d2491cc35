// Strain limits under local forces: kept in every step, and a step that cannot keep them is not taken.
#include <cmath>

#include "local/bodies.hpp"

namespace sim {
namespace limits_test {

// Four links of 0.1 m that may be 0.11 m long; the end 4 goes as `motion` says.
struct Rope : test::LoadedScene {
  explicit Rope(const std::string& motion)
      : test::LoadedScene(R"({"gravity": [0, 0, 0], "time": {"step": 0.01, "duration": 1},
      "materials": {"m": {"model": "cable", "strain_limit": [1, 0.1]}},
      "meshes": {"s": {"generate": "path", "points": [[0, 0, 0], [0.4, 0, 0]], "segments": 4}},
      "objects": [{"name": "rope", "mesh": "s", "material": "m",
                   "boundary": [{"list": [0]}, {"list": [4], "motion": )" +
                          motion + R"(}]}],
      "solver": {"method": "local"}})") {}
  StepReport go() { return step(model, options, state, scratch); }
  double longest() const {
    double most = 0;
    for (const LengthLimit& limit : model.surface.limits)
      most = std::max(most, (block(state.x, limit.vertices[0]) - block(state.x, limit.vertices[1])).norm());
    return most;
  }
};

TEST(LocalLimits, AStepThatCannotKeepThemIsNotTaken) {
  Rope rope(R"({"velocity": [1, 0, 0]})");
  int steps = 0;
  StepReport report;
  for (; steps < 10 && (report = rope.go()).accepted; ++steps) EXPECT_LT(rope.longest(), 0.11) << steps;
  EXPECT_GE(steps, 3);  // 0.4 m and 0.01 m more a step, of 0.44 m
  EXPECT_LE(steps, 4);
  EXPECT_EQ(report.status, StepStatus::collision);
  EXPECT_NE(report.reason.find("a strain limit of \"rope\""), std::string::npos) << report.reason;
}

// To 99.7 % of what they allow, there for a while, and back.
TEST(LocalLimits, AreKeptForManyStepsWhereTheyCanBe) {
  Rope rope(R"({"keyframes": [{"time": 0}, {"time": 0.1, "translation": [0.0387, 0, 0]},
                              {"time": 0.6, "translation": [0.0387, 0, 0]}, {"time": 0.7}]})");
  for (int n = 0; n < 80; ++n) {
    const StepReport report = rope.go();
    ASSERT_TRUE(report.accepted) << n << ": " << report.reason;
    ASSERT_LE(rope.longest(), 0.11) << n;
  }
}

// One that falls into its limits from the top on: they are passed on from link to link, and hold its weight.
TEST(LocalLimits, HoldAChainOfTwentyLinksByItsWeight) {
  test::LoadedScene chain(R"({"time": {"step": 0.005, "duration": 2},
    "materials": {"m": {"model": "cable", "stretch": 2, "density": 1000, "thickness": 0.01, "damping": {"mass": 3},
                        "strain_limit": [1, 0.1]}},
    "meshes": {"p": {"generate": "path", "points": [[0, 0, 0], [0, 0, -1]], "segments": 20}},
    "objects": [{"name": "chain", "mesh": "p", "material": "m", "boundary": [{"list": [0]}]}],
    "solver": {"method": "local"}})");
  auto& [model, options, state, scratch] = chain;
  test::take_steps(model, options, 300, state, scratch);
  double held = 0;
  for (int n = 0; n < 100; ++n) held += test::take_steps(model, options, 1, state, scratch).impulse_prescribed.z();
  const double weight = 9.81 * model.elastic.mass.sum();
  EXPECT_NEAR(held / (100 * options.dt), weight, 0.01 * weight);
  for (const LengthLimit& limit : model.surface.limits)
    EXPECT_LE((block(state.x, limit.vertices[0]) - block(state.x, limit.vertices[1])).norm(), limit.longest);
}

}  // namespace limits_test
}  // namespace sim
