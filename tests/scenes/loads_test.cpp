// Loads in whole runs: their ledger balances, simcheck finds nothing, and they go on bit for bit.
#include <gtest/gtest.h>

#include "output/result_reader.hpp"
#include "scenes/balance.hpp"
#include "scenes/result_equality.hpp"
#include "support/program_test.hpp"

namespace sim {
namespace loads_test {

// A ball under pressure falls on a floor; a bar held at one end is pulled at the other one; a wheel drives; what lies
// under a press.
const char* const loaded = R"json({
  "name": "loaded", "time": { "step": 0.002, "duration": 0.3 }, "solver": { "linear_tolerance": 1e-14 },
  "materials": { "rubber": { "young": 2e5, "poisson": 0.3, "density": 1000, "damping": { "mass": 0.3, "stiffness": 0.0005 } } },
  "meshes": { "ball": { "generate": "sphere", "radius": 0.05, "resolution": 2 },
              "bar": { "generate": "box", "size": [0.4, 0.05, 0.05], "cells": [8, 1, 1] },
              "wheel": { "generate": "cylinder", "radius": 0.05, "length": 0.04, "segments": 12 },
              "box": { "generate": "box", "size": [0.1, 0.1, 0.1], "cells": [2, 2, 2] } },
  "objects": [
    { "name": "floor", "type": "fixed", "mesh": "slab", "position": [0, 0, -0.05] },
    { "name": "ball", "mesh": "ball", "material": "rubber", "position": [0, 0, 0.08], "loads": [ { "pressure": "2e4*sin(20*t)"
} ]
},
    { "name": "bar", "mesh": "bar", "material": "rubber", "position": [0, 0.3, 0.3],
      "boundary": [ { "plane": { "point": [-0.19, 0, 0], "normal": [-1, 0, 0] }, "motion": { "velocity": [0, 0, 0.1] } } ],
      "loads": [ { "traction": [0, 2000, "4000*t"], "plane": { "point": [0.19, 0, 0], "normal": [1, 0, 0] } },
                 { "body_force": [0, 0, 3000] } ] },
    { "name": "wheel", "type": "rigid", "mesh": "wheel", "material": "rubber", "position": [0.3, -0.4, 0.0501],
      "rotation": { "axis": [1, 0, 0], "degrees": 90 },
      "loads": [ { "torque": [0, 0.05, 0] }, { "force": [0, 0, 1], "point": [0.33, -0.4, 0.05], "follows": true } ] },
    { "name": "pressed", "mesh": "box", "material": "rubber", "position": [-0.4, 0, 0.050002] },
    { "name": "press", "type": "rigid", "mesh": "box", "material": "rubber", "position": [-0.39, 0.01, 0.150005],
      "loads": [ { "force": [0, 0, -30] } ] } ],
  "output": {
  "every" : 10, "checkpoint" : 25
}
})json";

class Loads : public test::SceneTest {
 protected:
  Loads() : SceneTest(loaded) {}
};

TEST_F(Loads, BalanceToRoundingAndSimcheckFindsNothing) {
  go("scene.json -o out.h5");
  test::expect_balance(run_here(SIMCHECK_PROGRAM, "out.h5 --json").text, path("out.h5"), "work_loads");
}

TEST_F(Loads, GoOnBitForBit) {
  go("scene.json -o whole.h5");
  go("scene.json -o a.h5 --steps 61");
  go("--resume a.h5 --steps 97");
  go("--resume a.h5 --duration 0.3");
  test::expect_same_datasets(path("whole.h5"), path("a.h5"));
}

TEST_F(Loads, MayChangeInANewFile) {
  go("scene.json -o a.h5 --duration 0.1");
  go(R"(--resume a.h5 -o b.h5 --duration 0.15 --set 'objects.wheel.loads=[]' --set 'objects.press.loads=[{"force":[0,0,-60]}]')");
  const ResultReader result(path("b.h5"));
  EXPECT_EQ(result.step_count(), 25);
  EXPECT_EQ(simrun("--resume a.h5 -o c.h5 --duration 0.2 --set objects.press.position=[0,0,3]").exit_status, 1);
}

TEST_F(Loads, ThatAreNoNumbersEndTheRunWithTheObjectsName) {
  const test::Outcome outcome =
      simrun(R"json(scene.json -o out.h5 --set 'objects.ball.loads=[{"pressure":"1/(0.1-t > 0 ? 1 : 0)"}]')json");
  EXPECT_EQ(outcome.exit_status, 2);
  test::expect_contains(outcome.text, "the loads of \"ball\" are not finite numbers");
}

}  // namespace loads_test
}  // namespace sim
