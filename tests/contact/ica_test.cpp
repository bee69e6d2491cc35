#include "contact/ica.hpp"

#include <Eigen/LU>
#include <cmath>

#include "contact/active_set_enumeration.hpp"
#include "contact/dense_reference.hpp"
#include "contact/hard_problems.hpp"
#include "contact/point_mass.hpp"
#include "contact/solving.hpp"

namespace sim {
namespace ica_test {

using test::expect_same_v;
using test::tight;

SolveReport solve_from(const ContactProblem& problem, ContactSolution& solution, const test::Limits& limits = {}) {
  return test::solve_from(IcaOptions{}, problem, solution, limits);
}
ContactSolution solution_of(const ContactProblem& problem) {
  return test::solution_of(IcaOptions{}, problem);
}

TEST(Relaxation, ASweepSolvesTheLowerTriangleAndKnowsItsResidual) {
  Random random(3);
  const ContactProblem problem = test::random_problem(random, 7, 1, 0);
  const Eigen::MatrixXd A = test::dense(problem.A, problem.b.size());
  Eigen::MatrixXd lower = A, diagonal = Eigen::MatrixXd::Zero(21, 21);
  for (Index i = 0; i < 7; ++i) {
    for (Index j = i + 1; j < 7; ++j) lower.block<3, 3>(3 * i, 3 * j).setZero();
    diagonal.block<3, 3>(3 * i, 3 * i) = A.block<3, 3>(3 * i, 3 * i);
  }
  VecX v(21);
  for (double& x : v) x = random.uniform(-1, 1);
  Relaxation relaxation;
  prepare(problem.A, relaxation);
  multiply_parts(problem.A, v, relaxation);

  VecX jacobi_step(21);
  jacobi(problem.b, relaxation, jacobi_step);
  const VecX jacobi_by_hand = diagonal.inverse() * (problem.b - (A - diagonal) * v);
  EXPECT_LT((jacobi_step - jacobi_by_hand).norm(), 1e-13);

  const VecX swept_by_hand = lower.inverse() * (problem.b - (A - lower) * v);
  const double residual = sweep(problem.A, problem.b, relaxation, v);
  EXPECT_LT((v - swept_by_hand).norm(), 1e-13);
  EXPECT_NEAR(residual, (problem.b - A * swept_by_hand).norm(), 1e-13);
  jacobi(problem.b, relaxation, jacobi_step);  // from where the sweep led
  EXPECT_LT((jacobi_step - diagonal.inverse() * (problem.b - (A - diagonal) * v)).norm(), 1e-13);
}

TEST(CoupledContacts, IsTheDelassusOperatorOfTheBlockDiagonal) {
  Random random(5);
  const ContactProblem problem = test::random_problem(random, 6, 8, 0.5);
  BlockDiagonal inverse;
  invert_diagonal(problem.A, inverse);
  const BlockMatrix B = coupling(problem.L, inverse.block);
  const Eigen::MatrixXd L = test::dense(problem.L, problem.b.size());
  Eigen::MatrixXd D = Eigen::MatrixXd::Zero(18, 18);
  for (Index i = 0; i < 6; ++i) D.block<3, 3>(3 * i, 3 * i) = problem.A.at(problem.A.find(i, i));
  const Eigen::MatrixXd W = L * D.inverse() * L.transpose();
  EXPECT_LT((test::dense(B, 24) - W).norm(), 1e-14 * W.norm());
}

// Passes that go on to the end solve s = B r + q with its signs, and with friction on the cone's side of the slip. Of
// problems that have a solution: there is a motion that opens all contacts without slip, or two may brace each other.
TEST(CoupledContacts, ManyPassesSolveTheProblemOfB) {
  Random random(7);
  for (int n = 0; n < 20; ++n) {
    SCOPED_TRACE(n);
    const ContactProblem problem = test::random_problem(random, 6, 8, 0.3);
    BlockDiagonal inverse;
    invert_diagonal(problem.A, inverse);
    CoupledContacts lcp;
    prepare(problem.L, inverse.block, lcp);
    lcp.mu = problem.mu;
    lcp.shape = FrictionShape::cone;
    VecX opens(18), r = VecX::Zero(24), s(24);
    for (double& one : opens) one = random.uniform(-1, 1);
    lcp.q.resize(24);
    multiply(problem.L, opens, lcp.q);
    lcp.q = -lcp.q;
    for (Index i = 0; i < 8; ++i) lcp.q[3 * i] += 1e-3;
    project(lcp, 0, 20000, 0, r, {});
    multiply(coupling(problem.L, inverse.block), r, s);
    s += lcp.q;
    const double size = lcp.q.cwiseAbs().maxCoeff(), force = r.cwiseAbs().maxCoeff();
    EXPECT_GT(force, 0);
    for (Index i = 0; i < 8; ++i) {
      EXPECT_GE(r[3 * i], 0);
      EXPECT_GT(s[3 * i], -1e-9 * size);
      EXPECT_LT(std::abs(s[3 * i] * r[3 * i]), 1e-9 * size * force);
      const Vec2 friction = r.segment<2>(3 * i + 1), slip = s.segment<2>(3 * i + 1);
      EXPECT_LE(friction.norm(), problem.mu[i] * r[3 * i] * (1 + 1e-12));
      EXPECT_NEAR(friction.dot(slip), -problem.mu[i] * r[3 * i] * slip.norm(), 1e-8 * size * force);
    }
  }
}

TEST(Ica, FindsTheActiveSetOfRandomProblemsWithoutFriction) {
  Random random(17);
  int pushing = 0;
  for (int n = 0; n < 40; ++n) {
    SCOPED_TRACE(n);
    const ContactProblem problem = test::random_problem(random, 6, 8, 0);
    const test::Enumerated exact = test::enumerate_active_sets(problem);
    const ContactSolution solution = solution_of(problem);
    EXPECT_LT((solution.v - exact.v).norm(), 1e-7);
    for (Index i = 0; i < 8; ++i) {
      EXPECT_NEAR(solution.lambda[i], exact.lambda[i], 1e-5);
      pushing += exact.lambda[i] > 0 ? 1 : 0;
    }
  }
  EXPECT_GT(pushing, 60);
  EXPECT_LT(pushing, 260);
}

TEST(Ica, HoldsAndSlowsAMassAsTheConeDoes) {
  // One mass slips where it would without friction: the pyramid along that slip is the cone.
  for (const double angle : {0.0, 0.7, 2.0}) {
    const ContactSolution sticking = solution_of(test::point_on_plane({0.1, 0, -1}, 0.5, angle));
    EXPECT_LT(sticking.v.norm(), 1e-8);
    EXPECT_NEAR(sticking.lambda[0], 200, 1e-6);
    EXPECT_EQ(sticking.state[0], FrictionState::sticking);
    const ContactSolution sliding = solution_of(test::point_on_plane({0.6, 0.8, -1}, 0.5, angle));
    EXPECT_LT((sliding.v - Vec3(0.3, 0.4, 0)).norm(), 1e-8);
    EXPECT_NEAR(sliding.gamma[0].norm(), 100, 1e-5);
    EXPECT_EQ(sliding.state[0], FrictionState::sliding);
  }
}

TEST(Ica, AgreesWithTheConeWhereSlipsKeepTheirDirection) {
  for (const double mu : {0.1, 0.5, 0.9}) {
    SCOPED_TRACE(mu);
    const ContactProblem problem = test::chain_on_floor({.masses = 12, .mu = mu, .sideways = 0});
    ContactSolution solution;
    start_cold(problem, solution);
    const SolveReport report = solve_from(problem, solution);
    EXPECT_EQ(report.status, SolveStatus::converged) << report.reason;
    expect_same_v(problem, solution);
    EXPECT_LT(report.cone_residual.constraint(), 1e-9);
  }
}

// All that the pyramid asks for, from dense matrices: its axes lie along the slip of A v* = b.
TEST(Ica, SolvesTheProblemWithThePyramidWhereSlipsTurn) {
  Random random(23);
  int sliding = 0, corners = 0, sticking = 0;
  for (int n = 0; n < 20; ++n) {
    SCOPED_TRACE(n);
    const ContactProblem problem = test::random_problem(random, 6, 5, 0.3);
    const ContactSolution solution = solution_of(problem);
    const Eigen::MatrixXd A = test::dense(problem.A, problem.b.size()), L = test::dense(problem.L, problem.b.size());
    VecX r(15);
    for (Index i = 0; i < 5; ++i) block(r, i) << solution.lambda[i], -solution.gamma[i][0], -solution.gamma[i][1];
    EXPECT_LT((A * solution.v - problem.b - L.transpose() * r).norm(), 1e-9);
    const VecX s = L * solution.v - problem.c, unconstrained = L * A.inverse() * problem.b - problem.c;
    for (Index i = 0; i < 5; ++i) {
      const double lambda = solution.lambda[i], bound = 0.3 * lambda;
      EXPECT_GE(lambda, 0);
      EXPECT_GE(s[3 * i], -1e-10);
      EXPECT_TRUE(lambda == 0 || std::abs(s[3 * i]) < 1e-10);
      const Vec2 a = unconstrained.segment<2>(3 * i + 1).normalized();
      int at_bound = 0;
      for (const Vec2& axis : {a, Vec2(-a[1], a[0])}) {
        const double gamma = axis.dot(solution.gamma[i]), slipped = axis.dot(s.segment<2>(3 * i + 1));
        EXPECT_LE(std::abs(gamma), bound + 1e-6);
        if (std::abs(slipped) > 1e-9) {
          EXPECT_NEAR(gamma, std::copysign(bound, slipped), 1e-6);
        }
        at_bound += lambda > 0 && std::abs(gamma) > bound - 1e-6 ? 1 : 0;
      }
      sticking += lambda > 0 && at_bound == 0 ? 1 : 0;
      sliding += at_bound > 0 ? 1 : 0;
      corners += at_bound == 2 ? 1 : 0;
    }
  }
  EXPECT_GT(sticking, 0);
  EXPECT_GT(sliding, 10);
  EXPECT_GT(corners, 5);
}

// How far the pyramid (v, gamma) is from the cone (w, g) where lambda does not depend on friction. From the balances
//
//     |v - w|_A^2 = -sum (gamma - g) . (s_v - s_w)
//
// The cone lies in the pyramid, and gamma dissipates the most of all forces in it: gamma . s_v >= g . s_v. And gamma
// . s_w is at most mu lambda (|s_1| + |s_2|) along the axes, g . s_w = mu lambda |s_w|. With theta the angle between
// the slip s_w and an axis,
//
//     |v - w|_A^2 <= sum mu lambda |s_w| (|cos theta| + |sin theta| - 1)
//
// It errs only where contacts slide across the axes, that is, where the slip turns away from the unconstrained one.
TEST(Ica, IsAsNearToTheConeAsThePyramidAllows) {
  for (const double sideways : {0.1, 0.5, 1.0}) {
    for (const double mu : {0.1, 0.3, 0.5}) {
      SCOPED_TRACE(testing::Message() << sideways << " " << mu);
      const ContactProblem problem = test::chain_on_floor({.masses = 12, .mu = mu, .sideways = sideways});
      const ContactSolution solution = solution_of(problem);
      const test::Reference cone = test::dense_reference(problem);
      const Eigen::MatrixXd A = test::dense(problem.A, problem.b.size()),
                            L = test::dense(problem.L, problem.b.size());
      const VecX s = L * cone.v - problem.c, unconstrained = L * A.inverse() * problem.b;
      double bound = 0;
      for (Index i = 0; i < problem.contacts(); ++i) {
        const Vec2 a = unconstrained.segment<2>(3 * i + 1).normalized(), slipped = s.segment<2>(3 * i + 1);
        const double parts = std::abs(a.dot(slipped)) + std::abs(Vec2(-a[1], a[0]).dot(slipped));
        bound += mu * cone.r[3 * i] * (parts - slipped.norm());
      }
      const VecX difference = solution.v - cone.v;
      const double error = difference.dot(A * difference);
      EXPECT_LE(error, bound);
      EXPECT_GT(error, 1e-9);  // the slips turn: it is not the cone's solution
      EXPECT_LT(bound, 0.05 * cone.v.dot(A * cone.v));
    }
  }
}

TEST(Ica, ReportsWhatThePyramidAllowsBeyondTheCone) {
  const ContactProblem problem = test::chain_on_floor({.masses = 12, .mu = 0.3});
  ContactSolution solution;
  start_cold(problem, solution);
  const SolveReport report = solve_from(problem, solution);
  EXPECT_EQ(report.status, SolveStatus::converged);
  EXPECT_LE(report.residual.constraint(), tight.constraint);
  EXPECT_LE(report.residual.cone, 1e-9);
  const ContactResidual cone = contact_residual(problem, solution);
  EXPECT_EQ(report.cone_residual.tangential, cone.tangential);
  EXPECT_GT(cone.tangential, 1e-5);
  EXPECT_GT(cone.cone, 0.1);
}

TEST(Ica, TakesLessFromTheSolutionOfANearProblem) {
  const ContactProblem problem = test::chain_on_floor({});
  const ContactSolution before = solution_of(problem);
  ContactProblem near = problem;
  near.b *= 1.0001;
  ContactSolution warm = before, cold;
  start_cold(near, cold);
  const SolveReport from_warm = solve_from(near, warm, {{1e-7, 1e-8}});
  const SolveReport from_cold = solve_from(near, cold, {{1e-7, 1e-8}});
  EXPECT_EQ(from_warm.status, SolveStatus::converged);
  EXPECT_LT(from_warm.evaluations, from_cold.evaluations);
}

TEST(Ica, CountsTwoProductsAnOuterIterationAndThoseOfTheUnconstrainedSolve) {
  const ContactProblem problem = test::chain_on_floor({.masses = 12});
  ContactSolution solution;
  start_cold(problem, solution);
  const ContactTolerance tolerance{5e-5, 5e-6};
  const SolveReport report = solve_from(problem, solution, {tolerance});
  VecX v = VecX::Zero(problem.b.size());
  CgScratch scratch;
  const CgReport unconstrained =
      conjugate_gradient(problem.A, problem.b, {.tolerance = 0, .absolute = tolerance.momentum}, scratch, v);
  EXPECT_GT(unconstrained.iterations, 5);
  EXPECT_GT(report.evaluations, 0);
  EXPECT_EQ(report.iterations, unconstrained.iterations + 1 + report.evaluations);
}

TEST(Ica, TracesItsOuterIterations) {
  const ContactProblem problem = test::chain_on_floor({.masses = 12});
  ContactSolution solution;
  start_cold(problem, solution);
  SolveScratch scratch;
  Trace trace;
  const SolveReport report = solve(problem, {tight, 100000, IcaOptions{}}, scratch, solution, &trace);
  ASSERT_EQ(trace.size(), static_cast<std::size_t>(report.evaluations));
  // What the sweeps know by themselves is the residual that is computed from the solution.
  EXPECT_NEAR(trace.back().residual, report.residual.momentum, 1e-13);
  EXPECT_NEAR(trace.back().constraint_residual, report.residual.constraint(), 1e-15);
  EXPECT_GT(trace.front().residual, tight.momentum);
}

// Gauss-Seidel on a chain of n masses that only its springs hold gains about (pi / n)^2 a sweep.
TEST(Ica, SaysWhenGaussSeidelIsTooSlow) {
  ContactProblem problem = test::chain_on_floor({.masses = 300});
  for (Index i = 0; i < 300; ++i) problem.A.at(problem.A.find(i, i)) -= (2 - 1e-6) * Mat3::Identity();
  ContactSolution solution;
  start_cold(problem, solution);
  const SolveReport report = solve_from(problem, solution, {.iterations = 5000});
  EXPECT_EQ(report.status, SolveStatus::iteration_limit);
  EXPECT_NE(report.reason.find("did not converge after"), std::string::npos) << report.reason;
  EXPECT_LE(report.iterations, 5000);
  EXPECT_GT(report.evaluations, 1000);
  EXPECT_GT(report.residual.momentum, 1e-6);
  EXPECT_TRUE(solution.v.allFinite());
}

TEST(Ica, SaysWhenAThinWedgeDefeatsItsProjections) {
  const ContactProblem problem = test::wedge(1e-3);
  ContactSolution solution;
  start_cold(problem, solution);
  const SolveReport report = solve_from(problem, solution, {.iterations = 500});
  EXPECT_EQ(report.status, SolveStatus::iteration_limit);
  EXPECT_FALSE(report.reason.empty());
  EXPECT_GT(report.residual.normal, 1e-6);
}

TEST(Ica, SaysWhenTheUnconstrainedVelocityIsOutOfReach) {
  const ContactProblem problem = test::chain_on_floor({});
  ContactSolution solution;
  start_cold(problem, solution);
  const SolveReport report = solve_from(problem, solution, {.iterations = 3});
  EXPECT_EQ(report.status, SolveStatus::iteration_limit);
  EXPECT_LE(report.iterations, 3);
  EXPECT_NE(report.reason.find("unconstrained velocity"), std::string::npos) << report.reason;
}

TEST(Ica, SaysWhenTheMatrixIsNotDefinite) {
  ContactProblem problem = test::chain_on_floor({.masses = 5});
  problem.A.at(problem.A.find(2, 2)) = -2 * Mat3::Identity();
  ContactSolution solution;
  start_cold(problem, solution);
  EXPECT_EQ(solve_from(problem, solution).status, SolveStatus::breakdown);
}

}  // namespace ica_test
}  // namespace sim
