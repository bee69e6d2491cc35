// Elastic bodies as a whole: mass, energy, forces.
#include <gtest/gtest.h>

#include "elasticity/assembly.hpp"
#include "elasticity/specimen.hpp"
#include "math/error.hpp"

namespace sim {
namespace elastic_bodies_test {

using namespace test;

TEST(ElasticBodies, MassIsDensityTimesVolumeAndGoesToTheCornersEvenly) {
  const Specimen s = make_specimen(damped_pair(Stiffness::exact));
  double first = 0, second = 0;
  for (Index t = 0; t < static_cast<Index>(s.mesh.tets.size()); ++t) {
    (s.material_of_tet[t] == 0 ? first : second) += rest_volume(s, t);
  }
  EXPECT_NEAR(s.bodies.mass.sum(), 1000 * first + 1300 * second, 1e-12 * s.bodies.mass.sum());
  EXPECT_NEAR(s.bodies.damping_mass.sum(), 3 * 1000 * first, 1e-12 * s.bodies.damping_mass.sum());

  // One tet of volume 1/6 and density 600, with a vertex that belongs to no tet.
  const std::vector<Vec3> rest{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {5, 5, 5}};
  Material m = material(MaterialModel::corotational);
  m.density = 600;
  const ElasticBodies one = make_elastic_bodies(rest, std::vector<Tet>{{0, 1, 2, 3}}, std::vector<Index>{0}, {&m, 1});
  EXPECT_LT((one.mass - VecX{{25, 25, 25, 25, 0}}).norm(), 1e-13);
}

TEST(ElasticBodies, RefusesWhatHasNoMeaning) {
  const std::vector<Vec3> rest{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1, 1, 0}};
  const std::vector<Index> first{0};
  const auto make = [&](const Tet& tet, const Material& m) {
    return make_elastic_bodies(rest, std::vector<Tet>{tet}, first, std::vector<Material>{m});
  };
  const Material good = material(MaterialModel::neo_hookean);
  EXPECT_NO_THROW(make({0, 1, 2, 3}, good));
  EXPECT_THROW(make({0, 2, 1, 3}, good), InputError);
  EXPECT_THROW(make({0, 1, 2, 4}, good), InputError);
  const auto refused = [&](auto change) {
    Material m = good;
    change(m);
    EXPECT_THROW(make({0, 1, 2, 3}, m), InputError);
  };
  refused([](Material& m) { m.young = 0; });
  refused([](Material& m) { m.young = std::nan(""); });
  refused([](Material& m) { m.poisson = 0.5; });
  refused([](Material& m) { m.poisson = -1; });
  refused([](Material& m) { m.density = -1; });
  refused([](Material& m) { m.mass_damping = -1; });
  refused([](Material& m) { m.stiffness_damping = -1; });
  refused([](Material& m) {
    m.model = MaterialModel::mooney_rivlin;
    m.c2_share = 1.01;
    m.poisson = 0.45;
  });
  refused([](Material& m) {
    m.model = MaterialModel::mooney_rivlin;
    m.c2_share = 0.5;
    m.poisson = 0.2499;
  });
  refused([](Material& m) { m.extrapolate_below = 0; });
  refused([](Material& m) { m.extrapolate_below = 1; });
}

TEST(Elasticity, EnergyIsTheSumOverElementsOfTheDefinedDensity) {
  Specimen s = make_specimen(damped_pair(Stiffness::exact));
  for (const auto& [stretch, noise] : states) {
    deform(s, stretch, noise);
    double expected = 0, scale = 0;
    for (Index t = 0; t < static_cast<Index>(s.mesh.tets.size()); ++t) {
      const ElasticLaw law = elastic_law(s.materials[s.material_of_tet[t]]);
      expected += rest_volume(s, t) * test::defined_energy(law, deformation_gradient(s, t));
      scale += rest_volume(s, t) * law.lame.mu;
    }
    EXPECT_NEAR(elastic_energy(s.bodies, s.x), expected, 1e-12 * expected + 1e-13 * scale);
  }
}

TEST(Elasticity, ForceIsMinusTheGradientOfTheEnergy) {
  Specimen s = make_specimen(damped_pair(Stiffness::exact));
  for (const auto& [stretch, noise] : {states[1], states[2], states[3], states[5]}) {
    deform(s, stretch, noise);
    VecX expected(s.x.size());
    for (Eigen::Index i = 0; i < s.x.size(); ++i) {
      expected[i] = derivative(
          [&](double h) {
            VecX x = s.x;
            x[i] += h;
            return -elastic_energy(s.bodies, x);
          },
          1e-5);
    }
    const VecX force = elastic_force(s.bodies, s.x);
    EXPECT_LT((force - expected).norm(), 1e-6 * expected.norm()) << stretch.transpose();
  }
}

TEST(Elasticity, ForcesAddUpToNoForceAndNoTorque) {
  Specimen s = make_specimen(damped_pair(Stiffness::exact));
  for (const auto& [stretch, noise] : states) {
    deform(s, stretch, noise);
    const VecX force = elastic_force(s.bodies, s.x);
    Vec3 sum = Vec3::Zero(), torque = Vec3::Zero();
    double size = 0;
    for (Index i = 0; i < s.vertices(); ++i) {
      sum += block(force, i);
      torque += Vec3(block(s.x, i)).cross(Vec3(block(force, i)));
      size += block(force, i).norm();
    }
    const double rounding =
        1e-13 * size + 1e-9;  // the second: what 5e5 Pa on 0.01 m^2 leave of a zero at x of about 4
    EXPECT_LT(sum.norm(), rounding);
    EXPECT_LT(torque.norm(), 10 * rounding);
  }
}

TEST(Elasticity, RigidMotionCausesNoForce) {
  for (const MaterialModel model : {MaterialModel::corotational, MaterialModel::neo_hookean}) {
    Specimen s = make_specimen({material(model)});
    deform(s, Vec3(1, 1, 1), 0);
    // Stretching by a millionth would cause 1e-6 * 5e5 Pa * 0.01 m^2 = 5e-3 N.
    EXPECT_LT(elastic_force(s.bodies, s.x).norm(), 1e-9);
    EXPECT_LT(std::abs(elastic_energy(s.bodies, s.x)), 1e-12);
  }
}

}  // namespace elastic_bodies_test
}  // namespace sim
