#include "linear/conjugate_gradient.hpp"

#include <gtest/gtest.h>

#include <Eigen/Cholesky>

#include "math/random.hpp"
#include "support/counted_stop.hpp"

namespace sim {
namespace conjugate_gradient_test {

struct Problem {
  BlockMatrix A;
  VecX b, exact;
};

// Springs between random pairs of nodes plus a small mass: definite, badly scaled, with a known solution.
Problem springs(Index nodes, double mass) {
  Random random(11);
  std::vector<std::array<Index, 2>> pairs;
  for (Index i = 1; i < nodes; ++i) pairs.push_back({i, static_cast<Index>(random.uniform(0, i))});
  Problem problem{make_pattern(nodes, pairs), VecX(3 * nodes), VecX(3 * nodes)};
  for (Index i = 0; i < nodes; ++i) problem.A.at(problem.A.find(i, i)) += mass * Mat3::Identity();
  for (const auto& [i, j] : pairs) {
    const Vec3 d(random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1));
    const Mat3 k = random.uniform(1, 100) * (d * d.transpose() + 0.1 * Mat3::Identity());
    problem.A.at(problem.A.find(i, i)) += k;
    problem.A.at(problem.A.find(j, j)) += k;
    problem.A.at(problem.A.find(i, j)) -= k;
    problem.A.at(problem.A.find(j, i)) -= k;
  }
  for (Index i = 0; i < 3 * nodes; ++i) problem.exact[i] = random.uniform(-1, 1);
  multiply(problem.A, problem.exact, problem.b);
  return problem;
}

TEST(ConjugateGradient, FindsTheKnownSolution) {
  const Problem problem = springs(200, 0.1);
  CgScratch scratch;
  VecX x = VecX::Zero(600);
  const CgReport report = conjugate_gradient(problem.A, problem.b, {}, scratch, x);
  EXPECT_EQ(report.status, CgStatus::converged);
  EXPECT_LE(report.residual, 1e-12 * problem.b.norm());
  EXPECT_LT((x - problem.exact).norm(), 1e-8 * problem.exact.norm());
}

TEST(ConjugateGradient, ExactGuessNeedsNoIteration) {
  const Problem problem = springs(50, 1);
  CgScratch scratch;
  VecX x = problem.exact;
  EXPECT_EQ(conjugate_gradient(problem.A, problem.b, {}, scratch, x).iterations, 0);
}

TEST(ConjugateGradient, LooksInEveryIterationWhetherItIsToStop) {
  const Problem problem = springs(200, 0.1);
  CgScratch scratch;
  for (const Index done : {0, 1, 7}) {
    const test::CountedStop stop{.asks_at = done + 1};
    VecX x = VecX::Zero(600);
    const CgReport report = conjugate_gradient(problem.A, problem.b, {.stop = stop.token()}, scratch, x);
    EXPECT_EQ(report.status, CgStatus::interrupted);
    EXPECT_EQ(report.iterations, done);
  }
}

TEST(ConjugateGradient, ReportsTheIterationLimitAndTheTrueResidual) {
  const Problem problem = springs(200, 0.1);
  CgScratch scratch;
  VecX x = VecX::Zero(600);
  const CgReport report = conjugate_gradient(problem.A, problem.b, {.max_iterations = 3}, scratch, x);
  EXPECT_EQ(report.status, CgStatus::iteration_limit);
  EXPECT_EQ(report.iterations, 3);
  VecX r(600);
  multiply(problem.A, x, r);
  EXPECT_NEAR(report.residual, (problem.b - r).norm(), 1e-12 * problem.b.norm());
}

TEST(ConjugateGradient, StopsAtAnAbsoluteResidual) {
  const Problem problem = springs(200, 0.1);
  CgScratch scratch;
  VecX x = VecX::Zero(600), r(600);
  const double enough = 1e-3 * problem.b.norm();
  const CgReport report = conjugate_gradient(problem.A, problem.b, {.tolerance = 0, .absolute = enough}, scratch, x);
  EXPECT_EQ(report.status, CgStatus::converged);
  EXPECT_EQ(report.target, enough);
  multiply(problem.A, x, r);
  EXPECT_LE((problem.b - r).norm(), enough);
  VecX exact = VecX::Zero(600);
  EXPECT_LT(report.iterations, conjugate_gradient(problem.A, problem.b, {}, scratch, exact).iterations);
}

TEST(ConjugateGradient, AToleranceBeyondDoublePrecisionEndsAtTheRoundingError) {
  const Problem problem = springs(200, 0.1);
  CgScratch scratch;
  VecX x = VecX::Zero(600);
  const CgReport report = conjugate_gradient(problem.A, problem.b, {.tolerance = 1e-30}, scratch, x);
  EXPECT_EQ(report.status, CgStatus::converged);
  EXPECT_GT(report.residual, report.target);  // and says so
  EXPECT_LT(report.residual, 1e-13 * problem.b.norm());
}

TEST(ConjugateGradient, NotANumberIsABreakdown) {
  Problem problem = springs(10, 1);
  problem.b[4] = std::numeric_limits<double>::quiet_NaN();
  CgScratch scratch;
  VecX x = VecX::Zero(30);
  const CgReport report = conjugate_gradient(problem.A, problem.b, {}, scratch, x);
  EXPECT_EQ(report.status, CgStatus::breakdown);
  EXPECT_NE(describe(report).find("broke down"), std::string::npos);
}

// Its norm is infinite, and so would be what it may miss.
TEST(ConjugateGradient, WhatIsTooLargeForItsNormIsABreakdown) {
  Problem problem = springs(20, 0.1);
  problem.b[7] = 1e200;
  CgScratch scratch;
  VecX x = VecX::Zero(60);
  EXPECT_EQ(conjugate_gradient(problem.A, problem.b, {}, scratch, x).status, CgStatus::breakdown);
}

TEST(ConjugateGradient, ReportsBreakdownOnAnIndefiniteMatrix) {
  BlockMatrix A = make_pattern(1, {});
  A.at(0) = Vec3(1, -1, 1).asDiagonal();
  VecX b = Vec3(1, 1, 1);
  CgScratch scratch;
  VecX x = VecX::Zero(3);
  b[1] = 3;
  EXPECT_EQ(conjugate_gradient(A, b, {}, scratch, x).status, CgStatus::breakdown);
}

}  // namespace conjugate_gradient_test
}  // namespace sim
