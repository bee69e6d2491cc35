// Stiffness damping: of rates of strain, blind to turns in any state.
#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>
#include <numeric>

#include "elasticity/element_impulse.hpp"
#include "elasticity/specimen.hpp"

namespace sim {
namespace damping_test {

using namespace test;
using sim::block;

constexpr double beta = 0.03, dt = 0.01;

std::vector<Material> all_materials() {
  std::vector<Material> all{material(MaterialModel::corotational, 5e5, 0.3, Stiffness::rotated_linear),
                            material(MaterialModel::corotational, 5e5, 0.3, Stiffness::exact),
                            material(MaterialModel::neo_hookean, 5e5, 0.3),
                            material(MaterialModel::neo_hookean, 5e5, 0.3, Stiffness::exact, true),
                            material(MaterialModel::stable_neo_hookean, 5e5, 0.3),
                            material(MaterialModel::mooney_rivlin, 5e5, 0.3),
                            material(MaterialModel::st_venant_kirchhoff, 5e5, 0.3)};
  return all;
}

VecX times_A(const Specimen& s, const VecX& v) {
  std::vector<Index> blocks(s.mesh.vertices.size());
  std::iota(blocks.begin(), blocks.end(), 0);
  const AssemblyPlan plan = plan_assembly(s.bodies, blocks);
  ElementBuffer buffer;
  BlockMatrix A;
  VecX b, product(v.size());
  const VecX prescribed = VecX::Zero(v.size());
  assemble(s.bodies, plan, {s.x, s.v, prescribed, Vec3::Zero(), dt}, buffer, A, b);
  multiply(A, v, product);
  return product;
}

// A v with damping and without it in the same state: dt beta D v, and dt^2 K v.
struct Products {
  VecX damping, stiffness;
};
Products products(const Specimen& s, const VecX& v) {
  Specimen damped = s;
  damped.bodies.stiffness_damping = {beta};
  Products result;
  const VecX bare = times_A(s, v);
  result.damping = times_A(damped, v) - bare;
  result.stiffness = bare;
  for (Index i = 0; i < s.vertices(); ++i) block(result.stiffness, i) -= s.bodies.mass[i] * block(v, i);
  return result;
}

VecX turn_of(const Specimen& s, const Vec3& w, const Vec3& u) {
  VecX v(s.x.size());
  for (Index i = 0; i < s.vertices(); ++i) block(v, i) = u + w.cross(Vec3(block(s.x, i)));
  return v;
}

double loss(const Specimen& s, const VecX& v) {
  Specimen damped = s;
  damped.bodies.stiffness_damping = {beta};
  return stiffness_damping_loss(damped.bodies, {s.x, v, dt});
}

TEST(StiffnessDamping, IsBlindToTurnsInAnyState) {
  for (const Material& m : all_materials()) {
    Specimen s = make_specimen({m});
    for (const auto& [stretch, noise] : states) {
      deform(s, stretch, noise);
      const VecX strain = random_vector(s.x.size(), 9, 1), turn = turn_of(s, Vec3(3, -1, 2), Vec3(0.5, 0, -4));
      const Products of_strain = products(s, strain), of_turn = products(s, turn);
      EXPECT_LT(of_turn.damping.norm() / turn.norm(), 1e-11 * of_strain.damping.norm() / strain.norm()) << m.name;
      EXPECT_LT(loss(s, turn) / turn.squaredNorm(), 1e-22 * loss(s, strain) / strain.squaredNorm()) << m.name;
      EXPECT_GE(loss(s, turn), 0);
    }
  }
}

// Which K is not: turns of a stressed element change its forces. So damping by K would brake them.
TEST(StiffnessDamping, ByTheStiffnessItselfWouldBrakeAStretchedBodyThatTurns) {
  for (const Material& m : all_materials()) {
    Specimen s = make_specimen({m});
    deform(s, Vec3(1.3, 0.9, 1.1), 0);
    const VecX turn = turn_of(s, Vec3(3, -1, 2), Vec3::Zero()), strain = random_vector(s.x.size(), 9, 1);
    EXPECT_GT(products(s, turn).stiffness.norm() / turn.norm(),
              1e-4 * products(s, strain).stiffness.norm() / strain.norm())
        << m.name;
  }
}

TEST(StiffnessDamping, IsTheStiffnessWhereNothingIsStrained) {
  for (const Material& m : all_materials()) {
    Specimen s = make_specimen({m});
    deform(s, Vec3(1, 1, 1), 0);  // turned
    const VecX v = random_vector(s.x.size(), 9, 1);
    const Products of = products(s, v);
    EXPECT_LT((of.damping / (dt * beta) - of.stiffness / (dt * dt)).norm(), 1e-10 * of.stiffness.norm() / (dt * dt))
        << m.name;
  }
}

TEST(StiffnessDamping, LosesTheWorkOfItsForcesAndNeverGives) {
  for (const Material& m : all_materials()) {
    Specimen s = make_specimen({m});
    for (const auto& [stretch, noise] : states) {
      deform(s, stretch, noise);
      for (const std::uint64_t seed : {9U, 10U, 11U}) {
        const VecX v = random_vector(s.x.size(), seed, 1);
        const double work = v.dot(products(s, v).damping);
        EXPECT_GT(work, 0);
        EXPECT_NEAR(loss(s, v), work, 1e-10 * work) << m.name;
      }
    }
  }
}

// Its forces on a body add up to nothing, and turn it by nothing: D is symmetric and blind to what they would work
// on.
TEST(StiffnessDamping, KeepsMomentumAndAngularMomentum) {
  for (const Material& m : all_materials()) {
    Specimen s = make_specimen({m});
    deform(s, Vec3(1.3, 0.9, 1.1), 0.01);
    const VecX impulse = products(s, random_vector(s.x.size(), 9, 1)).damping;
    Vec3 momentum = Vec3::Zero(), angular = Vec3::Zero();
    for (Index i = 0; i < s.vertices(); ++i) {
      momentum += block(impulse, i);
      angular += Vec3(block(s.x, i)).cross(Vec3(block(impulse, i)));
    }
    EXPECT_LT(momentum.norm(), 1e-11 * impulse.norm());
    EXPECT_LT(angular.norm(), 1e-10 * impulse.norm());
  }
}

}  // namespace damping_test
}  // namespace sim
