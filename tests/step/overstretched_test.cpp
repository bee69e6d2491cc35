// Prescribed motion that asks more of strain limits than they allow: found where it is, and nowhere else.
#include "model/overstretched.hpp"

#include <cmath>

#include "support/played.hpp"

namespace sim {
namespace overstretched_test {

using test::Played;
using test::with;

// Links of 0.1 m that may be 0.11 m long, less a twentieth of what they may give: 0.1095 m.
constexpr double link = 0.11 - 0.01 / 20;

// Pulled at 1 m/s from its other end.
constexpr const char* pulled = R"({"time": {"step": 0.01, "duration": 1}, "gravity": [0, 0, 0],
  "materials": {"m": {"model": "cable", "stretch": 1e4, "density": 1000, "thickness": 0.02, "strain_limit": [1, 0.1]}},
  "meshes": {"s": MESH},
  "objects": [{"name": "rope", "mesh": "s", "material": "m",
               "boundary": [{"list": [0]}, {"list": [4], "motion": {"velocity": [1, 0, 0]}}]}]})";
constexpr const char* path = R"({"generate": "path", "points": [[0, 0, 0], [0.4, 0, 0]], "segments": 4})";

std::optional<Overstretched> asked(const std::string& mesh, double elapsed) {
  const Played run(with(pulled, {{"MESH", mesh}}));
  return overstretched(run.model, run.state, elapsed);
}

TEST(Overstretched, IsAChainWhoseEndsAreFartherApartThanItsLinksAreLong) {
  EXPECT_FALSE(asked(path, 4 * link - 0.4 - 1e-9));
  const auto found = asked(path, 4 * link - 0.4 + 1e-3);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->vertices[0] + found->vertices[1], 4);
  EXPECT_NEAR(found->distance, 4 * link + 1e-3, 1e-12);
  EXPECT_NEAR(found->allowed, 4 * link, 1e-12);
}

TEST(Overstretched, IsMeasuredAlongTheShortestWay) {
  // From 0 to 4 over three links, or over the long way round.
  const std::string net = R"({"generate": "segments",
    "points": [[0, 0, 0], [0, 0.1, 0], [0.3, 0.1, 0], [0.15, 0.2, 0], [0.3, 0, 0]],
    "segments": [[0, 1], [1, 2], [2, 4], [1, 3], [3, 2]]})";
  const auto reach = [](double rest) { return rest * (1.1 - 0.1 / 20); };
  const double shortest = reach(0.1) + reach(0.3) + reach(0.1);
  EXPECT_FALSE(asked(net, shortest - 0.3 - 1e-9));
  ASSERT_TRUE(asked(net, shortest - 0.3 + 1e-9));
  EXPECT_NEAR(asked(net, 1)->allowed, shortest, 1e-12);
}

TEST(Overstretched, IsNothingWithoutLimits) {
  Played run(with(pulled, {{"MESH", path}, {R"(, "strain_limit": [1, 0.1])", ""}}));
  EXPECT_FALSE(overstretched(run.model, run.state, 10));
}

// No method can take it, and all of them can take what is just allowed.
TEST(Overstretched, IsWhatStopsAStep) {
  Played run(with(pulled, {{"MESH", path}}));
  int steps = 0;
  while (steps < 10 && step(run.model, run.options, run.state, run.scratch).accepted) ++steps;
  // 0.4 m, and 0.01 m more a step, of 0.44 m.
  EXPECT_GE(steps, 3);
  EXPECT_LE(steps, 4);
  EXPECT_TRUE(overstretched(run.model, run.state, run.options.dt));
}

}  // namespace overstretched_test
}  // namespace sim
