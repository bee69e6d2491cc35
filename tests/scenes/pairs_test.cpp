// Friction by material, object and pair, and a pair that never touches, in whole runs.
#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "output/result_reader.hpp"
#include "scenes/result_equality.hpp"
#include "support/program_test.hpp"

namespace sim {
namespace pairs_test {

constexpr double dt = 0.002, duration = 0.5, g = 9.81;
constexpr double sine = 0.4, cosine = 0.916515138991168;  // of the slope

// Gravity leans instead of the slope. "ghost" starts inside the slope and falls through.
const char* const slope = R"({
  "name": "slope", "time": { "step": 0.002, "duration": 0.5 }, "gravity": [3.924, 0, -8.991013513503358],
  "materials": { "stone": { "density": 2000 }, "ice": { "density": 900, "friction": 0.1 } },
  "meshes": { "box": { "generate": "box", "size": [0.1, 0.1, 0.1], "cells": [1, 1, 1] } },
  "objects": [
    { "name": "slope", "type": "fixed", "mesh": "slab", "position": [0, 0, -0.05], "friction": 0.35 },
    { "name": "ice", "type": "rigid", "mesh": "box", "material": "ice", "position": [-0.5, -0.6, 0.050002] },
    { "name": "wood", "type": "rigid", "mesh": "box", "material": "ice", "friction": 0.2, "position": [-0.5, -0.3, 0.050002] },
    { "name": "stone", "type": "rigid", "mesh": "box", "material": "stone", "position": [-0.5, 0, 0.050002] },
    { "name": "glue", "type": "rigid", "mesh": "box", "material": "ice", "position": [-0.5, 0.3, 0.050002] },
    { "name": "ghost", "type": "rigid", "mesh": "box", "material": "stone", "position": [-0.5, 0.6, 0.01] } ],
  "contact": { "pairs": [ { "between": ["glue", "slope"], "friction": 0.6 },
                          { "between": ["ghost", "slope"], "exclude": true } ] },
  "output": { "every": 10, "checkpoint": 50 }
})";

class Slope : public test::SceneTest {
 protected:
  Slope() : SceneTest(slope) {}
  // How far the object's first vertex has gone.
  static Vec3 way(const ResultReader& result, const std::string& name) {
    for (const ResultObject& object : result.objects()) {
      if (object.name != name) continue;
      return block(result.positions(result.frame_count() - 1), object.vertices.begin) -
             block(result.positions(0), object.vertices.begin);
    }
    ADD_FAILURE() << name;
    return Vec3::Zero();
  }
};

TEST_F(Slope, IsSlidDownByEachBlockWithItsOwnFriction) {
  go("scene.json -o a.h5");
  const ResultReader result(path("a.h5"));
  const double fallen = duration * (duration + dt) / 2;  // of unit acceleration, as the scheme has it
  for (const auto& [name, mu] : {std::pair("ice", 0.1), std::pair("wood", 0.2), std::pair("stone", 0.35)}) {
    const Vec3 moved = way(result, name);
    const double a = g * (sine - mu * cosine);
    EXPECT_NEAR(moved[0] / fallen, a, 0.005 * g) << name;
    EXPECT_NEAR(moved[2], 0, 2e-5) << name;
  }
  EXPECT_LT(way(result, "glue").norm(), 1e-5);
  const Vec3 free(g * sine, 0, -g * cosine);
  EXPECT_LT((way(result, "ghost") / fallen - free).norm(), 1e-9 * g);
}

TEST_F(Slope, IsCleanForSimcheckAlthoughThePairThatNeverTouchesOverlaps) {
  go("scene.json -o a.h5 --duration 0.1");
  const auto judged = nlohmann::json::parse(run_here(SIMCHECK_PROGRAM, "a.h5 --json").text);
  EXPECT_EQ(judged["verdict"], "clean");
  EXPECT_EQ(simrun("scene.json -o b.h5 --set contact.pairs=[]").exit_status, 1);  // it overlaps
}

TEST_F(Slope, GoesOnBitForBit) {
  go("scene.json -o whole.h5 --duration 0.3");
  go("scene.json -o a.h5 --steps 60");
  go("--resume a.h5 --duration 0.3");
  test::expect_same_datasets(path("whole.h5"), path("a.h5"));
}

TEST_F(Slope, LosesTheContactsOfAPairThatIsExcludedOnTheWay) {
  go("scene.json -o a.h5 --duration 0.1");
  go(R"(--resume a.h5 -o b.h5 --duration 0.2 --set 'contact.pairs=[{"between":["*","slope"],"exclude":true}]')");
  const ResultReader result(path("b.h5"));
  for (const double contacts : result.step_column("contacts")) EXPECT_EQ(contacts, 0);
  const double fallen = 0.1 * (0.1 + dt) / 2;
  EXPECT_NEAR(way(result, "glue")[2] / fallen, -g * cosine, 0.01 * g);
}

}  // namespace pairs_test
}  // namespace sim
