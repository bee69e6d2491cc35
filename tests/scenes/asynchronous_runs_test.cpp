// Runs of acm with thin things: the same bits whatever is written of them and whenever they are killed.
#include <gtest/gtest.h>
#include <signal.h>

#include "scenes/faulty_runs.hpp"

namespace sim {
namespace asynchronous_runs_test {

using test::draw;
using test::rounds;

// A sheet that falls over a cable, which is held at its ends, and on a floor.
const char* const thin_things = R"scene({
  "name": "thin",
  "time": { "step": 0.004, "duration": 0.24 },
  "materials": {
    "cloth": { "model": "edge-springs", "stretch": 20, "bend": 1e-5, "density": 200, "thickness": 1e-3,
               "damping": { "stiffness": 1e-4 }, "strain_limit": [1, 0.2] },
    "cord": { "model": "cable", "stretch": 100, "bend": 2e-5, "density": 500, "thickness": 4e-3, "damping": { "mass": 1 } } },
  "meshes": {
    "sheet": { "generate": "sheet", "size": [0.2, 0.2], "cells": [6, 6] },
    "rope": { "generate": "path", "points": [[-0.15, 0.01, 0], [0.15, 0.01, 0]], "segments": 12 },
    "floor": { "generate": "half-space" } },
  "objects": [
    { "name": "sheet", "mesh": "sheet", "material": "cloth", "position": [0.004, 0.003, 0.07], "velocity": [0, 0, -0.5] },
    { "name": "rope", "mesh": "rope", "material": "cord", "position": [0, 0, 0.05],
      "boundary": [ { "plane": { "point": [-0.149, 0, 0], "normal": [-1, 0, 0] } },
                    { "plane": { "point": [0.149, 0, 0], "normal": [1, 0, 0] }, "motion": { "translation": ["-0.02*sin(30*t)", 0, 0] } } ] },
    { "name": "floor", "type": "fixed", "mesh": "floor" } ],
  "contact": { "friction": 0.3 },
  "solver": { "method": "acm" },
  "acm": { "thickness": 4e-3, "stiffness": 50 },
  "output": { "every": 7, "contacts": true, "contact_forces": true, "checkpoint": 5 }
})scene";

class AsynchronousRun : public test::FaultyRuns {
 protected:
  void SetUp() override {
    FaultyRuns::SetUp();
    write("thin.json", thin_things);
  }

  std::vector<double> column(const std::string& file, const char* name) const {
    return ResultReader(path(file)).step_column(name);
  }
};

TEST_F(AsynchronousRun, HasTheSameTrajectoryWhateverIsWrittenOfIt) {
  expect_done("thin.json -o every.h5 --set output.every=1 --set output.checkpoint=1 --threads 1");
  expect_done(
      "thin.json -o some.h5 --set output.every=100 --set output.checkpoint=60 --set output.contacts=false --threads "
      "2");
  const std::vector<double> contacts = column("every.h5", "contacts"), limited = column("every.h5", "limited");
  EXPECT_GT(*std::max_element(contacts.begin(), contacts.end()), 20);
  const hdf5::Handle a = hdf5::open_file(path("every.h5")), b = hdf5::open_file(path("some.h5"));
  int compared = 0;
  for (const std::string& name : test::dataset_names(a)) {
    if (name.rfind("steps/", 0) != 0 && name.rfind("events/", 0) != 0) continue;
    if (test::depends_on_the_machine(name)) continue;
    EXPECT_TRUE(test::bytes_of(a, name) == test::bytes_of(b, name)) << name;
    ++compared;
  }
  EXPECT_GT(compared, 40);
  const ResultReader every(path("every.h5")), some(path("some.h5"));
  ASSERT_EQ(every.frame_count(), 61);
  ASSERT_EQ(some.frame_count(), 2);
  EXPECT_EQ(every.positions(60), some.positions(1));
  EXPECT_EQ(every.velocities(60), some.velocities(1));
}

// The same numbers of culling cannot be asked for: what is watched beyond what pushes is forgotten by a kill.
TEST_F(AsynchronousRun, TellsOfKicksLayersAndStepsNotOfIterations) {
  const std::string text = simrun("thin.json -o out.h5").text;
  for (const char* words : {"kicks a second, deepest layer", "deepest layer", "shortest step", "acm.rest_depth"})
    EXPECT_NE(text.find(words), std::string::npos) << words << "\n" << text;
  for (const char* words : {"iterations", "relinearized", "solve", "re-linearisations"})
    EXPECT_EQ(text.find(words), std::string::npos) << words << "\n" << text;
}

TEST_F(AsynchronousRun, GoesOnBitForBitFromAnyWriteThatItIsKilledAt) {
  for (const std::string options : {"", " --set acm.culler=kds --set acm.vagueness=10",
                                    " --set acm.clocks=free --set acm.elastic_fraction=0.1"}) {
    const std::string anew = "thin.json -o a.h5" + options;
    std::filesystem::remove(folder_ / "whole.h5");
    const long changes = run_whole("thin.json -o whole.h5 --threads 1" + options);
    ASSERT_GT(changes, 500);
    Random random(3);
    for (int round = 0; round < rounds(2); ++round) {
      for (const char* name : {"a.h5", "a.xdmf", "a.h5.new", "a.xdmf.new"}) std::filesystem::remove(folder_ / name);
      const long first = draw(random, changes), second = draw(random, changes);
      SCOPED_TRACE(options + " killed at change " + std::to_string(first) + " and then at " + std::to_string(second));
      EXPECT_EQ(simrun_with("SIMRUN_TEST_KILL=" + std::to_string(first), anew + " --threads 1").exit_status, killed);
      expect_what_is_left_is_whole();
      if (const std::string on = way_on(anew); !on.empty()) {
        const test::Outcome again = simrun_with("SIMRUN_TEST_KILL=" + std::to_string(second), on + " --threads 2");
        EXPECT_TRUE(again.exit_status == killed || again.exit_status == 0) << again.text;
        expect_what_is_left_is_whole();
      }
      go_on_to_the_end(anew, " --threads 1");
    }
  }
}

}  // namespace asynchronous_runs_test
}  // namespace sim
