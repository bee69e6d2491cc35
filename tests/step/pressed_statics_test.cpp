// Quasi-static steps of what is pressed by far more than its weight.
#include <algorithm>

#include "support/played.hpp"

namespace sim {
namespace {

using test::Played;
using test::with;

// Pressed by 1,000 to 100,000 times its weight: E A (1 - h / L) = F without lateral contraction.
TEST(QuasiStatic, ABlockIsShortenedByALoadFarBeyondItsWeight) {
  for (const char* density : {"1000", "10"}) {
    for (const char* gravity : {"[0, 0, -9.81]", "[0, 0, 0]"}) {
      Played run(with(R"({"time": {"step": 1, "duration": 1, "scheme": "quasi-static"}, "gravity": GRAVITY,
        "materials": {"m": {"young": 1e9, "poisson": 0, "density": DENSITY}},
        "meshes": {"b": {"generate": "box", "size": [0.1, 0.1, 0.1], "cells": [3, 3, 3]}, "g": {"generate": "half-space"}},
        "objects": [{"name": "block", "mesh": "b", "material": "m", "position": [0, 0, 0.050001],
                     "loads": [{"traction": [0, 0, -1e7], "plane": {"point": [0, 0, 0.1], "normal": [0, 0, 1]}}]},
                    {"name": "floor", "type": "fixed", "mesh": "g"}], "contact": {"friction": 0.3}})",
                      {{"GRAVITY", gravity}, {"DENSITY", density}}));
      run.advance(1);
      double low = 1, high = 0;
      for (Index i = 0; i < 64; ++i) {
        low = std::min(low, run.at(i)[2]);
        high = std::max(high, run.at(i)[2]);
      }
      EXPECT_NEAR(high - low, 0.099, 1e-5) << density << " kg/m3, " << gravity;  // within 1 % of the force
    }
  }
}

TEST(QuasiStatic, ARigidPunchStaysWhereALoadFarBeyondItsWeightPressesIt) {
  Played run(R"({"time": {"step": 1, "duration": 1, "scheme": "quasi-static"},
    "materials": {"m": {"young": 1e9, "poisson": 0.3, "density": 1000}},
    "meshes": {"p": {"generate": "box", "size": [0.2, 0.02, 0.1], "cells": [4, 1, 2]},
               "b": {"generate": "box", "size": [1, 1, 1], "cells": [1, 1, 1]}},
    "objects": [{"name": "punch", "type": "rigid", "mesh": "p", "material": "m", "position": [0.1, 0.05, 0.050001],
                 "loads": [{"force": [0, 0, -4e4]}]},
                {"name": "base", "type": "fixed", "mesh": "b", "position": [0, 0, -0.5]}], "contact": {"friction": 0.5}})");
  run.advance(1);
  const Vec3 moved = run.state.rigid[0].center - Vec3(0.1, 0.05, 0.050001);
  EXPECT_LT(moved.norm(), 2e-6);
}

}  // namespace
}  // namespace sim
