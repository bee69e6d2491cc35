// Stress and strain tensors of elements against closed forms, and the forces that they make.
#include "elasticity/tet_fields.hpp"

#include <gtest/gtest.h>

#include <Eigen/LU>
#include <cmath>

#include "elasticity/specimen.hpp"

namespace sim {
namespace tet_fields_test {

using test::material;
using test::mooney_rivlin;
using test::random_rotation;
using test::with_stretches;

Mat3 full(const SymmetricTensor& t) {
  Mat3 S;
  S << t[0], t[1], t[2], t[1], t[3], t[4], t[2], t[4], t[5];
  return S;
}

Mat3 symmetric(double xx, double xy, double yy, double zz) {
  Mat3 S;
  S << xx, xy, 0, xy, yy, 0, 0, 0, zz;
  return S;
}

Mat3 simple_shear(double g) {
  Mat3 F = Mat3::Identity();
  F(0, 1) = g;
  return F;
}

constexpr double young = 5e5;
std::vector<double> poissons() {
  return {0.0, 0.2, 0.45};
}
ElasticLaw law_of(MaterialModel model, double poisson) {
  return model == MaterialModel::mooney_rivlin ? mooney_rivlin(young, poisson, 0.2)
                                               : elastic_law(material(model, young, poisson));
}
std::vector<ElasticLaw> laws() {
  std::vector<ElasticLaw> all;
  for (const double poisson : {0.15, 0.3, 0.45})
    for (const MaterialModel model :
         {MaterialModel::corotational, MaterialModel::neo_hookean, MaterialModel::stable_neo_hookean,
          MaterialModel::mooney_rivlin, MaterialModel::st_venant_kirchhoff})
      all.push_back(law_of(model, poisson));
  return all;
}

// The constants as each law's own paper has them.
struct StableConstants {
  double mu, lambda, alpha;
};
StableConstants stable_constants(const Lame& small) {
  const double mu = 4.0 / 3 * small.mu, lambda = small.lambda + 5.0 / 6 * small.mu;
  return {mu, lambda, 1 + 0.75 * mu / lambda};
}
struct MooneyConstants {
  double c1, c2, m, L;
};
MooneyConstants mooney_constants(const ElasticLaw& law) {
  const double c2 = 0.5 * law.lame.mu * law.c2_share, c1 = 0.5 * law.lame.mu - c2;
  return {c1, c2, 2 * c1 + 4 * c2, law.lame.lambda - 4 * c2};
}

// The principal Cauchy stress along a stretch s, the other two being a and b, derived by hand from the energies.
double stress_along(const ElasticLaw& law, double s, double a, double b) {
  const double mu = law.lame.mu, lambda = law.lame.lambda, J = s * a * b;
  switch (law.model) {
    case MaterialModel::corotational:
      return (2 * mu * (s - 1) + lambda * (s + a + b - 3)) / (a * b);
    case MaterialModel::neo_hookean:
      return (mu * (s * s - 1) + lambda * std::log(J)) / J;
    case MaterialModel::stable_neo_hookean: {
      const auto [mu_s, lambda_s, alpha] = stable_constants(law.lame);
      return mu_s * (1 - 1 / (s * s + a * a + b * b + 1)) * s * s / J + lambda_s * (J - alpha);
    }
    case MaterialModel::mooney_rivlin: {
      const auto [c1, c2, m, L] = mooney_constants(law);
      return (2 * c1 * s * s + 2 * c2 * s * s * (a * a + b * b) - m + L * std::log(J)) / J;
    }
    case MaterialModel::st_venant_kirchhoff:
      return s * s / J * (mu * (s * s - 1) + lambda / 2 * (s * s + a * a + b * b - 3));
    default:
      break;
  }
  return 0;
}

double rounding(const ElasticLaw& law) {
  return 1e-13 * (law.lame.mu + law.lame.lambda);
}

TEST(CauchyStress, OfAPullIsTheClosedFormOfEveryLaw) {
  Random random(1);
  for (const ElasticLaw& law : laws()) {
    for (const auto& [s, side] : {std::pair{2.0, 1.0}, {1.6, 0.8}, {0.7, 1.2}, {4.0, 0.75}}) {
      const Mat3 Q = random_rotation(random);
      const Mat3 F = Q * Vec3(side, s, side).asDiagonal() * random_rotation(random).transpose();
      const double along = stress_along(law, s, side, side), across = stress_along(law, side, s, side);
      const Mat3 expected = Q * Vec3(across, along, across).asDiagonal() * Q.transpose();
      EXPECT_LT((full(cauchy_stress(law, F)) - expected).norm(), 20 * rounding(law))
          << test::name_of(law.model) << " " << s;
      EXPECT_GT(expected.norm(), 1e4);
    }
  }
}

// mu = 1, lambda = 2, pulled to 1.6 with sides of 0.8: 2 (0.8 - 1) + 2 (1.6 + 2 0.8 - 3) = 0 across, and along
// (1.2 + 0.4) / 0.64.
TEST(CauchyStress, OfAPullWithFreeSidesIsOneNumber) {
  const ElasticLaw law{MaterialModel::corotational, Stiffness::exact, {1, 2}, 0.2};
  const SymmetricTensor sigma = cauchy_stress(law, Vec3(0.8, 1.6, 0.8).asDiagonal());
  const SymmetricTensor expected{0, 0, 0, 2.5, 0, 0};
  for (int i = 0; i < 6; ++i) EXPECT_NEAR(sigma[i], expected[i], 1e-14) << i;
}

// B = F F^T is (1 + g^2, g; g, 1) and J = 1, so:
//   neo-Hookean    mu (B - 1)
//   stable         mu' (1 - 1/(4 + g^2)) B + lambda' (1 - alpha), where lambda' (1 - alpha) = -3/4 mu'
//   Mooney-Rivlin  2 c1 B + 2 c2 (I2 - B^-1) - (2 c1 + 4 c2), where I2 = 3 + g^2 and B^-1 is (1, -g; -g, 1 + g^2)
TEST(CauchyStress, OfSimpleShearIsTheClosedForm) {
  for (const double poisson : poissons()) {
    const ElasticLaw neo = law_of(MaterialModel::neo_hookean, poisson);
    const ElasticLaw stable = law_of(MaterialModel::stable_neo_hookean, poisson);
    const ElasticLaw mooney = mooney_rivlin(young, std::max(poisson, 0.2), 0.3);
    const double mu = neo.lame.mu, mu_s = stable_constants(stable.lame).mu;
    const auto [c1, c2, m, L] = mooney_constants(mooney);
    for (const double g : {1e-3, 0.1, 0.5, 1.5, 4.0}) {
      const double k = (3 + g * g) / (4 + g * g);
      const Mat3 F = simple_shear(g);
      const auto expect = [&](const ElasticLaw& law, const Mat3& expected) {
        EXPECT_LT((full(cauchy_stress(law, F)) - expected).norm(), 20 * rounding(law) * (1 + g * g))
            << test::name_of(law.model) << " " << g;
      };
      expect(neo, symmetric(mu * g * g, mu * g, 0, 0));
      expect(stable, mu_s * symmetric(k * (1 + g * g) - 0.75, k * g, k - 0.75, k - 0.75));
      expect(mooney, 2 * symmetric((c1 + c2) * g * g, (c1 + c2) * g, 0, c2 * g * g));
    }
  }
}

// By 3/2 the stretches are 2, 1/2 and 1, the first along (2, 1) / sqrt 5 now. With mu = 1 and lambda = 2 the
// principal stresses are 6, 0 and 1: 6/5 (4, 2; 2, 1) in the plane.
TEST(CauchyStress, OfCorotationalSimpleShearAsWorkedOutByHand) {
  const ElasticLaw law{MaterialModel::corotational, Stiffness::exact, {1, 2}, 0.2};
  EXPECT_LT((full(cauchy_stress(law, simple_shear(1.5))) - symmetric(4.8, 2.4, 1.2, 1)).norm(), 1e-13);
}

TEST(CauchyStress, OfEvenStretchIsAPressureOfTheClosedForm) {
  Random random(2);
  for (const ElasticLaw& law : laws()) {
    for (const double c : {0.8, 0.95, 1.1, 1.7}) {
      const double pressure = stress_along(law, c, c, c);
      const Mat3 sigma = full(cauchy_stress(law, c * random_rotation(random)));
      EXPECT_LT((sigma - pressure * Mat3::Identity()).norm(), 20 * rounding(law)) << test::name_of(law.model);
      EXPECT_EQ(pressure > 0, c > 1);
    }
  }
}

// Hooke's law; what is left is of the order of the strain squared.
TEST(CauchyStress, OfSmallStrainIsHookesLaw) {
  Random random(3);
  for (const ElasticLaw& law : laws()) {
    for (int i = 0; i < 20; ++i) {
      const Mat3 any = test::random_matrix(random, 1e-6);
      const Mat3 strain = 0.5 * (any + any.transpose());
      const Mat3 Q = random_rotation(random), F = Q * (Mat3::Identity() + strain);
      const Mat3 hooke = law.lame.lambda * strain.trace() * Mat3::Identity() + 2 * law.lame.mu * strain;
      EXPECT_LT((full(cauchy_stress(law, F)) - Q * hooke * Q.transpose()).norm(),
                1e-5 * (law.lame.mu + law.lame.lambda) * strain.norm());
      EXPECT_LT((full(green_strain(F)) - strain).norm(), 1e-5 * strain.norm());
    }
  }
}

TEST(CauchyStress, TurnsWithTheBody) {
  Random random(4);
  for (const ElasticLaw& law : laws()) {
    const Mat3 F = with_stretches(random, Vec3(1.4, 1.1, 0.7)), Q = random_rotation(random);
    const Mat3 sigma = full(cauchy_stress(law, F));
    EXPECT_GT(sigma.norm(), 1e4);
    EXPECT_LT((full(cauchy_stress(law, Q * F)) - Q * sigma * Q.transpose()).norm(), 1e-12 * sigma.norm());
    EXPECT_LT((full(cauchy_stress(law, F * Q)) - sigma).norm(), 1e-12 * sigma.norm());  // isotropic
    EXPECT_LT(full(cauchy_stress(law, Q)).norm(), 1e-13 * young);
  }
}

TEST(CauchyStress, HasTheVonMisesStressOfItsDeviator) {
  Random random(5);
  for (const ElasticLaw& law : laws()) {
    for (int i = 0; i < 30; ++i) {
      const Vec3 s(random.uniform(0.4, 1.8), random.uniform(0.4, 1.8), random.uniform(0.4, 1.8));
      const Mat3 F = with_stretches(random, s);
      const Mat3 sigma = full(cauchy_stress(law, F));
      const Mat3 deviator = sigma - sigma.trace() / 3 * Mat3::Identity();
      EXPECT_NEAR(von_mises_stress(law, F), std::sqrt(1.5) * deviator.norm(), 1e-12 * sigma.norm());
    }
  }
}

TEST(GreenStrain, OfPullAndShearIsTheClosedForm) {
  const SymmetricTensor pull = green_strain(Vec3(0.5, 3, 1).asDiagonal());
  EXPECT_EQ(pull, (SymmetricTensor{-0.375, 0, 0, 4, 0, 0}));  // (s^2 - 1) / 2
  for (const double g : {-0.5, 1e-9, 0.25, 2.0}) {
    const SymmetricTensor shear = green_strain(simple_shear(g));
    const SymmetricTensor expected{0, g / 2, 0, g * g / 2, 0, 0};
    for (int i = 0; i < 6; ++i) EXPECT_NEAR(shear[i], expected[i], 1e-16 * (std::abs(g) + g * g)) << i;
  }
}

TEST(GreenStrain, IsZeroWhereverABodyIsTurnedAndTurnsWithItsAxesAtRest) {
  Random random(6);
  for (int i = 0; i < 50; ++i) {
    const Mat3 Q = random_rotation(random), F = with_stretches(random, Vec3(1.4, 1.1, 0.7));
    EXPECT_LT(full(green_strain(Q)).norm(), 1e-15);
    const Mat3 strain = full(green_strain(F));
    EXPECT_LT((full(green_strain(Q * F)) - strain).norm(), 1e-15 * 10);
    EXPECT_LT((full(green_strain(F * Q.transpose())) - Q * strain * Q.transpose()).norm(), 1e-15 * 10);
    const Mat3 of_lengths = 0.5 * (F.transpose() * F - Mat3::Identity());
    EXPECT_LT((strain - of_lengths).norm(), 1e-15 * 10);
  }
}

TEST(TetFields, AreNotNumbersWithoutVolume) {
  for (const ElasticLaw& law : laws())
    for (const Vec3& s : {Vec3(1, 1, 0), Vec3(1, 1, -0.5), Vec3(0, 0, 0), Vec3(-1, -1, -1)})
      for (const SymmetricTensor& tensor : {cauchy_stress(law, s.asDiagonal()), green_strain(s.asDiagonal())})
        for (const double entry : tensor) EXPECT_TRUE(std::isnan(entry)) << s.transpose();
}

std::vector<Material> four_materials() {
  Material mooney = material(MaterialModel::mooney_rivlin, 2e5, 0.4);
  mooney.c2_share = 0.3;
  return {material(MaterialModel::corotational), material(MaterialModel::neo_hookean, 3e5, 0.3),
          material(MaterialModel::stable_neo_hookean, 4e5, 0.35), mooney};
}

TEST(TetFields, AreThoseOfEachElementAndEmptyUnlessAskedFor) {
  test::Specimen s = test::make_specimen(four_materials());
  test::deform(s, Vec3(1.3, 0.9, 1.1), 0.005);
  const TetFields all = tet_fields(s.bodies, s.x, {true, true, true});
  for (Index t = 0; t < static_cast<Index>(s.mesh.tets.size()); ++t) {
    const Mat3 F = test::deformation_gradient(s, t);
    ASSERT_GT(F.determinant(), 0);
    const ElasticLaw law = elastic_law(s.materials[s.material_of_tet[t]]);
    const Mat3 sigma = stress(law, F) * F.transpose() / F.determinant();
    EXPECT_LT((full(all.stress[t]) - sigma).norm(), 1e-11 * sigma.norm()) << t;
    EXPECT_LT((full(all.strain[t]) - 0.5 * (F.transpose() * F - Mat3::Identity())).norm(), 1e-13) << t;
    EXPECT_NEAR(all.von_mises[t], von_mises_stress(law, F), 1e-11 * sigma.norm()) << t;
  }
  for (const AskedFields& asked : {AskedFields{true, false, false}, {false, true, false}, {false, false, true}}) {
    const TetFields one = tet_fields(s.bodies, s.x, asked);
    EXPECT_EQ(one.von_mises, asked.von_mises ? all.von_mises : std::vector<double>{});
    EXPECT_EQ(one.stress, asked.stress ? all.stress : std::vector<SymmetricTensor>{});
    EXPECT_EQ(one.strain, asked.strain ? all.strain : std::vector<SymmetricTensor>{});
  }
}

// The force of an element on a corner is sigma a / 3, where a is the area of the face opposite as a vector outwards,
// as it is now. Those of all elements together are the forces of the time step.
TEST(TetFields, StressMakesTheElasticForces) {
  test::Specimen s = test::make_specimen(four_materials());
  for (const auto& [stretch, noise] : {std::pair{Vec3(1.3, 0.9, 1.1), 0.005}, {Vec3(0.7, 0.8, 0.9), 0.002}}) {
    test::deform(s, stretch, noise);
    const std::vector<SymmetricTensor> sigma = tet_fields(s.bodies, s.x, {.stress = true}).stress;
    VecX expected = VecX::Zero(s.x.size());
    for (std::size_t t = 0; t < sigma.size(); ++t) {
      for (int corner = 0; corner < 4; ++corner) {
        std::array<Vec3, 4> p;
        for (int i = 0; i < 4; ++i) p[i] = block(s.x, s.mesh.tets[t][(corner + i) % 4]);
        Vec3 area = 0.5 * (p[2] - p[1]).cross(p[3] - p[1]);
        if (area.dot(p[1] - p[0]) < 0) area = -area;
        block(expected, s.mesh.tets[t][corner]) += full(sigma[t]) * area / 3;
      }
    }
    EXPECT_GT(expected.norm(), 10);
    EXPECT_LT((elastic_force(s.bodies, s.x) - expected).norm(), 1e-11 * expected.norm());
  }
}

}  // namespace tet_fields_test
}  // namespace sim
