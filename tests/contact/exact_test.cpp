// Both forms of the exact method, each by itself, and the choice between them.
#include "contact/exact.hpp"

#include "contact/chain.hpp"
#include "contact/hard_problems.hpp"
#include "contact/solving.hpp"

namespace sim {
namespace exact_test {

class ExactForms : public testing::TestWithParam<ExactForm> {
 protected:
  static ExactOptions options() { return {.form = GetParam()}; }
};

TEST_P(ExactForms, SolveWhatADenseReferenceSolves) {
  for (const double mu : {0.0, 0.2, 0.5, 1.0}) {
    SCOPED_TRACE(mu);
    const ContactProblem problem = test::chain_on_floor({.masses = 20, .mu = mu});
    test::expect_same_v(problem, test::solution_of(options(), problem));
  }
}

// Every answer is judged by Signorini's and Coulomb's laws, to 1e-10 of momentum and 1e-11 m.
TEST_P(ExactForms, SolveRandomProblems) {
  Random random(7);
  for (int n = 0; n < 20; ++n) {
    SCOPED_TRACE(n);
    const ContactProblem problem = test::random_problem(random, 5 + 3 * n, 2 + 2 * n, 0.1 * (n % 6));
    test::solution_of(options(), problem);
  }
}

// lambda (1 - f mu) = 1 / dt, where friction presses the mass on the plane.
TEST_P(ExactForms, FrictionThatPressesTheContactHasItsClosedForm) {
  for (const double f : {0.5, 1.5}) {
    const ContactSolution solution = test::solution_of(options(), test::coupled_mass(f, 0.5));
    EXPECT_NEAR(solution.lambda[0], 100 / (1 - 0.5 * f), 1e-5) << f;
    EXPECT_EQ(solution.state[0], FrictionState::sliding);
  }
}

TEST_P(ExactForms, SayWhenTheyRunOutOfIterations) {
  const auto [report, solution] = test::attempt(options(), test::chain_on_floor({}), {.iterations = 2});
  EXPECT_EQ(report.status, SolveStatus::iteration_limit);
  EXPECT_LE(report.iterations, 2);
  EXPECT_TRUE(solution.v.allFinite());
}

// A mass on four contacts at one place, which ask it to move by +d and by -d in turn, d below the tolerance. Rows
// that do not yield would take all that the cone gives, mu lambda; these take d over what they yield by. What the
// method may end with, 0.01 of the tolerance, is 0.4 lambda of force.
TEST_P(ExactForms, RowsThatContradictEachOtherByLessThanTheToleranceDoNotBrace) {
  constexpr double tolerance = 1e-5, d = 0.05 * tolerance, mu = 4;
  ContactProblem problem = test::chain_on_floor({.masses = 1, .mu = mu, .sideways = 0, .copies = 4});
  for (Index i = 0; i < 4; ++i) problem.c[3 * i + 1] = i % 2 == 0 ? d : -d;
  ContactSolution solution;  // as the step before has left it, without contradiction
  start_cold(problem, solution);
  solution.lambda.assign(4, 150.0);
  const SolveReport report = test::solve_from(options(), problem, solution, {{1e-9, tolerance}});
  ASSERT_EQ(report.status, SolveStatus::converged) << report.reason;
  const ConvexNewtonOptions newton;
  const double lambda = solution.lambda[0], expected = d / (newton.soft * tolerance) * lambda;
  for (Index i = 0; i < 4; ++i) {
    EXPECT_NEAR(solution.lambda[i], lambda, 1e-3 * lambda);
    EXPECT_LT(solution.gamma[i].norm(), expected + finest_part / newton.soft * lambda);
    EXPECT_GT(solution.gamma[i].norm(), expected - finest_part / newton.soft * lambda);
    EXPECT_LT(solution.gamma[i].norm(), 0.75 * mu * lambda);
  }
}

INSTANTIATE_TEST_SUITE_P(Form, ExactForms,
                         testing::Values(ExactForm::velocities, ExactForm::turning, ExactForm::compliances),
                         [](const auto& tested) {
                           return tested.param == ExactForm::velocities ? "Velocities"
                                  : tested.param == ExactForm::turning  ? "Turning"
                                                                        : "Compliances";
                         });

// Friction that lifts: what it is held by is f mu times wrong after each round, in turns. lambda (1 + f mu) = 1 / dt.
TEST(Exact, FrictionThatLiftsIsFoundInFewStepsWhereItsBoundTurns) {
  for (const double f : {0.5, 1.0, 3.0, 10.0}) {
    SCOPED_TRACE(f);
    const auto [report, solution] =
        test::attempt(ExactOptions{.form = ExactForm::turning}, test::coupled_mass(-f, 0.5));
    ASSERT_EQ(report.status, SolveStatus::converged) << report.reason;
    EXPECT_NEAR(solution.lambda[0], 100 / (1 + 0.5 * f), 1e-4);
    EXPECT_LE(report.iterations, 20);
  }
}

// By velocities it would take thousands of updates: whichever form is taken first, splitting ends it.
TEST(Exact, StopsAMassInAThinWedge) {
  for (const ExactForm form : {ExactForm::cheaper, ExactForm::compliances}) {
    const ContactSolution solution = test::solution_of(ExactOptions{.form = form}, test::wedge(0.01));
    EXPECT_LT(solution.v.norm(), 1e-6);
  }
}

// A plate of n x n masses, the first few of which, or all, are on the floor.
ContactProblem plate(Index n, Index contacts) {
  std::vector<std::array<Index, 2>> springs;
  for (Index i = 0; i < n; ++i) {
    for (Index j = 0; j < n; ++j) {
      if (i + 1 < n) springs.push_back({i * n + j, (i + 1) * n + j});
      if (j + 1 < n) springs.push_back({i * n + j, i * n + j + 1});
    }
  }
  ContactProblem problem = test::chain_on_floor({.masses = n * n});
  problem.A = make_pattern(n * n, springs);
  for (Index i = 0; i < n * n; ++i) problem.A.at(problem.A.find(i, i)) = 9 * Mat3::Identity();
  for (const auto& [i, j] : springs)
    problem.A.at(problem.A.find(i, j)) = problem.A.at(problem.A.find(j, i)) = -2 * Mat3::Identity();
  problem.L.row_begin.resize(static_cast<std::size_t>(contacts) + 1);
  problem.L.column.resize(static_cast<std::size_t>(contacts));
  problem.L.values.resize(9 * static_cast<std::size_t>(contacts) + 1);
  problem.c.conservativeResize(3 * Eigen::Index{contacts});
  problem.mu.resize(static_cast<std::size_t>(contacts));
  problem.Z.resize(static_cast<std::size_t>(contacts));
  return problem;
}

// Three chains of three masses beside each other.
ContactProblem three_chains() {
  ContactProblem problem = test::chain_on_floor({.masses = 9});
  const BlockMatrix one = problem.A;
  problem.A = make_pattern(9, std::vector<std::array<Index, 2>>{{0, 1}, {1, 2}, {3, 4}, {4, 5}, {6, 7}, {7, 8}});
  for (Index row = 0; row < 9; ++row) {
    for (Index slot = problem.A.row_begin[row]; slot < problem.A.row_begin[row + 1]; ++slot)
      problem.A.at(slot) = one.at(one.find(row, problem.A.column[slot]));
  }
  return problem;
}

// What changes is said as a step says it.
TEST(Exact, FactorsAgainOnlyBodiesWhoseMatrixOrUnitIsAnotherOne) {
  ContactProblem problem = three_chains();
  problem.versions.assign(3, {1, 1});
  ExactOptions options{.form = ExactForm::compliances};
  SolveScratch kept;
  const auto factorisations_and_answer = [&] {
    ContactSolution fresh_solution, solution;
    start_cold(problem, fresh_solution);
    start_cold(problem, solution);
    SolveScratch fresh;
    const SolveReport from_scratch = solve(problem, {test::tight, 1000, options}, fresh, fresh_solution);
    const SolveReport report = solve(problem, {test::tight, 1000, options}, kept, solution);
    EXPECT_EQ(report.status, SolveStatus::converged);
    EXPECT_TRUE((solution.v.array() == fresh_solution.v.array()).all());
    return from_scratch.factorisations - report.factorisations;  // those that were not needed again
  };
  EXPECT_EQ(factorisations_and_answer(), 0);
  EXPECT_EQ(factorisations_and_answer(), 3);
  block(problem.b, problem.A.rows() / 2) *= 3;
  problem.versions[1].b = 2;
  EXPECT_EQ(factorisations_and_answer(), 3);
  problem.A.at(problem.A.find(problem.A.rows() / 2, problem.A.rows() / 2)) *= 2;
  problem.versions[1].A = 3;
  EXPECT_EQ(factorisations_and_answer(), 2);
  problem.versions[2].unit = 2;  // whatever A and b are then
  EXPECT_EQ(factorisations_and_answer(), 2);
}

// Of two starts the one whose forces come nearer, once the velocities are theirs, whichever of the two it is; the
// velocities of both are wrong here.
TEST(Exact, ByCompliancesBeginsFromTheForcesThatComeNearer) {
  Random random(3);
  const ContactProblem problem = test::random_problem(random, 20, 16, 0.3);
  const ExactOptions options{.form = ExactForm::compliances};
  ContactSolution cold, near = test::solution_of(options, problem);
  start_cold(problem, cold);
  near.v.setZero();
  for (double& force : near.lambda) force *= 1.01;
  const auto answer = [&](const ContactSolution& solution, const ContactSolution* earlier) {
    VecX forces;
    if (earlier != nullptr) reaction(*earlier, forces);
    ExactScratch scratch;
    ContactSolution y = solution;
    const SolveReport report = solve_exact(problem, {test::tight, test::tight}, {1000, {}}, options, scratch, y,
                                           nullptr, earlier == nullptr ? nullptr : &forces);
    EXPECT_EQ(report.status, SolveStatus::converged) << report.reason;
    return y.v;
  };
  const VecX from_near = answer(near, nullptr), from_cold = answer(cold, nullptr);
  ASSERT_NE(from_near, from_cold);  // by what the tolerance leaves
  EXPECT_EQ(answer(near, &cold), from_near);
  EXPECT_EQ(answer(cold, &near), from_near);
}

// A stiff chain, which conjugate residuals do not solve in the iterations that they are given. Each solve begins
// without forces; what is handed on is the memory only. One that goes to the exact method at once
// takes what that takes.
TEST(Automatic, GoesToTheExactMethodAtOnceWhereItTookOverAndTriesAgainLater) {
  const ContactProblem problem = test::chain_on_floor({.masses = 6, .mu = 0, .spring = 100});
  const Index exact = test::attempt(ExactOptions{}, problem).report.iterations;
  std::vector<std::uint8_t> memory;
  std::string solves;
  for (int i = 0; i < 18; ++i) {
    ContactSolution solution;
    start_cold(problem, solution);
    solution.for_exact = memory;
    const SolveReport report = test::solve_from(AutoOptions{}, problem, solution);
    EXPECT_EQ(report.by_exact, 1);
    solves += report.iterations == exact ? "." : "T";  // tried before
    memory = solution.for_exact;
  }
  EXPECT_EQ(solves, "T..T....T........T");
}

// Conjugate residuals have failed on it before. With a factor to make the exact method is counted as more than a few
// iterations, and they are tried again; with the factor of an earlier solve it is asked at once.
TEST(Automatic, GoesToTheExactMethodAtOnceOnlyWhereItIsCountedAsCheap) {
  ContactProblem problem = plate(30, 3);
  problem.versions = {{1, 1}};
  AutoOptions options;
  options.few = 6;
  SolveScratch scratch;
  ContactSolution solution;
  start_cold(problem, solution);
  const std::vector<std::uint8_t> failed_before(solution.state.size(), 32 + 2);
  const auto solve_again = [&] {
    start_cold(problem, solution);
    solution.for_exact = failed_before;
    const SolveReport report = solve(problem, {test::tight, 1000, options}, scratch, solution);
    EXPECT_EQ(report.status, SolveStatus::converged) << report.reason;
    return report;
  };
  const auto counted = [&](ExactScratch& exact) {
    return dense_flop * expected_flops(problem, options.exact, exact).least() / iteration_flops(problem);
  };
  ExactScratch knows_nothing;
  ASSERT_GT(counted(knows_nothing), options.few);
  const SolveReport first = solve_again();
  ASSERT_LT(counted(scratch.exact), options.few);
  const SolveReport second = solve_again();
  EXPECT_EQ(first.factorisations, second.factorisations + 1);
  EXPECT_EQ(first.by_exact, 1);
  EXPECT_EQ(second.by_exact, 1);
  const Index exact = test::attempt(options.exact, problem).report.iterations;
  EXPECT_EQ(second.iterations, exact);
  EXPECT_GT(first.iterations, exact);
}

// Without splittings and steps of Newton's method the exact method makes W for nothing.
AutoOptions with_an_exact_method_that_fails() {
  AutoOptions options;
  options.exact.form = ExactForm::compliances;
  options.exact.newton.most_steps = 0;
  options.exact.most_splittings = 0;
  return options;
}

// What a try at once took in vain is counted.
TEST(Automatic, SaysWhatTheExactMethodTookAtOnceInVain) {
  const ContactProblem problem = test::chain_on_floor({.masses = 6, .mu = 0, .spring = 100});
  AutoOptions options = with_an_exact_method_that_fails();
  options.few = 1000;  // whatever it is expected to cost, at once
  const auto factorisations_of = [&](std::uint8_t memory) {
    ContactSolution solution;
    start_cold(problem, solution);
    solution.for_exact.assign(solution.state.size(), memory);
    const SolveReport report = test::solve_from(options, problem, solution);
    EXPECT_EQ(report.status, SolveStatus::converged) << report.reason;
    return report.factorisations;
  };
  EXPECT_GT(factorisations_of(32 + 2), factorisations_of(32));  // level 1 with and without solves to give it at once
}

// Conjugate residuals then solve it, and the next time they do so first.
TEST(Automatic, GivesConjugateResidualsTheirTurnWhereTheExactMethodDoesNotGetThere) {
  const ContactProblem problem = test::chain_on_floor({.masses = 6, .mu = 0, .spring = 100});
  const AutoOptions options = with_an_exact_method_that_fails();
  ContactSolution solution;
  start_cold(problem, solution);
  const SolveReport first = test::solve_from(options, problem, solution);
  EXPECT_EQ(first.status, SolveStatus::converged) << first.reason;
  EXPECT_EQ(first.by_exact, 0);
  EXPECT_GT(first.factorisations, 0);
  const std::vector<std::uint8_t> memory = solution.for_exact;
  start_cold(problem, solution);
  solution.for_exact = memory;
  const SolveReport second = test::solve_from(options, problem, solution);
  EXPECT_EQ(second.status, SolveStatus::converged) << second.reason;
  EXPECT_EQ(second.factorisations, 0);
  EXPECT_LT(second.iterations, first.iterations);
  EXPECT_EQ(solution.for_exact, memory);
}

TEST(ExactCosts, FewContactsAreCheaperByCompliancesAndManyByVelocities) {
  ExactScratch scratch;
  const ExactCosts few = expected_flops(plate(20, 2), {}, scratch),
                   many = expected_flops(plate(20, 400), {}, scratch);
  EXPECT_LT(few.compliances, few.velocities);
  EXPECT_LT(many.velocities, many.compliances);
}

TEST(ExactCosts, WhatNeedsTooMuchMemoryIsRefused) {
  ExactOptions options;
  options.most_bytes = 1000;
  ContactSolution solution;
  const ContactProblem problem = plate(10, 100);
  start_cold(problem, solution);
  EXPECT_EQ(test::solve_from(options, problem, solution).status, SolveStatus::refused);
}

TEST(VelocityForm, KeepsItsPatternWhileTheContactsMoveTheSame) {
  VelocityFormScratch scratch;
  const CholeskyPattern* one = &analyse_velocities(plate(10, 50), scratch);
  const CholeskyPattern* again = &analyse_velocities(plate(10, 50), scratch);
  EXPECT_EQ(one, again);
  ContactProblem other = plate(10, 50);
  other.L.column[3] = 77;
  other.L.column.insert(other.L.column.begin() + 4, 90);  // a contact of two masses that no spring ties
  other.L.values.insert(other.L.values.begin() + 9 * 4, 9, 0.01);
  for (std::size_t i = 4; i < other.L.row_begin.size(); ++i) ++other.L.row_begin[i];
  const Index before = scratch.H.slots();
  analyse_velocities(other, scratch);
  EXPECT_EQ(scratch.H.slots(), before + 2);
}

// Newton's method on a problem whose contacts all stick is a linear solve and the updates of the forces.
TEST(VelocityForm, TakesFewStepsWhereAllStick) {
  ContactProblem problem = plate(10, 100);
  for (Index i = 0; i < 100; ++i) block(problem.b, i) = Vec3(0.1, 0, -4);
  const auto [report, solution] = test::attempt(ExactOptions{.form = ExactForm::velocities}, problem);
  EXPECT_EQ(report.status, SolveStatus::converged) << report.reason;
  EXPECT_LE(report.iterations, 20);
  for (const FrictionState state : solution.state) EXPECT_EQ(state, FrictionState::sticking);
}

}  // namespace exact_test
}  // namespace sim
