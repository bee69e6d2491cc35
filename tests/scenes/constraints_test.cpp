// Constraints in whole runs: their ledger balances, simcheck finds nothing, and they go on bit for bit.
#include <gtest/gtest.h>

#include <algorithm>

#include "output/result_reader.hpp"
#include "scenes/balance.hpp"
#include "scenes/result_equality.hpp"
#include "support/program_test.hpp"

namespace sim {
namespace constraints_test {

// A quarter of a block between planes of symmetry under a ball whose poses a file tells; a bar that is let go while
// it is moved, over a floor.
const char* const constrained = R"json({
  "name": "constrained", "time": { "step": 0.002, "duration": 0.3 }, "solver": { "linear_tolerance": 1e-14 },
  "materials": { "rubber": { "young": 2e5, "poisson": 0.3, "density": 1000, "damping": { "mass": 0.3, "stiffness": 0.0005 } } },
  "meshes": { "quarter": { "generate": "box", "size": [0.1, 0.1, 0.1], "cells": [4, 4, 4] },
              "ball": { "generate": "sphere", "radius": 0.05, "resolution": 3 },
              "bar": { "generate": "box", "size": [0.4, 0.05, 0.05], "cells": [8, 1, 1] } },
  "objects": [
    { "name": "floor", "type": "fixed", "mesh": "slab", "position": [0, 0, -0.06] },
    { "name": "quarter", "mesh": "quarter", "material": "rubber", "position": [0.05, 0.05, 0.05],
      "boundary": [ { "plane": { "point": [0, 0, 0], "normal": [-1, 0, 0] }, "axes": "x" },
                    { "plane": { "point": [0, 0, 0], "normal": [0, -1, 0] }, "normal": [0, -2, 0] },
                    { "plane": { "point": [0, 0, 0], "normal": [0, 0, -1] }, "axes": "z",
                      "motion": { "translation": ["0", "0", "0.002*sin(30*t)"] } } ] },
    { "name": "ball", "type": "scripted", "mesh": "ball", "position": [0, 0, 0.155], "motion": { "file": "ball.csv", "center": [0, 0, 0.155] } },
    { "name": "bar", "mesh": "bar", "material": "rubber", "position": [0.3, 0.4, 0.05],
      "boundary": [ { "plane": { "point": [0.11, 0, 0], "normal": [-1, 0, 0] }, "motion": { "velocity": [0.5, 0, 0.2] }, "release": 0.1 },
                    { "plane": { "point": [0.49, 0, 0], "normal": [1, 0, 0] }, "axes": "yz", "release": 0.2 } ] } ],
  "output": { "every": 10, "checkpoint": 25 }
})json";

class Constraints : public test::SceneTest {
 protected:
  Constraints() : SceneTest(constrained) {}
  void SetUp() override {
    SceneTest::SetUp();
    write("ball.csv", "time,x,y,z,qw,qx,qy,qz\n0,0,0,0,1,0,0,0\n0.2,0,0,-0.03,0.8,0,0,0.6\n0.4,0,0,-0.03,0,0,0,2\n");
  }
};

TEST_F(Constraints, BalanceToRoundingAndSimcheckFindsNothing) {
  go("scene.json -o out.h5");
  test::expect_balance(run_here(SIMCHECK_PROGRAM, "out.h5 --json").text, path("out.h5"), "work_prescribed");
  const std::vector<double> contacts = ResultReader(path("out.h5")).step_column("contacts");
  EXPECT_GT(*std::max_element(contacts.begin(), contacts.end()), 2);
}

TEST_F(Constraints, GoOnBitForBit) {
  go("scene.json -o whole.h5");
  go("scene.json -o a.h5 --steps 43");
  go("--resume a.h5 --steps 97");
  go("--resume a.h5 --duration 0.3");
  test::expect_same_datasets(path("whole.h5"), path("a.h5"));
}

TEST_F(Constraints, FileOfAMotionIsNotReplaced) {
  const std::string before = read("ball.csv");
  for (const char* option : {"-o ball.csv", "--log-file ball.csv"}) {
    const test::Outcome outcome = simrun(std::string("scene.json ") + option);
    EXPECT_NE(outcome.exit_status, 0);
    test::expect_contains(outcome.text, "is a file of poses of the scene");
  }
  EXPECT_EQ(read("ball.csv"), before);
}

}  // namespace constraints_test
}  // namespace sim
