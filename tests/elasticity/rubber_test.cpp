// The laws of rubber, and that of Saint Venant and Kirchhoff, against closed forms: one-axis pull, simple shear, and
// what they are where one of them is another.
#include <gtest/gtest.h>

#include "elasticity/specimen.hpp"
#include "elasticity/tet_fields.hpp"
#include "mesh/surface.hpp"

namespace sim {
namespace rubber_test {

using test::material;
using test::mooney_rivlin;
using test::random_rotation;
using test::with_stretches;

Mat3 cauchy(const ElasticLaw& law, const Mat3& F) {
  return stress(law, F) * F.transpose() / F.determinant();
}

Mat3 simple_shear(double g) {
  Mat3 F = Mat3::Identity();
  F(0, 1) = g;
  return F;
}

struct Moduli {
  double c1, c2;  // Pa
};
Moduli moduli(const ElasticLaw& law) {
  const double c2 = 0.5 * law.lame.mu * law.c2_share;
  return {0.5 * law.lame.mu - c2, c2};
}

std::vector<ElasticLaw> mooneys() {
  return {mooney_rivlin(5e5, 0.2, 0.2), mooney_rivlin(5e5, 0.3, 0.6), mooney_rivlin(5e5, 0.45, 0),
          mooney_rivlin(5e5, 0.45, 1), mooney_rivlin(5e5, 0.499, 0.25)};
}

ElasticLaw stable(double poisson) {
  return elastic_law(material(MaterialModel::stable_neo_hookean, 5e5, poisson));
}

TEST(MooneyRivlin, WithoutASecondConstantIsNeoHookean) {
  Random random(1);
  const ElasticLaw neo = elastic_law(material(MaterialModel::neo_hookean, 5e5, 0.4));
  const ElasticLaw mooney = mooney_rivlin(5e5, 0.4, 0), other = mooney_rivlin(5e5, 0.4, 0.1);
  for (const Vec3& s : {Vec3(1.3, 0.8, 1.1), Vec3(2, 3, 0.4), Vec3(1, 0.5, 0.01), Vec3(1, 0.9, -0.3)}) {
    const Mat3 F = with_stretches(random, s);
    EXPECT_NEAR(energy_density(mooney, F), energy_density(neo, F), 1e-13 * energy_density(neo, F));
    EXPECT_LT((stress(mooney, F) - stress(neo, F)).norm(), 1e-13 * stress(neo, F).norm());
    EXPECT_LT((stress_derivative(mooney, F) - stress_derivative(neo, F)).norm(),
              1e-12 * stress_derivative(neo, F).norm());
    EXPECT_GT((stress(other, F) - stress(neo, F)).norm(), 1e-3 * stress(neo, F).norm());
  }
}

// Mooney's formula: along less across is 2 (s^2 - 1/s) (c1 + c2/s) in a pull that keeps the volume, whatever resists
// a change of volume.
TEST(MooneyRivlin, PullThatKeepsTheVolumeIsAsMooneyHasIt) {
  for (const ElasticLaw& law : mooneys()) {
    const auto [c1, c2] = moduli(law);
    for (const double s : {0.4, 0.8, 1.001, 1.5, 3.0, 6.0}) {
      const double across = 1 / std::sqrt(s);
      const Mat3 F = Vec3(across, s, across).asDiagonal();
      const Mat3 sigma = cauchy(law, F);
      const double expected = 2 * (s * s - 1 / s) * (c1 + c2 / s);
      EXPECT_NEAR(sigma(1, 1) - sigma(0, 0), expected, 1e-11 * law.lame.lambda) << s;
      EXPECT_NEAR(von_mises_stress(law, F), std::abs(expected), 1e-11 * law.lame.lambda) << s;
    }
  }
}

// Simple shear: sigma_12 = 2 (c1 + c2) g, which is mu g, and the normal stresses 2 c1 g^2 and -2 c2 g^2 against the
// third (Rivlin).
TEST(MooneyRivlin, SimpleShearIsAsRivlinHasIt) {
  for (const ElasticLaw& law : mooneys()) {
    const auto [c1, c2] = moduli(law);
    for (const double g : {1e-3, 0.1, 0.5, 1.5, 4.0}) {
      const Mat3 sigma = cauchy(law, simple_shear(g));
      const double rounding = 1e-13 * law.lame.lambda * (1 + g * g);
      EXPECT_NEAR(sigma(0, 1), law.lame.mu * g, rounding);
      EXPECT_NEAR(sigma(0, 0) - sigma(2, 2), 2 * c1 * g * g, rounding);
      EXPECT_NEAR(sigma(1, 1) - sigma(2, 2), -2 * c2 * g * g, rounding);
      EXPECT_NEAR(sigma(0, 2), 0, rounding);
    }
  }
}

// Sides without stress: 2 c1 x + 2 c2 x (s^2 + x) - m + L ln(s x) = 0 for the square x of their stretch. Of a pull s
// and an x that gives L, and the force along is 2 c1 s + 4 c2 s x + (L ln(s x) - m) / s a rest area.
TEST(MooneyRivlin, PullWithFreeSidesHasTheForceOfTheClosedForm) {
  int checked = 0;
  for (const double share : {0.0, 0.2, 0.7}) {
    for (const auto& [s, J] : {std::pair{0.6, 0.95}, {1.8, 1.1}, {2.5, 1.1}, {2.5, 0.9}}) {
      const double mu = 2e5, c2 = 0.5 * share * mu, c1 = 0.5 * mu - c2, m = 2 * c1 + 4 * c2, x = J / s;
      const double L = (m - 2 * c1 * x - 2 * c2 * x * (s * s + x)) / std::log(s * x);
      if (L < 0) continue;  // no such material
      ++checked;
      const double lambda = L + 4 * c2, poisson = lambda / (2 * (lambda + mu)), young = 2 * mu * (1 + poisson);
      const ElasticLaw law = mooney_rivlin(young, poisson, share);
      const Mat3 P = stress(law, Vec3(std::sqrt(x), s, std::sqrt(x)).asDiagonal());
      EXPECT_NEAR(P(0, 0), 0, 1e-12 * mu);
      const double along = 2 * c1 * s + 4 * c2 * s * x + (L * std::log(s * x) - m) / s;
      EXPECT_NEAR(P(1, 1), along, 1e-12 * mu);
      EXPECT_GT(s > 1 ? along : -along, 0.1 * mu);
    }
  }
  EXPECT_GE(checked, 8);
}

// Simple shear with the constants of the paper, mu' = 4/3 mu: sigma = mu' (1 - 1/(4 + g^2)) (F F^T - 1) + pressure.
TEST(StableNeoHookean, SimpleShearIsTheClosedForm) {
  for (const double poisson : {-0.3, 0.0, 0.3, 0.45}) {
    const ElasticLaw law = stable(poisson);
    for (const double g : {1e-3, 0.1, 0.5, 1.5, 4.0}) {
      const Mat3 sigma = cauchy(law, simple_shear(g));
      const double factor = 4.0 / 3 * law.lame.mu * (3 + g * g) / (4 + g * g);
      const double rounding = 1e-13 * (law.lame.mu + std::abs(law.lame.lambda)) * (1 + g * g);
      EXPECT_NEAR(sigma(0, 1), factor * g, rounding);
      EXPECT_NEAR(sigma(0, 0) - sigma(1, 1), factor * g * g, rounding);
      EXPECT_NEAR(sigma(1, 1) - sigma(2, 2), 0, rounding);
    }
  }
}

// Sides without stress, with the paper's constants: mu' (1 - 1/(s^2 + 2 x + 1)) + lambda' (s x - alpha) s = 0 is
// quadratic in the square x of their stretch. The force along is mu' (1 - 1/(s^2 + 2 x + 1)) s + lambda' (s x -
// alpha) x a rest area; of a press down to nothing and beyond, too.
TEST(StableNeoHookean, PullWithFreeSidesHasTheForceOfTheClosedForm) {
  for (const double poisson : {-0.3, 0.0, 0.3, 0.45}) {
    const ElasticLaw law = stable(poisson);
    const double mu = 4.0 / 3 * law.lame.mu, lambda = law.lame.lambda + 5.0 / 6 * law.lame.mu;
    const double alpha = 1 + 0.75 * mu / lambda;
    double before = -std::numeric_limits<double>::infinity();
    for (const double s : {0.5, 0.8, 1.0, 1.3, 2.0, 4.0}) {
      // 2 lambda' s^2 x^2 + (2 mu' + lambda' s (s (s^2 + 1) - 2 alpha)) x + mu' s^2 - lambda' s alpha (s^2 + 1) = 0
      const double a = 2 * lambda * s * s, b = 2 * mu + lambda * s * (s * (s * s + 1) - 2 * alpha);
      const double c = mu * s * s - lambda * s * alpha * (s * s + 1);
      const double x = (-b + std::sqrt(b * b - 4 * a * c)) / (2 * a);
      ASSERT_GT(x, 0);
      const Mat3 P = stress(law, Vec3(std::sqrt(x), s, std::sqrt(x)).asDiagonal());
      const double unit = law.lame.mu + std::abs(law.lame.lambda);
      EXPECT_NEAR(P(0, 0), 0, 1e-12 * unit) << s;
      const double along = mu * (1 - 1 / (s * s + 2 * x + 1)) * s + lambda * (s * x - alpha) * x;
      EXPECT_NEAR(P(1, 1), along, 1e-12 * unit) << s;
      if (s == 1) {
        EXPECT_NEAR(along, 0, 1e-12 * unit);
        EXPECT_NEAR(x, 1, 1e-12);
      }
      if (poisson < 0) continue;  // sides that narrow give way
      EXPECT_GT(along, before) << s;
      before = along;
    }
  }
}

// However far it is inverted, going on costs energy: the stress does work on the way from rest. (Of what is exactly a
// line or a point nothing says which way is out.)
TEST(StableNeoHookean, PushesBackFromFlatAndInverted) {
  Random random(19);
  for (const double poisson : {-0.3, 0.0, 0.3, 0.45}) {
    const ElasticLaw law = stable(poisson);
    for (const Vec3& s : {Vec3(1, 1, 0), Vec3(0.9, 0.7, 0), Vec3(1, 0.5, -0.2), Vec3(1, 1, -1), Vec3(3, 2, -2),
                          Vec3(50, 20, -20), Vec3(1e3, 1e-3, -1e-5)}) {
      const Mat3 F = with_stretches(random, s);
      EXPECT_TRUE(std::isfinite(energy_density(law, F)) && stress(law, F).allFinite()) << s.transpose();
      EXPECT_TRUE(projected_stress_derivative(law, F).allFinite()) << s.transpose();
      const Mat3 away = (s - Vec3::Ones()).asDiagonal();
      EXPECT_GT(stress(law, s.asDiagonal()).cwiseProduct(away).sum(), 0.1 * law.lame.mu) << s.transpose();
    }
  }
}

TEST(StableNeoHookean, HasOneFormWhateverIsAskedFor) {
  Material m = material(MaterialModel::stable_neo_hookean);
  m.as_published = true;
  EXPECT_FALSE(elastic_law(m).as_published);
  EXPECT_EQ(elastic_law(m).continued_below, -std::numeric_limits<double>::infinity());
  EXPECT_EQ(elastic_law(m).stiffness, Stiffness::exact);
}

// The patch test of a block: in an irregular mesh that is pulled with free sides, the inside is in balance and the
// corners of a side have the force per area of the closed forms above.
// P = E/2 (s^3 - s) along one axis where poisson is 0, and the least of it is -E sqrt(3)/9 at s = 1/sqrt(3).
TEST(StVenantKirchhoff, PullAndPressureAlongOneAxisAreTheClosedForm) {
  const ElasticLaw law = elastic_law(material(MaterialModel::st_venant_kirchhoff, 5e5, 0));
  for (const double s : {-1.0, -0.3, 0.0, 0.2, 1 / std::sqrt(3.0), 0.9, 1.0, 1.5, 3.0}) {
    const Mat3 P = stress(law, Vec3(1, s, 1).asDiagonal());
    EXPECT_NEAR(P(1, 1), 5e5 / 2 * (s * s * s - s), 1e-9) << s;
    EXPECT_NEAR(P(0, 0), 0, 1e-9);
    EXPECT_GE(P(1, 1), -5e5 * std::sqrt(3.0) / 9 * (1 + 1e-12));
  }
}

// F = 1 + g e1 e2^T: 2E = (0, g; g, g^2), so P21 = mu g, and P12 = mu g + (mu + lambda/2) g^3.
TEST(StVenantKirchhoff, SimpleShearIsTheClosedForm) {
  const ElasticLaw law = elastic_law(material(MaterialModel::st_venant_kirchhoff, 5e5, 0.3));
  const auto [mu, lambda] = law.lame;
  for (const double g : {1e-3, 0.2, 1.0, 2.0}) {
    const Mat3 P = stress(law, simple_shear(g));
    EXPECT_NEAR(P(1, 0), mu * g, 1e-12 * mu);
    EXPECT_NEAR(P(0, 1), mu * g + (mu + lambda / 2) * g * g * g, 1e-11 * mu);
    EXPECT_NEAR(P(0, 0), (mu + lambda / 2) * g * g, 1e-11 * mu);
    EXPECT_NEAR(P(2, 2), lambda / 2 * g * g, 1e-11 * mu);
  }
}

TEST(Rubber, ABlockThatIsPulledHasTheForcesOfItsStress) {
  for (const MaterialModel model : {MaterialModel::stable_neo_hookean, MaterialModel::mooney_rivlin}) {
    test::Specimen s = test::make_specimen({material(model, 5e5, 0.3)}, {4, 4, 4});
    Random random(5);
    const Mat3 Q = random_rotation(random), F = Q * Vec3(0.8, 1.7, 0.8).asDiagonal();
    for (Index i = 0; i < s.vertices(); ++i) block(s.x, i) = F * s.mesh.vertices[i] + Vec3(3, -2, 1);
    const VecX force = elastic_force(s.bodies, s.x);
    const Mat3 P = stress(s.bodies.laws[0], F);
    VecX expected = VecX::Zero(force.size());  // -P N A / 3 at the corners of the surface's triangles
    for (const auto& [a, b, c] : extract_surface(s.mesh.tets)) {
      const Vec3 area =
          0.5 * (s.mesh.vertices[b] - s.mesh.vertices[a]).cross(s.mesh.vertices[c] - s.mesh.vertices[a]);
      for (const Index corner : {a, b, c}) block(expected, corner) -= P * area / 3;
    }
    EXPECT_GT(expected.norm(), 1e3 * 0.01);  // Pa m^2
    EXPECT_LT((force - expected).norm(), 1e-11 * expected.norm());
  }
}

}  // namespace rubber_test
}  // namespace sim
