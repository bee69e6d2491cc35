// The ledger of whole runs, as their files have it: the columns of /steps add up to what simcheck measures in the
// frames.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <ostream>

#include "output/result_reader.hpp"
#include "support/program_test.hpp"

namespace sim {
namespace ledger_balance_test {

using Json = nlohmann::json;

// Steps of 2 ms; two cubes fall on each other and on a belt.
std::string cubes_on_a_belt(const char* type) {
  const std::string cube = R"({ "type": ")" + std::string(type) + R"(", "mesh": "box", "material": "rubber", )";
  return R"(
    { "name": "belt", "type": "scripted", "mesh": "slab", "position": [0, 0, -0.05],
      "motion": { "velocity": [0.5, 0.1, 0] } },
    )" + cube +
         R"("name": "low", "position": [0.003, 0.007, 0.06], "velocity": [-0.3, 0, -1] },
    )" + cube +
         R"("name": "high", "position": [0.02, 0.01, 0.18], "velocity": [0, 0, -2],
      "rotation": { "axis": [1, 2, 0], "degrees": 20 } })";
}

// One end of a bar is held, the other one is told where to go; a box lies on it and falls off.
const char* const held_bar = R"(
    { "name": "bar", "mesh": "bar", "material": "rubber", "position": [0, 0, 0],
      "boundary": [ { "plane": { "point": [-0.19, 0, 0], "normal": [-1, 0, 0] } },
                    { "plane": { "point": [0.19, 0, 0], "normal": [1, 0, 0] },
                      "motion": { "velocity": [0, 0.1, -0.4] } } ] },
    { "name": "rider", "type": "rigid", "mesh": "box", "material": "rubber", "position": [0.05, 0.003, 0.08] })";

std::string scene(const std::string& objects) {
  return R"({ "name": "balance", "time": { "step": 0.002, "duration": 0.3 }, "solver": { "linear_tolerance": 1e-14 },
  "materials": { "rubber": { "young": 2e5, "poisson": 0.3, "density": 1000,
                             "damping": { "mass": 0.3, "stiffness": 0.0005 } } },
  "meshes": { "box": { "generate": "box", "size": [0.1, 0.1, 0.1], "cells": [2, 2, 2] },
              "bar": { "generate": "box", "size": [0.4, 0.05, 0.05], "cells": [8, 1, 1] },
              "slab": { "generate": "slab", "size": [2, 2], "thickness": 0.1 } },
  "output": { "every": 10, "checkpoint": 25 },
  "objects": [)" +
         objects + "] }";
}

struct WholeRun {
  const char* name;
  std::string scene;
  std::string options;           // of simrun
  bool divided, works, resumed;  // steps in parts; what is prescribed does work; stopped, and gone on with
};
void PrintTo(const WholeRun& run, std::ostream* out) {
  *out << run.name;
}

class LedgerBalance : public test::ProgramTest, public ::testing::WithParamInterface<WholeRun> {};

double sum(const ResultReader& result, const char* column) {
  double all = 0;
  for (const double value : result.step_column(column)) all += value;
  return all;
}

TEST_P(LedgerBalance, ClosesToRounding) {
  const WholeRun& run = GetParam();
  write("scene.json", run.scene);
  if (run.resumed) {
    go("scene.json -o out.h5 --steps 61 " + run.options);
    go("--resume out.h5 --steps 97");
    go("--resume out.h5 --duration 0.3");
  } else {
    go("scene.json -o out.h5 " + run.options);
  }
  const ResultReader result(path("out.h5"));
  ASSERT_EQ(result.step_count(), 150);
  const auto parts = result.step_column("substeps");
  EXPECT_EQ(*std::max_element(parts.begin(), parts.end()) > 1, run.divided);

  const Json j = Json::parse(run_here(SIMCHECK_PROGRAM, "out.h5 --json").text);
  EXPECT_EQ(j["verdict"], "clean");
  EXPECT_EQ(j["ledger"]["steps"], 150);
  const double energy = j["ledger"]["energy_in_play"], momentum = j["totals"]["momentum_in_play"];
  EXPECT_LT(double{j["ledger"]["imbalance"]}, 1e-12);  // of a row
  // Since frame 0: there the energies are those of the frames.
  EXPECT_LT(double{j["ledger"]["frame_imbalance"]}, 1e-12 * energy);
  for (const auto& missing : j["frames"]["unexplained_energy"]) EXPECT_LT(std::abs(double{missing}), 1e-12 * energy);
  for (const auto& missing : j["frames"]["unexplained_momentum"])
    for (int k = 0; k < 3; ++k) EXPECT_LT(std::abs(double{missing[k]}), 1e-12 * momentum);

  // None of it is nothing, and what must not give energy does not.
  EXPECT_EQ(std::abs(sum(result, "work_prescribed")) > 1e-3 * energy, run.works);
  EXPECT_GT(sum(result, "dissipation_friction"), 1e-3 * energy);
  EXPECT_GT(sum(result, "dissipation_damping"), 1e-3 * energy);
  EXPECT_GT(sum(result, "dissipation_scheme"), 1e-3 * energy);
  EXPECT_NE(sum(result, "work_correction"), 0);
  for (const char* column : {"dissipation_friction", "dissipation_damping", "dissipation_scheme"}) {
    for (const double loss : result.step_column(column)) EXPECT_GE(loss, -1e-9 * energy) << column;
  }
}

std::string at_rest(std::string objects) {
  const std::string belt = "[0.5, 0.1, 0]";
  return objects.replace(objects.find(belt), belt.size(), "[0, 0, 0]");
}

INSTANTIATE_TEST_SUITE_P(
    Of, LedgerBalance,
    ::testing::Values(WholeRun{"RigidBodies", scene(cubes_on_a_belt("rigid")), "", false, true, false},
                      WholeRun{"ElasticBodies", scene(cubes_on_a_belt("deformable")), "", false, true, false},
                      WholeRun{"AFloorAtRest", scene(at_rest(cubes_on_a_belt("deformable"))), "", false, false,
                               false},
                      WholeRun{"HeldVertices", scene(held_bar), "", false, true, false},
                      WholeRun{"DividedSteps", scene(cubes_on_a_belt("deformable")), "--set solver.max_iterations=25",
                               true, true, false},
                      WholeRun{"AResumedRun", scene(cubes_on_a_belt("rigid")), "", false, true, true},
                      WholeRun{"AResumedRunOfHeldVertices", scene(held_bar), "", false, true, true}),
    [](const auto& run) { return std::string(run.param.name); });

}  // namespace ledger_balance_test
}  // namespace sim
