// Bodies that no contact touches, solved apart: the whole answer must be that of the whole problem.
#include "contact/untouched.hpp"

#include "contact/chain.hpp"
#include "contact/solving.hpp"

namespace sim {
namespace {

// Several chains as one problem, their masses in turn: row i * chains + k is mass i of chain k. Contacts of all,
// first those of chain 0.
ContactProblem interleaved(Index masses, Index chains) {
  const ContactProblem one = test::chain_on_floor({.masses = masses});
  ContactProblem all = one;
  std::vector<std::array<Index, 2>> springs;
  for (Index k = 0; k < chains; ++k)
    for (Index i = 0; i + 1 < masses; ++i) springs.push_back({i * chains + k, (i + 1) * chains + k});
  all.A = make_pattern(masses * chains, springs);
  all.b.resize(3 * Eigen::Index{masses} * chains);
  for (Index k = 0; k < chains; ++k) {
    for (Index i = 0; i < masses; ++i) {
      block(all.b, i * chains + k) = (1.0 + k) * block(one.b, i);
      for (Index slot = one.A.row_begin[i]; slot < one.A.row_begin[i + 1]; ++slot)
        all.A.at(all.A.find(i * chains + k, one.A.column[slot] * chains + k)) = one.A.at(slot);
    }
  }
  all.L = {};
  for (Index k = 0; k < chains; ++k) {
    for (Index i = 0; i < masses; ++i) {
      all.L.column.push_back(i * chains + k);
      const auto rows = one.L.at(i);
      all.L.values.insert(all.L.values.end(), rows.data(), rows.data() + 9);
      all.L.row_begin.push_back(static_cast<Index>(all.L.column.size()));
    }
  }
  all.L.values.push_back(0);
  const auto contacts = static_cast<std::size_t>(masses) * chains;
  all.c.setZero(3 * static_cast<Eigen::Index>(contacts));
  all.mu.assign(contacts, 0.5);
  all.Z.assign(contacts, 1.0);
  return all;
}

// The first `count` contacts only.
ContactProblem with_contacts(ContactProblem problem, Index count) {
  problem.L.row_begin.resize(static_cast<std::size_t>(count) + 1);
  problem.L.column.resize(static_cast<std::size_t>(problem.L.row_begin.back()));
  problem.L.values.resize(9 * problem.L.column.size() + 1);
  problem.c.conservativeResize(3 * Eigen::Index{count});
  problem.mu.resize(static_cast<std::size_t>(count));
  problem.Z.resize(static_cast<std::size_t>(count));
  return problem;
}

// As a step does it; the answer is added to `solution`.
void solve_parted(const ContactProblem& problem, Untouched& s, ContactSolution& solution) {
  SolveScratch scratch;
  ASSERT_TRUE(mark_touched(problem.L, s));
  const CgOptions options{.tolerance = 0, .absolute = untouched_part * test::tight.momentum};
  const CgReport cg = solve_apart(problem, options, s, solution.v);
  ASSERT_EQ(cg.status, CgStatus::converged);
  take(problem, solution, s);
  const SolveReport report = solve(s.problem, {test::tight, 10000, CrOptions{}}, scratch, s.solution);
  ASSERT_EQ(report.status, SolveStatus::converged) << report.reason;
  put_back(s, solution);
}

TEST(Untouched, AnswerIsThatOfTheWholeProblem) {
  const ContactProblem problem = with_contacts(interleaved(8, 3), 8);
  Untouched s;
  find_bodies(problem.A, s);
  ContactSolution solution;
  start_cold(problem, solution);
  solve_parted(problem, s, solution);
  EXPECT_EQ(s.problem.A.rows(), 8);
  test::expect_same_v(problem, solution);
  EXPECT_LT(contact_residual(problem, solution).momentum, test::tight.momentum * std::sqrt(1 + 0.01));
  // The residual of what is apart, against that of the whole: rows of chains 1 and 2.
  VecX force, missing;
  reaction(solution, force);
  momentum_residual(problem, solution.v, force, missing);
  double apart = 0;
  for (Index row = 0; row < 24; ++row) apart += row % 3 == 0 ? 0 : block(missing, row).squaredNorm();
  EXPECT_NEAR(missed_apart(s), std::sqrt(apart), 1e-14);
  EXPECT_LE(missed_apart(s), untouched_part * test::tight.momentum);
}

TEST(Untouched, BodiesThatAreTouchedLaterJoinTheOthersAndTheRestStays) {
  const ContactProblem all = interleaved(8, 3), first = with_contacts(all, 8), then = with_contacts(all, 16);
  Untouched s;
  find_bodies(all.A, s);
  ContactSolution solution;
  start_cold(first, solution);
  solve_parted(first, s, solution);
  const VecX v = solution.v;
  const double missed = missed_apart(s);
  const VecX apart = v;
  start_cold(then, solution);
  solution.v = v;
  solve_parted(then, s, solution);
  EXPECT_EQ(s.problem.A.rows(), 16);
  test::expect_same_v(then, solution);
  for (Index row = 2; row < 24; row += 3) EXPECT_EQ(block(solution.v, row), block(apart, row));
  EXPECT_LE(missed_apart(s), missed);
  EXPECT_FALSE(mark_touched(all.L, s));
}

TEST(Untouched, AStartThatIsForgottenIsSolvedAnew) {
  ContactProblem problem = with_contacts(interleaved(8, 2), 8);
  Untouched s;
  find_bodies(problem.A, s);
  ContactSolution solution;
  start_cold(problem, solution);
  solve_parted(problem, s, solution);
  problem.b *= 2;
  forget(s);
  start_cold(problem, solution);
  solve_parted(problem, s, solution);
  test::expect_same_v(problem, solution);
}

}  // namespace
}  // namespace sim
