// A block slides from one tile over a seam onto the next, in the same plane. Before all contacts of a step are found
// it dips by a part of a micrometre, and the side of the next tile is in its way: it is not to be caught there.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <string>

#include "mesh/generate.hpp"
#include "model/measure.hpp"
#include "step/step.hpp"
#include "support/objects.hpp"

namespace sim {
namespace seam_test {

using test::add;

struct Seam {
  ObjectType type;
  double start, speed, friction, gap;  // m, m/s, 1, m
  double higher = 0;                   // m: the next tile
};

constexpr double dt = 1e-3;
constexpr int steps = 40;

double speed_behind(const Seam& at) {
  Model model;
  model.materials = {{.name = "hard", .young = 1e7, .poisson = 0.2, .density = 1000}};
  model.initial_velocity.resize(0);
  model.friction = at.friction;
  model.gravity = Vec3(0, 0, -9.81);
  add(model, "block", at.type, generate(BoxShape{.size = {0.1, 0.1, 0.05}, .cells = {2, 2, 1}}),
      {at.start, 0.013, 0.02501}, {at.speed, 0, 0});
  const Mesh tile = generate(BoxShape{.size = {0.4, 0.3, 0.1}, .cells = {1, 1, 1}});
  add(model, "tile", ObjectType::fixed, tile, {-0.2, 0, -0.05});
  add(model, "next tile", ObjectType::fixed, tile, {0.2 + at.gap, 0, -0.05 + at.higher});
  finish_model(model);
  State state = initial_state(model);
  Scratch scratch;
  for (int n = 1; n <= steps; ++n)
    EXPECT_EQ(step(model, {.dt = dt}, state, scratch).status, StepStatus::converged) << "step " << n;
  constexpr double mass = 1000 * 0.1 * 0.1 * 0.05;
  return measure(model, state).momentum[0] / mass;
}

class OverASeam : public testing::TestWithParam<Seam> {};

TEST_P(OverASeam, SlidesAsOnOneFloor) {
  const Seam& at = GetParam();
  // The first step is free fall.
  EXPECT_NEAR(speed_behind(at), at.speed - at.friction * 9.81 * steps * dt, 0.02 * at.friction * 9.81 * steps * dt);
}

constexpr double micro = 1e-6;
INSTANTIATE_TEST_SUITE_P(Tiles, OverASeam,
                         testing::Values(Seam{ObjectType::rigid, -0.0631069, 1.9378859, 0.5, 1e-3},
                                         Seam{ObjectType::rigid, -0.0631069, 1.9378859, 0.2, 0.1 * micro},
                                         Seam{ObjectType::rigid, -0.0702, 3.1, 0.5, 100 * micro},
                                         Seam{ObjectType::deformable, -0.0701, 3.2513467, 0.05, 0.1 * micro},
                                         Seam{ObjectType::deformable, -0.0657, 2.2, 0.2, 0.1 * micro},
                                         Seam{ObjectType::deformable, -0.0623, 2.9, 0.5, 0.01 * micro}),
                         [](const auto& at) { return "Case" + std::to_string(at.index); });

// It turns about the edge that it has met: of its speed v its centre keeps v h^2 / 4 over (l^2 + h^2) / 3, 0.15 v.
TEST(Seam, OfAHigherTileTripsWhatSlidesAgainstItsSide) {
  constexpr double v = 1.9378859;
  for (const double gap : {1e-3, 0.1 * micro}) {
    const double behind = speed_behind({ObjectType::rigid, -0.0631069, v, 0.2, gap, 50 * micro});
    EXPECT_GT(behind, 0.12 * v);
    EXPECT_LT(behind, 0.18 * v);
  }
}

// A block in a drum that turns, pressed on its wall by its way round and held up by friction. The wall's triangles
// are slender: two edges of one, 3 degrees from each other, let a normal lie in it, across them, and 3e11 N pushed
// the block.
TEST(DrumWall, CarriesABlockAlong) {
  constexpr double rate = 7.326910749360562, at = 0.47968541350954785, duration = 0.3;
  Model model;
  model.materials = {{.name = "hard", .young = 1e7, .poisson = 0.2, .density = 1000}};
  model.initial_velocity.resize(0);
  model.friction = 0.4;
  model.gravity = Vec3(0, 0, -9.81);
  add(model, "block", ObjectType::rigid, generate(BoxShape{.size = {0.04, 0.03, 0.04}, .cells = {1, 2, 2}}),
      {at, 0, 0}, {0, rate * at, 0})
      .angular_velocity = {0, 0, rate};
  Mesh drum = generate(TorusShape{.segments = 90, .major_radius = 0.8, .side = 0.6});
  add(model, "drum", ObjectType::scripted, drum, {0, 0, 0}, {0, 0, 0},
      Motion({.degrees_per_second = rate * 180 / std::numbers::pi}));
  finish_model(model);
  State state = initial_state(model);
  Scratch scratch;
  const double needed = model.rigid[0].mass * std::hypot(rate * rate * at, 9.81);
  while (state.time < duration - dt / 2) {
    ASSERT_EQ(step(model, {.dt = dt}, state, scratch).status, StepStatus::converged) << state.time;
    double pressed = 0;
    for (const Contact& contact : state.contacts.contacts) pressed += contact.lambda;
    ASSERT_LT(pressed, 10 * needed) << state.time;
  }
  const Vec3& x = state.rigid[0].center;
  EXPECT_NEAR(std::atan2(x.y(), x.x()), rate * duration, 0.01);
  EXPECT_NEAR(std::hypot(x.x(), x.y()), at, 1e-3);
  EXPECT_GT(x.z(), -1e-3);
}

}  // namespace seam_test
}  // namespace sim
