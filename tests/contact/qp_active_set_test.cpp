#include "contact/qp_active_set.hpp"

#include <algorithm>

#include "contact/chain.hpp"
#include "contact/dense_reference.hpp"
#include "contact/point_mass.hpp"
#include "contact/pyramid_conditions.hpp"
#include "contact/solving.hpp"
#include "math/random.hpp"

namespace sim {
namespace qp_active_set_test {

SolveReport solve_from(const ContactProblem& problem, ContactSolution& solution,
                       const QpActiveSetOptions& options = {}, const test::Limits& limits = {}) {
  return test::solve_from(options, problem, solution, limits);
}
ContactSolution solution_of(const ContactProblem& problem, const QpActiveSetOptions& options = {}) {
  return test::solution_of(options, problem);
}

// Strictly convex: whatever fulfils its conditions is the solution.
void expect_solves(const ContactProblem& problem, const ContactSolution& solution) {
  const test::Conditions conditions = test::conditions_of(problem, solution, 1e-9);
  EXPECT_LT(conditions.momentum, 1e-9);
  EXPECT_LT(conditions.gap, 1e-10);
  EXPECT_LT(conditions.pull, 1e-5);
}

// Rows of one contact for masses that move apart from each other by themselves: 1 or 2 blocks, tangents along y and
// z.
ContactProblem masses_with_rows(const std::vector<Vec3>& velocities) {
  ContactProblem problem;
  const auto count = static_cast<Index>(velocities.size());
  problem.A = make_pattern(count, {});
  problem.b.resize(3 * Eigen::Index{count});
  for (Index i = 0; i < count; ++i) {
    problem.A.at(i) = test::mass * Mat3::Identity();
    block(problem.b, i) = test::mass * velocities[i];
  }
  problem.L.values.push_back(0);
  problem.c.resize(0);
  return problem;
}

// weights[i] n . v_i >= limit, in m/s.
void add_row(ContactProblem& problem, const Vec3& normal, const std::vector<double>& weights, double limit) {
  Mat3 rows;
  rows << normal.transpose(), normal.unitOrthogonal().transpose(), normal.cross(normal.unitOrthogonal()).transpose();
  problem.L.values.pop_back();
  for (std::size_t i = 0; i < weights.size(); ++i) {
    if (weights[i] == 0) continue;
    const Mat3 scaled = test::dt * weights[i] * rows;
    problem.L.column.push_back(static_cast<Index>(i));
    problem.L.values.insert(problem.L.values.end(), scaled.data(), scaled.data() + 9);
  }
  problem.L.values.push_back(0);
  problem.L.row_begin.push_back(static_cast<Index>(problem.L.column.size()));
  problem.c.conservativeResize(problem.c.size() + 3);
  problem.c.tail<3>() << test::dt * limit, 0, 0;
  problem.mu.push_back(0);
  problem.Z.push_back(1);
}

TEST(QpActiveSet, SolvesRandomProblems) {
  Random random(5);
  for (int n = 0; n < 40; ++n) {
    SCOPED_TRACE(n);
    ContactProblem problem = test::chain_on_floor({.masses = 6, .mu = 0});
    for (Eigen::Index i = 0; i < problem.b.size(); ++i) problem.b[i] = random.uniform(-2, 2);
    for (Eigen::Index i = 0; i < problem.c.size(); i += 3) problem.c[i] = random.uniform(-0.002, 0.002);
    const ContactSolution solution = solution_of(problem);
    expect_solves(problem, solution);
    const test::Reference reference = test::dense_reference(problem);
    EXPECT_LT((solution.v - reference.v).norm(), 1e-8 * reference.v.norm());
  }
}

// ---- watch list

// A block of three unknowns, each of which is not to be negative. W = A^-1; W b = q. From an empty set the sets of
// violated and of pulling rows go round in a circle.
ContactProblem toggling() {
  Mat3 W;
  W << 6, -7, 9, -7, 10, -9, 9, -9, 18;
  ContactProblem problem = masses_with_rows({Vec3::Zero()});
  problem.A.at(0) = W.inverse();
  problem.A.at(0) = (0.5 * (problem.A.at(0) + problem.A.at(0).transpose())).eval();
  problem.b = problem.A.at(0) * Vec3(4, -6, 1);
  for (int d = 0; d < 3; ++d) add_row(problem, Vec3::Unit(d), {1}, 0);
  return problem;
}

TEST(QpActiveSet, TogglesWithoutEndWhereThereIsNoWatchList) {
  const ContactProblem problem = toggling();
  // The circle, by dense algebra.
  const Mat3 W = problem.A.at(0).inverse();
  std::vector<int> seen;
  int set = 0;
  while (std::find(seen.begin(), seen.end(), set) == seen.end()) {
    seen.push_back(set);
    Mat3 K = Mat3::Identity();  // of lambda: W rows where active, else lambda = 0
    Vec3 q = Vec3::Zero();
    for (int d = 0; d < 3; ++d) {
      if ((set >> d & 1) == 0) continue;
      K.row(d) = W.row(d);
      q[d] = -(W * problem.b)[d];
    }
    const Vec3 lambda = K.fullPivLu().solve(q), s = W * (problem.b + lambda);
    int next = 0;
    for (int d = 0; d < 3; ++d) next |= ((set >> d & 1) != 0 ? lambda[d] > 0 : s[d] < 0) ? 1 << d : 0;
    ASSERT_NE(next, set);  // it would have ended
    set = next;
  }
  ContactSolution solution;
  start_cold(problem, solution);
  const SolveReport report = solve_from(problem, solution, {.watch = 0}, {.iterations = 2000});
  EXPECT_EQ(report.status, SolveStatus::iteration_limit);
  EXPECT_FALSE(report.reason.empty());
}

TEST(QpActiveSet, SolvesWithAWatchListWhatTogglesWithoutOne) {
  const ContactProblem problem = toggling();
  expect_solves(problem, solution_of(problem));
}

// ---- rows that depend on each other

// The paper's Figure 1: an edge whose ends and whose middle touch a plane. The middle is to be `higher`, m/s.
ContactProblem edge_on_plane(double higher) {
  ContactProblem problem = masses_with_rows({{0, 0, -1}, {0, 0, -1}});
  add_row(problem, Vec3::UnitZ(), {1, 0}, 0);
  add_row(problem, Vec3::UnitZ(), {0, 1}, 0);
  add_row(problem, Vec3::UnitZ(), {0.5, 0.5}, higher);
  return problem;
}

TEST(QpActiveSet, HoldsAnEdgeByItsEndsAndItsMiddle) {
  for (const double perturbation : {1e-3, 0.0}) {
    SCOPED_TRACE(perturbation);
    const ContactProblem problem = edge_on_plane(0);
    const ContactSolution solution = solution_of(problem, {.perturbation = perturbation});
    EXPECT_LT(solution.v.norm(), 1e-8);
    // 2 kg and 1 m/s in 0.01 s, twice: however the force is shared.
    EXPECT_NEAR(solution.lambda[0] + solution.lambda[1] + solution.lambda[2], 400, 1e-5);
  }
}

TEST(QpActiveSet, NeedsThePerturbationWhereDependentRowsDisagree) {
  const ContactProblem problem = edge_on_plane(0.1);
  const ContactSolution solution = solution_of(problem);
  EXPECT_LT((solution.v - (VecX(6) << 0, 0, 0.1, 0, 0, 0.1).finished()).norm(), 1e-8);
  EXPECT_NEAR(solution.lambda[2], 440, 1e-5);  // 1.1 m/s
  EXPECT_EQ(solution.lambda[0], 0);
  ContactSolution without;
  start_cold(problem, without);
  const SolveReport report = solve_from(problem, without, {.perturbation = 0});
  EXPECT_EQ(report.status, SolveStatus::over_constrained) << report.reason;
}

TEST(QpActiveSet, DoesNotCareHowOftenAContactIsThere) {
  const ContactProblem once = test::chain_on_floor({.masses = 12, .mu = 0});
  const ContactProblem thrice = test::chain_on_floor({.masses = 12, .mu = 0, .copies = 3});
  const ContactSolution a = solution_of(once), b = solution_of(thrice);
  EXPECT_LT((a.v - b.v).norm(), 1e-8 * a.v.norm());
}

// ---- more constraints

TEST(QpActiveSet, HoldsFixedVelocitiesWhicheverWayTheyPull) {
  ContactProblem problem = test::chain_on_floor({.masses = 7, .mu = 0});
  problem.c[0] = -0.3 * test::dt;
  const ContactSolution solution = solution_of(problem, {.fixed = {0, 5}});
  EXPECT_NEAR(solution.v[2], -0.3, 1e-8);
  EXPECT_NEAR(solution.v[3 * 5 + 2], 0, 1e-8);
  EXPECT_GT(solution.lambda[0], 1);
  EXPECT_LT(solution.lambda[5], -1);  // would fly off
  // The rest of the conditions: those of the problem in which the fixed masses' rows act as given forces.
  ContactProblem rest = problem;
  VecX given = VecX::Zero(problem.c.size());
  ContactSolution free = solution;
  for (const Index i : {0, 5}) {
    given[3 * i] = solution.lambda[i];
    free.lambda[i] = 0;
    rest.c[3 * i] = -1;
  }
  add_transposed(problem.L, given, rest.b);
  const test::Conditions conditions = test::conditions_of(rest, free, 1e-9);
  EXPECT_LT(conditions.momentum, 1e-9);
  EXPECT_LT(conditions.gap, 1e-10);
  EXPECT_LT(conditions.pull, 1e-5);
}

TEST(QpActiveSet, LimitsTheStrainOfASpring) {
  // Two masses move apart with 2 m/s, a spring between them allows 0.4: -(v_1 - v_0) . x >= -0.4.
  ContactProblem problem = masses_with_rows({{-1, 0, 0}, {1, 0, 0}});
  add_row(problem, Vec3::UnitX(), {1, -1}, -0.4);
  const ContactSolution solution = solution_of(problem);
  EXPECT_LT((solution.v - (VecX(6) << -0.2, 0, 0, 0.2, 0, 0).finished()).norm(), 1e-8);
  EXPECT_NEAR(solution.lambda[0], test::mass * 0.8 / test::dt, 1e-5);
}

// ---- what it says

TEST(QpActiveSet, SaysThatItIgnoresFriction) {
  const ContactProblem problem = test::point_on_plane({1, 0, -1}, 0.5);
  ContactSolution solution;
  start_cold(problem, solution);
  const SolveReport report = solve_from(problem, solution);
  EXPECT_EQ(report.status, SolveStatus::converged);
  EXPECT_LT((solution.v - Vec3(1, 0, 0)).norm(), 1e-8);
  EXPECT_NE(report.reason.find("without friction"), std::string::npos) << report.reason;
  EXPECT_EQ(report.cone_residual.tangential, contact_residual(problem, solution).tangential);
  EXPECT_GT(report.cone_residual.tangential, 1e-3);
  const ContactProblem smooth = test::point_on_plane({1, 0, -1}, 0);
  start_cold(smooth, solution);
  EXPECT_TRUE(solve_from(smooth, solution).reason.empty());
}

TEST(QpActiveSet, SaysWhenItRunsOutOfIterations) {
  const ContactProblem problem = test::chain_on_floor({.mu = 0});
  ContactSolution solution;
  start_cold(problem, solution);
  const SolveReport report = solve_from(problem, solution, {}, {.iterations = 3});
  EXPECT_EQ(report.status, SolveStatus::iteration_limit);
  EXPECT_EQ(report.iterations, 3);
  EXPECT_NE(report.reason.find("did not converge after 3 iterations"), std::string::npos) << report.reason;
}

TEST(QpActiveSet, SaysWhenConstraintsContradictEachOther) {
  for (const double perturbation : {1e-3, 0.0}) {
    ContactProblem problem = masses_with_rows({Vec3::Zero()});
    add_row(problem, Vec3::UnitZ(), {1}, 1);
    add_row(problem, -Vec3::UnitZ(), {1}, 1);
    ContactSolution solution;
    start_cold(problem, solution);
    const SolveReport report = solve_from(problem, solution, {.perturbation = perturbation});
    EXPECT_NE(report.status, SolveStatus::converged);
    EXPECT_FALSE(report.reason.empty());
    EXPECT_GT(report.residual.normal, 0.005);
  }
}

}  // namespace qp_active_set_test
}  // namespace sim
