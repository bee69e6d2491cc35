#include "contact/constraint_anticipation.hpp"

#include <Eigen/LU>
#include <cmath>

#include "contact/active_set_enumeration.hpp"
#include "contact/coulomb_contact.hpp"
#include "contact/delassus.hpp"
#include "contact/dense_reference.hpp"
#include "contact/hard_problems.hpp"
#include "contact/point_mass.hpp"
#include "contact/solving.hpp"

namespace sim {
namespace constraint_anticipation_test {

using test::expect_same_v;
using test::tight;

SolveReport solve_from(const ContactProblem& problem, ContactSolution& solution,
                       const ConstraintAnticipationOptions& options = {}, const test::Limits& limits = {}) {
  return test::solve_from(options, problem, solution, limits);
}
ContactSolution solution_of(const ContactProblem& problem, bool exploit_blocks = true) {
  return test::solution_of(ConstraintAnticipationOptions{.exploit_blocks = exploit_blocks}, problem);
}

// Two problems beside each other that share nothing but contacts between them: A has two blocks.
ContactProblem two_objects(Random& random) {
  ContactProblem problem = test::random_problem(random, 10, 12, 0.4);
  for (const auto& [row, column] : {std::pair{3, 4}, std::pair{4, 3}}) {
    problem.A.at(problem.A.find(row, column)).setZero();
  }
  BlockMatrix cut;
  cut.row_begin = {0};
  for (Index row = 0; row < 10; ++row) {
    for (Index slot = problem.A.row_begin[row]; slot < problem.A.row_begin[row + 1]; ++slot) {
      if (problem.A.at(slot).isZero(0)) continue;
      cut.column.push_back(problem.A.column[slot]);
      cut.values.insert(cut.values.end(), problem.A.at(slot).data(), problem.A.at(slot).data() + 9);
    }
    cut.row_begin.push_back(static_cast<Index>(cut.column.size()));
  }
  cut.values.push_back(0);
  problem.A = cut;
  return problem;
}

TEST(CoulombContact, MeetsItsConditions) {
  Random random(7);
  int open = 0, sticking = 0, sliding = 0;
  for (int n = 0; n < 2000; ++n) {
    SCOPED_TRACE(n);
    Mat3 M;
    for (double& x : M.reshaped()) x = random.uniform(-1, 1);
    const double scale = std::pow(10.0, random.uniform(-8, 2));
    const Mat3 W = scale * (M * M.transpose() + 0.01 * Mat3::Identity());
    const Vec3 q(random.uniform(-1, 0.3), random.uniform(-1, 1), random.uniform(-1, 1));
    const double mu = random.uniform(0, 1.5);
    const Vec3 r = coulomb_contact(W, q, mu), u = W * r + q;
    const double friction = r.tail<2>().norm(), rounding = 1e-9;
    EXPECT_GE(r[0], 0);
    EXPECT_LE(friction, mu * r[0] * (1 + 1e-12));
    if (q[0] >= 0) {
      ++open;
      EXPECT_EQ(r.norm(), 0);
      continue;
    }
    EXPECT_NEAR(u[0], 0, rounding);
    if (u.tail<2>().norm() < rounding) {
      ++sticking;
    } else {
      ++sliding;
      EXPECT_NEAR(friction, mu * r[0], 1e-9 * (friction + r[0]));
      EXPECT_LT((u.tail<2>().normalized() + r.tail<2>() / friction).norm(), 1e-5);
    }
  }
  EXPECT_GT(open, 100);
  EXPECT_GT(sticking, 100);
  EXPECT_GT(sliding, 100);
}

TEST(CoulombContact, HasClosedFormsWhereRowsAreNotCoupled) {
  const Mat3 W = Vec3(2, 4, 4).asDiagonal();
  // Pushed with 6 / 2 = 3; sticking takes 10 / 4 = 2.5 of at most 0.9 x 3 = 2.7.
  EXPECT_LT((coulomb_contact(W, {-6, 6, -8}, 0.9) - Vec3(3, -1.5, 2)).norm(), 1e-14);
  // With mu = 0.5 it slides with friction of 1.5 against (0.6, -0.8).
  EXPECT_LT((coulomb_contact(W, {-6, 6, -8}, 0.5) - Vec3(3, -0.9, 1.2)).norm(), 1e-13);
  EXPECT_EQ(coulomb_contact(W, {-6, 6, -8}, 0), Vec3(3, 0, 0));
  EXPECT_EQ(coulomb_contact(W, {1e-300, 6, -8}, 0.5), Vec3(0, 0, 0));
}

TEST(Delassus, IsTheDenseProductWithTheInverse) {
  Random random(31);
  for (int n = 0; n < 5; ++n) {
    SCOPED_TRACE(n);
    const ContactProblem problem = two_objects(random);
    const Eigen::MatrixXd A = test::dense(problem.A, 30), L = test::dense(problem.L, 30);
    const Eigen::MatrixXd exact = L * A.inverse() * L.transpose();
    for (const bool exploit_blocks : {true, false}) {
      const FactoredMatrix factored = factor(problem.A, exploit_blocks);
      EXPECT_EQ(factored.factors.size(), exploit_blocks ? 2 : 1);
      ASSERT_TRUE(factored.definite);
      EXPECT_LT((delassus(problem, factored) - exact).norm(), 1e-13 * exact.norm());
      VecX x;
      solve(factored, problem.b, x);
      EXPECT_LT((A * x - problem.b).norm(), 1e-13);
    }
  }
}

TEST(ConstraintAnticipation, FindsTheActiveSetOfRandomProblemsWithoutFriction) {
  Random random(17);
  for (int n = 0; n < 40; ++n) {
    SCOPED_TRACE(n);
    const ContactProblem problem = test::random_problem(random, 6, 8, 0);
    const test::Enumerated exact = test::enumerate_active_sets(problem);
    const ContactSolution solution = solution_of(problem, n % 2 == 0);
    EXPECT_LT((solution.v - exact.v).norm(), 1e-7);
    for (Index i = 0; i < 8; ++i) EXPECT_NEAR(solution.lambda[i], exact.lambda[i], 1e-5);
  }
}

TEST(ConstraintAnticipation, HoldsAndSlowsAMass) {
  const ContactSolution sticking = solution_of(test::point_on_plane({0.1, 0, -1}, 0.5));
  EXPECT_LT(sticking.v.norm(), 1e-12);
  EXPECT_NEAR(sticking.lambda[0], 200, 1e-9);
  EXPECT_LT((sticking.gamma[0] - Vec2(20, 0)).norm(), 1e-9);
  EXPECT_EQ(sticking.state[0], FrictionState::sticking);
  const ContactSolution sliding = solution_of(test::point_on_plane({1, 0, -1}, 0.5));
  EXPECT_LT((sliding.v - Vec3(0.5, 0, 0)).norm(), 1e-12);
  EXPECT_LT((sliding.gamma[0] - Vec2(100, 0)).norm(), 1e-9);
  EXPECT_EQ(sliding.state[0], FrictionState::sliding);
}

TEST(ConstraintAnticipation, AgreesWithTheDenseReferenceOnAChainWhoseSlipsTurn) {
  for (const double mu : {0.1, 0.5, 0.9}) {
    SCOPED_TRACE(mu);
    const ContactProblem problem = test::chain_on_floor({.masses = 12, .mu = mu});
    expect_same_v(problem, solution_of(problem));
  }
}

TEST(ConstraintAnticipation, AgreesWithTheDenseReferenceOnRandomProblems) {
  Random random(29);
  for (int n = 0; n < 20; ++n) {
    SCOPED_TRACE(n);
    const ContactProblem problem = test::random_problem(random, 6, 5, 0.3);
    expect_same_v(problem, solution_of(problem, n % 2 == 0), 1e-7);
  }
}

TEST(ConstraintAnticipation, ReportsItsConstructionOnItsOwn) {
  const ContactProblem problem = test::chain_on_floor({});
  ContactSolution solution;
  start_cold(problem, solution);
  const SolveReport report = solve_from(problem, solution);
  EXPECT_GT(report.construction_seconds, 0);
  EXPECT_EQ(report.residual.tangential, report.cone_residual.tangential);
}

TEST(ConstraintAnticipation, TakesLessFromTheSolutionOfANearProblem) {
  const ContactProblem problem = test::chain_on_floor({});
  ContactSolution warm = solution_of(problem), cold;
  ContactProblem near = problem;
  near.b *= 1.0001;
  start_cold(near, cold);
  const SolveReport from_warm = solve_from(near, warm, {}, {{1e-7, 1e-8}});
  const SolveReport from_cold = solve_from(near, cold, {}, {{1e-7, 1e-8}});
  EXPECT_EQ(from_warm.status, SolveStatus::converged);
  EXPECT_LT(from_warm.iterations, from_cold.iterations);
}

TEST(ConstraintAnticipation, TracesItsPasses) {
  const ContactProblem problem = test::chain_on_floor({.masses = 12});
  ContactSolution solution;
  start_cold(problem, solution);
  SolveScratch scratch;
  Trace trace;
  const SolveReport report =
      solve(problem, {tight, 1000, ConstraintAnticipationOptions{}}, scratch, solution, &trace);
  ASSERT_EQ(trace.size(), static_cast<std::size_t>(report.iterations));
  EXPECT_NEAR(trace.back().constraint_residual, report.residual.constraint(), 1e-14);
}

TEST(ConstraintAnticipation, RefusesAMatrixThatIsTooLarge) {
  const ContactProblem problem = test::chain_on_floor({});  // 90 rows: 64,800 bytes
  ContactSolution solution;
  start_cold(problem, solution);
  const SolveReport report = solve_from(problem, solution, {.most_bytes = 64799});
  EXPECT_EQ(report.status, SolveStatus::refused);
  EXPECT_NE(report.reason.find("30 contacts needs 6.03e-05 GiB"), std::string::npos) << report.reason;
  EXPECT_EQ(report.residual.momentum, contact_residual(problem, solution).momentum);
  EXPECT_EQ(solution.v.norm(), 0);
  EXPECT_EQ(solve_from(problem, solution, {.most_bytes = 64800}).status, SolveStatus::converged);
}

TEST(ConstraintAnticipation, SaysWhenAThinWedgeDefeatsItsProjections) {
  const ContactProblem problem = test::wedge(1e-3);
  ContactSolution solution;
  start_cold(problem, solution);
  const SolveReport report = solve_from(problem, solution, {}, {.iterations = 500});
  EXPECT_EQ(report.status, SolveStatus::iteration_limit);
  EXPECT_EQ(report.iterations, 500);
  EXPECT_NE(report.reason.find("did not converge after 500 iterations"), std::string::npos) << report.reason;
  EXPECT_GT(report.residual.normal, 1e-6);
  // Without that many it is the tip of the wedge: a wide one is not hard.
  const ContactSolution wide = solution_of(test::wedge(0.5));
  EXPECT_LT(wide.v.norm(), 1e-8);
}

TEST(ConstraintAnticipation, SaysWhenTheMatrixIsNotDefinite) {
  ContactProblem problem = test::chain_on_floor({.masses = 5});
  problem.A.at(problem.A.find(2, 2)) = -2 * Mat3::Identity();
  ContactSolution solution;
  start_cold(problem, solution);
  EXPECT_EQ(solve_from(problem, solution).status, SolveStatus::breakdown);
}

}  // namespace constraint_anticipation_test
}  // namespace sim
