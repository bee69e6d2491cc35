#include "contact/conjugate_residual.hpp"

#include <cmath>

#include "contact/chain.hpp"
#include "contact/hard_problems.hpp"
#include "contact/point_mass.hpp"
#include "contact/solving.hpp"
#include "math/error.hpp"
#include "math/random.hpp"

namespace sim {
namespace conjugate_residual_test {

using test::expect_same_v;

class ConjugateResiduals : public test::MethodTest {};

TEST_P(ConjugateResiduals, HoldAMassInsideTheCone) {
  const ContactSolution solution = solution_of(test::point_on_plane({0.1, 0, -1}, 0.5));
  EXPECT_LT(solution.v.norm(), 1e-8);
  EXPECT_NEAR(solution.lambda[0], 200, 1e-6);
  EXPECT_LT((solution.gamma[0] - Vec2(20, 0)).norm(), 1e-6);
  EXPECT_EQ(solution.state[0], FrictionState::sticking);
}

TEST_P(ConjugateResiduals, SlowAMassOutsideTheCone) {
  const ContactSolution solution = solution_of(test::point_on_plane({1, 0, -1}, 0.5));
  EXPECT_LT((solution.v - Vec3(0.5, 0, 0)).norm(), 1e-8);
  EXPECT_LT((solution.gamma[0] - Vec2(100, 0)).norm(), 1e-5);
  EXPECT_EQ(solution.state[0], FrictionState::sliding);
}

// A force along a tangent moves the mass along the normal, too: friction presses on, or lets go.
TEST_P(ConjugateResiduals, SolveOneContactWhoseRowsAreCoupled) {
  for (const double f : {-4.0, -2.0, -1.0, -0.5, 0.0, 0.5, 1.0, 1.2}) {
    for (const double mu : {0.1, 0.5, 0.8}) {
      SCOPED_TRACE("f " + std::to_string(f) + ", mu " + std::to_string(mu));
      const ContactSolution solution = solution_of(test::coupled_mass(f, mu));
      EXPECT_NEAR(solution.lambda[0] * test::dt, 1 / (1 - f * mu), 1e-6);
      EXPECT_EQ(solution.state[0], FrictionState::sliding);
    }
  }
}

TEST_P(ConjugateResiduals, SolveOneContactOfAnyMass) {
  Random random(7);
  for (int n = 0; n < 2000; ++n) {
    SCOPED_TRACE(n);
    ContactProblem problem = test::point_on_plane({0, 0, 0}, random.uniform(0, 1));
    const std::array<double, 4> q = random_quaternion(random);
    const Mat3 turn = Eigen::Quaterniond(q[0], q[1], q[2], q[3]).toRotationMatrix();
    const Vec3 masses(std::exp(random.uniform(-2, 2)), std::exp(random.uniform(-2, 2)),
                      std::exp(random.uniform(-2, 2)));
    problem.A.at(0) = turn * masses.asDiagonal() * turn.transpose();
    problem.b << random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1);
    solution_of(problem);
  }
}

TEST_P(ConjugateResiduals, HaveNoFrictionWithoutACoefficient) {
  const ContactProblem problem = test::chain_on_floor({.mu = 0});
  const ContactSolution solution = solution_of(problem);
  for (const Vec2& gamma : solution.gamma) EXPECT_EQ(gamma.norm(), 0);
  expect_same_v(problem, solution);
}

TEST_P(ConjugateResiduals, AgreeWithTheDenseReferenceOnAChainWhoseSlipsTurn) {
  for (const double mu : {0.1, 0.5, 0.9}) {
    SCOPED_TRACE(mu);
    const ContactProblem problem = test::chain_on_floor({.masses = 12, .mu = mu});
    const ContactSolution solution = solution_of(problem);
    expect_same_v(problem, solution);
  }
}

TEST_P(ConjugateResiduals, ConvergeOnALongChainWhoseSlipsTurn) {
  const ContactProblem problem = test::chain_on_floor({});
  ContactSolution solution;
  start_cold(problem, solution);
  const SolveReport report = solve_from(problem, solution, {{5e-5, 5e-6}});
  EXPECT_EQ(report.status, SolveStatus::converged) << report.reason;
  EXPECT_LT(report.iterations, 200);
}

TEST_P(ConjugateResiduals, AgreeWithTheDenseReferenceOnRandomProblems) {
  Random random(11);
  for (int n = 0; n < 20; ++n) {
    SCOPED_TRACE(n);
    ContactProblem problem = test::chain_on_floor({.masses = 6, .mu = 0.1 + 0.04 * n});
    for (Eigen::Index i = 0; i < problem.b.size(); ++i) problem.b[i] = random.uniform(-2, 2);
    for (Eigen::Index i = 0; i < problem.c.size(); i += 3) problem.c[i] = random.uniform(-0.002, 0.002);
    const ContactSolution solution = solution_of(problem);
    expect_same_v(problem, solution);
  }
}

TEST_P(ConjugateResiduals, DoNotCareHowOftenAContactIsThere) {
  const ContactProblem once = test::chain_on_floor({.masses = 12});
  const ContactProblem thrice = test::chain_on_floor({.masses = 12, .copies = 3});
  const ContactSolution a = solution_of(once), b = solution_of(thrice);
  EXPECT_LT((a.v - b.v).norm(), 1e-8 * a.v.norm());
  for (Index i = 0; i < once.contacts(); ++i) {
    EXPECT_NEAR(b.lambda[3 * i] + b.lambda[3 * i + 1] + b.lambda[3 * i + 2], a.lambda[i], 1e-6);
    EXPECT_EQ(b.lambda[3 * i], b.lambda[3 * i + 1]);
  }
}

TEST_P(ConjugateResiduals, DoNotCareHowTheTangentsLie) {
  const ContactProblem problem = test::chain_on_floor({.masses = 12});
  ContactProblem turned = problem;
  const double angle = 0.7;
  Mat3 turn = Mat3::Identity();
  turn.bottomRightCorner<2, 2>() << std::cos(angle), std::sin(angle), -std::sin(angle), std::cos(angle);
  for (Index slot = 0; slot < turned.L.slots(); ++slot) turned.L.at(slot) = (turn * problem.L.at(slot)).eval();
  const ContactSolution a = solution_of(problem), b = solution_of(turned);
  EXPECT_LT((a.v - b.v).norm(), 1e-8 * a.v.norm());
}

TEST_P(ConjugateResiduals, SayWhenTheyRunOutOfIterations) {
  const test::Attempt few = attempt(test::chain_on_floor({}), {.iterations = 3});
  test::expect_out_of_iterations(few.report, 3);
  EXPECT_TRUE(few.solution.v.allFinite());
}

TEST_P(ConjugateResiduals, GiveDuplicatesTheirWholeForceWhenTheyFail) {
  // Momentum is in balance where |r| is smallest: rows of constraints alone are left over.
  const ContactProblem problem = test::without_room(2);
  ContactSolution solution;
  start_cold(problem, solution);
  const SolveReport report = solve_from(problem, solution, {.iterations = 1000});
  ASSERT_NE(report.status, SolveStatus::converged);
  ASSERT_GT(problem.b.norm(), 0.01);
  EXPECT_LT(report.residual.momentum, 1e-9 * problem.b.norm());
}

INSTANTIATE_TEST_SUITE_P(Both, ConjugateResiduals, testing::Values("cr-full", "cr-diag"),
                         [](const auto& tested) { return std::string(tested.param) == "cr-full" ? "Full" : "Diag"; });

// Rows that are each within their tolerance may be larger together; between rigid bodies they may not.
TEST(CrIteration, IsSmallWhereMomentumIsAndEveryRowOfElasticBodies) {
  ContactProblem problem = test::chain_on_floor({.masses = 100});
  CrSystem system;
  CrVectors vectors;
  ContactSolution solution;
  CrIteration it{problem, system, vectors, solution};
  it.resize();
  const ContactTolerance tolerance{1, 1};
  const auto is_small = [&](double momentum, double every_row, double one_row) {
    vectors.rv[0] = momentum;
    vectors.rc.setConstant(every_row);
    vectors.rc[7] = one_row;
    it.measure();
    return it.is_small(tolerance);
  };
  EXPECT_TRUE(is_small(0.9, 0.3, 0.3));
  EXPECT_FALSE(is_small(1.1, 0.3, 0.3));
  EXPECT_FALSE(is_small(0.9, 0.3, 1.1));
  problem.area.assign(problem.mu.size(), 1.0);
  EXPECT_FALSE(is_small(0.9, 0.3, 0.3));
  EXPECT_TRUE(is_small(0.9, 0.01, 0.01));
}

TEST(Methods, UnknownNamesListTheKnownOnes) {
  try {
    method_by_name("cr-fulll");
    FAIL();
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("cr-full"), std::string::npos);
    EXPECT_NE(std::string(error.what()).find("cr-diag"), std::string::npos);
  }
}

}  // namespace conjugate_residual_test
}  // namespace sim
