// What a run leaves of its inner life: /trace, /contacts, --dump-problem and the words at the end. A box falls on a
// slab and comes to rest there.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <map>
#include <numeric>
#include <sstream>

#include "contact/residual.hpp"
#include "output/fclib.hpp"
#include "output/hdf5.hpp"
#include "output/result_reader.hpp"
#include "scenes/result_equality.hpp"
#include "support/program_test.hpp"

namespace sim {
namespace records_test {

using test::expect_contains;

const char* const falling_box = R"({
  "name": "box",
  "time": { "step": 0.001, "duration": 0.03 },
  "materials": { "rubber": { "young": 5e5, "poisson": 0.3, "density": 1000 } },
  "meshes": { "box": { "generate": "box", "size": [0.1, 0.1, 0.1], "cells": [2, 2, 2] },
              "floor": { "generate": "slab", "size": [1, 1], "thickness": 0.1 } },
  "objects": [
    { "name": "box", "mesh": "box", "material": "rubber", "position": [0.003, 0.007, 0.051], "velocity": [0.2, 0, 0] },
    { "name": "floor", "type": "fixed", "mesh": "floor", "position": [0, 0, -0.05] } ],
  "output": { "every": 1 }
})";

class Records : public test::SceneTest {
 protected:
  Records() : SceneTest(falling_box) {}

  template <class T>
  std::vector<T> column(const std::string& name, std::size_t width = 1) const {
    const hdf5::Handle file = hdf5::open_file(path("out.h5"));
    const hsize_t rows = hdf5::shape_of(file, name).at(0);
    std::vector<T> values(rows * width);
    hdf5::read_rows(file, name, 0, rows, hdf5::native_type<T>(), values.data());
    return values;
  }
};

TEST_F(Records, TraceHasTheIterationsOfEveryStep) {
  const test::Outcome outcome = simrun("scene.json --trace -o out.h5");
  ASSERT_EQ(outcome.exit_status, 0) << outcome.text;
  const ResultReader result(path("out.h5"));
  ASSERT_EQ(result.step_count(), 30);
  std::vector<std::int64_t> steps(30);
  std::iota(steps.begin(), steps.end(), 1);
  EXPECT_EQ(column<std::int64_t>("/trace/step"), steps);
  const auto begin = column<std::int64_t>("/trace/begin");
  ASSERT_EQ(begin.size(), 31u);
  const auto mark = column<std::int32_t>("/trace/mark");
  const auto residual = column<double>("/trace/residual");
  EXPECT_EQ(begin.back(), static_cast<std::int64_t>(residual.size()));
  const auto iterations = result.step_column("iterations"), contacts = result.step_column("contacts");
  const auto last_residual = result.step_column("residual");
  int traced = 0;
  for (int k = 0; k < 30; ++k) {
    const std::int64_t rows = begin[k + 1] - begin[k];
    EXPECT_LE(rows, iterations[k]) << "step " << k + 1;
    if (contacts[k] == 0) continue;
    traced += rows > 0 ? 1 : 0;
    if (rows > 0) {
      EXPECT_EQ(rows, iterations[k]) << "step " << k + 1;
    }
  }
  EXPECT_GT(traced, 5);
  EXPECT_EQ(std::count_if(mark.begin(), mark.end(), [](std::int32_t m) { return m < 0 || m > 3; }), 0);
  EXPECT_GT(std::count(mark.begin(), mark.end(), 1), 0);
}

TEST_F(Records, ContactForcesCarryTheMomentumThatTheBodyGains) {
  ASSERT_EQ(simrun("scene.json --quiet --set output.contacts=true -o out.h5").exit_status, 0);
  const ResultReader result(path("out.h5"));
  const auto begin = column<std::int64_t>("/contacts/begin");
  ASSERT_EQ(static_cast<std::int64_t>(begin.size()), result.frame_count() + 1);
  const auto normal = column<double>("/contacts/normal", 3), friction = column<double>("/contacts/friction", 3);
  const auto lambda = column<double>("/contacts/lambda");
  const auto objects = column<std::int32_t>("/contacts/objects", 2);
  const auto momentum = result.step_column("momentum"), parts = result.step_column("substeps");
  const double dt = 0.001;
  const Vec3 weight = 0.1 * 0.1 * 0.1 * 1000 * Vec3(0, 0, -9.81);
  // A step may miss eps1, 0.01 |M g dt|, at each of 27 vertices, and have the friction of each of the nine of the
  // lower side wrong by what moves a vertex by eps2 / 4. It owes that to the next step: the sum stays that of one.
  const double vertex = 1.0 / 27, eps1 = 0.01 * vertex * 9.81 * dt * std::sqrt(27.0), eps2 = 5e-6;
  const double owed = std::sqrt(27.0) * eps1 + 9 * vertex * eps2 / 4 / dt;
  Vec3 sum = Vec3::Zero(), impulse = Vec3::Zero();
  int checked = 0;
  for (std::int64_t frame = 2; frame < result.frame_count(); ++frame) {
    if (begin[frame + 1] == begin[frame] || parts[frame - 1] != 1) continue;  // forces are those of the last part
    Vec3 force = weight;
    for (std::int64_t i = begin[frame]; i < begin[frame + 1]; ++i) {
      ASSERT_NE(objects[2 * i], objects[2 * i + 1]);
      const double sign = objects[2 * i] == 0 ? 1 : -1;  // the first side is the box or the floor
      for (int d = 0; d < 3; ++d) force[d] += sign * (lambda[i] * normal[3 * i + d] + friction[3 * i + d]);
    }
    Vec3 gained;
    for (int d = 0; d < 3; ++d) gained[d] = momentum[3 * (frame - 1) + d] - momentum[3 * (frame - 2) + d];
    sum += gained - dt * force;
    impulse += dt * (force - weight);
    EXPECT_LE(sum.norm(), 2 * owed) << "frame " << frame;
    ++checked;
  }
  EXPECT_GT(checked, 10);
  EXPECT_GT(impulse.norm(), 100 * owed) << "else this shows little";
}

TEST_F(Records, PointsOfContactLieOnTheFloor) {
  ASSERT_EQ(simrun("scene.json --quiet --set output.contacts=true -o out.h5").exit_status, 0);
  const auto point = column<double>("/contacts/point", 3);
  const auto gap = column<double>("/contacts/gap");
  ASSERT_GT(gap.size(), 0u);
  for (std::size_t i = 0; i < gap.size(); ++i) {
    EXPECT_LT(std::abs(point[3 * i + 2]), 1e-5) << "m, twice the tolerance of the gaps";
  }
}

TEST_F(Records, AreLeftOutUnlessAskedFor) {
  ASSERT_EQ(simrun("scene.json --quiet --steps 2 -o out.h5").exit_status, 0);
  const hdf5::Handle file = hdf5::open_file(path("out.h5"));
  EXPECT_FALSE(hdf5::exists(file, "/trace"));
  EXPECT_FALSE(hdf5::exists(file, "/contacts"));
}

TEST_F(Records, AProblemThatWasNotDumpedIsToldOfWithQuietToo) {
  const test::Outcome outcome = simrun("scene.json --quiet --dump-problem 1 --dump-problem 99 -o out.h5");
  EXPECT_EQ(outcome.exit_status, 0) << outcome.text;
  expect_contains(outcome.text, "--dump-problem 1: the step has no contacts");
  expect_contains(outcome.text, "--dump-problem 99: never reached, the run ended after step 30");
}

// Iterations of the step are those of all of its solves, of which the hardest has at least the mean.
TEST_F(Records, TheHardestProblemOfAStepIsDumpedWhereItIsAskedFor) {
  EXPECT_EQ(simrun("scene.json --quiet --dump-hardest -o out.h5").exit_status, 1);
  const test::Outcome outcome = simrun("scene.json --dump-problem 25 --dump-hardest -o out.h5");
  EXPECT_EQ(outcome.exit_status, 0) << outcome.text;
  const std::size_t told = outcome.text.find("--dump-problem 25: solve ");
  ASSERT_NE(told, std::string::npos) << outcome.text;
  int solve = 0, solves = 0, iterations = 0;
  ASSERT_EQ(std::sscanf(outcome.text.c_str() + told, "--dump-problem 25: solve %d of %d, %d iterations", &solve,
                        &solves, &iterations),
            3);
  EXPECT_LE(1, solve);
  EXPECT_LE(solve, solves);
  const double all = ResultReader(path("out.h5")).step_column("iterations")[24];
  EXPECT_LE(all, iterations * solves);
  EXPECT_LE(iterations, all);
  const FclibProblem dumped = read_fclib(path("out.step25.hdf5"));
  ASSERT_TRUE(dumped.solution.has_value());
  EXPECT_GT(dumped.problem.contacts(), 0);
}

TEST_F(Records, StressAndForcesOfARunThatWentOnAreThoseOfOneThatNeverStopped) {
  const std::string asked =
      " --quiet --set output.stress=true --set output.stress_tensor=true --set output.strain_tensor=true "
      "--set output.contact_forces=true --set output.checkpoint=4 ";
  ASSERT_EQ(simrun("scene.json" + asked + "-o whole.h5").exit_status, 0);
  ASSERT_EQ(simrun("scene.json" + asked + "--steps 19 -o out.h5").exit_status, 0);
  ASSERT_EQ(simrun("--resume out.h5 --quiet --duration 0.03").exit_status, 0);
  test::expect_same_datasets(path("whole.h5"), path("out.h5"));
  for (const char* name : {"/frames/stress", "/frames/strain"}) {
    const hdf5::Handle file = hdf5::open_file(path("out.h5"));
    EXPECT_EQ(hdf5::shape_of(file, name), (hdf5::Shape{31, hdf5::shape_of(file, "/model/tets")[0], 6}));
  }
  const auto forces = column<double>("/frames/contact_forces", 35 * 3);
  ASSERT_EQ(forces.size(), 31u * 35 * 3);  // 27 vertices of the box and 8 of the floor
  EXPECT_GT(*std::max_element(forces.begin(), forces.end()), 1.0);
}

TEST_F(Records, DumpedProblemComesWithItsSolution) {
  const test::Outcome outcome = simrun("scene.json --dump-problem 25 --dump-problem 1 --dump-problem 99 -o out.h5");
  EXPECT_EQ(outcome.exit_status, 0) << outcome.text;
  expect_contains(outcome.text, "--dump-problem 1: the step has no contacts");
  expect_contains(outcome.text, "out.step25.hdf5");
  expect_contains(outcome.text, "--dump-problem 99: never reached, the run ended after step 30");
  EXPECT_FALSE(exists("out.step1.hdf5"));
  EXPECT_FALSE(exists("out.step99.hdf5"));
  const FclibProblem dumped = read_fclib(path("out.step25.hdf5"));
  EXPECT_GT(dumped.problem.contacts(), 0);
  EXPECT_EQ(dumped.problem.b.size(), 3 * 27);
  ASSERT_TRUE(dumped.solution.has_value());
  // The solution's velocities are those of the frame, so A v = b + L^T r can be checked by hand.
  const ResultReader result(path("out.h5"));
  const VecX frame = result.velocities(25).head(3 * 27);
  EXPECT_EQ((frame - dumped.solution->v).cwiseAbs().maxCoeff(), 0);
  VecX Av(dumped.problem.b.size());
  multiply(dumped.problem.A, dumped.solution->v, Av);
  VecX right = dumped.problem.b;
  add_transposed(dumped.problem.L, dumped.solution->r, right);
  EXPECT_NEAR((Av - right).norm(), result.step_column("residual")[24], 1e-10);
}

TEST_F(Records, ADumpThatCannotBeWrittenDoesNotEndTheRun) {
  std::filesystem::create_directories(path("out.step25.hdf5"));
  const test::Outcome outcome = simrun("scene.json --dump-problem 25 -o out.h5");
  EXPECT_EQ(outcome.exit_status, 3);
  expect_contains(outcome.text, "out.step25.hdf5");
  EXPECT_EQ(ResultReader(path("out.h5")).info().status, "done");
}

TEST_F(Records, StepsToDumpAreNumbersFromOne) {
  EXPECT_EQ(simrun("scene.json --dump-problem 0").exit_status, 1);
  EXPECT_EQ(simrun("scene.json --dump-problem last").exit_status, 1);
}

TEST_F(Records, TheTableAtTheEndTellsOfContactsAndOfWhatWentWrong) {
  const std::string text = simrun("scene.json -o out.h5").text;
  for (const char* word : {"contacts", "worst gap", "relinearized", "divided", "unconverged", "failed"})
    expect_contains(text, word);
  expect_contains(simrun("scene.json --steps 2 -o out.h5").text, "no contacts");
  expect_contains(simrun("scene.json --steps 1 -o out.h5").text, "1 step in ");
}

TEST_F(Records, TheRowsOfTheTableAtTheEndAddUpToTheTotal) {
  std::istringstream lines(simrun("scene.json -o out.h5").text);
  std::map<std::string, double> mean;  // ms
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    std::string name;
    double value = 0;
    if (words >> name >> value) mean[name] = value;
  }
  double sum = 0;
  for (const char* row : {"integrate", "detect", "solve", "relinearize", "output", "rest"}) {
    ASSERT_TRUE(mean.contains(row)) << row;
    EXPECT_GE(mean[row], 0) << row;
    sum += mean[row];
  }
  EXPECT_NEAR(sum, mean["total"], 0.004);  // of seven numbers rounded to 0.001
}

TEST_F(Records, StepsThatDidNotConvergeAreAcceptedOnlyWhereTheSceneSaysSo) {
  const std::string starved =
      "scene.json --solver cr-full --set solver.max_iterations=2 --set solver.linear_tolerance=0.5 -o out.h5 ";
  const test::Outcome stopped = simrun(starved);
  EXPECT_EQ(stopped.exit_status, 2) << stopped.text;
  expect_contains(stopped.text, "on_failure=continue");
  EXPECT_EQ(ResultReader(path("out.h5")).step_column("accepted").back(), 0);
  const test::Outcome went_on = simrun(starved + "--steps 14 --set solver.on_failure=continue");
  const ResultReader result(path("out.h5"));
  const auto status = result.step_column("status"), accepted = result.step_column("accepted");
  int unconverged = 0;
  for (std::size_t k = 0; k < status.size(); ++k) unconverged += status[k] != 0 && accepted[k] != 0 ? 1 : 0;
  EXPECT_GT(unconverged, 0) << went_on.text;
}

TEST_F(Records, ASolverThatIsNotThereIsRefusedWithThoseThatAre) {
  const test::Outcome outcome = simrun("scene.json --solver cr-ful");
  EXPECT_EQ(outcome.exit_status, 1);
  expect_contains(outcome.text, "/solver/method: \"cr-ful\": expected one of \"cr-full\", ");
}

}  // namespace records_test
}  // namespace sim
