// simrun --resume: the same bits as a run that never stopped, whatever stopped it.
#include <gtest/gtest.h>
#include <hdf5.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>

#include "output/checkpoint.hpp"
#include "output/result_reader.hpp"
#include "scenes/result_equality.hpp"
#include "support/program_test.hpp"

namespace sim {
namespace resume_test {

using test::expect_contains;
using test::expect_same_datasets;

// Boxes and a ring that slide, tumble and hit each other.
const char* const tumbling = R"({
  "name": "tumble",
  "time": { "step": 0.002, "duration": 0.3 },
  "materials": { "rubber": { "young": 2e5, "poisson": 0.3, "density": 1000 } },
  "meshes": { "box": { "generate": "box", "size": [0.1, 0.1, 0.1], "cells": [2, 2, 2] },
              "ring": { "generate": "torus", "segments": 12, "major_radius": 0.08, "side": 0.04 },
              "floor": { "generate": "slab", "size": [2, 2], "thickness": 0.1 } },
  "objects": [
    { "name": "a", "mesh": "box", "material": "rubber", "position": [0.003, 0.007, 0.051], "velocity": [0.8, 0, 0] },
    { "name": "b", "mesh": "box", "material": "rubber", "position": [0.013, 0.017, 0.161], "velocity": [0.2, 0.1, -0.5] },
    { "name": "r", "mesh": "ring", "material": "rubber", "position": [0.21, 0.017, 0.1], "angular_velocity": [0, 9, 3] },
    { "name": "floor", "type": "fixed", "mesh": "floor", "position": [0, 0, -0.05] } ],
  "output": { "every": 7, "contacts": true, "checkpoint": 20 }
})";

class Resume : public test::SceneTest {
 protected:
  Resume() : SceneTest(tumbling) {}

  void expect_done(const std::string& arguments) const {
    const test::Outcome outcome = simrun(arguments);
    EXPECT_EQ(outcome.exit_status, 0) << arguments << "\n" << outcome.text;
  }
  // The status, a message with all parts, and the file as it was.
  void expect_refused(int status, const std::string& arguments, const std::vector<std::string>& parts) const {
    const std::string before = read("a.h5");
    const test::Outcome outcome = simrun(arguments);
    EXPECT_EQ(outcome.exit_status, status) << arguments << "\n" << outcome.text;
    for (const std::string& part : parts) expect_contains(outcome.text, part);
    EXPECT_EQ(outcome.text.find("going on after"), std::string::npos) << outcome.text;
    EXPECT_TRUE(read("a.h5") == before) << arguments;
  }
  void expect_whole_is(const std::string& name) const { expect_same_datasets(path("whole.h5"), path(name)); }
  // a.h5, as a version wrote it that did not know this table of checkpoints.
  void forget_in_checkpoints(const std::string& table) const {
    const hid_t file = H5Fopen(path("a.h5").c_str(), H5F_ACC_RDWR, H5P_DEFAULT);
    ASSERT_GE(file, 0);
    for (const std::string group : {"/checkpoint", "/checkpoint/last"}) {
      EXPECT_GE(H5Ldelete(file, (group + "/" + table).c_str(), H5P_DEFAULT), 0);
      const hid_t digest = H5Dopen2(file, (group + "/digest").c_str(), H5P_DEFAULT);
      const std::vector<std::int64_t> unknown(4, 0);
      EXPECT_GE(H5Dwrite(digest, H5T_NATIVE_INT64, H5S_ALL, H5S_ALL, H5P_DEFAULT, unknown.data()), 0);
      H5Dclose(digest);
    }
    H5Fclose(file);
  }
  // a.h5: the scene on two threads up to a step, gone on with on one; returns what simcheck says.
  std::string expect_whole_in_two_parts(const std::string& scene, int steps, const std::string& duration) const {
    expect_done(scene + " --quiet --threads 2 --steps " + std::to_string(steps) + " -o a.h5");
    expect_done("--resume a.h5 --quiet --threads 1 --duration " + duration);
    expect_whole_is("a.h5");
    const test::Outcome judged = run_here(SIMCHECK_PROGRAM, "a.h5");
    EXPECT_EQ(judged.exit_status, 0) << judged.text;
    return judged.text;
  }
};

TEST_F(Resume, GoesOnBitForBitOnObstaclesThatAreNoBodiesWithCopiesFromEverywhere) {
  write("poses.csv", "x,y,z,degrees,ax,ay,az,vx,vy,vz\n0.5,0,0.2,30,1,2,3,-1,0,0\n0.5,0.4,0.2,0,0,0,1,0,-1,0\n");
  write("poured.json", R"json({
    "time": { "step": 0.002, "duration": 0.2 },
    "materials": { "rubber": { "young": 2e5, "poisson": 0.3, "density": 1000 } },
    "meshes": { "box": { "generate": "box", "size": [0.1, 0.1, 0.1], "cells": [1, 1, 1], "scale": [1, 2, -1] },
                "wire": { "generate": "segments", "points": [[-1, 0, 0.05], [1, 0, 0.05]] },
                "points": { "generate": "points", "points": [[0.1, 0.1, 0.07], [0.1, -0.1, 0.07]] } },
    "objects": [
      { "name": "heap", "mesh": "box", "material": "rubber", "velocity": [0, 0, -2],
        "scatter": { "count": 8, "cylinder": { "base": [0, 0, 0.1], "radius": 0.25, "height": 0.6 } } },
      { "name": "thrown", "type": "rigid", "mesh": "box", "material": "rubber", "poses_file": "poses.csv" },
      { "name": "wire", "type": "fixed", "mesh": "wire" },
      { "name": "points", "type": "fixed", "mesh": "points", "array": { "count": [2, 1, 1], "spacing": [-0.2, 0, 0] } },
      { "name": "ground", "type": "scripted", "mesh": "half-space", "motion": { "translation": [0, 0, "0.02*sin(50*t)"] } } ],
    "output": { "every": 10, "contacts": true, "checkpoint": 20 } })json");
  expect_done("poured.json --quiet --threads 1 -o whole.h5");
  const auto contacts = ResultReader(path("whole.h5")).step_column("contacts");
  ASSERT_GT(*std::max_element(contacts.begin(), contacts.begin() + 60), 5);
  expect_whole_in_two_parts("poured.json", 61, "0.2");
}

// Cables on a body, on the floor and on each other, some of them at the limit of their strain.
TEST_F(Resume, GoesOnBitForBitWithCablesAndSimcheckFindsThemSound) {
  write("cables.json", R"json({
    "time": { "step": 0.004, "duration": 0.4 },
    "materials": { "wire": { "model": "cable", "stretch": 1e4, "bend": 1e-3, "density": 2000, "thickness": 0.01,
                             "damping": { "mass": 0.5, "stiffness": 0.001 } },
                   "rubber": { "model": "cable", "stretch": 100, "density": 1000, "thickness": 0.02, "strain_limit": [1, 0.1] },
                   "soft": { "young": 2e5, "poisson": 0.3, "density": 1000 } },
    "meshes": { "box": { "generate": "box", "size": [0.1, 0.1, 0.1], "cells": [2, 2, 2] },
                "rope": { "generate": "path", "points": [[-0.3, 0, 0], [0.3, 0, 0]], "segments": 20 },
                "net": { "generate": "segments", "points": [[0, 0, 0], [0.1, 0, 0], [0.1, 0.1, 0], [0, 0.1, 0]],
                         "segments": [[0, 1], [1, 2], [2, 3], [3, 0], [0, 2]] } },
    "objects": [ { "name": "box", "mesh": "box", "material": "soft", "position": [0, 0, 0.051] },
                 { "name": "a", "mesh": "rope", "material": "wire", "position": [0, 0.01, 0.12] },
                 { "name": "b", "mesh": "rope", "material": "rubber", "position": [0.02, 0, 0.15], "velocity": [0, 0, -1],
                   "rotation": { "axis": [0, 0, 1], "degrees": 80 }, "boundary": [ { "list": [0, 20] } ] },
                 { "name": "c", "mesh": "net", "material": "wire", "position": [-0.05, -0.05, 0.2] },
                 { "name": "ground", "type": "fixed", "mesh": "half-space" } ],
    "output": { "every": 10, "contacts": true, "objects": true, "tension": true, "checkpoint": 20 } })json");
  expect_done("cables.json --quiet --threads 1 -o whole.h5");
  const auto contacts = ResultReader(path("whole.h5")).step_column("contacts");
  const auto limited = ResultReader(path("whole.h5")).step_column("limited");
  ASSERT_GT(contacts[49], 5);
  ASSERT_GT(limited[49], 3);
  const std::string judged = expect_whole_in_two_parts("cables.json", 50, "0.4");
  expect_contains(judged, "verdict: clean");
}

// Rates of strain of solids, a sheet and a cable go on as they were. An older file, which has none, is gone on with
// all the same: its next step is the first of generalized alpha.
constexpr const char* damped = R"json({
    "time": { "step": 0.004, "duration": 0.24, "scheme": "generalized-alpha" },
    "materials": { "rubber": { "model": "neo-hookean", "young": 2e5, "poisson": 0.3, "density": 1000, "damping": { "stiffness": 0.002 } },
                   "soft": { "young": 1e5, "poisson": 0.3, "density": 1000 },
                   "wire": { "model": "cable", "stretch": 1e4, "bend": 1e-3, "density": 2000, "thickness": 0.01, "damping": { "stiffness": 0.001 } },
                   "cloth": { "model": "shell", "young": 1e5, "poisson": 0.3, "density": 300, "thickness": 0.002,
                              "damping": { "stiffness": 0.003 } } },
    "meshes": { "box": { "generate": "box", "size": [0.1, 0.1, 0.1], "cells": [2, 2, 2] },
                "rope": { "generate": "path", "points": [[-0.2, 0, 0], [0.2, 0, 0]], "segments": 8 },
                "sheet": { "generate": "sheet", "size": [0.2, 0.2], "cells": [3, 3] } },
    "objects": [ { "name": "box", "mesh": "box", "material": "rubber", "position": [0, 0, 0.08], "angular_velocity": [2, 0, 5] },
                 { "name": "other", "mesh": "box", "material": "soft", "position": [0.3, 0, 0.08], "velocity": [-0.4, 0, 0] },
                 { "name": "rope", "mesh": "rope", "material": "wire", "position": [0, 0.4, 0.2], "boundary": [ { "list": [0] } ] },
                 { "name": "sheet", "mesh": "sheet", "material": "cloth", "position": [0, -0.4, 0.2], "boundary": [ { "list": [0] } ] },
                 { "name": "ground", "type": "fixed", "mesh": "half-space" } ],
    "output": { "every": 10, "contacts": true, "checkpoint": 20 } })json";

TEST_F(Resume, GoesOnBitForBitWithStiffnessDampingUnderGeneralizedAlpha) {
  write("damped.json", damped);
  expect_done("damped.json --quiet --threads 1 -o whole.h5");
  expect_whole_in_two_parts("damped.json", 27, "0.24");
}

TEST_F(Resume, GoesOnWithDampedRunsOfVersionsThatKeptNoRatesOfStrain) {
  write("damped.json", damped);
  expect_done("damped.json --quiet --threads 1 --steps 27 -o a.h5");
  forget_in_checkpoints("strain_rates");
  expect_done("--resume a.h5 --quiet --threads 1 --duration 0.16");
  expect_done("--resume a.h5 --quiet --threads 1 --duration 0.24");
  expect_done("--resume a.h5 --quiet --threads 1 --from 20 -o b.h5");
  const test::Outcome judged = run_here(SIMCHECK_PROGRAM, "a.h5");
  EXPECT_EQ(judged.exit_status, 0) << judged.text;
}

// A whip: what straight ways strain it by goes on as it was, from a file of another method, too. An older file, which
// does not know it, is gone on with all the same.
TEST_F(Resume, GoesOnBitForBitWithWhatStraightWaysStrain) {
  write("whip.json", R"json({
    "time": { "step": 0.005, "duration": 0.4 },
    "materials": { "wire": { "model": "cable", "stretch": 1e4, "density": 1000, "thickness": 0.002 },
                   "film": { "model": "shell", "young": 1e7, "poisson": 0.3, "density": 1000, "thickness": 0.001 } },
    "meshes": { "rope": { "generate": "path", "points": [[0, 0, 0], [1, 0, 0]], "segments": 20 },
                "sheet": { "generate": "sheet", "size": [0.4, 0.2], "cells": [6, 3] } },
    "objects": [ { "name": "rope", "mesh": "rope", "material": "wire", "boundary": [ { "list": [0] } ] },
                 { "name": "flag", "mesh": "sheet", "material": "film", "position": [0, 1, 0],
                   "boundary": [ { "list": [0, 7] } ] } ],
    "output": { "every": 10, "tension": true, "checkpoint": 20 } })json");
  expect_done("whip.json --quiet --threads 1 -o whole.h5");
  const ResultReader whole(path("whole.h5"));
  EXPECT_EQ(whole.unseen_energy(0), 0);
  EXPECT_GT(whole.unseen_energy(5), 0);
  expect_contains(expect_whole_in_two_parts("whip.json", 45, "0.4"), "verdict: clean");

  expect_done("--resume whole.h5 --quiet --threads 1 --from 40 -o b.h5");
  const test::Outcome judged = run_here(SIMCHECK_PROGRAM, "b.h5");
  EXPECT_EQ(judged.exit_status, 0) << judged.text;

  expect_done("whip.json --quiet --threads 1 --steps 45 -o a.h5");
  forget_in_checkpoints("unseen_strains");
  expect_done("--resume a.h5 --quiet --threads 1 --duration 0.4");
  EXPECT_EQ(ResultReader(path("a.h5")).step_count(), 80);
}

// Sheets of all materials and an embedded body, on a body, on the floor and on each other; simcheck has their masses
// and energies anew.
TEST_F(Resume, GoesOnBitForBitWithSheetsAndEmbeddedBodiesAndSimcheckFindsThemSound) {
  write("sheets.json", R"json({
    "time": { "step": 0.004, "duration": 0.4 },
    "materials": { "cotton": { "model": "grid-springs", "stretch": 40, "flexion": 1, "density": 200, "thickness": 0.002 },
                   "wool": { "model": "edge-springs", "stretch": 60, "bend": 1e-5, "density": 200, "thickness": 0.003 },
                   "felt": { "model": "shell", "young": 1e5, "density": 300, "thickness": 0.002,
                             "damping": { "mass": 0.5, "stiffness": 0.001 } },
                   "rubber": { "model": "st-venant-kirchhoff", "young": 2e5, "poisson": 0.3, "density": 1000 } },
    "meshes": { "box": { "generate": "box", "size": [0.1, 0.1, 0.1], "cells": [2, 2, 2] },
                "brick": { "generate": "box", "size": [0.08, 0.06, 0.05], "cells": [3, 2, 2], "embed": { "cell": 0.04 } },
                "grid": { "generate": "sheet", "size": [0.3, 0.3], "cells": [8, 8], "pattern": "grid" },
                "rows": { "generate": "sheet", "size": [0.3, 0.3], "cells": [7, 8], "pattern": "equilateral" },
                "cross": { "generate": "sheet", "size": [0.3, 0.3], "cells": [5, 5], "pattern": "cross" } },
    "objects": [ { "name": "box", "mesh": "box", "material": "rubber", "position": [0, 0, 0.051] },
                 { "name": "a", "mesh": "grid", "material": "cotton", "position": [0.01, 0, 0.11] },
                 { "name": "b", "mesh": "rows", "material": "wool", "position": [0, 0.02, 0.13] },
                 { "name": "c", "mesh": "cross", "material": "felt", "position": [-0.02, 0, 0.15],
                   "angular_velocity": [0, 0, 5] },
                 { "name": "brick", "mesh": "brick", "material": "rubber", "position": [0.02, 0.01, 0.19] },
                 { "name": "ground", "type": "fixed", "mesh": "half-space" } ],
    "output": { "every": 10, "contacts": true, "objects": true, "stress": true, "checkpoint": 20 } })json");
  expect_done("sheets.json --quiet --threads 1 -o whole.h5");
  const auto contacts = ResultReader(path("whole.h5")).step_column("contacts");
  ASSERT_GT(contacts[49], 50);
  const std::string judged = expect_whole_in_two_parts("sheets.json", 50, "0.4");
  expect_contains(judged, "verdict: clean");
  EXPECT_EQ(judged.find("are not judged"), std::string::npos) << judged;
}

TEST_F(Resume, GoesOnBitForBitInAnyNumberOfPiecesAndThreads) {
  expect_done("scene.json --quiet --trace --threads 1 -o whole.h5");
  const ResultReader whole(path("whole.h5"));
  const auto sliding = whole.step_column("sliding"), sticking = whole.step_column("sticking");
  ASSERT_GT(*std::max_element(sliding.begin() + 80, sliding.begin() + 100), 0);
  ASSERT_GT(*std::max_element(sticking.begin() + 80, sticking.begin() + 100), 0);

  expect_done("scene.json --quiet --trace --threads 1 --steps 87 -o a.h5");
  EXPECT_EQ(checkpoint_steps(path("a.h5")), (std::vector<std::int64_t>{0, 20, 40, 60, 80, 87}));
  expect_done("--resume a.h5 --quiet --threads 2 --steps 93");
  expect_done("--resume a.h5 --quiet --threads 1 --steps 120");
  expect_done("--resume a.h5 --quiet --threads 2 --duration 0.3");
  expect_whole_is("a.h5");
  EXPECT_EQ(ResultReader(path("a.h5")).info().scene, whole.info().scene);
  EXPECT_EQ(ResultReader(path("a.h5")).info().status, "done");
  const std::string calls = ResultReader(path("a.h5")).info().command_line;
  EXPECT_EQ(std::count(calls.begin(), calls.end(), '\n'), 3) << calls;
}

// A rigid box and a rigid ring beside an elastic ring.
class ResumeRigid : public test::SceneTest {
 protected:
  static std::string scene() {
    std::string text = tumbling;
    for (const char* name : {"a", "r"}) {
      const std::string object = std::string("{ \"name\": \"") + name + "\",";
      text.replace(text.find(object), object.size(), object + R"( "type": "rigid",)");
    }
    return text;
  }
  ResumeRigid() : SceneTest(scene()) {}
};

TEST_F(ResumeRigid, GoesOnBitForBitAndIsClean) {
  const std::string arguments = " --quiet --threads 1";
  ASSERT_EQ(simrun("scene.json -o whole.h5" + arguments).exit_status, 0);
  const auto active = ResultReader(path("whole.h5")).step_column("active");
  ASSERT_GT(active.at(87), 0);
  ASSERT_EQ(simrun("scene.json --steps 87 -o a.h5" + arguments).exit_status, 0);
  ASSERT_EQ(simrun("--resume a.h5 --quiet --threads 2 --steps 93").exit_status, 0);
  ASSERT_EQ(simrun("--resume a.h5 --duration 0.3" + arguments).exit_status, 0);
  expect_same_datasets(path("whole.h5"), path("a.h5"));
  const test::Outcome judged = run_here(SIMCHECK_PROGRAM, "whole.h5");
  EXPECT_EQ(judged.exit_status, 0) << judged.text;
  expect_contains(judged.text, "(1 deformable, 2 rigid, 1 obstacles)");
  expect_contains(judged.text, "verdict: clean");
}

// The run has no end of its own, so that Ctrl-C comes before it on any machine.
TEST_F(Resume, GoesOnAfterCtrlC) {
  const test::Outcome stopped = interrupt("scene.json --threads 1 --set time.duration=1e6 -o a.h5", "a.h5");
  ASSERT_EQ(stopped.exit_status, 130) << stopped.text;
  expect_contains(stopped.text, "simrun --resume a.h5");
  const std::int64_t last = checkpoint_steps(path("a.h5")).back();
  {
    const ResultReader result(path("a.h5"));
    EXPECT_EQ(last, result.frame_step(result.frame_count() - 1));
  }
  const std::string steps = " --quiet --threads 1 --steps " + std::to_string(last + 33);
  expect_done("--resume a.h5" + steps);
  expect_done("scene.json -o whole.h5" + steps);
  expect_whole_is("a.h5");
}

TEST_F(Resume, GoesOnAfterAStepThatFailed) {
  expect_done("scene.json --quiet -o whole.h5");
  // Too few iterations for an impact, enough to fall.
  test::Outcome failed;
  for (int most = 12; most > 0 && failed.exit_status != 2; --most) {
    std::filesystem::remove(path("a.h5"));
    failed = simrun("scene.json --quiet -o a.h5 --set solver.linear_tolerance=1e-3 --set solver.max_iterations=" +
                    std::to_string(most));
  }
  ASSERT_EQ(failed.exit_status, 2) << failed.text;
  const std::int64_t last = checkpoint_steps(path("a.h5")).back();
  const ResultReader result(path("a.h5"));
  EXPECT_GT(last, 0);
  EXPECT_EQ(result.frame_step(result.frame_count() - 1), last);
  EXPECT_EQ(result.step_column("step").back(), last + 1);  // the one that was not accepted
  const test::Outcome again = simrun("--resume a.h5 --quiet");
  EXPECT_EQ(again.exit_status, 2) << again.text;
  EXPECT_EQ(checkpoint_steps(path("a.h5")).back(), last);
  const ResultReader same(path("a.h5"));
  EXPECT_EQ(same.frame_step(same.frame_count() - 1), last);
  expect_done("--resume a.h5 --quiet -o b.h5 --set solver.max_iterations=10000");
  EXPECT_EQ(ResultReader(path("b.h5")).step_column("step").front(), last + 1);
}

// As a kill between the last step and the end of the program leaves it.
TEST_F(Resume, EndsARunThatWasKilledAfterItsLastStep) {
  expect_done("scene.json --quiet -o whole.h5");
  std::filesystem::copy_file(path("whole.h5"), path("a.h5"));
  {
    const hdf5::Handle file(H5Fopen(path("a.h5").c_str(), H5F_ACC_RDWR, H5P_DEFAULT), H5Fclose);
    hdf5::rewrite_attribute(file, "status", "running");
  }
  expect_refused(1, "--resume a.h5 -o b.h5", {"a.h5: is at its end after step 150 of 150"});
  expect_done("--resume a.h5 --quiet");
  EXPECT_EQ(ResultReader(path("a.h5")).info().status, "done");
  expect_whole_is("a.h5");
}

TEST_F(Resume, StartsAnotherMethodFromTheSameStateInANewFile) {
  expect_done("scene.json --quiet -o a.h5");
  const std::string before = read("a.h5");
  expect_done("--resume a.h5 --from 60 --solver cr-diag --quiet --trace -o b.h5");
  expect_done("--resume a.h5 --from 60 --quiet -o same.h5");
  EXPECT_TRUE(read("a.h5") == before);
  const ResultReader a(path("a.h5")), b(path("b.h5")), same(path("same.h5"));
  EXPECT_EQ(b.info().solver, "cr-diag");
  EXPECT_EQ(b.info().origin, "a.h5, step 60");
  EXPECT_TRUE(b.has_trace());
  EXPECT_EQ(b.frame_step(0), 60);
  EXPECT_EQ(b.frame_time(0), 0.12);
  EXPECT_EQ(b.step_column("step").front(), 61);
  EXPECT_EQ(b.step_count(), 90);
  const auto residuals = a.step_column("residual");
  EXPECT_EQ(same.step_column("residual"), std::vector<double>(residuals.begin() + 60, residuals.end()));
  EXPECT_NE(b.step_column("residual"), same.step_column("residual"));
  EXPECT_EQ(same.positions(same.frame_count() - 1), a.positions(a.frame_count() - 1));
  EXPECT_EQ(checkpoint_steps(path("b.h5")), (std::vector<std::int64_t>{60, 80, 100, 120, 140, 150}));
  // A run that began at a checkpoint goes on like any other.
  expect_done("--resume a.h5 --from 60 --quiet --steps 75 -o part.h5");
  expect_done("--resume part.h5 --quiet --steps 150");
  expect_same_datasets(path("same.h5"), path("part.h5"));
  EXPECT_EQ(ResultReader(path("part.h5")).info().origin, "a.h5, step 60");
}

TEST_F(Resume, RefusesWhatIsNoFileToGoOnWith) {
  EXPECT_EQ(simrun("--resume none.h5").exit_status, 3);
  expect_contains(simrun("--resume none.h5").text, "none.h5: cannot be read: No such file or directory");
  EXPECT_EQ(simrun("--resume scene.json").exit_status, 3);
  expect_contains(simrun("--resume scene.json").text, "scene.json: is not an HDF5 file");

  expect_done("scene.json --quiet --steps 30 -o a.h5");
  {
    const hdf5::Handle file(H5Fopen(path("a.h5").c_str(), H5F_ACC_RDWR, H5P_DEFAULT), H5Fclose);
    hdf5::rename(file, "checkpoint", "elsewhere");
  }
  expect_refused(3, "--resume a.h5 --steps 40", {"a.h5: holds no checkpoint to go on from"});
  {
    const hdf5::Handle file(H5Fopen(path("a.h5").c_str(), H5F_ACC_RDWR, H5P_DEFAULT), H5Fclose);
    const hdf5::Handle attribute(H5Aopen(file, "format_version", H5P_DEFAULT), H5Aclose);
    const int newer = 2;
    ASSERT_GE(H5Awrite(attribute, H5T_NATIVE_INT, &newer), 0);
  }
  expect_refused(3, "--resume a.h5 --steps 40", {"a.h5: has format version 2, this program reads versions 1 to 1"});
}

TEST_F(Resume, RefusesARunThatIsAtItsEnd) {
  expect_done("scene.json --quiet --steps 30 -o a.h5");
  expect_refused(1, "--resume a.h5", {"a.h5: is at its end after step 30 of 30", "a longer --duration"});
  expect_refused(1, "--resume a.h5 --steps 12",
                 {"a.h5: is at step 30 already, and the run is to end with step 12, nothing is left to do"});
  expect_refused(1, "--resume a.h5 -o b.h5 --solver cr-diag", {"after step 30 of 30"});
  EXPECT_FALSE(exists("b.h5"));
}

TEST_F(Resume, RefusesAnotherScene) {
  expect_done("scene.json --quiet --steps 30 -o a.h5");
  std::string other = tumbling;
  other.replace(other.find("2e5"), 3, "3e5");
  write("other.json", other);
  expect_refused(1, "other.json --resume a.h5 --steps 40",
                 {"a.h5: is a run of another scene:", "/materials/rubber/young: 200000.0 in the file, 300000.0 now",
                  "a new file with -o"});
  expect_refused(1, "--resume a.h5 --steps 40 --solver cr-diag",
                 {"/solver/method: \"auto\" in the file, \"cr-diag\" now"});
  expect_refused(1, "--resume a.h5 --steps 40 --set objects.0.velocity=[1,0,0] -o b.h5",
                 {"/objects/0/velocity/0", "time.duration and the name may change"});
  expect_refused(1, "--resume a.h5 --steps 40 --dt 0.001 -o b.h5", {"/time/step: 0.002 in the file, 0.001 now"});
  expect_refused(1, "--resume a.h5 --steps 40 --set solvr.method=ica", {"/solvr", "did you mean \"solver\""});
  EXPECT_FALSE(exists("b.h5"));
  expect_done("scene.json --resume a.h5 --quiet --steps 40");
  expect_done("other.json --resume a.h5 --quiet --steps 50 -o b.h5");
}

TEST_F(Resume, RefusesWhatWouldHarmTheFile) {
  expect_done("scene.json --quiet --steps 30 -o a.h5");
  expect_refused(1, "--resume a.h5 --from 20 --steps 40",
                 {"--from 20 would drop what comes after it, up to step 30"});
  expect_refused(1, "--resume a.h5 --from 25 --steps 40 -o b.h5",
                 {"a.h5: has no checkpoint of step 25, the nearest: 20 and 30"});
  expect_refused(1, "--resume a.h5 --steps 40 -o ./a.h5", {"is the file to resume from"});
  expect_refused(1, "--resume a.h5 --steps 40 --trace", {"was begun without --trace", "-o"});
  expect_refused(1, "--from 3 scene.json", {"--from requires --resume"});
  expect_refused(3, "--resume a.h5 --steps 40 -o no/such/b.h5", {"no/such/b.h5: cannot be written"});
  if (geteuid() != 0) {
    std::filesystem::permissions(path("a.h5"), std::filesystem::perms::owner_read);
    expect_refused(3, "--resume a.h5 --steps 40", {"a.h5: cannot be written: Permission denied"});
  }
}

TEST_F(Resume, FindsTheMeshesOfASceneThatHasMoved) {
  std::filesystem::create_directory(folder_ / "there");
  write("there/cube.off", test::read_source("tests/data/meshes/cube.off"));
  write("there/scene.json", R"({ "name": "cube", "time": { "step": 0.002, "duration": 0.02 },
    "materials": { "m": { "density": 1000 } }, "meshes": { "c": { "file": "cube.off", "tetrahedralize": {} } },
    "objects": [ { "name": "cube", "mesh": "c", "material": "m" } ] })");
  expect_done("there/scene.json --quiet --steps 4 -o a.h5");
  std::filesystem::create_directory(folder_ / "b");
  std::filesystem::copy(folder_ / "a.h5", folder_ / "b/a.h5");
  EXPECT_EQ(test::run("cd '" + folder_.string() + "/b' && '" SIMRUN_PROGRAM "' --quiet --resume a.h5 --steps 5").text,
            "");
  std::filesystem::rename(folder_ / "there", folder_ / "elsewhere");
  expect_refused(3, "--resume a.h5 --steps 6", {"cube.off", "name the scene too: simrun scene.json --resume a.h5"});
  expect_done("elsewhere/scene.json --resume a.h5 --quiet --steps 6");
  std::string larger = read("elsewhere/cube.off");
  larger.replace(larger.find("1.375"), 5, "1.475");
  write("elsewhere/cube.off", larger);
  expect_refused(3, "elsewhere/scene.json --resume a.h5 --steps 7",
                 {"a.h5: /model/rest_positions has other vertices than what its scene makes now"});
}

TEST_F(Resume, ContactThatIsSwitchedOnMustFindNoOverlaps) {
  expect_done("scene.json --quiet --steps 30 -o a.h5 --set contact.enabled=false");
  expect_refused(1, "--resume a.h5 --steps 40 -o b.h5 --set contact.enabled=true", {"objects overlap at the start"});
  expect_done("scene.json --quiet --steps 90 -o a.h5");
  expect_done("--resume a.h5 --quiet --steps 100 -o b.h5 --set contact.enabled=false");
  EXPECT_EQ(ResultReader(path("b.h5")).step_column("contacts").front(), 0);
}

// As of a version that did not write the ledger: its rows hold NaN, those that follow what there is to know.
TEST_F(Resume, GoesOnWithAFileThatLacksColumns) {
  expect_done("scene.json --quiet --steps 40 -o a.h5");
  const hid_t file = H5Fopen(path("a.h5").c_str(), H5F_ACC_RDWR, H5P_DEFAULT);
  ASSERT_GE(file, 0);
  for (const char* column : {"/steps/dissipation_scheme", "/steps/impulse_prescribed"})
    EXPECT_GE(H5Ldelete(file, column, H5P_DEFAULT), 0);
  H5Fclose(file);
  expect_done("--resume a.h5 --duration 0.3 --quiet");
  const ResultReader result(path("a.h5"));
  ASSERT_EQ(result.step_count(), 150);
  for (const std::string column : {"dissipation_scheme", "impulse_prescribed"}) {
    const std::vector<double> values = result.step_column(column);
    const auto known = [](double value) { return !std::isnan(value); };
    const auto first = std::find_if(values.begin(), values.end(), known);
    EXPECT_EQ(first - values.begin(), static_cast<std::ptrdiff_t>(values.size() / 150 * 40)) << column;
    EXPECT_TRUE(std::all_of(first, values.end(), known)) << column;
  }
  const test::Outcome check = run_here(SIMCHECK_PROGRAM, "a.h5");
  EXPECT_EQ(check.exit_status, 0) << check.text;
  expect_contains(check.text, "110 of 150 steps");
}

}  // namespace resume_test
}  // namespace sim
