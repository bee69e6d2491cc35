// What is asked of every contact method alike. Those without friction get problems without it.
#include <cmath>
#include <limits>

#include "contact/chain.hpp"
#include "contact/hard_problems.hpp"
#include "contact/point_mass.hpp"
#include "contact/solving.hpp"
#include "math/parallel.hpp"

namespace sim {
namespace every_method_test {

class EveryMethod : public test::MethodTest {
 protected:
  static bool is(const char* name) { return std::string(GetParam()) == name; }
  static double mu() { return is("qp-active-set") ? 0 : 0.5; }
};

TEST_P(EveryMethod, LetsAMassFlyOff) {
  const ContactSolution solution = solution_of(test::point_on_plane({0.3, 0, 1}, mu()));
  EXPECT_LT((solution.v - Vec3(0.3, 0, 1)).norm(), 1e-9);
  EXPECT_EQ(solution.state[0], FrictionState::open);
  EXPECT_EQ(solution.lambda[0], 0);
}

TEST_P(EveryMethod, StopsAMassThatComesStraightDown) {
  const ContactSolution solution = solution_of(test::point_on_plane({0, 0, -1}, mu()));
  EXPECT_LT(solution.v.norm(), 1e-8);
  EXPECT_NEAR(solution.lambda[0], 200, 1e-6);  // 2 kg m/s in 0.01 s
}

TEST_P(EveryMethod, LeavesAnExactStartAlone) {
  const ContactProblem problem = test::chain_on_floor({.masses = 12, .mu = mu()});
  ContactSolution solution = solution_of(problem);
  const VecX v = solution.v;
  const SolveReport report = solve_from(problem, solution, {{1e-9, 1e-10}});
  EXPECT_EQ(report.status, SolveStatus::converged) << report.reason;
  EXPECT_EQ(is("ica") ? report.evaluations : report.iterations, 0);  // ica has its unconstrained solve before
  if (is("constraint-anticipation")) {
    EXPECT_EQ(report.construction_seconds, 0);
  }
  EXPECT_TRUE((solution.v.array() == v.array()).all());
}

TEST_P(EveryMethod, SolvesAProblemWithoutContacts) {
  const ContactProblem problem = test::chain_on_floor({.masses = 5, .copies = 0});
  const ContactSolution solution = solution_of(problem);
  VecX residual(problem.b.size());
  multiply(problem.A, solution.v, residual);
  EXPECT_LT((residual - problem.b).norm(), 1e-9);
}

TEST_P(EveryMethod, SaysWhenSomethingIsNotANumber) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (const char* where : {"b", "c", "L", "A"}) {
    SCOPED_TRACE(where);
    ContactProblem problem = test::chain_on_floor({.masses = 5, .mu = mu()});
    switch (*where) {
      case 'b':
        problem.b[3] = nan;
        break;
      case 'c':
        problem.c[3] = nan;
        break;
      case 'L':
        problem.L.values[4] = nan;
        break;
      default:
        problem.A.values[4] = nan;
    }
    const auto [report, solution] = attempt(problem, {.iterations = 1000});
    EXPECT_EQ(report.status, SolveStatus::breakdown);
    EXPECT_FALSE(report.reason.empty());
  }
}

TEST_P(EveryMethod, SaysWhenContactsContradictEachOther) {
  const auto [report, solution] = attempt(test::without_room(1), {.iterations = 1000});
  EXPECT_NE(report.status, SolveStatus::converged);
  EXPECT_FALSE(report.reason.empty());
  EXPECT_GT(report.residual.normal, 0.005);
}

TEST_P(EveryMethod, SaysWhenItRunsOutOfIterations) {
  const auto [report, solution] = attempt(test::chain_on_floor({.mu = mu()}), {.iterations = 3});
  EXPECT_EQ(report.status, SolveStatus::iteration_limit);
  EXPECT_LE(report.iterations, 3);
  EXPECT_FALSE(report.reason.empty());
  EXPECT_GT(in_tolerances(report.residual.momentum, report.residual.constraint(), test::tight), 1);
  EXPECT_TRUE(solution.v.allFinite());
}

TEST_P(EveryMethod, GivesTheSameBitsForAnyNumberOfThreads) {
  Random random(41);
  const bool couples_all = is("constraint-anticipation") || is("exact");  // W of a body is dense
  const ContactProblem problem =
      couples_all ? test::random_problem(random, 60, 40, 0.4) : test::chain_on_floor({.masses = 2000, .mu = mu()});
  const auto v = [&](int threads) {
    set_thread_count(threads);
    const VecX result = attempt(problem, {{1e-6, 1e-7}, 3000}).solution.v;
    set_thread_count(1);
    return result;
  };
  const VecX one = v(1), three = v(3);
  EXPECT_TRUE((one.array() == three.array()).all());
}

INSTANTIATE_TEST_SUITE_P(Known, EveryMethod, testing::ValuesIn(test::method_names()), test::in_letters);

}  // namespace every_method_test
}  // namespace sim
