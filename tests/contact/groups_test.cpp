// Groups of bodies solved by themselves: the whole answer must be that of the whole problem.
#include "contact/groups.hpp"

#include "contact/chain.hpp"
#include "contact/solving.hpp"

namespace sim {
namespace groups_test {

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
  Units units;
  ContactSolution solution;
  SolveReport report;
};

// As a step does it; goes on from the solution that is there.
void solve_parted(const ContactProblem& problem, Parted& p, bool together = false) {
  SolveScratch scratch;
  find_groups(problem.L, together, p.groups);
  const VecX guess = p.solution.v;
  const CgReport cg = solve_apart(problem, {.tolerance = 1e-13}, false, guess, p.groups, p.solution.v);
  ASSERT_EQ(cg.status, CgStatus::converged);
  p.report = {};
  for (ContactGroup& group : p.groups.groups) {
    take(problem, p.solution, p.groups, p.units, group);
    const ContactTolerance tolerance = p.units.gap.empty() ? test::tight : tolerance_in_units(group);
    join(solve(group.problem, {tolerance, 10000, CrOptions{}}, scratch, group.solution), p.report);
    put_back(group, p.solution);
  }
  ASSERT_EQ(p.report.status, SolveStatus::converged) << p.report.reason;
}

Parted parted(const ContactProblem& problem, bool together = false, Units units = {}) {
  Parted p;
  p.units = std::move(units);
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
  EXPECT_LE(residual.momentum, test::tight.momentum * std::sqrt(static_cast<double>(p.groups.bodies.count())));
  EXPECT_LE(residual.constraint(), test::tight.constraint);
}

TEST(Groups, BodiesWithoutContactsAreApartAndTheAnswerIsThatOfTheWholeProblem) {
  const ContactProblem problem = with_contacts(interleaved(8, 3), 8);
  const Parted p = parted(problem);
  ASSERT_EQ(p.groups.groups.size(), 1U);
  EXPECT_EQ(p.groups.groups[0].problem.A.rows(), 8);
  EXPECT_EQ(p.groups.apart, (std::vector<Index>{1, 2}));
  expect_solved(problem, p);
  // What is apart is exact but for rounding: rows of chains 1 and 2.
  VecX force, missing;
  reaction(p.solution, force);
  momentum_residual(problem, p.solution.v, force, missing);
  for (Index row = 0; row < 24; ++row) {
    if (row % 3 == 0) continue;
    EXPECT_LE(block(missing, row).norm(), 1e-12 * problem.b.norm()) << row;
  }
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
  EXPECT_EQ(p.groups.groups.size(), 1U);
  EXPECT_TRUE(p.groups.apart.empty());
}

// Bodies and contacts each in units of their own, over three and two orders of magnitude.
TEST(Groups, UnitsDoNotChangeTheAnswer) {
  const ContactProblem problem = with_a_bond(interleaved(8, 4), 1, 3);
  Units units;
  for (Index body = 0; body < 4; ++body) units.momentum.push_back(1e-6 * std::pow(10.0, -body));
  for (Index i = 0; i < problem.contacts(); ++i) units.gap.push_back(1e-8 * std::pow(10.0, -(i % 3)));
  const Parted p = parted(problem, false, units);
  ASSERT_EQ(p.groups.groups.size(), 3U);
  // Each body and each contact has its own tolerance.
  VecX force, missing, slips;
  reaction(p.solution, force);
  momentum_residual(problem, p.solution.v, force, missing);
  for (const ContactGroup& group : p.groups.groups) {
    const double most = std::sqrt(static_cast<double>(group.bodies.size()));
    for (const Index body : group.bodies) {
      double square = 0;
      for (const Index row : p.groups.bodies.rows_of(body)) square += block(missing, row).squaredNorm();
      EXPECT_LE(std::sqrt(square), most * units.momentum[body] + 1e-15 * problem.b.norm()) << body;
    }
  }
  std::vector<double> k;
  slip(problem, p.solution.v, slips);
  compliance(problem, k);
  for (Index i = 0; i < problem.contacts(); ++i) {
    const ContactSolution& y = p.solution;
    const ContactResidual one =
        conditions_residual({problem.mu[i]}, {k[i]}, block(slips, i), {{}, {y.lambda[i]}, {y.gamma[i]}, {}, {}});
    EXPECT_LE(one.constraint(), units.gap[i] * (1 + 1e-9)) << i;
  }
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
  forget(problem.A, p.groups);
  start_cold(problem, p.solution);
  solve_parted(problem, p);
  expect_solved(problem, p);
}

TEST(Groups, OnlyOfBodiesWithANewRightHandSideAnotherOneIsTakenAndTheirMatrixIsKnownToBeTheSame) {
  ContactProblem problem = with_contacts(interleaved(8, 3), 16);
  Parted p = parted(problem);
  const std::vector<BodyVersion> before = p.groups.versions;
  for (const Index row : p.groups.bodies.rows_of(1)) block(problem.b, row) *= 2;
  const std::vector<Index> turned{1};
  renew_b(turned, p.groups);
  p.groups.solved[1] = 0;
  EXPECT_NE(p.groups.versions[1].b, before[1].b);
  EXPECT_EQ(p.groups.versions[0].b, before[0].b);
  EXPECT_EQ(p.groups.versions[1].A, before[1].A);
  go_on(problem, p);
  expect_solved(problem, p);
  renew(problem.A, turned, p.groups);
  EXPECT_NE(p.groups.versions[1].A, before[1].A);
  EXPECT_EQ(p.groups.versions[0].A, before[0].A);
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

}  // namespace groups_test
}  // namespace sim
