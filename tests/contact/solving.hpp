// Solving small problems by a method's name, for tests.
#pragma once

#include <gtest/gtest.h>

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
