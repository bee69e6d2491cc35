// Obstacles that are less than closed surfaces: runs against statics and dynamics.
#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <numbers>

#include "collide/distance.hpp"
#include "collide/intersections.hpp"
#include "math/error.hpp"
#include "scene/load.hpp"
#include "step/step.hpp"

namespace sim {
namespace obstacles_test {

class Trial {
 public:
  explicit Trial(const std::string& scene)
      : scene_(parse_scene(scene, "test.json", testing::TempDir())),
        model(load(scene_)),
        state(initial_state(model)),
        options_(make_options(scene_, model)) {}

  // Nothing may intersect at the end of any step.
  void steps(int count) {
    for (int i = 0; i < count && !testing::Test::HasFailure(); ++i) {
      report = step(model, options_, state, scratch);
      ASSERT_TRUE(report.accepted) << "step " << report.step << ": " << report.reason;
      ASSERT_EQ(find_overlaps(model.surface, state.x).size(), 0U) << "step " << report.step;
    }
  }

  const Object& object(const std::string& name) const {
    for (const Object& found : model.objects) {
      if (found.name == name) return found;
    }
    throw InputError("no object " + name);
  }

  // N, that the obstacle's vertices from `first` on, `count` of them, exert on what they touch.
  Vec3 force_of(const std::string& obstacle, Index first = 0, Index count = 1 << 30) const {
    const Range own = object(obstacle).vertices;
    const Index begin = own.begin + first, end = std::min(own.end, begin + std::min(count, own.size()));
    Vec3 sum = Vec3::Zero();
    for (const Contact& c : scratch.solved) {
      const Vec3 force = std::max(0.0, c.lambda) * c.n - c.friction[0] * c.t1 - c.friction[1] * c.t2;
      for (int k = 0; k < 4; ++k) {
        if (c.vertices[k] >= begin && c.vertices[k] < end) sum -= c.weights[k] * force;
      }
    }
    return sum;
  }

  double lowest(const std::string& name, int axis = 2) const {
    const Range own = object(name).vertices;
    double low = 1e300;
    for (Index i = own.begin; i < own.end; ++i) low = std::min(low, state.x[3 * i + axis]);
    return low;
  }

  double highest(const std::string& name, int axis = 2) const {
    const Range own = object(name).vertices;
    double high = -1e300;
    for (Index i = own.begin; i < own.end; ++i) high = std::max(high, state.x[3 * i + axis]);
    return high;
  }

 private:
  Scene scene_;

 public:
  Model model;
  State state;
  Scratch scratch;
  StepReport report;

 private:
  static Model load(const Scene& scene) {
    LoadReport unused;
    return load_model(scene, unused);
  }
  Options options_;
};

std::string scene_of(const std::string& meshes, const std::string& objects, const std::string& more = "") {
  return R"({ "materials": { "m": { "young": 1e6, "poisson": 0.3, "density": 1000 } }, "meshes": { )" + meshes +
         R"( }, "objects": [ )" + objects + " ]" + more + " }";
}

// A square of two triangles, 2 m wide, at z = 0; it faces up or down.
class Sheet : public testing::TestWithParam<bool> {
 protected:
  void SetUp() override {
    const char* faces = GetParam() ? "f 1 2 3\nf 1 3 4\n" : "f 1 3 2\nf 1 4 3\n";
    std::ofstream(testing::TempDir() + name_) << "v -1 -1 0\nv 1 -1 0\nv 1 1 0\nv -1 1 0\n" << faces;
  }
  void TearDown() override { std::filesystem::remove(testing::TempDir() + name_); }

  std::string scene(const std::string& meshes, const std::string& objects, const std::string& more = "") const {
    return scene_of(R"("sheet": { "file": ")" + name_ + "\" }, " + meshes,
                    R"({ "name": "sheet", "type": "fixed", "mesh": "sheet" }, )" + objects, more);
  }
  const std::string name_ = "simrun_sheet_" + std::to_string(getpid()) + (GetParam() ? "u" : "d") + ".obj";
};

constexpr double weight = 9.81 * 8;  // N, of a block of 0.2 m

TEST_P(Sheet, CarriesABlockThatRestsOnIt) {
  Trial run(scene(R"("block": { "generate": "box", "size": [0.2, 0.2, 0.2], "cells": [2, 2, 2] })",
                  R"({ "name": "block", "mesh": "block", "material": "m", "position": [0.1, 0.2, 0.1001] })"));
  run.steps(600);
  EXPECT_NEAR(run.force_of("sheet")[2], weight, 1e-3 * weight);
  EXPECT_GT(run.lowest("block"), 0);
}

TEST_P(Sheet, HoldsABlockFromBelowToo) {
  Trial run(scene(R"("block": { "generate": "box", "size": [0.2, 0.2, 0.2], "cells": [2, 2, 2] })",
                  R"({ "name": "block", "mesh": "block", "material": "m", "position": [0.1, 0.2, -0.1001] })",
                  R"(, "gravity": [0, 0, 9.81])"));
  run.steps(600);
  EXPECT_NEAR(run.force_of("sheet")[2], -weight, 1e-3 * weight);
  EXPECT_LT(run.highest("block"), 0);
}

TEST_P(Sheet, StopsBallsThatAreThrownAtItAtFiftyMetresASecond) {
  Trial run(scene(
      R"("ball": { "generate": "sphere", "radius": 0.05, "resolution": 3 })",
      R"({ "name": "down", "mesh": "ball", "material": "m", "position": [0.3, 0, 0.12], "velocity": [5, 0, -50] },
                   { "name": "hard", "type": "rigid", "mesh": "ball", "material": "m", "position": [-0.3, 0, 0.12],
                     "velocity": [0, 3, -50] },
                   { "name": "up", "mesh": "ball", "material": "m", "position": [0, 0.3, -0.12], "velocity": [0, 0, 50] })"));
  run.steps(20);
  EXPECT_GT(run.lowest("down"), 0);
  EXPECT_GT(run.lowest("hard"), 0);
  EXPECT_LT(run.highest("up"), 0);
}

INSTANTIATE_TEST_SUITE_P(Obstacles, Sheet, testing::Bool(), [](const auto& facing) {
  return facing.param ? std::string("FacingUp") : std::string("FacingDown");
});

// ---- points and segments: where a body rests on three points, or on two lines, moments about axes in their plane
// say what vertical force each carries, whatever friction does in that plane.

std::string damped(std::string scene) {  // so that the ball comes to rest sooner
  const std::string density = "\"density\": 1000";
  return scene.replace(scene.find(density), density.size(), density + ", \"damping\": { \"mass\": 5 }");
}

constexpr const char* ball = R"("ball": { "generate": "sphere", "radius": 0.1, "resolution": 4 })";
constexpr const char* ball_above = R"({ "name": "ball", "type": "rigid", "mesh": "ball", "material": "m",
  "position": [0.001, 0.002, 0.09] })";

TEST(Points, ThreeOfThemCarryABallWithTheForcesOfStatics) {
  const std::vector<Vec3> places{{0.06, 0, 0}, {-0.03, 0.051961524, 0}, {-0.02, -0.05, 0}};
  Trial run(
      damped(scene_of(std::string(ball) + R"(, "points": { "generate": "points",
    "points": [[0.06, 0, 0], [-0.03, 0.051961524, 0], [-0.02, -0.05, 0]] })",
                      std::string(ball_above) + R"(, { "name": "points", "type": "fixed", "mesh": "points" })")));
  run.steps(1500);
  const double own = 9.81 * run.model.rigid[0].mass;
  Mat3 levers;
  for (int k = 0; k < 3; ++k) levers.col(k) << 1, places[k][0], places[k][1];
  const Vec3 center = run.state.rigid[0].center;
  const Vec3 expected = levers.inverse() * (own * Vec3(1, center[0], center[1]));
  for (Index k = 0; k < 3; ++k) {
    EXPECT_GT(expected[k], 0.1 * own);
    EXPECT_NEAR(run.force_of("points", k, 1)[2], expected[k], 2e-3 * own) << k;
  }
}

TEST(Segments, TwoOfThemCarryABallWithTheForcesOfStatics) {
  Trial run(damped(scene_of(std::string(ball) + R"(, "rails": { "generate": "segments",
    "points": [[-1, -0.06, 0], [1, -0.06, 0], [-1, 0.05, 0], [1, 0.05, 0]], "segments": [[0, 1], [2, 3]] })",
                            std::string(ball_above) + R"(, { "name": "rails", "type": "fixed", "mesh": "rails" })")));
  run.steps(1500);
  const double own = 9.81 * run.model.rigid[0].mass, y = run.state.rigid[0].center[1];
  EXPECT_NEAR(run.force_of("rails", 0, 2)[2], own * (0.05 - y) / 0.11, 2e-3 * own);
  EXPECT_NEAR(run.force_of("rails", 2, 2)[2], own * (y + 0.06) / 0.11, 2e-3 * own);
}

TEST(Points, AndSegmentsStopWhatIsThrownAtThem) {
  Trial run(scene_of(
      R"("block": { "generate": "box", "size": [0.2, 0.2, 0.2], "cells": [2, 2, 2] },
    "point": { "generate": "points", "points": [[0, 0, 0]] },
    "wire": { "generate": "segments", "points": [[2, -1, 0], [2, 1, 0]] })",
      R"({ "name": "a", "mesh": "block", "material": "m", "position": [0.03, 0.02, 0.2], "velocity": [0, 0, -50] },
    { "name": "b", "type": "rigid", "mesh": "block", "material": "m", "position": [2.01, 0.02, 0.2], "velocity": [0, 0, -50] },
    { "name": "point", "type": "fixed", "mesh": "point" }, { "name": "wire", "type": "fixed", "mesh": "wire" })"));
  run.steps(10);
}

// ---- thickness

constexpr double gap = 0.2 / 8000 * 2;  // m: above eps2 of all bodies here

TEST_P(Sheet, WithThicknessKeepsHalfOfItOnBothSides) {
  std::string thick = scene(R"("block": { "generate": "box", "size": [0.2, 0.2, 0.2], "cells": [2, 2, 2] })",
                            R"({ "name": "above", "mesh": "block", "material": "m", "position": [0.1, 0.2, 0.1101] },
    { "name": "below", "type": "rigid", "mesh": "block", "material": "m", "position": [-0.2, 0.2, -0.1101],
      "loads": [{ "force": [0, 0, 156.96] }] })");
  const std::string fixed = "\"type\": \"fixed\"";
  Trial run(damped(thick.replace(thick.find(fixed), fixed.size(), fixed + ", \"thickness\": 0.02")));
  run.steps(400);
  EXPECT_GT(run.lowest("above"), 0.01);
  EXPECT_LT(run.lowest("above"), 0.01 + gap);
  EXPECT_LT(run.highest("below"), -0.01);
  EXPECT_GT(run.highest("below"), -0.01 - gap);
}

TEST(Thickness, MakesSegmentsRodsThatCarryACubeOnItsEdge) {
  // Rods of radius r, d apart: the lowest edge of a cube that stands on it is at r sqrt(2) - d / 2.
  Trial run(damped(scene_of(
      R"("cube": { "generate": "box", "size": [0.1, 0.1, 0.1], "cells": [2, 2, 2] }, "rails": { "generate": "segments",
    "points": [[-1, -0.03, 0], [1, -0.03, 0], [-1, 0.03, 0], [1, 0.03, 0]], "segments": [[0, 1], [2, 3]] })",
      R"({ "name": "cube", "type": "rigid", "mesh": "cube", "material": "m", "position": [0, 0, 0.055],
           "rotation": { "axis": [1, 0, 0], "degrees": 45 } },
         { "name": "rails", "type": "fixed", "mesh": "rails", "thickness": 0.02 })")));
  run.steps(500);
  const double expected = 0.01 * std::numbers::sqrt2 - 0.03;
  EXPECT_NEAR(run.lowest("cube"), expected, gap);
  EXPECT_GT(run.lowest("cube"), expected);
  EXPECT_NEAR(run.force_of("rails")[2], 9.81, 1e-2);
}

TEST(Thickness, MakesPointsBallsThatNothingComesNearer) {
  const std::string thrown = R"("block": { "generate": "box", "size": [0.2, 0.2, 0.2], "cells": [2, 2, 2] },
    "point": { "generate": "points", "points": [[0, 0, 0]] },
    "wire": { "generate": "segments", "points": [[2, -1, 0], [2, 1, 0]] })";
  Trial run(scene_of(
      thrown,
      R"({ "name": "a", "mesh": "block", "material": "m", "position": [0.03, 0.02, 0.3], "velocity": [0, 0, -50] },
    { "name": "b", "type": "rigid", "mesh": "block", "material": "m", "position": [2.01, 0.02, 0.3], "velocity": [0, 0, -50] },
    { "name": "point", "type": "fixed", "mesh": "point", "thickness": 0.1 },
    { "name": "wire", "type": "fixed", "mesh": "wire", "thickness": 0.05 })"));
  for (int i = 0; i < 20; ++i) {
    run.steps(1);
    EXPECT_GT(smallest_distance(run.model.surface, run.state.x).distance, 0) << i;
  }
  EXPECT_GT(run.highest("a"), 0.05) << "it went through";
  EXPECT_GT(run.highest("b"), 0.025) << "it went through";
}

// ---- half-spaces

std::string on_slope(const std::string& velocity, double distance) {
  const double a = 30 * std::numbers::pi / 180, height = 0.1001;
  const Vec3 place = distance * Vec3(std::cos(a), 0, -std::sin(a)) + height * Vec3(std::sin(a), 0, std::cos(a));
  return scene_of(R"("block": { "generate": "box", "size": [0.2, 0.2, 0.2], "cells": [1, 1, 1] })",
                  R"({ "name": "block", "type": "rigid", "mesh": "block", "material": "m", "velocity": )" + velocity +
                      R"(, "position": [)" + std::to_string(place[0]) + ", 0, " + std::to_string(place[2]) +
                      R"(], "rotation": { "axis": [0, 1, 0], "degrees": 30 } },
    { "name": "slope", "type": "fixed", "mesh": "half-space", "rotation": { "axis": [0, 1, 0], "degrees": 30 } })",
                  R"(, "contact": { "friction": 0.3 })");
}

TEST(HalfSpace, ACubeSlidesDownItAsCoulombSays) {
  Trial run(on_slope("[0, 0, 0]", 0));
  run.steps(200);
  const double before = run.state.rigid[0].velocity.norm();
  run.steps(300);
  const double a = 30 * std::numbers::pi / 180, expected = 9.81 * (std::sin(a) - 0.3 * std::cos(a));
  EXPECT_NEAR((run.state.rigid[0].velocity.norm() - before) / 0.3, expected, 1e-3 * expected);
}

TEST(HalfSpace, IsTheSameFarFromItsOrigin) {
  Trial run(on_slope("[0, 0, 0]", 700));
  run.steps(300);
  const double a = 30 * std::numbers::pi / 180, expected = 9.81 * (std::sin(a) - 0.3 * std::cos(a));
  EXPECT_NEAR(run.state.rigid[0].velocity.norm() / 0.3, expected, 5e-3 * expected);
}

TEST(HalfSpace, NothingGetsBehindItAtFiftyMetresASecond) {
  Trial run(scene_of(
      R"("ball": { "generate": "sphere", "radius": 0.05, "resolution": 3 })",
      R"({ "name": "soft", "mesh": "ball", "material": "m", "position": [40, 0, 0.12], "velocity": [-50, 0, -50] },
    { "name": "hard", "type": "rigid", "mesh": "ball", "material": "m", "position": [0, 0, 0.12], "velocity": [0, 50, -50] },
    { "name": "ground", "type": "fixed", "mesh": "half-space" })"));
  run.steps(30);
  EXPECT_GT(run.lowest("soft"), 0);
  EXPECT_GT(run.lowest("hard"), 0);
}

TEST(HalfSpace, ScriptedItPushesWhatItMeets) {
  Trial run(scene_of(R"("block": { "generate": "box", "size": [0.2, 0.2, 0.2], "cells": [1, 1, 1] })",
                     R"({ "name": "block", "mesh": "block", "material": "m", "position": [0, 0, 0.11] },
    { "name": "ground", "type": "scripted", "mesh": "half-space", "motion": { "velocity": [0, 0, 1] } })",
                     R"(, "gravity": [0, 0, 0])"));
  run.steps(200);
  EXPECT_GT(run.lowest("block"), 0.2);
}

TEST(HalfSpace, WhatLeavesItsComputedPartEndsTheRunWithAReason) {
  Trial run(scene_of(R"("block": { "generate": "box", "size": [1, 1, 1], "cells": [1, 1, 1] })",
                     R"({ "name": "block", "type": "rigid", "mesh": "block", "material": "m", "position": [0, 0, 1],
      "velocity": [1e9, 0, 0] }, { "name": "ground", "type": "fixed", "mesh": "half-space" })"));
  const StepReport report = step(run.model, {.dt = 0.001}, run.state, run.scratch);
  EXPECT_FALSE(report.accepted);
  EXPECT_NE(report.reason.find("from the middle of the half-space \"ground\""), std::string::npos) << report.reason;
}

// ---- what is told before the start

std::string load_error(const std::string& scene) {
  try {
    Trial run(scene);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(Obstacles, WhatBeginsBehindAHalfSpaceOrAroundAPointIsFound) {
  const std::string block = R"({ "name": "block", "mesh": "box", "material": "m", "position": [0, 0, -3] })";
  Trial below(scene_of("", block + R"(, { "name": "ground", "type": "fixed", "mesh": "half-space" })"));
  const auto found = find_overlaps(below.model.surface, below.state.x);
  ASSERT_EQ(found.size(), 1U);
  EXPECT_DOUBLE_EQ(found[0].depth, 3.5);
  EXPECT_NEAR(found[0].way_out[2], -3.5, 1e-12) << "of the ground, which comes second";

  Trial left_out(scene_of("", block + R"(, { "name": "ground", "type": "fixed", "mesh": "half-space" })",
                          R"(, "contact": { "pairs": [ { "between": ["block", "ground"], "exclude": true } ] })"));
  EXPECT_TRUE(find_overlaps(left_out.model.surface, left_out.state.x).empty());

  Trial around(scene_of(R"("p": { "generate": "points", "points": [[0.1, 0.2, -3.3]] })",
                        block + R"(, { "name": "p", "type": "fixed", "mesh": "p" })"));
  const auto nested = find_overlaps(around.model.surface, around.state.x);
  ASSERT_EQ(nested.size(), 1U);
  EXPECT_EQ(nested[0].inner, 1);
}

TEST(Obstacles, ShapesThatEncloseNothingAreForObstaclesOnly) {
  EXPECT_EQ(load_error(scene_of("", R"({ "name": "a", "type": "rigid", "mesh": "half-space", "material": "m" })")),
            "test.json: /meshes/half-space: {\"generate\":\"half-space\",\"scale\":1.0}: expected fixed and scripted "
            "objects only for this shape, which encloses nothing");
  EXPECT_NE(load_error(
                scene_of(R"("s": { "generate": "segments", "points": [[0, 0, 0], [1, 0, 0]], "segments": [[0, 2]] })",
                         R"({ "name": "a", "type": "fixed", "mesh": "s" })"))
                .find("/meshes/s/segments/0: [0,2]: expected two different numbers from 0 to 1"),
            std::string::npos);
}

TEST(Obstacles, ThicknessIsForThoseThatEncloseNothing) {
  EXPECT_NE(load_error(scene_of("", R"({ "name": "a", "type": "fixed", "mesh": "half-space", "thickness": 0.01 })"))
                .find("/objects/0/thickness: 0.01: expected 0 for the mesh \"half-space\", which has an inside"),
            std::string::npos);
  EXPECT_NE(load_error(scene_of("", R"({ "name": "a", "type": "fixed", "mesh": "box", "thickness": 0.01 })"))
                .find("/objects/0/thickness: 0.01: expected 0 for the mesh \"box\", which has an inside"),
            std::string::npos);
  EXPECT_NE(load_error(scene_of("", R"({ "name": "a", "mesh": "box", "material": "m", "thickness": 0.01 })"))
                .find("/objects/0/thickness"),
            std::string::npos);
  EXPECT_NE(
      load_error(scene_of(R"("p": { "generate": "points", "points": [[0, 0, 0.51]] })",
                          R"({ "name": "a", "mesh": "box", "material": "m" },
    { "name": "p", "type": "fixed", "mesh": "p", "thickness": 0.1 })"))
          .find("expected more than 0.05 m between them at the start, which their thickness keeps, but it is 0.01"),
      std::string::npos);
}

TEST_P(Sheet, IsNoSurfaceForARigidBody) {
  const std::string said =
      load_error(scene_of(R"("sheet": { "file": ")" + name_ + "\" }",
                          R"({ "name": "a", "type": "rigid", "mesh": "sheet", "material": "m" })"));
  EXPECT_NE(said.find("4 edges are open"), std::string::npos) << said;
  EXPECT_NE(said.find("or make it a fixed or scripted object, which may be an open surface"), std::string::npos)
      << said;
}

}  // namespace obstacles_test
}  // namespace sim
