// Groups of bodies solved by themselves: the whole answer must be that of the whole problem.
#include "contact/groups.hpp"

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

// A contact between the first masses of two chains, at the end of the others: what moves the one moves the other.
ContactProblem with_a_bond(ContactProblem problem, Index a, Index b) {
  BlockMatrix& L = problem.L;
  const Mat3 rows = L.at(0);
  L.values.pop_back();
  for (const double sign : {-1.0, 1.0}) {
    const Mat3 signed_rows = sign * rows;
    L.column.push_back(sign < 0 ? a : b);
    L.values.insert(L.values.end(), signed_rows.data(), signed_rows.data() + 9);
  }
  L.values.push_back(0);
  L.row_begin.push_back(L.slots());
  problem.c.conservativeResize(problem.c.size() + 3);
  problem.c.tail<3>().setZero();
  problem.mu.push_back(0.5);
  problem.Z.push_back(1);
  return problem;
}

struct Parted {
  Groups groups;
  ContactSolution solution;
  SolveReport report;
};

// As a step does it; goes on from the solution that is there.
void solve_parted(const ContactProblem& problem, Parted& p, bool together = false) {
  SolveScratch scratch;
  find_groups(problem.L, together, p.groups);
  const CgOptions options{.tolerance = 0, .absolute = untouched_part * test::tight.momentum};
  const CgReport cg = solve_apart(problem, options, p.groups, p.solution.v);
  ASSERT_EQ(cg.status, CgStatus::converged);
  p.report = {};
  for (ContactGroup& group : p.groups.groups) {
    take(problem, p.solution, p.groups, group);
    const ContactTolerance tolerance = share_of(test::tight, p.groups, group);
    join(solve(group.problem, {tolerance, 10000, CrOptions{}}, scratch, group.solution), p.report);
    put_back(group, p.solution);
  }
  ASSERT_EQ(p.report.status, SolveStatus::converged) << p.report.reason;
}

Parted parted(const ContactProblem& problem, bool together = false) {
  Parted p;
  find_bodies(problem.A, p.groups);
  start_cold(problem, p.solution);
  solve_parted(problem, p, together);
  return p;
}

// The problem of a later round, from the velocities of the one before, which it returns.
VecX go_on(const ContactProblem& problem, Parted& p) {
  const VecX before = p.solution.v;
  start_cold(problem, p.solution);
  p.solution.v = before;
  solve_parted(problem, p);
  return before;
}

void expect_solved(const ContactProblem& problem, const Parted& p) {
  test::expect_same_v(problem, p.solution);
  const ContactResidual residual = contact_residual(problem, p.solution);
  EXPECT_LE(residual.momentum, test::tight.momentum * (1 + 1e-3));
  EXPECT_LE(residual.constraint(), test::tight.constraint);
  EXPECT_NEAR(std::hypot(p.report.residual.momentum, missed_apart(p.groups)), residual.momentum, 1e-14);
}

TEST(Groups, BodiesWithoutContactsAreApartAndTheAnswerIsThatOfTheWholeProblem) {
  const ContactProblem problem = with_contacts(interleaved(8, 3), 8);
  const Parted p = parted(problem);
  ASSERT_EQ(p.groups.groups.size(), 1U);
  EXPECT_EQ(p.groups.groups[0].problem.A.rows(), 8);
  EXPECT_EQ(p.groups.apart, (std::vector<Index>{1, 2}));
  EXPECT_FALSE(p.groups.is_one());
  expect_solved(problem, p);
  // The residual of what is apart, against that of the whole: rows of chains 1 and 2.
  VecX force, missing;
  reaction(p.solution, force);
  momentum_residual(problem, p.solution.v, force, missing);
  double apart = 0;
  for (Index row = 0; row < 24; ++row) apart += row % 3 == 0 ? 0 : block(missing, row).squaredNorm();
  EXPECT_NEAR(missed_apart(p.groups), std::sqrt(apart), 1e-14);
  EXPECT_LE(missed_apart(p.groups), untouched_part * test::tight.momentum);
}

TEST(Groups, BodiesThatKnowNothingOfEachOtherAreGroupsOfTheirOwn) {
  const ContactProblem problem = interleaved(8, 3);
  const Parted p = parted(problem);
  ASSERT_EQ(p.groups.groups.size(), 3U);
  for (Index k = 0; k < 3; ++k) {
    EXPECT_EQ(p.groups.groups[k].bodies, std::vector<Index>{k});
    EXPECT_EQ(p.groups.groups[k].contacts.front(), 8 * k);
    EXPECT_EQ(p.groups.groups[k].contacts.size(), 8U);
  }
  EXPECT_TRUE(p.groups.apart.empty());
  expect_solved(problem, p);
}

TEST(Groups, AContactBetweenTwoMakesOneGroupOfThem) {
  const ContactProblem problem = with_a_bond(interleaved(8, 4), 1, 3);
  const Parted p = parted(problem);
  ASSERT_EQ(p.groups.groups.size(), 3U);
  EXPECT_EQ(p.groups.groups[1].bodies, (std::vector<Index>{1, 3}));
  EXPECT_EQ(p.groups.groups[1].contacts.size(), 17U);
  EXPECT_EQ(p.groups.groups[1].contacts.back(), 32);
  expect_solved(problem, p);
}

TEST(Groups, ChainsOfContactsConnectWhateverTheirOrder) {
  // 0-3, 3-1 and 2 by itself; then 2 as well.
  const ContactProblem three = with_a_bond(with_a_bond(interleaved(8, 4), 0, 3), 3, 1);
  Parted p = parted(three);
  ASSERT_EQ(p.groups.groups.size(), 2U);
  EXPECT_EQ(p.groups.groups[0].bodies, (std::vector<Index>{0, 1, 3}));
  expect_solved(three, p);
  find_groups(with_a_bond(three, 2, 1).L, false, p.groups);
  EXPECT_TRUE(p.groups.is_one());
}

TEST(Groups, TogetherAllThatAreTouchedAreOneGroup) {
  const ContactProblem problem = with_contacts(interleaved(8, 3), 16);
  const Parted p = parted(problem, true);
  ASSERT_EQ(p.groups.groups.size(), 1U);
  EXPECT_EQ(p.groups.groups[0].bodies, (std::vector<Index>{0, 1}));
  EXPECT_EQ(p.groups.apart, std::vector<Index>{2});
  expect_solved(problem, p);
}

TEST(Groups, BodiesThatAreTouchedLaterGetAGroupAndTheRestStays) {
  const ContactProblem all = interleaved(8, 3), first = with_contacts(all, 8), then = with_contacts(all, 16);
  Parted p = parted(first);
  const VecX before = go_on(then, p);
  EXPECT_EQ(p.groups.groups.size(), 2U);
  expect_solved(then, p);
  for (Index row = 2; row < 24; row += 3) EXPECT_EQ(block(p.solution.v, row), block(before, row));
}

TEST(Groups, BodiesThatAreTouchedNoMoreAreSolvedApartAgain) {
  const ContactProblem all = interleaved(8, 3), first = with_contacts(all, 16), then = with_contacts(all, 8);
  Parted p = parted(first);
  go_on(then, p);
  EXPECT_EQ(p.groups.apart, (std::vector<Index>{1, 2}));
  expect_solved(then, p);
}

TEST(Groups, AStartThatIsForgottenIsSolvedAnew) {
  ContactProblem problem = with_contacts(interleaved(8, 3), 16);
  Parted p = parted(problem);
  problem.b *= 2;
  forget(p.groups);
  start_cold(problem, p.solution);
  solve_parted(problem, p);
  expect_solved(problem, p);
}

TEST(Groups, OneThatFailsIsToldWithTheResidualsOfAll) {
  SolveReport all;
  SolveReport good, bad;
  good.iterations = 30;
  good.residual = {.momentum = 3, .normal = 1, .tangential = 2};
  bad.iterations = 20;
  bad.resets = 5;
  bad.status = SolveStatus::stalled;
  bad.reason = "why";
  bad.residual = {.momentum = 4, .normal = 2, .tangential = 1};
  join(good, all);
  join(bad, all);
  join(good, all);
  EXPECT_EQ(all.status, SolveStatus::stalled);
  EXPECT_EQ(all.reason, "why");
  EXPECT_EQ(all.iterations, 30);
  EXPECT_EQ(all.resets, 5);
  EXPECT_DOUBLE_EQ(all.residual.momentum, std::sqrt(9 + 16 + 9.0));
  EXPECT_EQ(all.residual.normal, 2);
  EXPECT_EQ(all.residual.tangential, 2);
}

}  // namespace
}  // namespace sim
