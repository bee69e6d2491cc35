// Quasi-static steps of stiff bodies, which are dented by less than gaps may differ, and of bodies that nothing
// drives but what touches them.
#include <array>
#include <cmath>
#include <numbers>

#include "support/played.hpp"

namespace sim {
namespace one_gap_test {

using test::Played;
using test::with;

// N, between two objects.
double force_between(const Played& run, Index one, Index other) {
  double force = 0;
  for (const Contact& c : run.state.contacts.contacts) {
    const auto object = [&](std::size_t k) { return run.model.surface.vertex_object[c.vertices[k]]; };
    if ((object(0) == one && object(3) == other) || (object(0) == other && object(3) == one)) force += c.lambda;
  }
  return force;
}

// By symmetry and statics they bear as a + b x; the middle one of seven steel blocks had 44 N of 19.6.
TEST(OneGap, ARigidBeamPressesStiffBlocksAlongALine) {
  std::string blocks;
  for (const char* x : {"-0.6", "-0.4", "-0.2", "0", "0.2", "0.4", "0.6"})
    blocks +=
        with(R"({"name": "block X", "mesh": "cube", "material": "m", "position": [X, 0, 0.050002]}, )", {{"X", x}});
  for (const char* young : {"1e6", "1e10", "2e11"}) {
    Played run(with(R"({"time": {"step": 0.01, "duration": 0.03, "scheme": "quasi-static"},
      "materials": {"m": {"young": YOUNG, "poisson": 0.3, "density": 1000}, "b": {"density": 2000}},
      "meshes": {"plane": {"generate": "half-space"}, "cube": {"generate": "box", "size": [0.1, 0.1, 0.1], "cells": [2, 2, 2]},
                 "beam": {"generate": "box", "size": [1.4, 0.1, 0.05], "cells": [14, 1, 1]}},
      "objects": [{"name": "floor", "type": "fixed", "mesh": "plane"}, BLOCKS
                  {"name": "beam", "type": "rigid", "mesh": "beam", "material": "b", "position": [0, 0, 0.125004]}],
      "contact": {"friction": 0.3}})",
                    {{"YOUNG", young}, {"BLOCKS", blocks}}));
    run.advance(3);
    std::array<double, 7> force{};
    double sum = 0, tilt = 0;
    for (Index i = 0; i < 7; ++i) {
      force[i] = force_between(run, 1 + i, 8);
      sum += force[i];
      tilt += force[i] * (static_cast<double>(i) - 3) / 28;
    }
    EXPECT_NEAR(sum, 137.34, 0.1) << young;
    EXPECT_LT(std::abs(tilt), 0.8) << young;  // N a block: 1 % of what presses, at its end
    for (Index i = 0; i < 7; ++i)
      EXPECT_NEAR(force[i], sum / 7 + tilt * (static_cast<double>(i) - 3), 0.04 * sum / 7) << young << ", " << i;
  }
}

// Its cells lie on those of the table at the start; as these turn away it had 6 to 9 % more than even pressure gives:
// mu N times the mean distance of a square from its middle.
TEST(OneGap, ABoxOnATableThatTurnsHasTheFrictionOfEvenPressure) {
  Played run(R"({"time": {"step": 0.01, "duration": 0.3, "scheme": "quasi-static"}, "gravity": [0, 0, 0],
    "materials": {"m": {"young": 1e9, "poisson": 0, "density": 1000}},
    "meshes": {"u": {"generate": "box", "size": [0.1, 0.1, 0.03], "cells": [8, 8, 2]},
               "l": {"generate": "slab", "size": [0.24, 0.24], "thickness": 0.02, "cells": [8, 8]}},
    "objects": [{"name": "box", "mesh": "u", "material": "m", "position": [0, 0, 0.0150001],
                 "boundary": [{"plane": {"point": [0, 0, 0.029999], "normal": [0, 0, 1]}, "axes": "xy"}],
                 "loads": [{"traction": [0, 0, -5000], "plane": {"point": [0, 0, 0.029999], "normal": [0, 0, 1]}}]},
                {"name": "table", "type": "scripted", "mesh": "l", "position": [0, 0, -0.01],
                 "motion": {"degrees_per_second": 286.4788975654116}}],
    "contact": {"friction": 0.3}})");
  const double mean = 0.1 * (std::numbers::sqrt2 + std::log(1 + std::numbers::sqrt2)) / 6;
  for (int n = 1; n <= 20; ++n) {
    run.advance(1);
    double torque = 0;
    for (const Contact& c : run.state.contacts.contacts) {
      const Vec3 rub = -c.friction[0] * c.t1 - c.friction[1] * c.t2;
      for (std::size_t k = 0; k < 4; ++k) {
        const Index v = c.vertices[k];
        if (run.model.surface.vertex_object[v] == 0) torque += c.weights[k] * run.at(v).cross(rub).z();
      }
    }
    EXPECT_NEAR(torque, 0.3 * 50 * mean, 0.03 * 0.3 * 50 * mean) << n;
  }
}

// The upper plate carries it through the air before it is squeezed: the increment in which nothing but rounding is
// left of its forces never ended.
TEST(TakenAlong, AGasketIsCarriedThroughTheAirAndThenSqueezed) {
  for (const char* young : {"1e6", "2e11"}) {
    for (const char* gaskets : {"", R"({"name": "b", "mesh": "g", "material": "m", "position": [0, 0, 0.0352]},)"}) {
      const bool two = *gaskets != 0;
      Played run(with(R"({"time": {"step": 0.01, "duration": 0.1, "scheme": "quasi-static"}, "gravity": [0, 0, 0],
        "materials": {"m": {"young": YOUNG, "poisson": 0, "density": 1000}},
        "meshes": {"g": {"generate": "box", "size": [0.05, 0.05, 0.01], "cells": [4, 4, 2]}},
        "objects": [{"name": "low", "mesh": "g", "material": "m", "position": [0, 0, 0.015],
                     "boundary": [{"plane": {"point": [0, 0, 0.010001], "normal": [0, 0, -1]}}]},
                    {"name": "a", "mesh": "g", "material": "m", "position": [0, 0, 0.0251]}, GASKETS
                    {"name": "up", "mesh": "g", "material": "m", "position": [0, 0, UP],
                     "boundary": [{"plane": {"point": [0, 0, TOP], "normal": [0, 0, 1]}, "motion": {"translation": [0, 0, "-0.0006*t/0.1"]}}]}],
        "contact": {"friction": 0.3}})",
                      {{"YOUNG", young},
                       {"GASKETS", gaskets},
                       {"UP", two ? "0.0453" : "0.0352"},
                       {"TOP", two ? "0.050299" : "0.040199"}}));
      run.advance(10);
      const Index top = two ? 3 : 2;
      const double strain = two ? 0.0003 / 0.04 : 0.0004 / 0.03;
      const double force = force_between(run, 0, 1), expected = std::atof(young) * 0.0025 * strain;
      EXPECT_NEAR(force, expected, 0.03 * expected) << young << gaskets;
      EXPECT_NEAR(force_between(run, top - 1, top), force, 0.01 * force) << young << gaskets;
    }
  }
}

// Two steel blocks without weight on a half-space, a load on the upper one only.
TEST(TakenAlong, ABlockThatNothingDrivesBearsTheLoadOfTheOneOnIt) {
  for (const char* load : {"20", "100", "1e4"}) {
    for (const char* gap : {"1e-6", "1e-4"}) {
      const double g = std::atof(gap);
      Played run(with(R"({"time": {"step": 0.001, "duration": 0.005, "scheme": "quasi-static"}, "gravity": [0, 0, 0],
        "materials": {"m": {"young": 2e11, "poisson": 0.3, "density": 7800}},
        "meshes": {"plane": {"generate": "half-space"}, "b": {"generate": "box", "size": [0.1, 0.05, 0.03], "cells": [4, 2, 2]}},
        "objects": [{"name": "floor", "type": "fixed", "mesh": "plane"},
                    {"name": "lower", "mesh": "b", "material": "m", "position": [0, 0, LOWER]},
                    {"name": "upper", "mesh": "b", "material": "m", "position": [0.001, 0, UPPER],
                     "loads": [{"force": [0, 0, -LOAD], "plane": {"point": [0, 0, TOP], "normal": [0, 0, 1]}}]}],
        "contact": {"friction": 0.5}})",
                      {{"LOWER", std::to_string(0.015 + g)},
                       {"UPPER", std::to_string(0.045 + 2 * g)},
                       {"TOP", std::to_string(0.06 + 2 * g - 1e-6)},
                       {"LOAD", load}}));
      run.advance(3);
      const double expected = std::atof(load);
      EXPECT_NEAR(force_between(run, 1, 2), expected, 0.01 * expected) << gap;
      EXPECT_NEAR(force_between(run, 0, 1), expected, 0.01 * expected) << gap;
    }
  }
}

}  // namespace one_gap_test
}  // namespace sim
