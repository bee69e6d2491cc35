// Solving small problems by a method's name, for tests.
#pragma once

#include <gtest/gtest.h>
#include <string>
#include <vector>

#include "contact/dense_reference.hpp"
#include "contact/solve.hpp"

namespace sim::test {

constexpr ContactTolerance tight{1e-10, 1e-11};

struct Limits {
  ContactTolerance tolerance = tight;
  Index iterations = 100000;
};

inline SolveReport solve_from(const Method& method, const ContactProblem& problem, ContactSolution& solution,
                              const Limits& limits = {}) {
  SolveScratch scratch;
  return solve(problem, {limits.tolerance, limits.iterations, method}, scratch, solution);
}

// From nothing, where that must succeed.
inline ContactSolution solution_of(const Method& method, const ContactProblem& problem) {
  ContactSolution solution;
  start_cold(problem, solution);
  const SolveReport report = solve_from(method, problem, solution);
  EXPECT_EQ(report.status, SolveStatus::converged) << report.reason;
  return solution;
}

struct Attempt {
  SolveReport report;
  ContactSolution solution;
};

// From nothing, where it may fail.
inline Attempt attempt(const Method& method, const ContactProblem& problem, const Limits& limits = {}) {
  Attempt result;
  start_cold(problem, result.solution);
  result.report = solve_from(method, problem, result.solution, limits);
  return result;
}

inline void expect_same_v(const ContactProblem& problem, const ContactSolution& solution, double tolerance = 1e-8) {
  const Reference reference = dense_reference(problem);
  EXPECT_LT(reference.change, 1e-12);
  EXPECT_LT((solution.v - reference.v).norm(), tolerance * reference.v.norm());
}

inline void expect_out_of_iterations(const SolveReport& report, Index iterations) {
  EXPECT_EQ(report.status, SolveStatus::iteration_limit);
  EXPECT_EQ(report.iterations, iterations);
  const std::string what = "did not converge after " + std::to_string(iterations) + " iterations";
  EXPECT_NE(report.reason.find(what), std::string::npos) << report.reason;
  EXPECT_GT(report.residual.momentum, tight.momentum);
}

inline std::vector<const char*> method_names() {
  std::vector<const char*> all;
  for (const SolverName& solver : known_solvers()) all.push_back(solver.name);
  return all;
}

// Names of tests have no hyphens.
inline std::string in_letters(const testing::TestParamInfo<const char*>& tested) {
  std::string text = tested.param;
  std::erase(text, '-');
  return text;
}

// A fixture whose parameter is the method's name.
class MethodTest : public testing::TestWithParam<const char*> {
 protected:
  static Method method() { return method_by_name(GetParam()); }
  static SolveReport solve_from(const ContactProblem& problem, ContactSolution& solution, const Limits& limits = {}) {
    return test::solve_from(method(), problem, solution, limits);
  }
  static ContactSolution solution_of(const ContactProblem& problem) { return test::solution_of(method(), problem); }
  static Attempt attempt(const ContactProblem& problem, const Limits& limits = {}) {
    return test::attempt(method(), problem, limits);
  }
};

}  // namespace sim::test
