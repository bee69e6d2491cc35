// What a solve that is only nearly right leaves to the next step, on one mass of 2 kg over a floor, worked by hand.
#include <gtest/gtest.h>

#include "contact/residual.hpp"
#include "step/contact_problem.hpp"

namespace sim {
namespace left_over_test {

constexpr double mass = 2, dt = 0.01, mu = 0.5;
constexpr double k = dt * dt / mass;  // m/N, the compliance of the contact

// Rows: z is the normal, x and y the tangents.
ContactProblem mass_on_floor() {
  ContactProblem problem;
  problem.A = make_pattern(1, {});
  problem.A.at(0) = mass * Mat3::Identity();
  problem.b = Vec3(0.3, 0.1, -0.2);
  problem.L = problem.A;
  problem.L.at(0) << 0, 0, dt, dt, 0, 0, 0, dt, 0;
  problem.c = Vec3(0, 0, 0);
  problem.mu = {mu};
  problem.Z = {1};
  return problem;
}

ContactSolution solution(double lambda, const Vec2& gamma, FrictionState state, const Vec3& v) {
  return {.v = v, .lambda = {lambda}, .gamma = {gamma}, .delta = {Vec2(1, 0)}, .state = {state}};
}

Vec3 left_over(ContactSolution solution, FrictionState* state = nullptr) {
  const ContactProblem problem = mass_on_floor();
  VecX slips, forces, missing;
  slip(problem, solution.v, slips);
  exact_forces(problem, slips, {k}, true, {1e-6}, solution, forces);
  if (state != nullptr) *state = solution.state[0];
  momentum_residual(problem, solution.v, forces, missing);
  return missing;
}

TEST(LeftOver, IsWhatTheBalanceMissesWhereForcesAreAdmissible) {
  const Vec3 v(0.1, 0, 0);
  const Vec3 missing = left_over(solution(20, {3, 4}, FrictionState::sticking, v));
  // b + dt (-3, -4, 20) - m v
  EXPECT_LT((missing - Vec3(0.3 - 0.03 - 0.2, 0.1 - 0.04, -0.2 + 0.2)).norm(), 1e-15);
}

TEST(LeftOver, MakesSlidingFrictionAsStrongAsCoulombHasIt) {
  // gamma is a tenth too weak.
  const Vec3 missing = left_over(solution(20, {9, 0}, FrictionState::sliding, Vec3(0.1, 0, 0)));
  EXPECT_LT((missing - Vec3(0.3 - dt * mu * 20 - 0.2, 0.1, 0)).norm(), 1e-15);
}

TEST(LeftOver, TurnsSlidingFrictionAlongTheSlip) {
  // Slip along y, gamma along x: along k gamma + s is between the two.
  const Vec3 v(0, 0.3, 0);
  const Vec2 along = Vec2(k * 10, dt * 0.3).normalized();
  const Vec3 missing = left_over(solution(20, {10, 0}, FrictionState::sliding, v));
  const Vec3 expected = Vec3(0.3, 0.1, 0) - mass * v - dt * mu * 20 * Vec3(along[0], along[1], 0);
  EXPECT_LT((missing - expected).norm(), 1e-15);
}

TEST(LeftOver, CallsAContactSlidingOnlyWhereItsFrictionIsAtTheBound) {
  // It slips back by 10 um, which takes 0.2 N: 2.8 N of 10 N.
  FrictionState state{};
  const Vec3 v(-1e-3, 0, 0);
  const Vec3 missing = left_over(solution(20, {3, 0}, FrictionState::sliding, v), &state);
  EXPECT_EQ(state, FrictionState::sticking);
  EXPECT_LT((missing - Vec3(0.3 - dt * 3 - mass * v[0], 0.1, 0)).norm(), 1e-15);
  // Slipping on by 0.4 mm takes 8 N more.
  left_over(solution(20, {3, 0}, FrictionState::sliding, Vec3(0.04, 0, 0)), &state);
  EXPECT_EQ(state, FrictionState::sliding);
}

TEST(LeftOver, CutsStickingFrictionDownToTheCone) {
  const Vec3 missing = left_over(solution(20, {9, 12}, FrictionState::sticking, Vec3::Zero()));  // 15 N of 10 N
  EXPECT_LT((missing - Vec3(0.3 - dt * 6, 0.1 - dt * 8, 0)).norm(), 1e-15);
}

TEST(LeftOver, KnowsNoContactsThatPull) {
  const Vec3 missing = left_over(solution(-1, {0.2, 0}, FrictionState::sticking, Vec3::Zero()));
  EXPECT_LT((missing - Vec3(0.3, 0.1, -0.2)).norm(), 1e-15);
}

TEST(LeftOver, KnowsNoForceOfContactsThatAreLeftOpen) {
  const Vec3 v(0, 0, 1);  // opens by 10 mm
  const Vec3 missing = left_over(solution(20, {3, 4}, FrictionState::sticking, v));
  EXPECT_LT((missing - Vec3(0.3, 0.1, -0.2 - 2)).norm(), 1e-15);
}

}  // namespace left_over_test
}  // namespace sim
