#include "bodies/motion.hpp"

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <cmath>
#include <numbers>

#include "bodies/expression.hpp"
#include "math/error.hpp"

namespace sim {
namespace motion_test {

constexpr double pi = std::numbers::pi;

void expect_near(const Vec3& actual, const Vec3& expected) {
  EXPECT_LT((actual - expected).norm(), 1e-14 * (1 + expected.norm()))
      << actual.transpose() << " instead of " << expected.transpose();
}

TEST(Motion, WithoutASpecificationStandsStill) {
  const Motion motion;
  EXPECT_TRUE(motion.stands_still());
  EXPECT_EQ(motion.pose(3.0).apply(Vec3(1, 2, 3)), Vec3(1, 2, 3));
}

TEST(Motion, ConstantVelocityCoversVelocityTimesTime) {
  MotionSpec spec;
  spec.velocity = {1, -2, 0.5};
  const Motion motion(spec);
  EXPECT_FALSE(motion.stands_still());
  expect_near(motion.pose(2.0).apply(Vec3(1, 1, 1)), Vec3(3, -3, 2));
}

TEST(Motion, TurnsAboutItsAxisRightHandedly) {
  MotionSpec spec;
  spec.axis = {0, 0, 2};  // not a unit vector
  spec.center = {1, 0, 5};
  spec.degrees_per_second = 90;
  expect_near(Motion(spec).pose(1.0).apply(Vec3(2, 0, 7)), Vec3(1, 1, 7));
}

TEST(Motion, KeyframesAreLinearInBetweenAndConstantOutside) {
  MotionSpec spec;
  spec.keyframes = {{1, Vec3(0, 0, 1), 0}, {2, Vec3(0, 0, 3), 180}, {4, Vec3(4, 0, 3), 180}};
  const Motion motion(spec);
  const Vec3 X(1, 0, 0);
  expect_near(motion.pose(0.0).apply(X), Vec3(1, 0, 1));
  expect_near(motion.pose(1.0).apply(X), Vec3(1, 0, 1));
  expect_near(motion.pose(1.5).apply(X), Vec3(0, 1, 2));
  expect_near(motion.pose(3.0).apply(X), Vec3(1, 0, 3));
  expect_near(motion.pose(9.0).apply(X), Vec3(3, 0, 3));
}

TEST(Motion, ExpressionsOfTimeMoveAndTurn) {
  MotionSpec spec;
  spec.translation_expression = {"0.1*sin(2*pi*t)", "", "t < 1 ? t^2 : 1"};
  spec.degrees_expression = "90*t";
  const Motion motion(spec);
  expect_near(motion.pose(0.25).apply(Vec3::Zero()), Vec3(0.1 * std::sin(pi / 2), 0, 0.0625));
  expect_near(motion.pose(2.0).apply(Vec3(1, 0, 0)), Vec3(-1 + 0.1 * std::sin(4 * pi), 0, 1));
}

std::array<double, 4> quaternion(const Vec3& axis, double degrees, double length) {
  const double half = degrees * pi / 360;
  const Vec3 v = length * std::sin(half) * axis.normalized();
  return {length * std::cos(half), v[0], v[1], v[2]};
}

TEST(Motion, QuaternionsTurnAtConstantAngularVelocityTheShortWay) {
  const Vec3 axis(1, -2, 0.5);
  MotionSpec spec;
  spec.center = {0, 1, 0};
  spec.keyframes = {{.time = 1, .quaternion = quaternion(axis, 20, 3)},
                    {.time = 3, .quaternion = quaternion(axis, 120, -1e200)},
                    {.time = 4, .quaternion = quaternion(axis, -100, 1e-200)}};
  const Motion motion(spec);
  const auto turned = [&](double degrees) -> Vec3 {
    return Vec3(0, 1, 0) + Eigen::AngleAxisd(degrees * pi / 180, axis.normalized()) * Vec3(2, -1, 3);
  };
  const Vec3 X(2, 0, 3);
  expect_near(motion.pose(0).apply(X), turned(20));
  expect_near(motion.pose(1.5).apply(X), turned(45));
  expect_near(motion.pose(3).apply(X), turned(120));
  expect_near(motion.pose(3.5).apply(X), turned(190));
  expect_near(motion.pose(9).apply(X), turned(260));
}

TEST(Motion, QuaternionsTurnBeforeTheAxisDoes) {
  MotionSpec spec;
  spec.keyframes = {{.time = 0, .quaternion = quaternion(Vec3::UnitX(), 90, 1)}};
  spec.degrees_per_second = 90;
  expect_near(Motion(spec).pose(1).apply(Vec3(0, 1, 0)), Vec3(0, 0, 1));
  expect_near(Motion(spec).pose(1).apply(Vec3(0, 0, 1)), Vec3(1, 0, 0));
}

TEST(Motion, BadExpressionSaysWhichAndWhere) {
  for (const char* text : {"0.1*sin(", "x + 1", "t t", ""}) {
    try {
      evaluate_expression(text, 0);
      ADD_FAILURE() << "accepted " << text;
    } catch (const InputError& error) {
      EXPECT_NE(std::string(error.what()).find(std::string("\"") + text + "\""), std::string::npos) << error.what();
    }
  }
}

}  // namespace motion_test
}  // namespace sim
