#include "math/decompose.hpp"

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <Eigen/LU>
#include <Eigen/SVD>
#include <cmath>
#include <sstream>
#include <string>
#include <vector>

#include "math/random.hpp"

namespace sim {
namespace decompose_test {

Mat3 random_matrix(Random& random) {
  Mat3 F;
  for (int i = 0; i < 9; ++i) F(i % 3, i / 3) = random.uniform(-1, 1);
  return F;
}

Mat3 random_rotation(Random& random) {
  const auto q = random_quaternion(random);
  return Eigen::Quaterniond(q[0], q[1], q[2], q[3]).toRotationMatrix();
}

Mat3 with_singular_values(Random& random, const Vec3& s) {
  const Mat3 U = random_rotation(random);
  return U * s.asDiagonal() * random_rotation(random).transpose();
}

// Singular values of every kind an element can meet, the sign of the last one being that of det F.
std::vector<Vec3> stretches() {
  return {{1, 1, 1},           {1, 1, -1},          {1, 1, 1 - 1e-9},   {2, 1, 0.5},     {2, 1, -0.5},
          {3, 3, 1},           {3, 1, 1},           {3, 1, -1},         {1, 1, 0},       {1, 0, 0},
          {0, 0, 0},           {1, 1e-5, 1e-6},     {1, 1e-5, -1e-6},   {1, 1e-9, 1e-9}, {1, 1e-9, -1e-9},
          {1, 0.999, 1e-8},    {1, 1e-14, 1e-15},   {1, 1e-16, -1e-17}, {1e5, 1, 1e-5},  {1e20, 1e10, 1},
          {1e150, 1e150, 1e3}, {1e-150, 1e-160, 0}, {5e-324, 0, 0},     {1e308, 1, 1},   {1, 1e-200, 1e-200},
          {1, 1 - 1e-15, 1e-3}};
}

std::vector<Mat3> matrices() {
  Random random(17);
  std::vector<Mat3> all;
  for (int i = 0; i < 20000; ++i) all.push_back(random_matrix(random));
  for (int i = 0; i < 2000; ++i) all.push_back(Mat3::Identity() + std::pow(10, -(i % 18)) * random_matrix(random));
  for (const Vec3& s : stretches()) {
    for (int i = 0; i < 200; ++i) all.push_back(with_singular_values(random, s));
    all.push_back(s.asDiagonal());
    all.push_back(Vec3(s[2], s[0], s[1]).asDiagonal());
  }
  all.push_back(Mat3::Constant(1));
  all.push_back(-Mat3::Identity());
  all.push_back((Mat3() << 0, 1, 0, 0, 0, 1, 1, 0, 0).finished());
  all.push_back((Mat3() << 0, 1, 0, 0, 0, 1, 0, 0, 0).finished());
  all.push_back((Mat3() << 1, 1e-17, 0, 0, 1e-17, 1e-17, 0, 0, 1e-17).finished());
  return all;
}

double largest(const Mat3& M) {
  return M.cwiseAbs().maxCoeff();
}

void expect_rotation(const Mat3& R, const std::string& where) {
  EXPECT_LT(largest(R.transpose() * R - Mat3::Identity()), 5e-15) << where;
  EXPECT_NEAR(R.determinant(), 1.0, 5e-15) << where;
}

std::string text(const Mat3& F) {
  std::ostringstream out;
  out.precision(17);
  out << F;
  return out.str();
}

TEST(RotationSvd, FactorsAreRotationsAndGiveTheMatrixBack) {
  for (const Mat3& F : matrices()) {
    const auto [U, V, sigma] = rotation_svd(F);
    expect_rotation(U, text(F));
    expect_rotation(V, text(F));
    const double scale = largest(F);
    if (scale == 0) {
      EXPECT_EQ(sigma, Vec3(0, 0, 0));
      continue;
    }
    const Vec3 relative = sigma / scale;
    // Numbers below 1e-300 have fewer digits than others: what is asked there is an error below the smallest of them.
    const double tolerance = scale < 1e-300 ? 1 : 5e-15;
    EXPECT_LT(largest(U * relative.asDiagonal() * V.transpose() - F / scale), tolerance) << text(F);
  }
}

TEST(RotationSvd, ValuesAreSortedByMagnitudeAndOnlyTheLastMayBeNegative) {
  for (const Mat3& F : matrices()) {
    const Vec3 sigma = rotation_svd(F).sigma;
    EXPECT_GE(sigma[0], sigma[1]) << text(F);
    EXPECT_GE(sigma[1], std::abs(sigma[2])) << text(F);
  }
}

TEST(RotationSvd, ValuesAreThoseOfTheMatrixWithTheSignOfItsDeterminant) {
  Random random(23);
  for (const Vec3& s : stretches()) {
    if (s[0] > 1e100 || s[0] < 1e-100) continue;  // a product of rounded factors no longer has these values
    for (int i = 0; i < 100; ++i) {
      const Vec3 sigma = rotation_svd(with_singular_values(random, s)).sigma;
      EXPECT_LT((sigma - s).cwiseAbs().maxCoeff(), 5e-15 * s[0]) << s.transpose();
    }
  }
}

TEST(RotationSvd, AgreesWithTheLibrarysJacobiSvd) {
  Random random(29);
  for (int i = 0; i < 5000; ++i) {
    const Mat3 F = random_matrix(random);
    Vec3 expected = Eigen::JacobiSVD<Mat3>(F).singularValues();
    if (F.determinant() < 0) expected[2] = -expected[2];
    EXPECT_LT((rotation_svd(F).sigma - expected).cwiseAbs().maxCoeff(), 5e-15);
  }
}

TEST(RotationSvd, EndsOnNumbersThatAreNotFinite) {
  Mat3 F = Mat3::Identity();
  for (const double bad : {std::nan(""), HUGE_VAL, -HUGE_VAL}) {
    F(1, 2) = bad;
    EXPECT_FALSE(rotation_svd(F).sigma.allFinite());
    EXPECT_FALSE(polar_rotation(F).allFinite());
  }
}

TEST(PolarRotation, IsARotationWithASymmetricStretch) {
  for (const Mat3& F : matrices()) {
    const Mat3 R = polar_rotation(F);
    expect_rotation(R, text(F));
    const double scale = largest(F);
    if (scale < 1e-300) continue;
    const Mat3 S = R.transpose() * (F / scale);
    EXPECT_LT(largest(S - S.transpose()), 1e-14) << text(F);
  }
}

// The nearest rotation maximises tr(R^T F): no other one, near or far, may do better.
TEST(PolarRotation, IsTheNearestRotation) {
  Random random(31);
  for (const Vec3& s : {Vec3(2, 1, 0.5), Vec3(2, 1, -0.5), Vec3(1, 0.3, 0), Vec3(1, 1, -0.9), Vec3(4, 0.1, 0.01)}) {
    for (int i = 0; i < 50; ++i) {
      const Mat3 F = with_singular_values(random, s);
      const Mat3 R = polar_rotation(F);
      EXPECT_NEAR(R.cwiseProduct(F).sum(), s.sum(), 1e-13);
      for (int k = 0; k < 50; ++k) {
        const Vec3 axis = random_rotation(random).col(0);
        const Mat3 other = Eigen::AngleAxisd(std::pow(10, random.uniform(-3, 0.5)), axis).toRotationMatrix() * R;
        EXPECT_LE((R - F).squaredNorm(), (other - F).squaredNorm() + 1e-13);
      }
    }
  }
}

// An error of the size of rounding in F may turn R by 1 / (s_1 + s_2) times as much, not more.
TEST(PolarRotation, ReturnsTheRotationThatWasPutIn) {
  Random random(37);
  for (const Vec3& s : {Vec3(1, 1, 1), Vec3(1.01, 1, 0.99), Vec3(10, 1, 0.1), Vec3(1, 0.5, -0.1), Vec3(5, 0.2, 0.2),
                        Vec3(1e3, 1e3, 1), Vec3(1e-9, 1e-9, 1e-9), Vec3(1e40, 1e40, 5e39)}) {
    for (int i = 0; i < 200; ++i) {
      const Mat3 R = random_rotation(random), Q = random_rotation(random);
      const Mat3 F = R * Q * s.asDiagonal() * Q.transpose();
      EXPECT_LT(largest(polar_rotation(F) - R), 5e-15 * (1 + s[0] / (s[1] + s[2]))) << s.transpose();
    }
  }
}

TEST(PolarRotation, KeepsTheIdentityToTheBit) {
  EXPECT_EQ(polar_rotation(Mat3::Identity()), Mat3::Identity());
  EXPECT_EQ(polar_rotation(Mat3::Zero()), Mat3::Identity());
}

TEST(SymmetricEigen, ValuesAscendAndVectorsAreARotationThatDiagonalises) {
  for (const Mat3& F : matrices()) {
    if (largest(F) < 1e-300) continue;
    const Mat3 S = 0.5 * F + 0.5 * F.transpose();
    const SymmetricEigen eigen = symmetric_eigen(S);
    expect_rotation(eigen.vectors, text(S));
    EXPECT_LE(eigen.values[0], eigen.values[1]);
    EXPECT_LE(eigen.values[1], eigen.values[2]);
    const double scale = std::max(largest(S), 1e-300);
    const Vec3 relative = eigen.values / scale;
    EXPECT_LT(largest(eigen.vectors * relative.asDiagonal() * eigen.vectors.transpose() - S / scale), 5e-15)
        << text(S);
  }
}

TEST(SymmetricEigen, FindsTheValuesPutIn) {
  Random random(41);
  for (const Vec3& values : {Vec3(-1, 2, 5), Vec3(-3, -3, 1), Vec3(1, 1, 1), Vec3(0, 0, 7), Vec3(-1e-8, 1e-8, 1)}) {
    for (int i = 0; i < 100; ++i) {
      const Mat3 Q = random_rotation(random);
      const Mat3 S = Q * values.asDiagonal() * Q.transpose();
      EXPECT_LT((symmetric_eigen(S).values - values).cwiseAbs().maxCoeff(), 5e-15 * values.cwiseAbs().maxCoeff());
    }
  }
}

}  // namespace decompose_test
}  // namespace sim
