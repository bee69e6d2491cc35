// Bodies of one cross-section pressed on each other. On its trial way the upper one goes far into the lower one and
// meets it from behind everywhere; where they stand, nothing pushes either of them sideways.
#include <gtest/gtest.h>

#include "support/played.hpp"

namespace sim {
namespace flush_test {

using test::Played;
using test::with;

struct Pushed {
  Vec3 force = Vec3::Zero();  // N, on the lower one of each pair
  double aside = 0;           // N, of all contacts together
};

Pushed pushed(const Played& played) {
  Pushed found;
  for (const Contact& c : played.state.contacts.contacts) {
    found.force += (c.n[2] > 0 ? -c.lambda : c.lambda) * c.n;
    found.aside += c.lambda * c.n.head<2>().norm();
  }
  return found;
}

constexpr const char* press = R"({
  "gravity": [0, 0, 0], "time": TIME, "contact": { "friction": 0 },
  "materials": { "steel": { "young": 2e11, "poisson": 0.3, "density": 1000, "damping": { "mass": 20, "stiffness": 1e-5 } } },
  "meshes": { "upper": { "generate": "box", "size": [0.1, 0.1, 0.05], "cells": [2, 2, 2] },
              "lower": { "generate": "box", "size": [0.1, 0.1, 0.1], "cells": [2, 2, 2] } },
  "objects": [
    { "name": "upper", "mesh": "upper", "material": "steel", "position": [0, 0, 0.025001],
      "boundary": [ { "box": [[-1e-9, -1, -1], [1e-9, 1, 1]], "axes": "x" }, { "box": [[-1, -1e-9, -1], [1, 1e-9, 1]], "axes": "y" } ],
      "loads": [ { "traction": [0, 0, -PRESSURE], "plane": { "point": [0, 0, 0.0495], "normal": [0, 0, 1] } } ] },
    { "name": "lower", "mesh": "lower", "material": "steel", "position": [0, 0, -0.05],
      "boundary": [ { "plane": { "point": [0, 0, -0.0999], "normal": [0, 0, -1] } } ] } ]
})";

TEST(Flush, BlocksThatAreOnlyPressedDownDoNotPushAside) {
  for (const char* time : {R"({ "scheme": "quasi-static", "step": 1, "duration": 1 })",
                           R"({ "scheme": "implicit-euler", "step": 0.01, "duration": 1 })",
                           R"({ "scheme": "semi-implicit", "step": 0.02, "duration": 1 })"}) {
    for (const double pressure : {6e4, 2e5}) {
      Played played(with(press, {{"TIME", time}, {"PRESSURE", std::to_string(pressure)}}));
      played.advance(played.options.time.scheme == TimeScheme::quasi_static ? 1 : 40);
      const Pushed found = pushed(played);
      const double force = pressure * 0.1 * 0.1;
      EXPECT_NEAR(-found.force[2], force, 0.02 * force) << time;
      EXPECT_LT(found.aside, 1e-3 * force) << time << ", " << pressure;
    }
  }
}

TEST(Flush, CubesStackedRimOnRimBearTheirWeightUpright) {
  for (const double young : {1e6, 1e9}) {
    Played played(with(R"({
      "time": { "scheme": "quasi-static", "step": 1, "duration": 1 }, "contact": { "friction": 1 },
      "materials": { "rubber": { "young": YOUNG, "poisson": 0.4, "density": 1100 } },
      "meshes": { "cube": { "generate": "box", "size": [0.1, 0.1, 0.1], "cells": [2, 2, 2] } },
      "objects": [ { "name": "low", "mesh": "cube", "material": "rubber", "position": [0, 0, 0.05001] },
                   { "name": "middle", "mesh": "cube", "material": "rubber", "position": [0, 0, 0.15002] },
                   { "name": "high", "mesh": "cube", "material": "rubber", "position": [0, 0, 0.25003] },
                   { "name": "floor", "type": "fixed", "mesh": "half-space" } ]
    })",
                       {{"YOUNG", std::to_string(young)}}));
    const StepReport report = played.advance(1);
    const double weight = 1100 * 1e-3 * 9.81;
    const Pushed found = pushed(played);
    EXPECT_NEAR(-found.force[2], (1 + 2 + 3) * weight, 0.02 * 6 * weight);
    EXPECT_LT(found.aside, 0.02 * weight) << young;
    EXPECT_LT(report.iterations, 3000) << young;
  }
}

}  // namespace flush_test
}  // namespace sim
