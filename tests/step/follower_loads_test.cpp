// Work of loads that go with a body.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "support/played.hpp"

namespace sim {
namespace follower_loads_test {

using test::Played;
using test::with;

// It spins evenly, so that pressures push across the way of what they push on.
TEST(FollowerLoads, APressureOnARingThatSpinsDoesNoWork) {
  for (const char* scheme : {"semi-implicit", "implicit-euler"}) {
    Played run(with(R"json({"time": {"step": 0.004, "duration": 1, "scheme": "SCHEME"}, "gravity": [0, 0, 0],
      "materials": {"m": {"young": 1e6, "poisson": 0.3, "density": 1000, "damping": {"stiffness": 0.002}}},
      "meshes": {"ring": {"generate": "torus", "segments": 24}},
      "objects": [{"name": "ring", "mesh": "ring", "material": "m", "angular_velocity": [0, 0, 10],
                   "loads": [{"pressure": "2e4 * min(t / 0.1, 1)"}]}]})json",
                    {{"SCHEME", scheme}}));
    double work = 0, energy = 0;
    for (int n = 0; n < 120; ++n) {
      const StepReport report = run.advance(1);
      if (n >= 60) work += report.work_loads;  // inflated long since
      energy = report.kinetic_energy;
    }
    EXPECT_LT(std::abs(work), 0.02 * energy) << scheme;
  }
}

// A thruster beside the centre of a rigid body in space: its work is the kinetic energy, to second order in the angle
// a step.
TEST(FollowerLoads, AThrusterGivesItsWorkToTheBody) {
  for (const char* scheme : {"semi-implicit", "implicit-euler"}) {
    Played run(with(R"json({"time": {"step": 0.001, "duration": 1, "scheme": "SCHEME"}, "gravity": [0, 0, 0],
      "materials": {"m": {"density": 1000}},
      "meshes": {"b": {"generate": "box", "size": [0.2, 0.1, 0.05], "cells": [1, 1, 1]}},
      "objects": [{"name": "body", "type": "rigid", "mesh": "b", "material": "m",
                   "loads": [{"force": [0, 10, 0], "point": [0.1, 0, 0], "follows": true}]}]})json",
                    {{"SCHEME", scheme}}));
    double work = 0, energy = 0;
    for (int n = 0; n < 500; ++n) {
      const StepReport report = run.advance(1);
      work += report.work_loads;
      energy = report.kinetic_energy;
    }
    EXPECT_NEAR(work / energy, 1, 0.0025) << scheme;
  }
}

// A needle let go at 30 degrees to a couple of two forces that keep their direction swings: 2 F r (1 - cos 30) from
// then on.
TEST(FollowerLoads, ACoupleSwingsANeedleForEverToSecondOrder) {
  for (const char* step : {"0.001", "0.005", "0.01"}) {
    Played run(
        with(R"json({"time": {"step": STEP, "duration": 3, "scheme": "generalized-alpha"}, "gravity": [0, 0, 0],
      "materials": {"m": {"density": 1000}},
      "meshes": {"b": {"generate": "box", "size": [0.2, 0.05, 0.02], "cells": [1, 1, 1]}},
      "objects": [{"name": "needle", "type": "rigid", "mesh": "b", "material": "m",
                   "rotation": {"axis": [0, 0, 1], "degrees": 30},
                   "loads": [{"force": [0.1, 0, 0], "point": [0.08660254037844387, 0.05, 0]},
                             {"force": [-0.1, 0, 0], "point": [-0.08660254037844387, -0.05, 0]}]}]})json",
             {{"STEP", step}}));
    const double dt = run.options.dt, theory = 2 * 0.1 * 0.1 * (1 - std::cos(std::numbers::pi / 6));
    double late = 0;
    for (int n = 0; n < std::lround(3 / dt); ++n) {
      const StepReport report = run.advance(1);
      if (n * dt > 2.5) late = std::max(late, report.kinetic_energy);
    }
    EXPECT_NEAR(late / theory, 1, 0.005) << step;
  }
}

}  // namespace follower_loads_test
}  // namespace sim
