// Every method leaves soon when it is asked to stop, wherever it is: counted in looks and iterations.
#include "contact/chain.hpp"
#include "contact/hard_problems.hpp"
#include "contact/solving.hpp"
#include "support/counted_stop.hpp"

namespace sim {
namespace stop_test {

class Stopped : public test::MethodTest {
 protected:
  static bool is(const char* name) { return std::string(GetParam()) == name; }
  static ContactProblem problem() {
    return test::chain_on_floor({.masses = 24, .mu = is("qp-active-set") ? 0 : 0.5});
  }
  static SolveReport stopped_at(const ContactProblem& problem, const test::CountedStop& stop, Index iterations) {
    ContactSolution solution;
    start_cold(problem, solution);
    SolveScratch scratch;
    return solve(problem, {test::tight, iterations, method(), stop.token()}, scratch, solution);
  }
};

TEST_P(Stopped, AtAnyLookItLeavesAtOnceAndNoLookIsFarFromTheNext) {
  const ContactProblem problem = this->problem();
  const test::CountedStop never;
  const SolveReport whole = stopped_at(problem, never, 100000);
  ASSERT_EQ(whole.status, SolveStatus::converged) << whole.reason;
  ASSERT_GT(whole.iterations, 5);
  Index before = 0;
  long interrupted = 0;
  for (long look = 1; look <= never.looks; ++look) {
    const test::CountedStop stop{.asks_at = look};
    const SolveReport report = stopped_at(problem, stop, 100000);
    ASSERT_LE(stop.looks - look, 16) << look;
    ASSERT_LE(report.iterations - before, 2) << look;  // what begins a solve counts, too
    before = std::max(before, report.iterations);
    if (report.status == SolveStatus::converged) continue;  // at one of its last looks, when the answer is there
    ++interrupted;
    ASSERT_EQ(report.status, SolveStatus::interrupted) << look;
    ASSERT_EQ(report.reason.find("interrupted after"), 0U) << report.reason;
  }
  EXPECT_GT(interrupted, 0.8 * static_cast<double>(never.looks) - 16);
  EXPECT_GE(before + 3, whole.iterations);
}

TEST_P(Stopped, WithoutRoomItDoesNotTakeTheEndForAnAnswer) {
  for (const long look : {1, 2, 5, 20}) {
    const test::CountedStop stop{.asks_at = look};
    const SolveReport report = stopped_at(test::without_room(2), stop, 1000);
    EXPECT_NE(report.status, SolveStatus::converged);
    if (stop.looks >= look) {
      EXPECT_EQ(report.status, SolveStatus::interrupted) << look;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Known, Stopped, testing::ValuesIn(test::method_names()), test::in_letters);

// What is kept from one solve to the next is not half of something.
TEST(StoppedExact, AnotherSolveOfTheSameProblemIsAsGoodAsTheFirst) {
  ContactProblem problem = test::chain_on_floor({.masses = 24});
  problem.versions.assign(static_cast<std::size_t>(find_bodies(problem.A).count()), {1, 1});
  ContactSolution expected;
  start_cold(problem, expected);
  SolveScratch fresh;
  const test::CountedStop never;
  ASSERT_EQ(solve(problem, {test::tight, 1000, ExactOptions{}, never.token()}, fresh, expected).status,
            SolveStatus::converged);
  for (long look = 1; look <= never.looks; ++look) {
    const test::CountedStop stop{.asks_at = look};
    SolveScratch scratch;
    ContactSolution solution;
    start_cold(problem, solution);
    solve(problem, {test::tight, 1000, ExactOptions{}, stop.token()}, scratch, solution);
    start_cold(problem, solution);
    ASSERT_EQ(solve(problem, {test::tight, 1000, ExactOptions{}}, scratch, solution).status, SolveStatus::converged);
    ASSERT_TRUE((solution.v.array() == expected.v.array()).all()) << look;
  }
}

}  // namespace stop_test
}  // namespace sim
