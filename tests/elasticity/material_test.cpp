#include "elasticity/material.hpp"

#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>
#include <sstream>
#include <vector>

#include "elasticity/reference.hpp"

namespace sim {
namespace material_test {

using test::derivative;
using test::material;
using test::random_rotation;
using test::with_stretches;

constexpr double threshold = 0.7;  // of neo_hookean as published

ElasticLaw law_of(MaterialModel model, double poisson, bool as_published) {
  return elastic_law(material(model, 5e5, poisson, Stiffness::exact, as_published));
}

std::vector<ElasticLaw> laws() {
  std::vector<ElasticLaw> all;
  for (const double poisson : {-0.3, 0.0, 0.2, 0.45}) {
    for (const MaterialModel model : {MaterialModel::corotational, MaterialModel::neo_hookean}) {
      for (const bool as_published : {true, false}) all.push_back(law_of(model, poisson, as_published));
    }
    all.push_back(law_of(MaterialModel::stable_neo_hookean, poisson, false));
    all.push_back(law_of(MaterialModel::st_venant_kirchhoff, poisson, false));
  }
  all.push_back(test::mooney_rivlin(5e5, 0.2, 0.2));
  all.push_back(test::mooney_rivlin(5e5, 0.45, 1));
  return all;
}

// No second derivative exists, or no third, where the energy begins to be continued, and where a polynomial does.
bool is_clear_of_borders(double J) {
  bool clear = std::abs(J - 0.01) > 2e-3;
  for (const ElasticLaw& law : laws()) {
    if (std::isfinite(law.continued_below) && law.continued_below > 0.02)
      clear = clear && std::abs(J - law.continued_below) > 0.03;
  }
  return clear;
}

// Energies of the logarithm of J change over distances of J.
double difference_step(const Mat3& F) {
  return 5e-4 * std::clamp(std::abs(F.determinant()), 0.01, 1.0);
}

std::string text(const ElasticLaw& law, const Mat3& F) {
  std::ostringstream out;
  out << test::name_of(law.model) << (law.as_published ? " as published" : "") << ", lambda/mu "
      << law.lame.lambda / law.lame.mu << ", stretches " << test::signed_stretches(F).transpose();
  return out.str();
}

enum class Where { near_rest, moderate, far, compressed, inverted, repeated };

// Stretches of a kind, kept clear of the places where a second derivative does not exist: the volumes at which
// another energy begins and, for inverted elements, s1 + s2 = 0.
std::vector<Vec3> stretches(Where where, Random& random) {
  const auto draw = [&](double low, double high) {
    return Vec3(random.uniform(low, high), random.uniform(low, high), random.uniform(low, high));
  };
  std::vector<Vec3> all;
  if (where == Where::repeated) {
    return {{1, 1, 1},           {1.3, 1.3, 1.3}, {2, 1, 1},       {2, 2, 0.9},        {2, 2, 2},
            {0.8, 0.8, 0.8},     {0.5, 0.5, 0.5}, {0.7, 0.7, 0.4}, {1, 0.6, 0.6},      {1, 1, -0.4},
            {0.9, 0.9, -0.3},    {2, 2, -1},      {1, 1, 1e-3},    {1.2, 1.2, 1.2001}, {0.8, 0.8, 0.8 + 1e-9},
            {3, 0.5, 0.5 - 1e-7}};
  }
  while (all.size() < 40) {
    Vec3 s;
    switch (where) {
      case Where::near_rest:
        s = draw(0.999, 1.001);
        break;
      case Where::moderate:
        s = draw(0.9, 1.5);
        break;
      case Where::far:
        s = draw(0.9, 4);
        break;
      case Where::compressed:
        s = draw(0.15, 1.2);
        break;
      case Where::inverted:
        s = draw(0.4, 1.5);
        s[2] = -random.uniform(0.0, 1.0);
        break;
      case Where::repeated:
        break;
    }
    const double J = s.prod();
    Vec3 sorted = s.cwiseAbs();
    std::sort(sorted.data(), sorted.data() + 3);
    const double gap = s[2] < 0 ? sorted[1] - sorted[0] : 1;
    const bool last_is_least = s[2] >= 0 || sorted[0] == -s[2];
    const bool wanted = where != Where::compressed || J < threshold;
    if (wanted && last_is_least && gap > 0.25 && is_clear_of_borders(J)) all.push_back(s);
  }
  return all;
}

class MaterialAt : public testing::TestWithParam<Where> {
 protected:
  template <class Check>
  void for_each_law_and_gradient(const Check& check) {
    Random random(101 + static_cast<int>(GetParam()));
    for (const ElasticLaw& law : laws()) {
      for (const Vec3& s : stretches(GetParam(), random)) check(law, with_stretches(random, s));
    }
  }
};

TEST_P(MaterialAt, EnergyIsTheDefinedOne) {
  for_each_law_and_gradient([](const ElasticLaw& law, const Mat3& F) {
    const double expected = test::defined_energy(law, F);
    EXPECT_NEAR(energy_density(law, F), expected, 1e-12 * expected + 1e-14 * law.lame.mu) << text(law, F);
  });
}

TEST_P(MaterialAt, StressIsTheDerivativeOfTheDefinedEnergy) {
  for_each_law_and_gradient([](const ElasticLaw& law, const Mat3& F) {
    Mat3 expected;
    for (int i = 0; i < 9; ++i) {
      expected(i % 3, i / 3) = derivative(
          [&](double h) {
            Mat3 G = F;
            G(i % 3, i / 3) += h;
            return test::defined_energy(law, G);
          },
          difference_step(F));
    }
    EXPECT_LT((stress(law, F) - expected).norm(), 1e-6 * expected.norm() + 1e-11 * law.lame.mu) << text(law, F);
  });
}

TEST_P(MaterialAt, StressDerivativeIsTheDerivativeOfStress) {
  for_each_law_and_gradient([](const ElasticLaw& law, const Mat3& F) {
    Mat9 expected;
    for (int i = 0; i < 9; ++i) {
      const Mat3 column = derivative(
          [&](double h) {
            Mat3 G = F;
            G(i % 3, i / 3) += h;
            return stress(law, G);
          },
          difference_step(F));
      expected.col(i) = Eigen::Map<const Eigen::Matrix<double, 9, 1>>(column.data());
    }
    EXPECT_LT((stress_derivative(law, F) - expected).norm(), 1e-6 * expected.norm()) << text(law, F);
  });
}

TEST_P(MaterialAt, StressDerivativeIsSymmetricToTheBit) {
  for_each_law_and_gradient([](const ElasticLaw& law, const Mat3& F) {
    const Mat9 D = stress_derivative(law, F), projected = projected_stress_derivative(law, F);
    EXPECT_EQ(D, Mat9(D.transpose()));
    EXPECT_EQ(projected, Mat9(projected.transpose()));
  });
}

TEST_P(MaterialAt, ProjectionKeepsTheEigenvectorsAndDropsTheNegativeEigenvalues) {
  for_each_law_and_gradient([](const ElasticLaw& law, const Mat3& F) {
    const Mat9 D = stress_derivative(law, F), projected = projected_stress_derivative(law, F);
    const Eigen::SelfAdjointEigenSolver<Mat9> eigen(D);
    const double largest = eigen.eigenvalues().cwiseAbs().maxCoeff();
    const Mat9 expected =
        eigen.eigenvectors() * eigen.eigenvalues().cwiseMax(0.0).asDiagonal() * eigen.eigenvectors().transpose();
    EXPECT_LT((projected - expected).norm(), 1e-12 * largest) << text(law, F);
    const Eigen::SelfAdjointEigenSolver<Mat9> after(projected, Eigen::EigenvaluesOnly);
    EXPECT_GT(after.eigenvalues()[0], -1e-12 * largest) << text(law, F);
    if (eigen.eigenvalues()[0] > 1e-12 * largest) {
      EXPECT_EQ(projected, D) << text(law, F);
    }
  });
}

TEST_P(MaterialAt, RotationsBeforeAndAfterChangeNoEnergyAndTurnTheStress) {
  Random random(7);
  for_each_law_and_gradient([&](const ElasticLaw& law, const Mat3& F) {
    const Mat3 Q = random_rotation(random), R = random_rotation(random);
    const double energy = energy_density(law, F);
    EXPECT_NEAR(energy_density(law, Q * F * R), energy, 1e-13 * energy + 1e-14 * law.lame.mu);
    const Mat3 P = stress(law, F);
    EXPECT_LT((stress(law, Q * F * R) - Q * P * R).norm(), 1e-13 * (P.norm() + law.lame.mu)) << text(law, F);
  });
}

std::string name_of(const testing::TestParamInfo<Where>& info) {
  const std::vector<std::string> names{"NearRest", "Moderate", "Far", "Compressed", "Inverted", "Repeated"};
  return names[static_cast<std::size_t>(info.param)];
}
INSTANTIATE_TEST_SUITE_P(Stretches, MaterialAt,
                         testing::Values(Where::near_rest, Where::moderate, Where::far, Where::compressed,
                                         Where::inverted, Where::repeated),
                         name_of);

TEST(Material, LameConstantsGiveTheShearAndBulkModulus) {
  for (const double nu : {-0.9, -0.3, 0.0, 0.2, 0.3, 0.49}) {
    const Lame l = lame(material(MaterialModel::corotational, 3e6, nu));
    EXPECT_NEAR(l.mu, 3e6 / (2 * (1 + nu)), 1e-15 * 3e6 / (1 + nu));
    EXPECT_NEAR(l.lambda + 2.0 / 3.0 * l.mu, 3e6 / (3 * (1 - 2 * nu)), 1e-14 * 3e6 / (1 - 2 * nu));
  }
}

TEST(Material, RotationsHaveNeitherEnergyNorStress) {
  Random random(3);
  for (const ElasticLaw& law : laws()) {
    for (int i = 0; i < 100; ++i) {
      const Mat3 Q = random_rotation(random);
      EXPECT_LT(std::abs(energy_density(law, Q)), 1e-14 * law.lame.mu);
      EXPECT_LT(stress(law, Q).norm(), 1e-14 * (law.lame.mu + std::abs(law.lame.lambda)));
    }
  }
}

// A small pull along a random direction, with the contraction that Poisson's ratio asks for: the stress is Young's
// modulus times the strain along the pull and nothing across it, up to the square of the strain.
TEST(Material, SmallPullGivesYoungsModulusAndPoissonsRatio) {
  Random random(5);
  const double strain = 1e-6;
  for (const double nu : {-0.3, 0.0, 0.2, 0.45}) {
    for (const MaterialModel model :
         {MaterialModel::corotational, MaterialModel::neo_hookean, MaterialModel::stable_neo_hookean,
          MaterialModel::mooney_rivlin, MaterialModel::st_venant_kirchhoff}) {
      const ElasticLaw law = elastic_law(material(model, 5e5, nu));
      for (const double sign : {1.0, -1.0}) {
        const Vec3 along = random_rotation(random).col(0);
        const Mat3 pull = along * along.transpose();
        const Mat3 F = Mat3::Identity() + sign * strain * (pull - nu * (Mat3::Identity() - pull));
        EXPECT_LT((stress(law, F) / (sign * strain) - 5e5 * pull).norm(), 1e-5 * 5e5);
        EXPECT_NEAR(energy_density(law, F), 0.5 * 5e5 * strain * strain, 1e-3 * 0.5 * 5e5 * strain * strain);
      }
    }
  }
}

TEST(Material, StiffnessAtRestIsThatOfLinearElasticity) {
  for (const ElasticLaw& law : laws()) {
    const Mat9 D = stress_derivative(law, Mat3::Identity());
    Mat9 expected = Mat9::Zero();  // mu (d_ik d_jl + d_il d_jk) + lambda d_ij d_kl
    for (Eigen::Index i = 0; i < 3; ++i) {
      for (Eigen::Index j = 0; j < 3; ++j) {
        expected(i + 3 * j, i + 3 * j) += law.lame.mu;
        expected(i + 3 * j, j + 3 * i) += law.lame.mu;
        expected(4 * i, 4 * j) += law.lame.lambda;
      }
    }
    EXPECT_LT((D - expected).norm(), 1e-13 * expected.norm());
  }
}

// A cube of stretch s has psi = 3 mu (s-1)^2 + 9/2 lambda (s-1)^2 and stress (2 mu + 3 lambda)(s - 1); by hand for
// mu = 1, lambda = 2, s = 1.5: 0.75 + 2.25 = 3 and 4.
TEST(Corotational, UniformStretchAsWorkedOutByHand) {
  const ElasticLaw law{MaterialModel::corotational, Stiffness::exact, {1, 2}, 0.3};
  const Mat3 F = 1.5 * Mat3::Identity();
  EXPECT_NEAR(energy_density(law, F), 3.0, 1e-14);
  EXPECT_LT((stress(law, F) - 4 * Mat3::Identity()).norm(), 1e-14);
}

// For mu = 1, lambda = 2 and F = diag(2, 1, 1): ln J = ln 2, psi = 3/2 - ln 2 + ln^2 2, and the stresses are
// 2 + (2 ln 2 - 1)/2 along and 1 + (2 ln 2 - 1) = 2 ln 2 across.
TEST(NeoHookean, OneWayStretchAsWorkedOutByHand) {
  const ElasticLaw law{MaterialModel::neo_hookean, Stiffness::exact, {1, 2}, threshold, true};
  const Mat3 F = Vec3(2, 1, 1).asDiagonal();
  const double ln2 = 0.693147180559945309;
  EXPECT_NEAR(energy_density(law, F), 1.5 - ln2 + ln2 * ln2, 1e-14);
  EXPECT_LT((stress(law, F).diagonal() - Vec3(1.5 + ln2, 2 * ln2, 2 * ln2)).norm(), 1e-14);
}

// As published. Compression of one axis only, F = diag(s, 1, 1): the threshold is reached at s = a, and from there on
// psi falls on the tangent psi(a) + psi'(a)(s - a), through zero volume and inversion.
TEST(NeoHookean, ContinuesOneWayCompressionOnTheTangent) {
  const double a = 0.7, mu = 1, lambda = 2;
  const ElasticLaw law{MaterialModel::neo_hookean, Stiffness::exact, {mu, lambda}, a, true};
  const auto psi = [&](double s) {
    return mu / 2 * (s * s - 1) - mu * std::log(s) + lambda / 2 * std::log(s) * std::log(s);
  };
  const double slope = mu * a + (lambda * std::log(a) - mu) / a;
  for (const double s : {0.71, 0.69, 0.5, 0.1, 0.0, -0.1, -0.5, -0.9}) {
    const Mat3 F = Vec3(1, s, 1).asDiagonal();
    const double expected = s > a ? psi(s) : psi(a) + slope * (s - a);
    EXPECT_NEAR(energy_density(law, F), expected, 1e-14) << s;
    const double along = s > a ? mu * s + (lambda * std::log(s) - mu) / s : slope;
    EXPECT_NEAR(stress(law, F)(1, 1), along, 2e-14) << s;
  }
}

TEST(Material, EnergyAndStressAreContinuousAtTheThreshold) {
  Random random(13);
  const double step = 1e-9;
  for (const ElasticLaw& law : laws()) {
    if (!std::isfinite(law.continued_below)) continue;
    for (int i = 0; i < 200; ++i) {
      Vec3 s(random.uniform(0.6, 1.4), random.uniform(0.6, 1.4), 0);
      s[2] = law.continued_below / (s[0] * s[1]);
      const Mat3 U = random_rotation(random), V = random_rotation(random);
      const Mat3 above = U * (s * (1 + step)).asDiagonal() * V.transpose();
      const Mat3 below = U * (s * (1 - step)).asDiagonal() * V.transpose();
      const Mat3 P = stress(law, above);
      // Over the step they may change by their derivatives times the step, both some (mu + lambda) / J.
      const double modulus = 100 * (law.lame.mu + std::abs(law.lame.lambda)) / law.continued_below;
      EXPECT_NEAR(energy_density(law, above), energy_density(law, below), modulus * step);
      EXPECT_LT((P - stress(law, below)).norm(), modulus * step);
      EXPECT_GT(P.norm(), 1e5 * modulus * step);  // so the two lines above say something
    }
  }
}

TEST(NeoHookean, StaysFiniteAndPushesBackFromFlatAndInverted) {
  Random random(19);
  const ElasticLaw law = law_of(MaterialModel::neo_hookean, 0.2, true);
  for (const Vec3& s : {Vec3(1, 1, 0), Vec3(1, 0, 0), Vec3(0, 0, 0), Vec3(1, 1, -1), Vec3(3, 2, -2),
                        Vec3(50, 20, -20), Vec3(1e-9, 1e-9, -1e-9), Vec3(1e3, 1e-3, -1e-5), Vec3(1, 0.7, 1)}) {
    const Mat3 F = with_stretches(random, s);
    EXPECT_TRUE(std::isfinite(energy_density(law, F)) && stress(law, F).allFinite()) << s.transpose();
    EXPECT_TRUE(stress_derivative(law, F).allFinite()) << s.transpose();
    EXPECT_TRUE(projected_stress_derivative(law, F).allFinite()) << s.transpose();
    // Going on away from rest must cost energy: the stress does work on s - 1.
    const Mat3 away = (s - Vec3::Ones()).asDiagonal();
    EXPECT_GT(stress(law, s.asDiagonal()).cwiseProduct(away).sum(), 0.1 * law.lame.mu) << s.transpose();
  }
}

// A weight of half E on a column that does not widen (nu = 0, mu = E / 2): mu (s - 1/s) = -mu at the golden section.
TEST(NeoHookean, CarriesHalfOfYoungsModulusAtTheGoldenSection) {
  const ElasticLaw law = law_of(MaterialModel::neo_hookean, 0, false);
  const Mat3 F = Vec3(1, 1, (std::sqrt(5.0) - 1) / 2).asDiagonal();
  EXPECT_LT((stress(law, F).diagonal() - Vec3(0, 0, -2.5e5)).norm(), 1e-9 * 2.5e5);
}

// For mu = 1, lambda = 0, F = diag(1, s, 1) and a = 0.01: psi' = s - 1/s down to a, and from there
// s + (-1/a + (s - a)/a^2) = s - 200 + 10000 s, through zero volume and inversion.
TEST(NeoHookean, ContinuesOneWayCompressionOnTheParabola) {
  const ElasticLaw law{MaterialModel::neo_hookean, Stiffness::exact, {1, 0}, 0.01};
  for (const double s : {0.5, 0.0101, 0.0099, 0.005, 0.0, -0.01, -0.5}) {
    const double expected = s > 0.01 ? s - 1 / s : s - 200 + 10000 * s;
    EXPECT_NEAR(stress(law, Vec3(1, s, 1).asDiagonal())(1, 1), expected, 1e-11) << s;
  }
}

// Which the published forms do not do: they give way at a load that the material would carry.
TEST(Material, ResistsTheMoreTheFlatterItIsSqueezed) {
  for (const ElasticLaw& law : laws()) {
    if (law.as_published) continue;
    double before = std::numeric_limits<double>::infinity();
    for (double s = 1; s > -0.5; s -= 1.0 / 512) {
      const double along = stress(law, Vec3(1, s, 1).asDiagonal())(1, 1);
      EXPECT_LT(along, before) << text(law, Vec3(1, s, 1).asDiagonal());
      before = along;
    }
    if (law.lame.lambda < 0 || law.model == MaterialModel::stable_neo_hookean) continue;
    EXPECT_LT(stress(law, Vec3(1, 0, 1).asDiagonal())(1, 1), -150 * law.lame.mu) << text(law, Mat3::Identity());
  }
  const ElasticLaw published = law_of(MaterialModel::neo_hookean, 0, true);
  EXPECT_GT(stress(published, Vec3(1, 0, 1).asDiagonal())(1, 1), -published.lame.mu);
}

TEST(Corotational, IsTheBareOneToTheBitWhereItIsNotSqueezed) {
  Random random(29);
  for (const double poisson : {-0.3, 0.0, 0.45}) {
    const ElasticLaw law = law_of(MaterialModel::corotational, poisson, false);
    const ElasticLaw bare = law_of(MaterialModel::corotational, poisson, true);
    for (int i = 0; i < 100; ++i) {
      const double s = random.uniform(0.25, 1.5);
      const Mat3 F = with_stretches(random, Vec3(1.2, s, 1));
      EXPECT_EQ(energy_density(law, F), energy_density(bare, F));
      EXPECT_EQ(stress(law, F), stress(bare, F));
      EXPECT_EQ(projected_stress_derivative(law, F), projected_stress_derivative(bare, F));
    }
    const Mat3 flat = with_stretches(random, Vec3(1.2, 0.1, 1));
    EXPECT_GT(energy_density(law, flat), energy_density(bare, flat));
  }
}

TEST(NeoHookean, AThresholdOfItsOwnMakesItAsPublished) {
  Material m = material(MaterialModel::neo_hookean);
  EXPECT_FALSE(elastic_law(m).as_published);
  m.extrapolate_below = 0.4;
  EXPECT_TRUE(elastic_law(m).as_published);
  EXPECT_EQ(elastic_law(m).continued_below, 0.4);
  m.extrapolate_below.reset();
  m.as_published = true;
  EXPECT_EQ(elastic_law(m).continued_below, 0.7);
}

TEST(NeoHookean, AlwaysUsesTheExactStiffness) {
  EXPECT_EQ(elastic_law(material(MaterialModel::neo_hookean, 1, 0.2, Stiffness::rotated_linear)).stiffness,
            Stiffness::exact);
  EXPECT_EQ(elastic_law(material(MaterialModel::corotational, 1, 0.2, Stiffness::rotated_linear)).stiffness,
            Stiffness::rotated_linear);
}

}  // namespace material_test
}  // namespace sim
