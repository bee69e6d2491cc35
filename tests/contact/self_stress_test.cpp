// Forces that press a body from two sides alike, told from those that move it.
#include "contact/self_stress.hpp"

#include <gtest/gtest.h>

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

}  // namespace self_stress_test
}  // namespace sim
