// Elastic and rigid blocks in slots whose play is less than the tolerance of gaps.
#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include "math/number_text.hpp"
#include "support/played.hpp"

namespace sim {
namespace slot_test {

using test::Played;
using test::with;

// A steel block of 100 x 100 x 30 mm between two walls across y, `PLAY` of room on each side, without gravity. The
// default tolerance of its gaps is 2.8 um.
std::string slot(const std::string& play, const std::string& block, const std::string& scheme,
                 const std::string& mu) {
  return with(R"({"time": {"step": STEP, "duration": 1, "scheme": "SCHEME"}, "gravity": [0, 0, 0],
    "materials": {"steel": {"young": 2e11, "poisson": 0.3, "density": 7800}},
    "meshes": {"b": {"generate": "box", "size": [0.1, 0.1, 0.03], "cells": [6, 4, 2]},
               "wall": {"generate": "slab", "size": [0.6, 0.3], "thickness": 0.02}},
    "objects": [{"name": "block", "mesh": "b", "material": "steel", BLOCK},
      {"name": "left", "type": "fixed", "mesh": "wall", "position": [0, -0.06000PLAY, 0],
       "rotation": {"axis": [1, 0, 0], "degrees": -90}},
      {"name": "right", "type": "fixed", "mesh": "wall", "position": [0, 0.06000PLAY, 0],
       "rotation": {"axis": [1, 0, 0], "degrees": 90}}],
    "contact": {"friction": MU}})",
              {{"BLOCK", block}, {"PLAY", play}, {"SCHEME", scheme}, {"MU", mu}});
}

double force_on(const Played& run, Index object) {
  double sum = 0;
  for (const Contact& c : run.state.contacts.contacts) {
    const std::array<Index, 2> objects = objects_of(run.model.surface, c.vertices);
    if (objects[0] == object || objects[1] == object) sum += c.lambda;
  }
  return sum;
}

// It turns until its corners bear: F on each wall.
TEST(Slot, ACoupleIsBorneByCorners) {
  const std::string couple =
      R"("loads": [{"force": [0, 60, 0], "plane": {"point": [0.0499999, 0, 0], "normal": [1, 0, 0]}},
      {"force": [0, -60, 0], "plane": {"point": [-0.0499999, 0, 0], "normal": [-1, 0, 0]}}],
    "boundary": [{"box": [[-1e-7, -1e-7, -0.0150001], [1e-7, 1e-7, 0.0150001]], "axes": "xz"}])";
  for (const char* scheme : {"quasi-static", "semi-implicit"}) {
    Played run(with(slot("1", couple, scheme, "0"), {{"STEP", "0.01"}}));
    run.advance(10);
    EXPECT_NEAR(force_on(run, 1), 60, 0.01 * 60) << scheme;
    EXPECT_NEAR(force_on(run, 2), 60, 0.01 * 60) << scheme;
  }
}

// Drawn at a corner against a force P that goes through its middle: N L = P w / 2 on each wall, with friction
// P = F + 2 mu N.
TEST(Slot, ADrawerThatIsDrawnAtACornerIsClampedByNoMoreThanItsLeverArm) {
  const std::string drawn = R"("loads": [{"body_force": [-2e5, 0, 0]}],
    "boundary": [{"box": [[0.0499999, 0.0499999, -1], [0.0500001, 0.0500001, 1]], "axes": "xz",
                  "motion": {"translation": ["0.001*t", 0, 0]}}])";
  for (const double mu : {0.0, 0.3}) {
    Played run(with(slot("1", drawn, "quasi-static", std::to_string(mu)), {{"STEP", "0.01"}}));
    run.advance(10);
    const double theory = 60 / (1 - mu) / 2;
    EXPECT_NEAR(force_on(run, 1), theory, 0.02 * theory) << mu;
    EXPECT_NEAR(force_on(run, 2), theory, 0.02 * theory) << mu;
  }
}

// In time, free: friction takes mu w / L of what draws it.
TEST(Slot, ADrawerThatIsDrawnAtACornerStarts) {
  const double force = 23.4, mu = 0.5;
  const std::string drawn =
      R"("loads": [{"force": [23.4, 0, 0], "box": [[0.0499999, 0.0499999, -0.1], [0.0500001, 0.0500001, 0.1]]}])";
  for (const char* scheme : {"semi-implicit", "implicit-euler", "generalized-alpha"}) {
    Played run(with(slot("05", drawn, scheme, "0.5"), {{"STEP", "0.001"}}));
    double momentum = run.advance(40).momentum.x();
    momentum = run.advance(40).momentum.x() - momentum;
    EXPECT_NEAR(momentum / (0.04 * force), 1 - mu, 0.01) << scheme;
  }
}

TEST(Slot, ARigidDrawerThatIsDrawnAtACornerStarts) {
  for (const double mu : {0.3, 0.5}) {
    for (const char* method : {"auto", "exact"}) {
      const std::string drawn = R"("type": "rigid", "loads": [{"force": [4.68, 0, 0], "point": [0.05, 0.05, 0]}])";
      Played run(with(slot("1", drawn, "semi-implicit", std::to_string(mu)), {{"STEP", "0.005"}}));
      run.options.method = method;
      double momentum = run.advance(30).momentum.x();
      momentum = run.advance(30).momentum.x() - momentum;
      EXPECT_NEAR(momentum / (0.15 * 4.68), 1 - mu, 0.01) << mu << method;
    }
  }
}

// Pushed to and fro across: it goes from one wall to the other, a corner first, and is thrown back on its way. Only
// the wall that it is pushed at bears, once it has come to it.
TEST(Slot, ABlockThatGoesToTheOtherWallLeavesTheOne) {
  const std::string pushed = R"x("loads": [{"body_force": [0, "7800*(sin(2*pi*t/0.016) > 0 ? 1 : -1)", 0]}])x";
  for (const char* scheme : {"semi-implicit", "generalized-alpha"}) {
    Played run(with(slot("05", pushed, scheme, "0"), {{"STEP", "0.0005"}}));
    for (int n = 0; n < 4; ++n) {
      run.advance(16);
      const double left = force_on(run, 1), right = force_on(run, 2);
      EXPECT_LT(std::min(left, right), 0.05) << scheme << n;
    }
  }
}

// Plates that lie on each other under a lid, a nanometre or more between all: the floor bears them, the lid nothing.
// The least gap that contacts keep, asked for on both sides, pressed a steel plate with 2,000 times its weight.
TEST(Snug, PlatesUnderALidLieOnTheFloor) {
  for (const auto& [type, gap] : {std::pair{"deformable", "1e-9"}, {"deformable", "1e-7"}, {"rigid", "1e-7"}}) {
    std::string scene = R"({"time": {"step": 0.001, "duration": 1},
      "materials": {"m": {"young": 2e11, "poisson": 0.3, "density": 7800}},
      "meshes": {"p": {"generate": "box", "size": [0.1, 0.1, 0.02], "cells": [4, 4, 2]}},
      "objects": [{"name": "floor", "type": "fixed", "mesh": "half-space"},)";
    const double g = std::stod(gap);
    for (int i = 0; i < 2; ++i)
      scene += R"({"name": "p)" + std::to_string(i) + R"(", "type": ")" + type +
               R"(", "mesh": "p", "material": "m", "position": [0, 0, )" +
               number_text(0.01 + g + i * (0.02 + g), 15) + "]},";
    scene +=
        R"({"name": "lid", "type": "fixed", "mesh": "half-space", "rotation": {"axis": [1, 0, 0], "degrees": 180},
      "position": [0, 0, )" +
        number_text(0.04 + 3 * g, 15) + R"(]}], "contact": {"friction": 0.3}})";
    Played run(scene);
    run.advance(30);
    const double weight = 2 * 7800 * 2e-4 * 9.81;
    EXPECT_NEAR(force_on(run, 0) / weight, 1, 0.01) << type << gap;
    EXPECT_LT(force_on(run, 3) / weight, 0.01) << type << gap;
  }
}

// A steel beam that lands on three supports one after the other, 1 m long: a micrometre is 110 N. A finer tolerance
// of gaps gives the middle one 0.54 of the weight.
TEST(Supports, ThatAreMetOneAfterTheOtherBearAlike) {
  for (const auto& [height, tilt] : {std::pair{"0.050010", "0.000573"}, {"0.050020", "-0.001146"}}) {
    Played run(with(R"({"time": {"step": 0.001, "duration": 0.1},
      "materials": {"m": {"young": 2e11, "poisson": 0.3, "density": 7800, "damping": {"mass": 200}}},
      "meshes": {"b": {"generate": "box", "size": [1, 0.1, 0.1], "cells": [20, 2, 3]},
                 "s": {"generate": "box", "size": [0.02, 0.15, 0.1], "cells": [2, 6, 2]}},
      "objects": [{"name": "beam", "mesh": "b", "material": "m", "position": [0, 0, HEIGHT],
                   "rotation": {"axis": [0, 1, 0], "degrees": TILT}},
                  {"name": "s0", "type": "fixed", "mesh": "s", "position": [-0.45, 0, -0.05]},
                  {"name": "s1", "type": "fixed", "mesh": "s", "position": [0, 0, -0.05]},
                  {"name": "s2", "type": "fixed", "mesh": "s", "position": [0.45, 0, -0.05]}],
      "contact": {"friction": 0}})",
                    {{"HEIGHT", height}, {"TILT", tilt}}));
    run.advance(100);
    const double weight = 7800 * 0.01 * 9.81;
    EXPECT_NEAR(force_on(run, 1) + force_on(run, 2) + force_on(run, 3), weight, 0.01 * weight);
    EXPECT_NEAR(force_on(run, 2) / weight, 0.54, 0.065) << tilt;
  }
}

}  // namespace slot_test
}  // namespace sim
