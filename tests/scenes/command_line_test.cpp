// simrun as its users meet it: what it prints, writes and returns.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <filesystem>

#include "output/result_reader.hpp"
#include "support/program_test.hpp"

namespace sim {
namespace command_line_test {

namespace fs = std::filesystem;
using test::expect_contains;

const char* const swinging_bar = R"(// a bar clamped at one end, and a ring that spins
{
  "name": "swing",
  "time": { "step": 0.002, "duration": 0.06 },
  "materials": { "rubber": { "young": 1e5, "poisson": 0.3, "density": 1000 } },
  "meshes": { "bar": { "generate": "box", "size": [0.6, 0.1, 0.1], "cells": [12, 2, 2] },
              "ring": { "generate": "torus" } },
  "objects": [
    { "name": "bar", "mesh": "bar", "material": "rubber",
      "boundary": [ { "plane": { "point": [-0.299, 0, 0], "normal": [-1, 0, 0] } } ] },
    { "name": "ring", "mesh": "ring", "material": "rubber", "position": [0, 0, 1], "angular_velocity": [0, 9, 0] },
    { "name": "floor", "type": "fixed", "mesh": "slab", "position": [0, 0, -1] } ],
  "output": { "every": 7 }
})";

class Simrun : public test::SceneTest {
 protected:
  Simrun() : SceneTest(swinging_bar) {}
};

void expect_same_frames(const std::string& one, const std::string& two) {
  const ResultReader a(one), b(two);
  ASSERT_EQ(a.frame_count(), b.frame_count());
  for (std::int64_t frame = 0; frame < a.frame_count(); ++frame) {
    EXPECT_TRUE((a.positions(frame).array() == b.positions(frame).array()).all()) << "frame " << frame;
    EXPECT_TRUE((a.velocities(frame).array() == b.velocities(frame).array()).all()) << "frame " << frame;
  }
  EXPECT_EQ(a.step_column("residual"), b.step_column("residual"));
  EXPECT_EQ(a.step_column("elastic_energy"), b.step_column("elastic_energy"));
}

TEST_F(Simrun, RunsASceneToItsEndAndWritesEveryFrame) {
  const test::Outcome outcome = simrun("scene.json -o out.h5");
  EXPECT_EQ(outcome.exit_status, 0) << outcome.text;
  expect_contains(outcome.text, "integrate");
  expect_contains(outcome.text, "out.h5");
  EXPECT_EQ(outcome.text.find('\r'), std::string::npos) << "a bar was drawn although this is no terminal";
  const ResultReader result(path("out.h5"));
  EXPECT_EQ(result.info().status, "done");
  EXPECT_EQ(result.info().solver, "auto");
  EXPECT_EQ(result.step_count(), 30);
  ASSERT_EQ(result.frame_count(), 6);  // 0 7 14 21 28, and the last
  EXPECT_EQ(result.frame_step(1), 7);
  EXPECT_EQ(result.frame_step(5), 30);
  EXPECT_NEAR(result.frame_time(5), 0.06, 1e-15);
  EXPECT_TRUE(fs::exists(path("out.xdmf")));
  expect_contains(result.info().scene, "\"poisson\"");
}

TEST_F(Simrun, ResultIsNamedAfterTheSceneFileByDefault) {
  EXPECT_EQ(simrun("scene.json --quiet").exit_status, 0);
  EXPECT_TRUE(fs::exists(path("scene.h5")));
}

TEST_F(Simrun, TheSameSceneTwiceAndWithOtherThreadsGivesTheSameBits) {
  ASSERT_EQ(simrun("scene.json --quiet --threads 1 -o one.h5").exit_status, 0);
  ASSERT_EQ(simrun("scene.json --quiet --threads 1 -o again.h5").exit_status, 0);
  ASSERT_EQ(simrun("scene.json --quiet --threads 2 -o two.h5").exit_status, 0);
  expect_same_frames(path("one.h5"), path("again.h5"));
  expect_same_frames(path("one.h5"), path("two.h5"));
}

TEST_F(Simrun, CommandLineWinsOverTheScene) {
  ASSERT_EQ(simrun("scene.json --quiet --dt 0.001 --duration 0.005 --set output.every=5 -o out.h5").exit_status, 0);
  const ResultReader result(path("out.h5"));
  EXPECT_EQ(result.step_count(), 5);
  EXPECT_EQ(result.step_column("dt"), std::vector<double>(5, 0.001));
  ASSERT_EQ(simrun("scene.json --quiet --steps 3 -o out.h5").exit_status, 0);
  EXPECT_EQ(ResultReader(path("out.h5")).step_count(), 3);
}

TEST_F(Simrun, ObstaclesAreInTheFramesAndFreeBodiesFall) {
  ASSERT_EQ(simrun("scene.json --quiet -o out.h5").exit_status, 0);
  const ResultReader result(path("out.h5"));
  const auto objects = result.objects();
  ASSERT_EQ(objects.size(), 3u);
  EXPECT_EQ(objects[2].name, "floor");
  const VecX first = result.positions(0), last = result.positions(5);
  for (Index i = objects[2].vertices.begin; i < objects[2].vertices.end; ++i) {
    EXPECT_EQ(block(first, i), block(last, i));
  }
  // The centre of mass of the ring, from its tets: the scheme's free fall.
  const Mesh rest = result.rest_mesh();
  double volume = 0, drop = 0;
  for (Index t = objects[1].tets.begin; t < objects[1].tets.end; ++t) {
    const Tet& tet = rest.tets[t];
    const double six =
        six_volume(rest.vertices[tet[0]], rest.vertices[tet[1]], rest.vertices[tet[2]], rest.vertices[tet[3]]);
    volume += six;
    for (const Index i : tet) drop += six / 4 * (first[3 * i + 2] - last[3 * i + 2]);
  }
  EXPECT_NEAR(drop / volume, 9.81 * 0.002 * 0.002 * 30 * 31 / 2, 1e-12);
}

TEST_F(Simrun, ValidatePrintsWhatWouldRunAndWritesNothing) {
  const test::Outcome outcome = simrun("scene.json --validate");
  EXPECT_EQ(outcome.exit_status, 0);
  expect_contains(outcome.text, "ring");
  expect_contains(outcome.text, "30 steps");
  EXPECT_FALSE(fs::exists(path("swing.h5")));
}

// A box of one cell has 12 faces and 18 edges; a cable is no face, nor is a point.
TEST_F(Simrun, ValidateCountsSegmentsAsSegments) {
  write("thin.json", R"({ "materials": { "wire": { "model": "cable", "thickness": 0.01 } },
    "meshes": { "box": { "generate": "box", "cells": [1, 1, 1] },
                "line": { "generate": "path", "points": [[0, 0, 2], [1, 0, 2]], "segments": 5 },
                "places": { "generate": "points", "points": [[3, 0, 0], [4, 0, 0]] } },
    "objects": [ { "name": "line", "mesh": "line", "material": "wire" }, { "name": "box", "type": "fixed", "mesh": "box" },
                 { "name": "places", "type": "fixed", "mesh": "places" } ] })");
  const test::Outcome outcome = simrun("thin.json --validate");
  EXPECT_EQ(outcome.exit_status, 0) << outcome.text;
  expect_contains(outcome.text, "faces  segments      mass kg");
  expect_contains(outcome.text, "6         0         0         5");
  expect_contains(outcome.text, "in all: 3 objects, 16 vertices, 0 tets, 12 faces, 5 segments, 18 unknowns");
  expect_contains(outcome.text, "surface: 16 vertices, 23 edges, 12 faces; no initial overlaps");
  EXPECT_EQ(simrun("scene.json --validate").text.find("segments"), std::string::npos);
}

TEST_F(Simrun, SaysWhereContactIsOff) {
  EXPECT_EQ(simrun("scene.json --validate").text.find("pass through each other"), std::string::npos);
  expect_contains(simrun("scene.json --validate --set contact.enabled=false").text, "pass through each other");
}

TEST_F(Simrun, SceneErrorsExitWithOneAndNameThePlace) {
  const test::Outcome outcome = simrun("scene.json --set materials.rubber.poisson=0.7 --dt -1");
  EXPECT_EQ(outcome.exit_status, 1);
  expect_contains(outcome.text, "/materials/rubber/poisson");
  expect_contains(outcome.text, "0.7");
  expect_contains(outcome.text, "/time/step");
}

TEST_F(Simrun, UsageErrorsExitWithOne) {
  EXPECT_EQ(simrun("").exit_status, 1);
  EXPECT_EQ(simrun("scene.json --thread 2").exit_status, 1);
  EXPECT_EQ(simrun("scene.json --threads 0").exit_status, 1);
  EXPECT_EQ(simrun("scene.json --steps 3 --duration 1").exit_status, 1);
  for (const char* threads : {"-3", "0", "1025", "1e3000"}) {
    const test::Outcome refused = simrun(std::string("scene.json --threads ") + threads);
    EXPECT_EQ(refused.exit_status, 1) << threads;
    EXPECT_LT(refused.text.size(), 200U) << refused.text;
  }
  expect_contains(simrun("scene.json --threads -3").text, "1 to 1024");
  const test::Outcome backwards = simrun("scene.json --steps -3");
  EXPECT_EQ(backwards.exit_status, 1);
  EXPECT_LT(backwards.text.size(), 200U) << backwards.text;
  for (const char* twice : {"--solver ica --set solver.method=exact", "--set time.step=0.001 --dt 0.002",
                            "--duration 1 --set time.duration=2"}) {
    const test::Outcome refused = simrun(std::string("scene.json --validate ") + twice);
    EXPECT_EQ(refused.exit_status, 1) << twice;
    expect_contains(refused.text, "are of the same value: leave out one of them");
  }
  EXPECT_EQ(simrun("scene.json --validate --solver ica --set solver.method=ica").exit_status, 0);
  const test::Outcome outcome = simrun("scene.json --solver cr-ful");
  EXPECT_EQ(outcome.exit_status, 1);
  expect_contains(outcome.text, "cr-full");
}

TEST_F(Simrun, FilesThatCannotBeReadOrWrittenExitWithThree) {
  const test::Outcome absent = simrun("absent.json");
  EXPECT_EQ(absent.exit_status, 3);
  expect_contains(absent.text, "absent.json");
  const test::Outcome unwritable = simrun("scene.json -o no/such/folder/out.h5");
  EXPECT_EQ(unwritable.exit_status, 3);
  expect_contains(unwritable.text, "no/such/folder/out.h5");
  EXPECT_EQ(simrun("scene.json --log-file scene.json/log").exit_status, 3);
  write("meshless.json", R"({ "materials": { "m": {} }, "meshes": { "gone": { "file": "gone.msh" } },
    "objects": [ { "name": "a", "mesh": "gone", "material": "m" } ] })");
  const test::Outcome meshless = simrun("meshless.json --validate");
  EXPECT_EQ(meshless.exit_status, 3);
  expect_contains(meshless.text, "gone.msh");
}

TEST_F(Simrun, AStepThatFailsStopsTheRunWithItsReasonAndKeepsTheFrames) {
  const test::Outcome outcome = simrun("scene.json -o out.h5 --set solver.max_iterations=1");
  EXPECT_EQ(outcome.exit_status, 2);
  expect_contains(outcome.text, "step 1: iteration limit");
  const ResultReader result(path("out.h5"));
  EXPECT_EQ(result.info().status, "stopped");
  expect_contains(result.info().reason, "step 1: iteration limit");
  EXPECT_EQ(result.frame_count(), 1);
  EXPECT_EQ(result.step_column("status"), std::vector<double>{1});
}

TEST_F(Simrun, AMethodThatStopsNamesTheDefaultOne) {
  const char* const advice = "--solver auto, may go on";
  const std::string command = "scene.json -o out.h5 --set solver.max_iterations=1 --solver ";
  expect_contains(simrun(command + "cr-full").text, advice);
  EXPECT_EQ(simrun(command + "auto").text.find(advice), std::string::npos);
  EXPECT_EQ(simrun(command + "cr-full --set solver.as_published=true").text.find(advice), std::string::npos);
}

TEST_F(Simrun, MotionThatAsksForMoreThanStrainLimitsAllowIsToldAsThat) {
  write("pulled.json", R"({ "gravity": [0, 0, 0], "time": { "step": 0.01, "duration": 1 },
    "materials": { "m": { "model": "cable", "strain_limit": [1, 0.1] } },
    "meshes": { "s": { "generate": "path", "points": [[0, 0, 0], [0.4, 0, 0]], "segments": 4 } },
    "objects": [ { "name": "rope", "mesh": "s", "material": "m",
                   "boundary": [ { "list": [0] }, { "list": [4], "motion": { "velocity": [1, 0, 0] } } ] } ] })");
  for (const char* method : {"auto", "local"}) {
    const test::Outcome outcome = simrun(std::string("pulled.json -o out.h5 --solver ") + method);
    EXPECT_EQ(outcome.exit_status, 2) << outcome.text;
    expect_contains(outcome.text, "prescribed vertices of \"rope\" are to be 0.44 m apart");
    expect_contains(outcome.text, "No smaller step helps");
    EXPECT_EQ(outcome.text.find("A smaller time step"), std::string::npos) << outcome.text;
  }
}

TEST_F(Simrun, ABlockThatSlidesIsToldThatItHasNoBalance) {
  write("slope.json", R"({ "time": { "step": 0.01, "duration": 0.05, "scheme": "quasi-static" },
    "materials": { "m": { "young": 1e6, "poisson": 0.3, "density": 1000 } },
    "meshes": { "b": { "generate": "box", "size": [0.2, 0.2, 0.08], "cells": [2, 2, 1] } },
    "objects": [ { "name": "slope", "type": "fixed", "mesh": "half-space", "rotation": { "axis": [0, 1, 0], "degrees": 20 } },
                 { "name": "block", "mesh": "b", "material": "m", "rotation": { "axis": [0, 1, 0], "degrees": 20 },
                   "position": [0.013684, 0, 0.037597] } ],
    "contact": { "friction": 0.1 } })");
  const test::Outcome outcome = simrun("slope.json -o out.h5");
  EXPECT_EQ(outcome.exit_status, 2) << outcome.text;
  expect_contains(outcome.text, "What slides, rolls or tips has no balance");
  EXPECT_EQ(outcome.text.find("A smaller time step"), std::string::npos) << outcome.text;
}

TEST_F(Simrun, AMotionThatStopsBeingANumberStopsTheRun) {
  std::string scene = swinging_bar;
  const std::string fixed = R"("type": "fixed")";
  scene.replace(scene.find(fixed), fixed.size(),
                R"s("type": "scripted", "motion": { "translation": ["sqrt(0.009-t)", 0, 0] })s");
  write("scene.json", scene);
  const test::Outcome outcome =
      test::run("cd '" + folder_.string() + "' && timeout 20 '" SIMRUN_PROGRAM "' scene.json -o out.h5");
  EXPECT_EQ(outcome.exit_status, 2) << outcome.text;
  expect_contains(outcome.text, "step 5: breakdown: vertices of \"floor\" are prescribed to go");
  EXPECT_EQ(ResultReader(path("out.h5")).frame_count(), 2);
}

TEST_F(Simrun, CtrlCFinishesTheStepAndKeepsTheFileWhole) {
  const test::Outcome outcome =
      interrupt("scene.json --duration 1000 --set contact.enabled=false -o out.h5", "out.h5");
  EXPECT_EQ(outcome.exit_status, 130) << outcome.text;
  const ResultReader result(path("out.h5"));
  EXPECT_EQ(result.info().status, "interrupted");
  EXPECT_GT(result.step_count(), 0);
  EXPECT_EQ(result.frame_step(result.frame_count() - 1), result.step_count());
}

TEST_F(Simrun, OnATerminalOneBarRedrawsItself) {
  const test::Outcome outcome = test::run(
      "cd '" + folder_.string() + "' && script -qec \"'" SIMRUN_PROGRAM "' scene.json --steps 200\" /dev/null");
  EXPECT_EQ(outcome.exit_status, 0) << outcome.text;
  expect_contains(outcome.text, "\r[");
  expect_contains(outcome.text, "200/200");
}

TEST_F(Simrun, QuietPrintsNothingAndTheLogFileHasAllMessages) {
  EXPECT_EQ(simrun("scene.json --quiet --log-file log.txt -o out.h5").text, "");
  const std::string log = read("log.txt");
  expect_contains(log, "unknowns");
  expect_contains(log, "step 30 ");
  expect_contains(log, "done");
}

TEST_F(Simrun, ImplausibleUnitsAreWarnedOfAndNoError) {
  const std::string arguments = "scene.json --steps 1 -o out.h5 --log-file log.txt --set materials.rubber.young=0.5";
  const test::Outcome outcome = simrun(arguments);
  EXPECT_EQ(outcome.exit_status, 0) << outcome.text;
  expect_contains(outcome.text, "has a young of 0.5 Pa");
  expect_contains(read("log.txt"), "warning: material \"rubber\" has a young of 0.5 Pa");
  EXPECT_EQ(simrun("scene.json --steps 1 -o out.h5").text.find("young"), std::string::npos);
}

TEST_F(Simrun, VerbosePrintsALineAStep) {
  expect_contains(simrun("scene.json --verbose -o out.h5").text, "step 17 ");
}

TEST_F(Simrun, ListsSolversVersionHelpAndSchema) {
  const test::Outcome solvers = simrun("--list-solvers");
  EXPECT_EQ(solvers.exit_status, 0);
  for (const char* name :
       {"cr-full", "cr-diag", "ica", "sp-active-set", "sp-cr", "qp-active-set", "constraint-anticipation"}) {
    expect_contains(solvers.text, name);
  }
  EXPECT_EQ(simrun("--version").exit_status, 0);
  expect_contains(simrun("--version").text, "simrun ");
  expect_contains(simrun("--help").text, "--validate");
  const test::Outcome schema = simrun("--print-schema");
  EXPECT_EQ(schema.exit_status, 0);
  expect_contains(schema.text, "\"$schema\"");
}

TEST_F(Simrun, PrintsTheSceneThatTheResultFileWillHold) {
  const std::string arguments = "scene.json --set materials.rubber.young=2e5 --steps 3";
  const test::Outcome printed = simrun(arguments + " --print-scene");
  EXPECT_EQ(printed.exit_status, 0) << printed.text;
  EXPECT_FALSE(exists("swing.h5"));
  ASSERT_EQ(simrun(arguments + " --quiet -o out.h5").exit_status, 0);
  EXPECT_EQ(printed.text, ResultReader(path("out.h5")).info().scene + "\n");
  const test::Outcome wrong = simrun("scene.json --print-scene --set contact.fricton=1");
  EXPECT_EQ(wrong.exit_status, 1);
  expect_contains(wrong.text, "did you mean \"friction\"?");
}

TEST_F(Simrun, AStandardOutputThatCannotBeWrittenIsAnError) {
  for (const char* arguments :
       {"scene.json --print-scene", "scene.json --validate", "--print-schema", "--list-solvers"}) {
    const test::Outcome outcome =
        test::run("cd '" + folder_.string() + "' && ('" SIMRUN_PROGRAM "' " + arguments + " > /dev/full)");
    EXPECT_EQ(outcome.exit_status, 3) << arguments;
    expect_contains(outcome.text, "cannot be written to the standard output");
  }
}

TEST_F(Simrun, NumbersOfStepsAreWholeOnes) {
  const test::Outcome outcome = simrun("scene.json --dump-problem 0");
  EXPECT_EQ(outcome.exit_status, 1);
  expect_contains(outcome.text, "--dump-problem: \"0\": expected a whole number >= 1");
}

TEST_F(Simrun, ZeroStepsWriteTheInitialState) {
  ASSERT_EQ(simrun("scene.json --quiet --steps 0 -o out.h5").exit_status, 0);
  const ResultReader result(path("out.h5"));
  EXPECT_EQ(result.frame_count(), 1);
  EXPECT_EQ(result.step_count(), 0);
  EXPECT_EQ(result.info().status, "done");
}

}  // namespace command_line_test
}  // namespace sim
