// Forces that press a body from two sides alike, told from those that move it.
#include "contact/self_stress.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace sim {
namespace self_stress_test {

// A body that moves without turning, between a plane below and one above.
ContactProblem in_a_slot() {
  ContactProblem problem;
  problem.A = make_pattern(1, {});
  problem.A.at(0) = 2 * Mat3::Identity();
  problem.b.setZero(3);
  Mat3 below;  // n, t1, t2
  below << 0, 0, 1, 1, 0, 0, 0, 1, 0;
  problem.L.row_begin = {0};
  for (const Mat3& rows : {below, Mat3(-below)}) {
    const Mat3 block = 0.01 * rows;
    problem.L.column.push_back(0);
    problem.L.values.insert(problem.L.values.end(), block.data(), block.data() + 9);
    problem.L.row_begin.push_back(static_cast<Index>(problem.L.column.size()));
  }
  problem.L.values.push_back(0);
  return problem;
}

VecX forces(double below, double above) {
  VecX r = VecX::Zero(6);
  r[0] = below;
  r[3] = above;
  return r;
}

TEST(SelfStress, IsWhatPressesFromTwoSidesAlike) {
  const ContactProblem problem = in_a_slot();
  EXPECT_TRUE(is_self_stress(problem, forces(7, 7)));
  EXPECT_FALSE(is_self_stress(problem, forces(7, 0)));
  EXPECT_FALSE(is_self_stress(problem, forces(0, 0)));
}

// (s + d, s - d): s moves nothing, d moves it; d sqrt(2) is half of the norm where s = sqrt(3) d.
TEST(SelfStress, IsWhatLessThanHalfOfMovesAnything) {
  const ContactProblem problem = in_a_slot();
  EXPECT_TRUE(is_self_stress(problem, forces(1.74 + 1, 1.74 - 1)));
  EXPECT_FALSE(is_self_stress(problem, forces(1.72 + 1, 1.72 - 1)));
}

TEST(SelfStress, IsOfFrictionToo) {
  const ContactProblem problem = in_a_slot();
  VecX r = VecX::Zero(6);
  r[1] = r[4] = 3;
  EXPECT_TRUE(is_self_stress(problem, r));
  r[4] = -3;
  EXPECT_FALSE(is_self_stress(problem, r));
}

// A contact whose normal leans by this angle (radians) from a direction along which its body is held.
ContactProblem held(double angle) {
  ContactProblem problem;
  problem.A = make_pattern(1, {});
  problem.A.at(0) = Mat3::Identity();
  problem.b.setZero(3);
  const Vec3 along = Vec3(1, 2, -3).normalized(), across = along.unitOrthogonal();
  Mat3 rows;  // n, t1, t2
  rows << (std::cos(angle) * along + std::sin(angle) * across).transpose(),
      (std::cos(angle) * across - std::sin(angle) * along).transpose(), along.cross(across).transpose();
  const Mat3 block = 0.01 * rows * (Mat3::Identity() - along * along.transpose());
  problem.L.row_begin = {0, 1};
  problem.L.column = {0};
  problem.L.values.assign(block.data(), block.data() + 9);
  problem.L.values.push_back(0);
  problem.mu = {0.3};
  return problem;
}

ContactSolution pushing(double lambda, const Vec2& gamma) {
  ContactSolution solution;
  solution.lambda = {lambda};
  solution.gamma = {gamma};
  return solution;
}

VecX impulse_of(const ContactProblem& problem, const ContactSolution& solution) {
  VecX r, impulse = VecX::Zero(3);
  reaction(solution, r);
  add_transposed(problem.L, r, impulse);
  return impulse;
}

TEST(SelfStress, OfOneContactGoesAndMovesNothing) {
  const double angle = 0.012;
  const ContactProblem problem = held(angle);
  // 1e9 N along what holds it, and 2 N across.
  ContactSolution solution =
      pushing(1e9 * std::cos(angle) + 2 * std::sin(angle), {1e9 * std::sin(angle) - 2 * std::cos(angle), 0.0});
  const VecX before = impulse_of(problem, solution);
  relieve(problem, solution);
  EXPECT_NEAR((impulse_of(problem, solution) - before).norm(), 0, 1e-8);  // of forces of 1e9 N
  EXPECT_LE(solution.gamma[0].norm(), 0.3 * solution.lambda[0] * (1 + 1e-9));
  EXPECT_NEAR(solution.lambda[0], 2 / (0.3 * std::cos(angle) + std::sin(angle)),
              1e-4);  // as friction at its bound gives 2 N
}

TEST(SelfStress, OfAContactThatFrictionDoesNotHoldStays) {
  const ContactProblem problem = held(0.4);  // tan 0.4 = 0.42
  ContactSolution solution = pushing(5, {1, 0.5});
  relieve(problem, solution);
  EXPECT_EQ(solution.lambda[0], 5);
  EXPECT_EQ(solution.gamma[0], Vec2(1, 0.5));
}

TEST(SelfStress, AContactIsOpenedAsFarAsItsSidesAreFree) {
  const double whole = 0.01 * 0.01;
  EXPECT_EQ(free_part(held(0.012).L, 0, 0.3, whole), 0);
  EXPECT_NEAR(free_part(held(0.012).L, 0, 0, whole), std::sin(0.012), 1e-12);
  EXPECT_NEAR(free_part(held(0.4).L, 0, 0.3, whole), std::sin(0.4), 1e-12);
  EXPECT_NEAR(free_part(in_a_slot().L, 0, 0.3, whole), 1, 1e-12);
}

}  // namespace self_stress_test
}  // namespace sim
