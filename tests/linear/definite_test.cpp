#include "linear/definite.hpp"

#include <gtest/gtest.h>

#include "math/random.hpp"

namespace sim {
namespace definite_test {

// A chain of n masses of 1 and springs, held at no end.
struct Problem {
  BlockMatrix A;
  VecX b, exact;
};

Problem chain(Index n, double stiffness) {
  std::vector<std::array<Index, 2>> springs;
  for (Index i = 0; i + 1 < n; ++i) springs.push_back({i, i + 1});
  Problem problem{make_pattern(n, springs), {}, {}};
  for (Index i = 0; i < n; ++i) problem.A.at(problem.A.find(i, i)) += Mat3::Identity();
  for (const auto& [i, j] : springs) {
    problem.A.at(problem.A.find(i, i)) += stiffness * Mat3::Identity();
    problem.A.at(problem.A.find(j, j)) += stiffness * Mat3::Identity();
    problem.A.at(problem.A.find(i, j)) -= stiffness * Mat3::Identity();
    problem.A.at(problem.A.find(j, i)) -= stiffness * Mat3::Identity();
  }
  Random random(3);
  problem.exact.resize(3 * Eigen::Index{n});
  for (double& x : problem.exact) x = random.uniform(-1, 1);
  problem.b.resize(problem.exact.size());
  multiply(problem.A, problem.exact, problem.b);
  return problem;
}

CgReport solve(const Problem& problem, bool factors, VecX& x, const CgOptions& options = {}) {
  DefiniteScratch scratch;
  x.setZero(problem.b.size());
  const auto pattern = factors ? std::make_shared<const CholeskyPattern>(analyse(problem.A)) : nullptr;
  return solve_definite(problem.A, problem.b, pattern, options, scratch, x);
}

TEST(Definite, StiffMatricesAreFactoredInPlaceOfThousandsOfIterations) {
  const Problem problem = chain(500, 1e4);
  VecX by_factor, by_iterations;
  const CgReport factored = solve(problem, true, by_factor), iterated = solve(problem, false, by_iterations);
  EXPECT_EQ(factored.status, CgStatus::converged);
  EXPECT_EQ(iterated.status, CgStatus::converged);
  EXPECT_LT(factored.iterations, 50);
  EXPECT_GT(iterated.iterations, 300);
  EXPECT_LT((by_factor - problem.exact).norm(), 1e-7 * problem.exact.norm());
  EXPECT_LT((by_factor - by_iterations).norm(), 1e-7 * problem.exact.norm());
}

TEST(Definite, TheResidualIsThatOfTheAnswerAndWithinItsTarget) {
  for (const double stiffness : {1e2, 1e5, 1e8}) {
    const Problem problem = chain(200, stiffness);
    VecX x, r(problem.b.size());
    const CgReport report = solve(problem, true, x);
    multiply(problem.A, x, r);
    EXPECT_EQ(report.status, CgStatus::converged);
    EXPECT_NEAR(report.residual, (problem.b - r).norm(), 1e-3 * report.residual);
    EXPECT_LE(report.residual, std::max(report.target, rounding_of_product(problem.A, x)));
  }
}

TEST(Definite, AGoodGuessNeedsNoFactor) {
  const Problem problem = chain(500, 1e4);
  DefiniteScratch scratch;
  VecX x = problem.exact;
  const auto pattern = std::make_shared<const CholeskyPattern>(analyse(problem.A));
  EXPECT_EQ(solve_definite(problem.A, problem.b, pattern, {}, scratch, x).iterations, 0);
  EXPECT_EQ(scratch.C.pattern, nullptr);
}

TEST(Definite, SaysWhenTheMatrixIsNot) {
  Problem problem = chain(50, 1e4);
  problem.A.at(problem.A.find(7, 7)) *= -1;
  VecX x;
  EXPECT_EQ(solve(problem, true, x).status, CgStatus::breakdown);
}

TEST(Definite, DoesNoMoreIterationsThanItMay) {
  VecX x;
  const CgReport report = solve(chain(500, 1e4), true, x, {.max_iterations = 2});
  EXPECT_EQ(report.status, CgStatus::iteration_limit);
  EXPECT_EQ(report.iterations, 2);
}

}  // namespace definite_test
}  // namespace sim
