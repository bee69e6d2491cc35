// The von Mises stress; the tensor that it comes from: tet_fields_test.cpp.
#include <gtest/gtest.h>

#include <Eigen/LU>
#include <cmath>

#include "elasticity/specimen.hpp"
#include "elasticity/tet_fields.hpp"

namespace sim {
namespace von_mises_test {

using test::material;
using test::random_rotation;

constexpr double threshold = 0.7;  // of the neo-Hookean extrapolation
const ElasticLaw corotational{MaterialModel::corotational, Stiffness::exact, {1, 2}, 0.2};
const ElasticLaw neo_hookean{MaterialModel::neo_hookean, Stiffness::exact, {1, 2}, threshold, true};

std::vector<ElasticLaw> laws() {
  std::vector<ElasticLaw> all;
  for (const double poisson : {-0.3, 0.0, 0.2, 0.45})
    for (const MaterialModel model : {MaterialModel::corotational, MaterialModel::neo_hookean})
      all.push_back(elastic_law(material(model, 5e5, poisson)));
  return all;
}

// sqrt(3/2 s : s) of the deviator s of a full stress tensor.
double von_mises_of(const Mat3& sigma) {
  const Mat3 deviator = sigma - sigma.trace() / 3 * Mat3::Identity();
  return std::sqrt(1.5) * deviator.norm();
}

Mat3 random_gradient(Random& random, double low, double high) {
  const Vec3 s(random.uniform(low, high), random.uniform(low, high), random.uniform(low, high));
  return random_rotation(random) * s.asDiagonal() * random_rotation(random).transpose();
}

// The contraction of Poisson's ratio across leaves no stress there, so that all of it is E strain, along the pull.
TEST(VonMises, OfASmallPullIsYoungsModulusTimesTheStrain) {
  Random random(1);
  const double strain = 1e-6;
  for (const double nu : {-0.3, 0.0, 0.2, 0.45}) {
    for (const MaterialModel model : {MaterialModel::corotational, MaterialModel::neo_hookean}) {
      const ElasticLaw law = elastic_law(material(model, 5e5, nu));
      for (const double sign : {1.0, -1.0}) {
        const Mat3 turn = random_rotation(random);
        const Vec3 along = random_rotation(random).col(0);
        const Mat3 pull = along * along.transpose();
        const Mat3 F = turn * (Mat3::Identity() + sign * strain * (pull - nu * (Mat3::Identity() - pull)));
        EXPECT_NEAR(von_mises_stress(law, F), 5e5 * strain, 1e-5 * 5e5 * strain) << nu;
      }
    }
  }
}

// Pulled to the stretch s with free sides, mu (l^2 - 1) + lambda ln (s l^2) = 0 for their stretch l. With l = 1/2 and
// mu = 1: lambda ln(s/4) = 3/4, and the only stress is (s^2 - l^2) / (s l^2) = (4 s^2 - 1) / s.
TEST(VonMises, OfALargePullOfNeoHookeanIsItsOnlyStress) {
  for (const double lambda : {1.0, 3.0}) {
    const double s = 4 * std::exp(0.75 / lambda);
    const ElasticLaw law{MaterialModel::neo_hookean, Stiffness::exact, {1, lambda}, threshold, true};
    EXPECT_NEAR(von_mises_stress(law, Vec3(0.5, s, 0.5).asDiagonal()), (4 * s * s - 1) / s, 1e-12);
  }
}

// The same for the corotational law: 2 mu (l - 1) + lambda (s + 2 l - 3) = 0. With mu = 1, lambda = 2, s = 1.6 the
// sides have l = 0.8; the stress along is 1.6 (1.2 + 0.4) / (1.6 * 0.64) = 2.5.
TEST(VonMises, OfALargeCorotationalPullIsItsOnlyStress) {
  EXPECT_NEAR(von_mises_stress(corotational, Vec3(1.6, 0.8, 0.8).asDiagonal()), 2.5, 1e-14);
}

// Simple shear by g has the Cauchy stress mu (F F^T - 1), so mu g sqrt(3 + g^2).
TEST(VonMises, OfSimpleShearOfNeoHookeanAsWorkedOutByHand) {
  for (const double g : {1e-3, 0.1, 0.5, 1.5, 4.0}) {
    Mat3 F = Mat3::Identity();
    F(0, 1) = g;
    EXPECT_NEAR(von_mises_stress(neo_hookean, F), g * std::sqrt(3 + g * g), 1e-14 * (1 + g * g));
  }
}

// Simple shear by 3/2 has the stretches 2, 1/2, 1. With mu = 1 and lambda = 2: sum s - 3 = 1/2, and the principal
// stresses s (2 (s - 1) + 1) are 6, 0 and 1; (36 + 1 + 25) / 2 = 31.
TEST(VonMises, OfCorotationalSimpleShearAsWorkedOutByHand) {
  Mat3 F = Mat3::Identity();
  F(0, 1) = 1.5;
  EXPECT_NEAR(von_mises_stress(corotational, F), std::sqrt(31.0), 1e-13);
}

TEST(VonMises, IsThatOfTheTensorPFtOverJ) {
  Random random(2);
  for (const ElasticLaw& law : laws()) {
    for (int i = 0; i < 60; ++i) {
      const Mat3 F = i < 30 ? random_gradient(random, 0.9, 1.6) : random_gradient(random, 0.3, 1.0);
      const Mat3 sigma = stress(law, F) * F.transpose() / F.determinant();
      EXPECT_LT((sigma - sigma.transpose()).norm(), 1e-12 * sigma.norm());
      EXPECT_NEAR(von_mises_stress(law, F), von_mises_of(sigma), 1e-12 * sigma.norm());
    }
  }
}

// Below the threshold the energy is what material.hpp defines; its derivatives by differences.
TEST(VonMises, OfCompressedNeoHookeanComesFromTheExtrapolatedEnergy) {
  for (const Vec3& s : {Vec3(1, 0.5, 1), Vec3(0.9, 0.6, 0.8), Vec3(1.2, 0.5, 0.2)}) {
    ASSERT_LT(s.prod(), threshold);
    const double h = 1e-5;
    Mat3 sigma = Mat3::Zero();
    for (int a = 0; a < 3; ++a) {
      Vec3 more = s, less = s;
      more[a] += h;
      less[a] -= h;
      const double slope =
          energy_density(neo_hookean, more.asDiagonal()) - energy_density(neo_hookean, less.asDiagonal());
      sigma(a, a) = s[a] * slope / (2 * h) / s.prod();
    }
    EXPECT_NEAR(von_mises_stress(neo_hookean, s.asDiagonal()), von_mises_of(sigma), 1e-7 * sigma.norm());
  }
}

TEST(VonMises, IsZeroAtRestHoweverTurnedAndUnderEvenPressure) {
  Random random(3);
  for (const ElasticLaw& law : laws()) {
    for (int i = 0; i < 50; ++i) EXPECT_LT(von_mises_stress(law, random_rotation(random)), 1e-14 * 5e5);
    for (const double c : {0.5, 0.85, 0.9, 1.3})
      EXPECT_LT(von_mises_stress(law, c * random_rotation(random)), 1e-13 * stress(law, c * Mat3::Identity()).norm());
  }
}

TEST(VonMises, TurningBeforeOrAfterChangesNothing) {
  Random random(4);
  for (const ElasticLaw& law : laws()) {
    const Mat3 F = random_gradient(random, 0.6, 1.5);
    const double value = von_mises_stress(law, F);
    EXPECT_GT(value, 1e3);
    EXPECT_NEAR(von_mises_stress(law, random_rotation(random) * F * random_rotation(random)), value, 1e-12 * value);
  }
}

TEST(VonMises, IsNotANumberWithoutVolume) {
  for (const ElasticLaw& law : laws())
    for (const Vec3& s : {Vec3(1, 1, 0), Vec3(1, 1, -0.5), Vec3(0, 0, 0), Vec3(-1, -1, -1)})
      EXPECT_TRUE(std::isnan(von_mises_stress(law, s.asDiagonal()))) << s.transpose();
}

// The patch test: an affine motion of an irregular mesh puts every element of a material under the same stress, here
// those of the simple shears above, turned and moved away.
TEST(VonMises, OfAnAffineMotionIsTheSameInEveryElement) {
  const std::vector<Material> materials{material(MaterialModel::corotational, 5e5, 1.0 / 3),
                                        material(MaterialModel::neo_hookean, 2e5, 0.4)};
  test::Specimen s = test::make_specimen(materials);
  Random random(5);
  const Mat3 Q = random_rotation(random);
  Mat3 shear = Mat3::Identity();
  shear(0, 1) = 1.5;
  for (Index i = 0; i < s.vertices(); ++i) block(s.x, i) = Q * shear * s.mesh.vertices[i] + Vec3(3, -2, 1);
  const std::vector<double> stresses = tet_fields(s.bodies, s.x, {.von_mises = true}).von_mises;
  ASSERT_EQ(stresses.size(), s.mesh.tets.size());
  // lambda = 2 mu at nu = 1/3, as above
  const std::array<double, 2> expected{5e5 / (2 * (1 + 1.0 / 3)) * std::sqrt(31.0),
                                       2e5 / 2.8 * 1.5 * std::sqrt(5.25)};
  std::array<int, 2> checked{};
  for (std::size_t t = 0; t < stresses.size(); ++t) {
    const Index m = s.material_of_tet[t];
    EXPECT_NEAR(stresses[t], expected[m], 1e-11 * expected[m]) << "element " << t;
    ++checked[m];
  }
  EXPECT_GT(checked[0], 5);
  EXPECT_GT(checked[1], 5);
}

}  // namespace von_mises_test
}  // namespace sim
