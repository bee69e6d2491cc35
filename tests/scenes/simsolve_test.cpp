// simsolve as its users meet it, on point masses whose motion is known in closed form.
#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "output/fclib.hpp"
#include "support/program_test.hpp"

namespace sim {
namespace simsolve_test {

using Json = nlohmann::json;

using namespace sim::test;

// Masses of 2 kg that meet the plane z = 0, each with a velocity of its own; steps of 0.01 s, mu = 0.5.
ContactProblem masses_on_plane(const std::vector<Vec3>& velocities) {
  const auto count = static_cast<Index>(velocities.size());
  ContactProblem problem;
  problem.A = make_pattern(count, {});
  problem.L = make_pattern(count, {});
  problem.b.resize(3 * count);
  problem.c = VecX::Zero(3 * count);
  for (Index i = 0; i < count; ++i) {
    problem.A.at(i) = 2 * Mat3::Identity();
    problem.L.at(i) << 0, 0, 0.01, 0.01, 0, 0, 0, 0.01, 0;
    block(problem.b, i) = 2 * velocities[i];
  }
  problem.mu.assign(velocities.size(), 0.5);
  problem.Z.assign(velocities.size(), 1);
  return problem;
}

// Thirty of them in a row, with springs between neighbours: no method gets there at once.
ContactProblem chain() {
  std::vector<Vec3> velocities;
  std::vector<std::array<Index, 2>> springs;
  for (Index i = 0; i < 30; ++i) {
    velocities.emplace_back(0.1 * i, 0, i % 7 - 4);
    if (i > 0) springs.push_back({i - 1, i});
  }
  ContactProblem problem = masses_on_plane(velocities);
  problem.A = make_pattern(30, springs);
  for (Index i = 0; i < 30; ++i) problem.A.at(problem.A.find(i, i)) = 2 * Mat3::Identity();
  for (const auto& [i, j] : springs) {
    for (const auto& [row, column] : {std::pair{i, j}, std::pair{j, i}}) {
      problem.A.at(problem.A.find(row, row)) += Mat3::Identity();
      problem.A.at(problem.A.find(row, column)) -= Mat3::Identity();
    }
  }
  return problem;
}

// One flies off, one sticks, one slides: exact velocities and forces (contact/residual_test.cpp has the arithmetic).
const std::vector<Vec3> three = {{0.3, 0, 1}, {0.1, 0, -1}, {1, 0, -1}};

FclibSolution solution_of_three() {
  FclibSolution solution{.v = VecX(9), .u = VecX(9), .r = VecX(9)};
  solution.v << 0.3, 0, 1, 0, 0, 0, 0.5, 0, 0;
  solution.u << 0.01, 0.003, 0, 0, 0, 0, 0, 0.005, 0;
  solution.r << 0, 0, 0, 200, -20, 0, 200, -100, 0;
  return solution;
}

class Simsolve : public ProgramTest {
 protected:
  void SetUp() override {
    ProgramTest::SetUp();
    const FclibSolution solution = solution_of_three();
    write_fclib(path("three.hdf5"), masses_on_plane(three), &solution);
  }
  Outcome simsolve(const std::string& arguments) const { return run_here(SIMSOLVE_PROGRAM, arguments); }
  Json json(const std::string& arguments, int exit_status = 0) const {
    const Outcome outcome = simsolve(arguments + " --json 2>/dev/null; exit $?");
    EXPECT_EQ(outcome.exit_status, exit_status) << outcome.text;
    const Json parsed = Json::parse(outcome.text, nullptr, false);
    EXPECT_FALSE(parsed.is_discarded()) << outcome.text;
    return parsed;
  }
  void expect_usage_error(const std::string& arguments, const std::string& part) const {
    const Outcome outcome = simsolve(arguments);
    EXPECT_EQ(outcome.exit_status, 1) << outcome.text;
    expect_contains(outcome.text, part);
  }
};

TEST_F(Simsolve, SolvesWhatIsKnownInClosedForm) {
  const Json j = json("three.hdf5 --tolerance 1e-9 --constraint-tolerance 1e-9 -o out.hdf5");
  EXPECT_EQ(j["status"], "converged");
  EXPECT_EQ(j["exit_status"], 0);
  EXPECT_EQ(j["contacts"], 3);
  EXPECT_EQ(j["unknowns"], 9);
  EXPECT_EQ(j["states"], (Json{{"open", 1}, {"sticking", 1}, {"sliding", 1}}));
  EXPECT_LE(j["residual"]["momentum"], 1e-9);
  EXPECT_LE(j["residual"]["normal"], 1e-9);
  EXPECT_LE(j["residual"]["tangential"], 1e-9);
  EXPECT_LT(j["reference"]["relative_difference"], 1e-6);
  EXPECT_LT(j["reference"]["residual"]["momentum"], 1e-14);
  EXPECT_LT(j["reference"]["residual"]["tangential"], 1e-15);

  const FclibProblem out = read_fclib(path("out.hdf5"));
  ASSERT_TRUE(out.solution);
  EXPECT_LT((out.solution->v - solution_of_three().v).norm(), 1e-6);
  EXPECT_LT((out.solution->u - solution_of_three().u).norm(), 1e-8);
  EXPECT_LT((out.solution->r - solution_of_three().r).norm(), 1e-3);
}

TEST_F(Simsolve, TellsPeopleWhatItTellsScripts) {
  const Outcome outcome = simsolve("three.hdf5 --repeat 3");
  EXPECT_EQ(outcome.exit_status, 0) << outcome.text;
  for (const char* part : {"3 contacts, 9 unknowns", "cr-full", "5e-05 kg m/s and 5e-06 m", "converged",
                           "the shortest of 3", "1 open, 1 sticking, 1 sliding", "relative difference in v"})
    expect_contains(outcome.text, part);
}

TEST_F(Simsolve, HasNoReferenceWhereTheFileHasNone) {
  write_fclib(path("bare.hdf5"), masses_on_plane(three));
  EXPECT_TRUE(json("bare.hdf5")["reference"].is_null());
}

TEST_F(Simsolve, StartsFromTheSolutionOfAFile) {
  write_fclib(path("chain.hdf5"), chain());
  const Json cold = json("chain.hdf5 -o out.hdf5"), warm = json("chain.hdf5 --guess out.hdf5");
  EXPECT_TRUE(cold["guess"].is_null());
  EXPECT_EQ(warm["guess"], "out.hdf5");
  EXPECT_LT(warm["iterations"], cold["iterations"]);
  EXPECT_EQ(warm["states"], cold["states"]);
}

TEST_F(Simsolve, EverySolverGivesTheSameAndTheSameForAnyNumberOfThreads) {
  write_fclib(path("chain.hdf5"), chain());
  json("chain.hdf5 -o solved.hdf5");
  for (const char* solver : {"cr-full", "cr-diag"}) {
    const std::string arguments = std::string("solved.hdf5 --solver ") + solver;
    Json one = json(arguments + " --threads 1"), two = json(arguments + " --threads 2");
    EXPECT_EQ(one["solver"], solver);
    EXPECT_EQ(one["status"], "converged");
    EXPECT_LT(one["reference"]["relative_difference"], 1e-3);  // of the tolerances: 5e-6 m in 0.01 s, 0.5e-3 m/s
    for (const char* key : {"seconds", "threads"}) {
      one.erase(key);
      two.erase(key);
    }
    EXPECT_EQ(one, two);
  }
}

TEST_F(Simsolve, WhatConvergesIsWithinTheTolerancesThatWereAskedFor) {
  write_fclib(path("chain.hdf5"), chain());
  for (const char* solver : {"cr-full", "cr-diag", "exact", "auto"}) {
    const Json j = json(std::string("chain.hdf5 --tolerance 1e-8 --constraint-tolerance 1e-10 --solver ") + solver);
    EXPECT_EQ(j["status"], "converged") << solver;
    EXPECT_LE(j["residual"]["momentum"], 1e-8) << solver;
    EXPECT_LE(j["residual"]["normal"], 1e-10) << solver;
    EXPECT_LE(j["residual"]["tangential"], 1e-10) << solver;
  }
}

// One plane asks the mass to rise by 1 cm, another forbids it: nothing can do both.
TEST_F(Simsolve, WhatHasNoSolutionDoesNotConvergeAndSaysSo) {
  ContactProblem problem = masses_on_plane({{0, 0, 0}});
  problem.L.row_begin = {0, 1, 2};
  problem.L.column = {0, 0};
  problem.L.values.resize(19);
  problem.L.at(1) = -problem.L.at(0);
  problem.c = VecX::Zero(6);
  problem.c[0] = 0.01;
  problem.mu = {0.5, 0.5};
  problem.Z = {1, 1};
  write_fclib(path("squeezed.hdf5"), problem);
  const Outcome outcome = simsolve("squeezed.hdf5 --max-iterations 50 -o out.hdf5");
  EXPECT_EQ(outcome.exit_status, 2) << outcome.text;
  expect_contains(outcome.text, "simsolve: squeezed.hdf5: cr-full did not converge");
  EXPECT_TRUE(exists("out.hdf5"));  // the best that was found
  const Json j = json("squeezed.hdf5 --max-iterations 50", 2);
  EXPECT_NE(j["status"], "converged");
  EXPECT_EQ(j["exit_status"], 2);
}

TEST_F(Simsolve, AllMethodsSolveTheThreeMassesAndSayWhatTheyKnowOfThePyramid) {
  for (const std::string solver : {"cr-full", "cr-diag", "ica", "constraint-anticipation"}) {
    SCOPED_TRACE(solver);
    const Json j = json("three.hdf5 --tolerance 1e-9 --constraint-tolerance 1e-9 --solver " + solver);
    EXPECT_LT(j["reference"]["relative_difference"], 1e-8);
    EXPECT_LE(j["cone_residual"]["tangential"], 1e-9);  // slips do not turn: the pyramid is the cone
    EXPECT_EQ(j["construction_seconds"] > 0, solver == "ica" || solver == "constraint-anticipation");
  }
}

TEST_F(Simsolve, PublishedFormsSolveTheThreeMassesOrSayThatTheyBreakDown) {
  const std::string options = "three.hdf5 --as-published --tolerance 1e-9 --constraint-tolerance 1e-9 --solver ";
  for (const std::string solver : {"cr-full", "ica", "constraint-anticipation"}) {
    SCOPED_TRACE(solver);
    const Json j = json(options + solver);
    EXPECT_EQ(j["as_published"], true);
    EXPECT_EQ(j["max_iterations"], 100'000);  // the papers have no limit
    EXPECT_LT(j["reference"]["relative_difference"], 1e-6);
    EXPECT_EQ(j["factorisations"], solver == "constraint-anticipation" ? 3 : 0);  // of three masses
    if (solver == "constraint-anticipation") {
      EXPECT_EQ(j["passes"], j["iterations"]);
    } else {
      EXPECT_GE(j["products"], j["iterations"]);
    }
  }
  // A is its diagonal: momentum is exact when contacts become active, and conjugate residuals with Diag stand still.
  for (const std::string solver : {"cr-diag", "sp-active-set", "sp-cr"}) {
    SCOPED_TRACE(solver);
    EXPECT_EQ(json(options + solver, 2)["status"], "breakdown");
  }
  expect_usage_error("three.hdf5 --solver exact --as-published", "\"exact\" is of no paper");
}

TEST_F(Simsolve, TheFrictionlessMethodDoesNotSpeakOfAPyramid) {
  const Outcome outcome = simsolve("three.hdf5 --solver qp-active-set");
  EXPECT_EQ(outcome.exit_status, 0) << outcome.text;
  expect_contains(outcome.text, "the method knows no friction");
  EXPECT_EQ(outcome.text.find("pyramid"), std::string::npos) << outcome.text;
}

TEST_F(Simsolve, BadUsageIsStatusOne) {
  expect_usage_error("", "no problem given");
  expect_usage_error("three.hdf5 --solver cr-ful",
                     "there is no solver \"cr-ful\"; available: auto, cr-full, cr-diag");
  for (const char* value : {"0", "-1", "nan", "inf", "small"}) {
    expect_usage_error(std::string("three.hdf5 --tolerance ") + value, "is not a positive number");
    expect_usage_error(std::string("three.hdf5 --constraint-tolerance ") + value, "is not a positive number");
  }
  for (const char* value : {"0", "-3", "1.5", "many"}) {
    const std::string expected = "\"" + std::string(value) + "\": expected a whole number >= 1";
    expect_usage_error(std::string("three.hdf5 --max-iterations ") + value, "--max-iterations: " + expected);
    expect_usage_error(std::string("three.hdf5 --repeat ") + value, "--repeat: " + expected);
  }
  expect_usage_error("three.hdf5 --frobnicate", "simsolve: The following argument was not expected: --frobnicate");
  for (const std::string solver : {"local", "acm"})
    expect_usage_error("three.hdf5 --solver " + solver, "\"" + solver + "\" steps scenes in a way of its own");
  expect_usage_error("three.hdf5 -o three.hdf5", "is the problem's own file");
  write("notes.txt", "no problem");
  expect_usage_error("three.hdf5 -o notes.txt", "notes.txt exists and is no problem in FCLIB's format");
  EXPECT_EQ(read("notes.txt"), "no problem");
}

TEST_F(Simsolve, AProblemThatIsNoneIsStatusOne) {
  ContactProblem problem = masses_on_plane(three);
  problem.mu[1] = -1;
  write_fclib(path("bad.hdf5"), problem);
  expect_usage_error("bad.hdf5", "simsolve: bad.hdf5: /fclib_global/vectors/mu[1] is -1");
  write_fclib(path("one.hdf5"), masses_on_plane({{0, 0, 0}}));
  expect_usage_error("three.hdf5 --guess one.hdf5", "one.hdf5: /solution is missing");
}

TEST_F(Simsolve, FilesThatCannotBeReadOrWrittenAreStatusThree) {
  write("text.hdf5", "no HDF5");
  for (const char* arguments :
       {"nothing.hdf5", "text.hdf5", "three.hdf5 --guess nothing.hdf5", "three.hdf5 -o no/such/folder.hdf5"}) {
    const Outcome outcome = simsolve(arguments);
    EXPECT_EQ(outcome.exit_status, 3) << outcome.text;
    expect_contains(outcome.text, "simsolve: ");
  }
}

TEST_F(Simsolve, ListsItsSolversAndItsVersion) {
  EXPECT_EQ(simsolve("--version").exit_status, 0);
  EXPECT_EQ(simsolve("--help").exit_status, 0);
  const Outcome outcome = simsolve("--list-solvers");
  EXPECT_EQ(outcome.exit_status, 0);
  expect_contains(outcome.text, "cr-diag");
}

}  // namespace simsolve_test
}  // namespace sim
