// Elements of all kinds in one assembly.
#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>
#include <numeric>

#include "elasticity/element_impulse.hpp"
#include "elasticity/sheet.hpp"
#include "elasticity/sheet_specimen.hpp"
#include "elasticity/specimen.hpp"
#include "math/parallel.hpp"

namespace sim {
namespace thin_assembly_test {

using test::random_vector;
using test::stacked;
using Dense = Eigen::MatrixXd;

// A block, a shell and a piece of cloth that have nothing in common but the numbering.
struct Mixed {
  std::vector<Vec3> rest;
  ElasticBodies bodies, block_alone;
  VecX x, v;
};

Mixed make_mixed(Index cells = 3) {
  Mixed m;
  std::vector<Material> materials(3);
  materials[0] = test::material(MaterialModel::neo_hookean);
  materials[1].model = MaterialModel::shell;
  materials[2].model = MaterialModel::grid_springs;
  materials[1].young = 1e6;
  materials[2].flexion = 3;
  materials[2].bend = 1e-4;
  for (Material& material : materials) {
    material.mass_damping = 0.7;
    material.stiffness_damping = 0.02;
  }
  const test::Specimen block = test::make_specimen({materials[0]});
  m.rest = block.mesh.vertices;
  m.block_alone = make_elastic_bodies(m.rest, block.mesh.tets, block.material_of_tet, std::span(materials).first(1));
  ThinParts parts;
  for (Index material : {1, 2}) {
    test::SheetMesh sheet = test::grid_sheet(cells, cells, 0.07);
    const auto first = static_cast<Index>(m.rest.size());
    for (Triangle& t : sheet.triangles) {
      for (Index& corner : t) corner += first;
    }
    for (const Vec3& vertex : sheet.vertices) m.rest.push_back(vertex + Vec3(0, 0, 0.3 * material));
    add_sheet(m.rest, {sheet.triangles, first, sheet.grid, material}, materials[material], parts);
  }
  m.bodies = make_elastic_bodies(m.rest, block.mesh.tets, block.material_of_tet, materials, std::move(parts));
  m.x = stacked(m.rest) + random_vector(3 * static_cast<Eigen::Index>(m.rest.size()), 5, 0.005);
  m.v = random_vector(m.x.size(), 6, 1);
  return m;
}

struct System {
  AssemblyPlan plan;
  ElementBuffer buffer;
  BlockMatrix A;
  VecX b;
};

System assembled(const ElasticBodies& bodies, const VecX& x, const VecX& v, double dt) {
  std::vector<Index> blocks(static_cast<std::size_t>(x.size() / 3));
  std::iota(blocks.begin(), blocks.end(), 0);
  System s;
  s.plan = plan_assembly(bodies, blocks);
  const VecX prescribed = VecX::Zero(x.size());
  assemble(bodies, s.plan, {x, v, prescribed, Vec3(0, 0, -9.81), dt}, s.buffer, s.A, s.b);
  return s;
}

VecX times(const BlockMatrix& A, const VecX& v) {
  VecX product(v.size());
  multiply(A, v, product);
  return product;
}

template <class Thin, std::size_t count>
void add_products(const std::vector<Thin>& elements, const Mixed& m, double dt, double beta, VecX& sum) {
  for (const Thin& element : elements) {
    Corners<count> x;
    for (std::size_t k = 0; k < count; ++k) x[k] = block(m.x, element.vertices[k]);
    std::array<double, 3 * count> forces{};
    std::array<double, 9 * count*(count - 1) / 2> blocks{};
    element_forces_and_stiffness(element, x, {dt * dt, beta / dt}, forces.data(), blocks.data());
    std::size_t pair = 0;
    for (std::size_t i = 0; i < count; ++i) {
      for (std::size_t j = i + 1; j < count; ++j, ++pair) {
        const Eigen::Map<const Mat3> K(&blocks[9 * pair]);
        const Vec3 difference = block(m.v, element.vertices[j]) - block(m.v, element.vertices[i]);
        block(sum, element.vertices[i]) += K * difference;
        block(sum, element.vertices[j]) -= K.transpose() * difference;
      }
    }
  }
}

TEST(ThinAssembly, MatrixIsMassAndTheSumOfTheElements) {
  const Mixed m = make_mixed();
  const double dt = 0.004;
  const Eigen::Index of_block = m.block_alone.mass.size();
  const System all = assembled(m.bodies, m.x, m.v, dt);
  VecX expected = VecX::Zero(m.v.size());
  for (Index i = static_cast<Index>(of_block); i < static_cast<Index>(m.rest.size()); ++i) {
    block(expected, i) = (m.bodies.mass[i] + dt * m.bodies.damping_mass[i]) * block(m.v, i);
  }
  add_products<Spring, 2>(m.bodies.springs, m, dt, 0.02, expected);
  add_products<Membrane, 3>(m.bodies.membranes, m, dt, 0.02, expected);
  add_products<Hinge, 4>(m.bodies.hinges, m, dt, 0.02, expected);
  const VecX product = times(all.A, m.v);
  EXPECT_GT(m.bodies.springs.size() * m.bodies.membranes.size() * m.bodies.hinges.size(), 0u);
  EXPECT_LT((product - expected).tail(expected.size() - 3 * of_block).norm(), 1e-13 * expected.norm());
}

TEST(ThinAssembly, TetsHaveTheBitsThatTheyHaveByThemselves) {
  const Mixed m = make_mixed();
  const Eigen::Index size = 3 * m.block_alone.mass.size();
  const System all = assembled(m.bodies, m.x, m.v, 0.004);
  const System alone = assembled(m.block_alone, m.x.head(size), m.v.head(size), 0.004);
  EXPECT_EQ(all.b.head(size), alone.b);
  EXPECT_EQ(VecX(times(all.A, m.v).head(size)), times(alone.A, m.v.head(size)));
  EXPECT_EQ(VecX(elastic_force(m.bodies, m.x).head(size)), elastic_force(m.block_alone, m.x.head(size)));
}

TEST(ThinAssembly, ForceIsMinusTheGradientOfTheEnergy) {
  const Mixed m = make_mixed();
  const VecX f = elastic_force(m.bodies, m.x);
  for (Eigen::Index i = 0; i < m.x.size(); i += 5) {
    const VecX e = VecX::Unit(m.x.size(), i);
    const double slope = test::derivative([&](double h) { return elastic_energy(m.bodies, m.x + h * e); }, 1e-6);
    EXPECT_NEAR(-slope, f[i], 1e-6 * f.norm()) << i;
  }
}

TEST(ThinAssembly, HasTheSameBitsForAnyNumberOfThreads) {
  const Mixed m = make_mixed(20);  // several chunks of every kind
  const System one = assembled(m.bodies, m.x, m.v, 0.004);
  const VecX force = elastic_force(m.bodies, m.x);
  const double energy = elastic_energy(m.bodies, m.x), loss = stiffness_damping_loss(m.bodies, {m.x, m.v, 0.004});
  set_thread_count(3);
  const System three = assembled(m.bodies, m.x, m.v, 0.004);
  EXPECT_EQ(elastic_force(m.bodies, m.x), force);
  EXPECT_EQ(elastic_energy(m.bodies, m.x), energy);
  EXPECT_EQ(stiffness_damping_loss(m.bodies, {m.x, m.v, 0.004}), loss);
  set_thread_count(1);
  EXPECT_EQ(one.A.values, three.A.values);
  EXPECT_EQ(one.b, three.b);
}

// dt f - (A - M - dt alpha M) v, element by element, is what all of them give.
TEST(ThinAssembly, ImpulsesOnAllVerticesAreThoseOfTheStep) {
  const Mixed m = make_mixed();
  const double dt = 0.004;
  const System all = assembled(m.bodies, m.x, m.v, dt);
  const std::vector<std::uint8_t> chosen(m.rest.size(), 1);
  VecX impulse = VecX::Zero(m.x.size());
  add_impulses_on(chosen, m.bodies, all.buffer, {m.x, m.v, dt}, impulse);
  VecX expected = dt * elastic_force(m.bodies, m.x) - times(all.A, m.v);
  for (Index i = 0; i < static_cast<Index>(m.rest.size()); ++i) {
    block(expected, i) += (m.bodies.mass[i] + dt * m.bodies.damping_mass[i]) * block(m.v, i);
  }
  EXPECT_LT((impulse - expected).norm(), 1e-12 * expected.norm());
}

TEST(ThinAssembly, DampingLosesWhatItsMatrixSays) {
  const Mixed m = make_mixed();
  const double dt = 0.004;
  ElasticBodies undamped = m.bodies;
  undamped.stiffness_damping.assign(3, 0);
  const double with = m.v.dot(times(assembled(m.bodies, m.x, m.v, dt).A, m.v));
  const double without = m.v.dot(times(assembled(undamped, m.x, m.v, dt).A, m.v));
  EXPECT_NEAR(stiffness_damping_loss(m.bodies, {m.x, m.v, dt}), with - without, 1e-9 * with);
  EXPECT_GT(with - without, 0.01 * with);
}

}  // namespace thin_assembly_test
}  // namespace sim
