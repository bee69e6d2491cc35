// Bodies so stiff and light for their time step that the last bits of their equations are more than the gaps that
// their weight would ask for.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "support/played.hpp"

namespace sim {
namespace rounding_test {

using test::Played;
using test::with;

// A ball of 0.5 mm and 0.08 mg, 4.5e10 Pa, falls by 1 um and rocks onto a facet: dt^2 K is a thousand million times
// its mass.
const char* const ball = R"({
  "time": { "step": 0.0036, "duration": 0.72, "scheme": "implicit-euler" },
  "materials": { "m": { "young": 4.5e10, "poisson": 0.3, "density": 152 } },
  "meshes": { "b": { "generate": "sphere", "radius": 0.0005, "resolution": 3 },
              "t": { "generate": "slab", "size": [2, 2], "thickness": 0.05 } },
  "objects": [ { "name": "t", "type": "fixed", "mesh": "t", "position": [0, 0, -0.025] },
               { "name": "b", "mesh": "b", "material": "m", "position": [0, 0, 0.000501] } ],
  "contact": { "friction": 0.2 }, "solver": { "method": "METHOD" } })";

class Rounding : public ::testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Methods, Rounding, ::testing::Values("auto", "exact"),
                         [](const ::testing::TestParamInfo<const char*>& method) {
                           return std::string(method.param);
                         });

TEST_P(Rounding, AStiffLightBallIsBorneInWholeStepsOfFewIterations) {
  Played run(with(ball, {{"METHOD", GetParam()}}));
  const double weight = 9.81 * run.model.elastic.mass.sum();
  double borne = 0;
  for (int step = 1; step <= 200; ++step) {
    const StepReport report = run.advance(1);
    EXPECT_EQ(report.substeps, 1) << "step " << step;
    EXPECT_LE(report.iterations, 2000) << "step " << step;
    if (step > 100) borne += report.impulse_prescribed.z();
  }
  EXPECT_NEAR(borne, 100 * 0.0036 * weight, 0.01 * 100 * 0.0036 * weight);
}

// A cube of 1 g, 2e11 Pa, is squeezed by plates without friction: a step takes it 10^5 times its size if the force of
// one plate goes unanswered, and by its size if that is tilted by 1e-5 rad, as rims within the tolerance of gaps are.
const char* const press = R"({
  "gravity": [0, 0, 0],
  "time": { "step": DT, "duration": 1, "scheme": "SCHEME" },
  "materials": { "m": { "young": YOUNG, "poisson": 0.3, "density": 1000, "damping": { "mass": 0, "stiffness": DT } } },
  "meshes": { "b": { "generate": "box", "size": [0.01, 0.01, 0.01], "cells": [3, 3, 3] },
              "p": { "generate": "slab", "size": [0.02, 0.02], "thickness": 0.002 } },
  "objects": [ { "name": "table", "type": "fixed", "mesh": "p", "position": [0, 0, -0.001001] },
               { "name": "cube", "mesh": "b", "material": "m", "position": [0, 0, 0.005] },
               { "name": "plate", "type": "scripted", "mesh": "p", "position": [0, 0, 0.011001],
                 "motion": { "keyframes": [ { "time": 0 }, { "time": 20_DT, "translation": [0, 0, -5e-5] } ] } } ],
  "contact": { "friction": 0 }, "solver": { "method": "METHOD" } })";

struct Press {
  const char *scheme, *method, *young, *step, *squeezed;  // the last: 20 steps
};

class PressWithoutFriction : public ::testing::TestWithParam<Press> {};
INSTANTIATE_TEST_SUITE_P(Cases, PressWithoutFriction,
                         ::testing::Values(Press{"semi-implicit", "auto", "2e11", "1e-2", "0.2"},
                                           Press{"implicit-euler", "auto", "2e11", "1e-2", "0.2"},
                                           Press{"semi-implicit", "exact", "2e11", "1e-3", "0.02"},
                                           Press{"implicit-euler", "cr-full", "1e9", "1e-2", "0.2"}));

TEST_P(PressWithoutFriction, ACubeIsShortenedAsHookeHasItAndGoesNowhere) {
  const Press& p = GetParam();
  Played run(
      with(press,
           {{"20_DT", p.squeezed}, {"DT", p.step}, {"SCHEME", p.scheme}, {"YOUNG", p.young}, {"METHOD", p.method}}));
  const VecX start = run.state.x;
  StepReport report;
  for (int step = 1; step <= 40; ++step) {
    report = run.advance(1);
    EXPECT_EQ(report.substeps, 1) << "step " << step;
    EXPECT_LE(report.iterations, 1000) << "step " << step;
  }
  const Range cube = run.model.objects[1].vertices;
  Vec3 way = Vec3::Zero();
  double low = 1, high = 0;
  for (Index i = cube.begin; i < cube.end; ++i) {
    way += (run.at(i) - block(start, i)) / cube.size();
    low = std::min(low, run.at(i).z());
    high = std::max(high, run.at(i).z());
  }
  EXPECT_LE(std::hypot(way.x(), way.y()), 1e-5);
  EXPECT_NEAR(high - low, 0.01 - 4.8e-5, 1e-6);
  const double hooke = std::stod(p.young) * 1e-4 * (0.01 - (high - low)) / 0.01;
  double force = 0;
  for (const Contact& contact : run.scratch.solved) {
    if (contact.vertices[0] < cube.begin || contact.vertices[3] < cube.begin) force += contact.lambda;  // the table's
  }
  EXPECT_NEAR(force, hooke, 0.01 * hooke);
}

}  // namespace rounding_test
}  // namespace sim
