// Where contacts begin: soft landings under generalized alpha, a table that shakes; what falls flat onto a coarse
// mesh or into a groove that locks itself; and what a thrown plate holds to.
#include <algorithm>
#include <cmath>

#include "support/played.hpp"

namespace sim {
namespace landing_test {

constexpr double g = 9.81;

const std::string block_on_floor = R"({ "gravity": [0, 0, -9.81],
  "time": { "step": DT, "duration": 1, "scheme": "generalized-alpha" },
  "materials": { "m": { "young": 1e8, "poisson": 0.3, "density": 1000 } },
  "meshes": { "b": { "generate": "box", "size": [0.05, 0.05, 0.01], "cells": [2, 2, 1] }, "f": FLOOR },
  "objects": [ { "name": "b", "type": "TYPE", "mesh": "b", "material": "m", "position": [0, 0, HEIGHT] },
               { "name": "f", "mesh": "f", MOTION } ], "contact": { "friction": 0.4 } })";

double height(const test::Played& played) {
  const Range vertices = played.model.objects[0].vertices;
  double sum = 0;
  for (Index i = vertices.begin; i < vertices.end; ++i) sum += played.at(i)[2];
  return sum / static_cast<double>(vertices.size());
}

// From the height of `steps` steps of free fall: how far it rises again, over what the first of them falls by.
double rebound(const std::string& type, double dt, double steps) {
  const double fall = 0.5 * g * dt * dt;
  test::Played played(test::with(block_on_floor, {{"DT", std::to_string(dt)},
                                                  {"FLOOR", R"({ "generate": "half-space" })"},
                                                  {"TYPE", type},
                                                  {"MOTION", R"("type": "fixed")"},
                                                  {"HEIGHT", std::to_string(0.005 + steps * steps * fall)}}));
  double lowest = height(played), most = 0;
  for (int n = 0; n < static_cast<int>(steps) + 20; ++n) {
    played.advance(1);
    lowest = std::min(lowest, height(played));
    most = std::max(most, height(played) - lowest);
  }
  return most / fall;
}

// Whatever the step before: a body that lands with less than a step of free fall gives it was thrown back with all of
// its speed, to seven times the height it came from.
TEST(Landing, OfLessThanAFewStepsOfFreeFallIsNotThrownBack) {
  for (const std::string type : {"rigid", "deformable"}) {
    for (const double dt : {0.005, 0.001}) {
      for (const double steps : {0.5, 0.8, 1.0, 1.3, 1.5, 2.0, 2.5, 3.0, 10.0})
        EXPECT_LT(rebound(type, dt, steps), 0.05) << type << ' ' << dt << ' ' << steps;
    }
  }
}

// A table goes as A (1 - cos w t) with A w^2 = 1.05 g: the block leaves it where that falls faster than g.
TEST(Landing, ABlockHopsOnAShakingTableAsHighAsItMust) {
  const double w = 40, A = 1.05 * g / (w * w);
  const double leaves = std::acos(-1 / 1.05) / w;
  const auto table = [&](double t) { return A * (1 - std::cos(w * t)); };
  double hop = 0;
  for (double s = 0; s < 0.04; s += 1e-5) {
    const double flies = table(leaves) + A * w * std::sin(w * leaves) * s - 0.5 * g * s * s;
    hop = std::max(hop, flies - table(leaves + s));
  }
  for (const double dt : {0.001, 0.0005}) {
    test::Played played(test::with(block_on_floor, {{"DT", std::to_string(dt)},
                                                    {"FLOOR", R"({ "generate": "slab", "size": [2, 2] })"},
                                                    {"TYPE", "rigid"},
                                                    {"HEIGHT", "0.005002"},
                                                    {"MOTION", R"x("type": "scripted", "position": [0, 0, -0.05],
            "motion": { "translation": [0, 0, "0.0064378125 * (1 - cos(40 * t))"] })x"}}));
    double first = 0, highest = 0, rests = 0;
    int steps = 0;
    for (int n = 1; n <= static_cast<int>(0.6 / dt); ++n) {
      played.advance(1);
      const double above = height(played) - 0.005 - table(n * dt);
      if (n * dt > 0.04 && n * dt < 0.06) rests += above, ++steps;
      highest = std::max(highest, above);
      if (n * dt < 0.15) first = highest;
    }
    EXPECT_NEAR(first - rests / steps, hop, 30 * dt * hop) << dt;  // of first order
    EXPECT_NEAR(highest - rests / steps, hop, 0.06 * hop) << dt;   // later ones begin as the one before has landed
  }
}

// A ball of facets and a strip of cloth, which land in a groove and over a rod, come to rest as by either Euler
// scheme: corners that are set down more slowly than g dt end their motion as well.
const std::string ball_in_groove = R"({ "gravity": [0, 0, -9.81],
  "time": { "step": 0.005, "duration": 4, "scheme": "SCHEME" },
  "materials": { "m": { "young": 1e7, "density": 1000, "damping": { "mass": 4 } } },
  "meshes": { "f": { "generate": "half-space" }, "s": { "generate": "sphere", "radius": 0.12, "resolution": 4 } },
  "objects": [ { "name": "b", "type": "rigid", "mesh": "s", "material": "m", "position": [0, 0.02, 0.25] },
               { "name": "l", "type": "fixed", "mesh": "f", "rotation": { "axis": [1, 0, 0], "degrees": 45 } },
               { "name": "r", "type": "fixed", "mesh": "f", "rotation": { "axis": [1, 0, 0], "degrees": -45 } } ],
  "contact": { "friction": 0 } })";

TEST(Landing, ABallOfFacetsComesToRestInAGroove) {
  for (const std::string scheme : {"generalized-alpha", "implicit-euler", "semi-implicit"}) {
    test::Played played(test::with(ball_in_groove, {{"SCHEME", scheme}}));
    played.advance(600);
    const RigidState& ball = played.state.rigid[0];
    const Vec3 there = ball.center;
    played.advance(200);
    EXPECT_LT(kinetic_energy(played.model.rigid[0], ball), 1e-7) << scheme;  // J, of a ball of 7 kg
    EXPECT_LT((ball.center - there).norm(), 1e-5) << scheme;
  }
}

// Thrown, it tips and lands at different times of a step at its contacts, which then stick where they landed.
TEST(HeldPositions, APlateThrownOnAVeryRoughFloorRestsAtNoCost) {
  for (const std::string mu : {"30", "1e4", "1e6"}) {
    test::Played played(test::with(R"({ "gravity": [0, 0, -9.81], "time": { "step": 0.001, "duration": 1 },
      "materials": { "m": { "density": 1000 } },
      "meshes": { "c": { "generate": "box", "size": [0.1, 0.1, 0.01], "cells": [3, 3, 1] },
                  "f": { "generate": "half-space" } },
      "objects": [ { "name": "c", "type": "rigid", "mesh": "c", "material": "m", "position": [0, 0, 0.005001],
                     "velocity": [1, 0, 0] },
                   { "name": "f", "type": "fixed", "mesh": "f" } ], "contact": { "friction": MU } })",
                                   {{"MU", mu}}));
    played.advance(40);
    const Vec3 before = played.state.rigid[0].center;
    Index iterations = 0;
    for (int n = 0; n < 60; ++n) iterations += played.advance(1).iterations;
    EXPECT_LT(iterations, 60 * 10) << mu;
    EXPECT_LT((played.state.rigid[0].center - before).norm(), 1e-6) << mu;
  }
}

// A cube lands flat on a free plate whose cells are fifteen times its size, over a node of it: both go on together,
// and nothing turns. (All of its corners were taken for one, as they are one for the plate: it went off sideways by
// 0.43 m/s and turned by 58 degrees, clean.)
TEST(Landing, OfACubeOnANodeOfACoarsePlateNeitherTurnsItNorMovesItAside) {
  const Vec2 places[] = {{0.0003, 0.0002}, {-0.0001, 0.0004}, {0.00025, -0.00035}, {0.00012, 0.00005}};
  for (const Vec2& at : places) {
    test::Played played(test::with(R"({ "gravity": [0, 0, 0], "time": { "step": 0.001, "duration": 1 },
      "materials": { "m": { "density": 7800 } },
      "meshes": { "c": { "generate": "box", "size": [0.001, 0.001, 0.001], "cells": [1, 1, 1] },
                  "p": { "generate": "box", "size": [0.3, 0.3, 0.0002], "cells": [20, 20, 1] } },
      "objects": [ { "name": "c", "type": "rigid", "mesh": "c", "material": "m", "position": [X, Y, 0.003],
                     "velocity": [0, 0, -10] },
                   { "name": "p", "type": "rigid", "mesh": "p", "material": "m" } ],
      "contact": { "friction": 0.3 } })",
                                   {{"X", std::to_string(at[0])}, {"Y", std::to_string(at[1])}}));
    played.advance(4);
    const RigidBody &cube = played.model.rigid[0], &plate = played.model.rigid[1];
    const RigidState& end = played.state.rigid[0];
    const double together = -10 * cube.mass / (cube.mass + plate.mass);
    EXPECT_NEAR(end.velocity.z(), together, 0.02 * std::abs(together)) << at.transpose();
    EXPECT_LT(end.velocity.head<2>().norm(), 0.2 * std::abs(together)) << at.transpose();
    EXPECT_LT(2 * end.turn.vec().norm(), 0.01) << at.transpose();
  }
}

// What spins and falls between walls whose half angle is less than that of friction is caught where it meets the
// second one. Rows at the turn that was foreseen had it lifted by r (w dt)^2 / 2, and new contacts had it slide on to
// their impacts, which friction forbids: no part of the step was short enough, and the run stopped.
TEST(Groove, ThatLocksItselfCatchesWhatSpinsAndFallsIntoIt) {
  struct Case {
    const char *mesh, *lean, *fall, *spin, *height;
  };
  const char* cylinder = R"({"generate": "cylinder", "radius": 0.02, "length": 0.04, "segments": 24})";
  const char* ball = R"({"generate": "sphere", "radius": 0.02, "resolution": 4})";
  for (const Case& one :
       {Case{cylinder, "75", "-0.2", "50", "0.09727"}, Case{cylinder, "70", "-0.2", "50", "0.07848"},
        Case{cylinder, "80", "-2", "150", "0.13518"}, Case{ball, "80", "-0.2", "150", "0.13518"}}) {
    SCOPED_TRACE(std::string(one.mesh) + ", " + one.lean + ", " + one.fall + ", " + one.spin);
    test::Played run(test::with(
        R"({"time": {"step": 0.0005, "duration": 1}, "materials": {"m": {"density": 1000}},
      "meshes": {"b": MESH, "side": {"generate": "half-space"}},
      "objects": [{"name": "b", "type": "rigid", "mesh": "b", "material": "m", "position": [0, 0, HEIGHT],
                   "velocity": [0, 0, FALL], "angular_velocity": [0, SPIN, 0],
                   "rotation": {"axis": [1, 0, 0], "degrees": 90}},
                  {"name": "left", "type": "fixed", "mesh": "side", "rotation": {"axis": [0, 1, 0], "degrees": -LEAN}},
                  {"name": "right", "type": "fixed", "mesh": "side", "rotation": {"axis": [0, 1, 0], "degrees": LEAN}}],
      "contact": {"friction": 0.5}})",
        {{"MESH", one.mesh}, {"LEAN", one.lean}, {"FALL", one.fall}, {"SPIN", one.spin}, {"HEIGHT", one.height}}));
    for (int n = 0; n < 400; ++n) ASSERT_TRUE(run.advance(1).accepted) << n;
    const RigidState& end = run.state.rigid[0];
    EXPECT_LT(end.velocity.norm() + 0.02 * angular_velocity(run.model.rigid[0], end).norm(), 0.01);
    double carried = 0;
    for (const Contact& c : run.scratch.solved)
      carried += std::abs(c.lambda) * c.n.z() - c.friction[0] * c.t1.z() - c.friction[1] * c.t2.z();
    EXPECT_NEAR(std::abs(carried), 9.81 * run.model.rigid[0].mass, 0.05 * 9.81 * run.model.rigid[0].mass);
  }
}

}  // namespace landing_test
}  // namespace sim
