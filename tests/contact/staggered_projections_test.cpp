#include "contact/staggered_projections.hpp"

#include <cmath>

#include "contact/chain.hpp"
#include "contact/dense_reference.hpp"
#include "contact/hard_problems.hpp"
#include "contact/point_mass.hpp"
#include "contact/pyramid_conditions.hpp"
#include "contact/solving.hpp"
#include "math/random.hpp"

namespace sim {
namespace staggered_projections_test {

using test::tight;

class StaggeredProjections : public test::MethodTest {};

ContactProblem random_problem(Random& random, double mu) {
  ContactProblem problem = test::chain_on_floor({.masses = 6, .mu = mu});
  for (Eigen::Index i = 0; i < problem.b.size(); ++i) problem.b[i] = random.uniform(-2, 2);
  for (Eigen::Index i = 0; i < problem.c.size(); i += 3) problem.c[i] = random.uniform(-0.002, 0.002);
  return problem;
}

TEST_P(StaggeredProjections, HoldAMassInsideThePyramid) {
  const ContactSolution solution = solution_of(test::point_on_plane({0.1, 0, -1}, 0.5));
  EXPECT_LT(solution.v.norm(), 1e-8);
  EXPECT_NEAR(solution.lambda[0], 200, 1e-6);
  EXPECT_LT((solution.gamma[0] - Vec2(20, 0)).norm(), 1e-6);
  EXPECT_EQ(solution.state[0], FrictionState::sticking);
}

TEST_P(StaggeredProjections, SlowEachTangentOfAMassByItself) {
  // dv = mu v_z along each tangent, not along the slip: (2, 1) becomes (1.5, 0.5).
  const ContactSolution solution = solution_of(test::point_on_plane({2, 1, -1}, 0.5));
  EXPECT_LT((solution.v - Vec3(1.5, 0.5, 0)).norm(), 1e-8);
  EXPECT_LT((solution.gamma[0] - Vec2(100, 100)).norm(), 1e-5);
  EXPECT_EQ(solution.state[0], FrictionState::sliding);
}

TEST_P(StaggeredProjections, HoldOneTangentWhileTheOtherSlides) {
  const ContactSolution solution = solution_of(test::point_on_plane({2, 0.1, -1}, 0.5));
  EXPECT_LT((solution.v - Vec3(1.5, 0, 0)).norm(), 1e-8);
  EXPECT_LT((solution.gamma[0] - Vec2(100, 20)).norm(), 1e-5);
}

TEST_P(StaggeredProjections, SolveRandomProblemsWithoutFriction) {
  Random random(5);
  for (int n = 0; n < 30; ++n) {
    SCOPED_TRACE(n);
    const ContactProblem problem = random_problem(random, 0);
    const ContactSolution solution = solution_of(problem);
    // Strictly convex: whatever fulfils these is the solution.
    const test::Conditions conditions = test::conditions_of(problem, solution, 1e-9);
    EXPECT_LT(conditions.momentum, 1e-9);
    EXPECT_LT(conditions.gap, 1e-10);
    EXPECT_LT(conditions.pull, 1e-5);
    const test::Reference reference = test::dense_reference(problem);
    EXPECT_LT((solution.v - reference.v).norm(), 1e-8 * reference.v.norm());
  }
}

TEST_P(StaggeredProjections, FulfilTheConditionsOfThePyramid) {
  Random random(11);
  for (int n = 0; n < 30; ++n) {
    SCOPED_TRACE(n);
    const ContactProblem problem = random_problem(random, 0.03 * n);
    const test::Conditions conditions = test::conditions_of(problem, solution_of(problem), 1e-9);
    EXPECT_LT(conditions.momentum, 1e-9);
    EXPECT_LT(conditions.gap, 1e-10);
    EXPECT_LT(conditions.pull, 1e-5);  // k is 3e-5 m/N: 1e-11 m are 3e-7 N
    EXPECT_LT(conditions.friction, 1e-5);
  }
}

TEST_P(StaggeredProjections, AgreeWithTheConeWhereSlipsLieAlongATangent) {
  // Then the pyramid's side and the cone touch: both laws give gamma = mu lambda along the slip.
  const ContactProblem problem = test::chain_on_floor({.masses = 12, .mu = 0.4, .sideways = 0});
  const ContactSolution solution = solution_of(problem);
  const test::Reference reference = test::dense_reference(problem);
  ASSERT_LT(reference.change, 1e-12);
  EXPECT_LT((solution.v - reference.v).norm(), 1e-8 * reference.v.norm());
}

TEST_P(StaggeredProjections, StrayFromTheConeByLessThanThePyramidIsLarger) {
  // On the chain normals and tangents are apart in A: lambda is the same, and A (v - v') = L_t^T (gamma' - gamma).
  // The forces are within sqrt(2) mu lambda (pyramid) and mu lambda (cone).
  const ContactProblem problem = test::chain_on_floor({.masses = 12, .mu = 0.3});
  const ContactSolution solution = solution_of(problem);
  const test::Reference reference = test::dense_reference(problem);
  double pushed = 0;
  for (Index i = 0; i < problem.contacts(); ++i) {
    EXPECT_NEAR(solution.lambda[i], reference.r[3 * i], 1e-5 * (1 + reference.r[3 * i]));
    const double most = (1 + std::sqrt(2.0)) * problem.mu[i] * solution.lambda[i] * test::dt;
    pushed += most * most;
  }
  const double least_mass = 2;  // A's smallest eigenvalue: springs only add to it
  EXPECT_LT((solution.v - reference.v).norm(), std::sqrt(pushed) / least_mass);
  EXPECT_GT((solution.v - reference.v).norm(), 1e-4 * reference.v.norm());  // another law
}

TEST_P(StaggeredProjections, SayHowFarThePyramidIsFromTheCone) {
  const ContactProblem problem = test::chain_on_floor({.masses = 12, .mu = 0.3});
  ContactSolution solution;
  start_cold(problem, solution);
  const SolveReport report = solve_from(problem, solution);
  const ContactResidual cone = contact_residual(problem, solution);
  EXPECT_LT(report.residual.tangential, tight.constraint);
  EXPECT_EQ(report.cone_residual.tangential, cone.tangential);
  EXPECT_GT(cone.tangential, 1e-6);
}

TEST_P(StaggeredProjections, DoNotCareHowOftenAContactIsThere) {
  const ContactProblem once = test::chain_on_floor({.masses = 12});
  const ContactProblem thrice = test::chain_on_floor({.masses = 12, .copies = 3});
  const ContactSolution a = solution_of(once), b = solution_of(thrice);
  EXPECT_LT((a.v - b.v).norm(), 1e-8 * a.v.norm());
  for (Index i = 0; i < once.contacts(); ++i) {
    EXPECT_NEAR(b.lambda[3 * i] + b.lambda[3 * i + 1] + b.lambda[3 * i + 2], a.lambda[i], 1e-5);
    EXPECT_EQ(b.lambda[3 * i], b.lambda[3 * i + 1]);
  }
}

TEST_P(StaggeredProjections, GainFromAWarmStart) {
  const ContactProblem problem = test::chain_on_floor({});
  ContactSolution cold_solution, solution;
  start_cold(problem, cold_solution);
  const SolveReport cold = solve_from(problem, cold_solution, {{1e-7, 1e-8}});
  start_cold(problem, solution);
  ASSERT_EQ(solve_from(problem, solution, {{5e-5, 5e-6}}).status, SolveStatus::converged);
  const SolveReport warm = solve_from(problem, solution, {{1e-7, 1e-8}});
  EXPECT_EQ(warm.status, SolveStatus::converged) << warm.reason;
  EXPECT_LT(warm.rounds, cold.rounds);
  EXPECT_LT(warm.iterations, cold.iterations);
}

TEST_P(StaggeredProjections, ContractByFrictionTimesCoupling) {
  const double f = -2, mu = 0.3;
  const ContactProblem problem = test::coupled_mass(f, mu);
  ContactSolution solution;
  start_cold(problem, solution);
  const SolveReport report = solve_from(problem, solution, {{1e-9, 1e-11}});
  EXPECT_EQ(report.status, SolveStatus::converged) << report.reason;
  EXPECT_NEAR(solution.lambda[0] * test::dt, 1 / (1 - f * mu), 1e-6);
  EXPECT_NEAR(report.contraction, 0.6, 0.03);
}

TEST_P(StaggeredProjections, SayThatRoundsDoNotContract) {
  const double f = -2, mu = 0.8;  // f mu = -1.6, while lambda = 1 / (1 - f mu) / dt solves it
  const ContactProblem problem = test::coupled_mass(f, mu);
  ContactSolution solution;
  start_cold(problem, solution);
  const SolveReport report = solve_from(problem, solution);
  EXPECT_EQ(report.status, SolveStatus::stalled);
  EXPECT_NE(report.reason.find("contract"), std::string::npos) << report.reason;
  EXPECT_NEAR(report.contraction, 1, 1e-6);  // lambda dt goes 1, 0, 1, 0: what diverges is stopped by the bounds
  EXPECT_GT(report.residual.constraint(), tight.constraint);
  const double lambda = 1 / (1 - f * mu) / test::dt;
  VecX v = problem.A.at(0).inverse() * Vec3(problem.b + test::dt * Vec3(-mu * lambda, 0, lambda));
  const test::Conditions conditions =
      test::conditions_of(problem, test::solution_of(v, lambda, {mu * lambda, 0}), 1e-9);
  EXPECT_LT(conditions.gap, 1e-12);
  EXPECT_LT(conditions.friction, 1e-9);
}

TEST_P(StaggeredProjections, SayWhenTheyRunOutOfIterations) {
  test::expect_out_of_iterations(attempt(test::chain_on_floor({}), {.iterations = 3}).report, 3);
}

INSTANTIATE_TEST_SUITE_P(Both, StaggeredProjections, testing::Values("sp-active-set", "sp-cr"),
                         [](const auto& tested) {
                           return std::string(tested.param) == "sp-cr" ? "Cr" : "ActiveSet";
                         });

}  // namespace staggered_projections_test
}  // namespace sim
