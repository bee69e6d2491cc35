#include "elasticity/assembly.hpp"

#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <numeric>

#include "elasticity/specimen.hpp"
#include "math/parallel.hpp"

namespace sim {
namespace assembly_test {

using namespace test;
using Dense = Eigen::MatrixXd;

using sim::block;
auto block(Dense& D, Eigen::Index row, Eigen::Index col) {
  return D.block<3, 3>(3 * row, 3 * col);
}
auto block(const Dense& D, Eigen::Index row, Eigen::Index col) {
  return D.block<3, 3>(3 * row, 3 * col);
}

const Vec3 gravity(0.3, -0.2, -9.81);

struct System {
  AssemblyPlan plan;
  ElementBuffer buffer;
  BlockMatrix A;
  VecX b;
};

std::vector<Index> all_free(const Specimen& s) {
  std::vector<Index> blocks(s.mesh.vertices.size());
  std::iota(blocks.begin(), blocks.end(), 0);
  return blocks;
}

System assembled(const Specimen& s, double dt, const std::vector<Index>& blocks, const VecX& prescribed) {
  System system;
  system.plan = plan_assembly(s.bodies, blocks);
  assemble(s.bodies, system.plan, {s.x, s.v, prescribed, gravity, dt}, system.buffer, system.A, system.b);
  return system;
}

System assembled(const Specimen& s, double dt) {
  return assembled(s, dt, all_free(s), VecX::Zero(s.x.size()));
}

Dense dense(const BlockMatrix& A) {
  const Eigen::Index size = 3 * Eigen::Index{A.rows()};
  Dense D = Dense::Zero(size, size);
  for (Index r = 0; r < A.rows(); ++r) {
    for (Index k = A.row_begin[r]; k < A.row_begin[r + 1]; ++k) block(D, r, A.column[k]) = A.at(k);
  }
  return D;
}

Dense mass_matrix(const Specimen& s) {
  Dense M = Dense::Zero(s.x.size(), s.x.size());
  for (Index i = 0; i < s.vertices(); ++i) block(M, i, i).diagonal().setConstant(s.bodies.mass[i]);
  return M;
}

// K of one element, 12 x 12, from the definition of the material's stiffness.
Dense element_stiffness(const Specimen& s, Index tet) {
  const Material& m = s.materials[s.material_of_tet[tet]];
  const ElasticLaw law = elastic_law(m);
  const Mat3 F = deformation_gradient(s, tet);
  const auto B = strain_matrix(s, tet);
  if (law.stiffness == Stiffness::exact || F.determinant() < law.continued_below) {
    return rest_volume(s, tet) * B.transpose() * projected_stress_derivative(law, F) * B;
  }
  // Mueller & Gross: R K_0 R^T, K_0 = W B^T D_0 B of linear elasticity.
  const Mat9 D0 = stress_derivative(law, Mat3::Identity());
  Dense R = Dense::Zero(12, 12);
  for (int corner = 0; corner < 4; ++corner) block(R, corner, corner) = test::nearest_rotation(F);
  return R * (rest_volume(s, tet) * B.transpose() * D0 * B) * R.transpose();
}

// The same, of dF without what a turn of the element is in it.
Dense element_damping(const Specimen& s, Index tet) {
  const Mat3 F = deformation_gradient(s, tet);
  const auto B = strain_matrix(s, tet);
  Mat9 turns = Mat9::Zero();  // [e_k]x F in the first three columns
  for (int k = 0; k < 3; ++k) {
    Mat3 turned;
    for (int column = 0; column < 3; ++column) turned.col(column) = Vec3::Unit(k).cross(Vec3(F.col(column)));
    turns.col(k) = Eigen::Map<const Eigen::Matrix<double, 9, 1>>(turned.data());
  }
  const Mat9 basis = Eigen::JacobiSVD<Mat9>(turns, Eigen::ComputeFullU).matrixU();
  const Mat9 kept = Mat9::Identity() - basis.leftCols(3) * basis.leftCols(3).transpose();
  const ElasticLaw law = elastic_law(s.materials[s.material_of_tet[tet]]);
  Mat9 H = projected_stress_derivative(law, F);
  if (law.stiffness == Stiffness::rotated_linear && F.determinant() >= law.continued_below) {
    Mat9 R = Mat9::Zero();
    for (int column = 0; column < 3; ++column) R.block<3, 3>(3 * column, 3 * column) = test::nearest_rotation(F);
    H = R * stress_derivative(law, Mat3::Identity()) * R.transpose();
  }
  return rest_volume(s, tet) * B.transpose() * kept * H * kept * B;
}

void add_element(const Specimen& s, Index tet, const Dense& K, Dense& total) {
  for (int a = 0; a < 4; ++a) {
    for (int b = 0; b < 4; ++b) {
      block(total, s.mesh.tets[tet][a], s.mesh.tets[tet][b]) += block(K, a, b);
    }
  }
}

struct DenseSystem {
  Dense A;
  VecX b;
};

// The header's equations, element by element into full matrices.
DenseSystem naive(const Specimen& s, double dt) {
  DenseSystem system{Dense::Zero(s.x.size(), s.x.size()), VecX::Zero(s.x.size())};
  for (Index t = 0; t < static_cast<Index>(s.mesh.tets.size()); ++t) {
    const Material& m = s.materials[s.material_of_tet[t]];
    const auto B = strain_matrix(s, t);
    add_element(s, t, dt * dt * element_stiffness(s, t) + dt * m.stiffness_damping * element_damping(s, t), system.A);
    const Mat3 P = stress(elastic_law(m), deformation_gradient(s, t));
    const VecX force = -rest_volume(s, t) * B.transpose() * Eigen::Map<const Eigen::Matrix<double, 9, 1>>(P.data());
    const double quarter = m.density * rest_volume(s, t) / 4;
    for (int corner = 0; corner < 4; ++corner) {
      const Index i = s.mesh.tets[t][corner];
      block(system.A, i, i).diagonal().array() += quarter * (1 + dt * m.mass_damping);
      block(system.b, i) += quarter * block(s.v, i) + dt * (block(force, corner) + quarter * gravity);
    }
  }
  return system;
}

TEST(Assembly, RigidMotionLeavesMomentumAndGravityOnTheRightHandSide) {
  for (const MaterialModel model : {MaterialModel::corotational, MaterialModel::neo_hookean}) {
    Specimen s = make_specimen({material(model)});
    deform(s, Vec3(1, 1, 1), 0);
    const System system = assembled(s, 0.001);
    VecX expected(s.x.size());
    for (Index i = 0; i < s.vertices(); ++i) {
      block(expected, i) = s.bodies.mass[i] * (block(s.v, i) + 0.001 * gravity);
    }
    EXPECT_LT((system.b - expected).norm(), 1e-12);
  }
}

TEST(Assembly, EqualsTheDenseSystemOfTheDefinitions) {
  for (const auto& materials :
       {damped_pair(Stiffness::rotated_linear), damped_pair(Stiffness::exact), damped_rubbers()}) {
    Specimen s = make_specimen(materials);
    for (const auto& [stretch, noise] : states) {
      deform(s, stretch, noise);
      for (const double dt : {0.001, 0.02}) {
        const System system = assembled(s, dt);
        const auto [A, b] = naive(s, dt);
        EXPECT_LT((dense(system.A) - A).norm(), 1e-12 * A.norm());
        EXPECT_LT((system.b - b).norm(), 1e-12 * b.norm());
      }
    }
  }
}

TEST(Assembly, RotatedLinearStiffnessIsTheForceDerivativeWithRotationsFrozen) {
  Specimen s = make_specimen({material(MaterialModel::corotational, 5e5, 0.3, Stiffness::rotated_linear)});
  deform(s, Vec3(1.2, 0.8, 1.1), 0.01);
  const auto tets = static_cast<Index>(s.mesh.tets.size());
  std::vector<Mat3> rotations(s.mesh.tets.size());
  for (Index t = 0; t < tets; ++t) rotations[t] = test::nearest_rotation(deformation_gradient(s, t));
  const auto frozen_force = [&](const VecX& x) {
    Specimen moved = s;
    moved.x = x;
    VecX force = VecX::Zero(x.size());
    for (Index t = 0; t < tets; ++t) {
      // Linear elasticity in the element's own frame: strain e = sym(R^T F) - 1, stress 2 mu e + lambda tr(e) 1.
      const Lame l = lame(s.materials[0]);
      const Mat3 G = rotations[t].transpose() * deformation_gradient(moved, t);
      const Mat3 strain = 0.5 * (G + G.transpose()) - Mat3::Identity();
      const Mat3 P = rotations[t] * (2 * l.mu * strain + l.lambda * strain.trace() * Mat3::Identity());
      const VecX of_tet = -rest_volume(s, t) * strain_matrix(s, t).transpose() *
                          Eigen::Map<const Eigen::Matrix<double, 9, 1>>(P.data());
      for (int c = 0; c < 4; ++c) block(force, s.mesh.tets[t][c]) += block(of_tet, c);
    }
    return force;
  };
  EXPECT_LT((frozen_force(s.x) - elastic_force(s.bodies, s.x)).norm(), 1e-11 * elastic_force(s.bodies, s.x).norm());

  Dense K(s.x.size(), s.x.size());
  for (Eigen::Index i = 0; i < s.x.size(); ++i) {
    K.col(i) = -derivative([&](double h) { return frozen_force(s.x + h * VecX::Unit(s.x.size(), i)); }, 1e-3);
  }
  const Dense found = dense(assembled(s, 1.0).A) - mass_matrix(s);
  EXPECT_LT((found - K).norm(), 1e-9 * K.norm());
}

TEST(Assembly, ExactStiffnessIsTheForceDerivativeWhereNothingIsProjected) {
  for (const MaterialModel model : {MaterialModel::corotational, MaterialModel::neo_hookean,
                                    MaterialModel::stable_neo_hookean, MaterialModel::mooney_rivlin}) {
    Specimen s = make_specimen({material(model, 5e5, 0.3)});
    const bool stable = model == MaterialModel::stable_neo_hookean;
    deform(s, stable ? Vec3(1.1, 1.05, 1.08) : Vec3(1.3, 1.25, 1.35), 0.004);
    for (Index t = 0; t < static_cast<Index>(s.mesh.tets.size()); ++t) {
      const Mat9 D = stress_derivative(elastic_law(s.materials[0]), deformation_gradient(s, t));
      ASSERT_GT(Eigen::SelfAdjointEigenSolver<Mat9>(D).eigenvalues()[0], 0) << "the state does not serve the test";
    }
    Dense K(s.x.size(), s.x.size());
    for (Eigen::Index i = 0; i < s.x.size(); ++i) {
      K.col(i) =
          -derivative([&](double h) { return elastic_force(s.bodies, s.x + h * VecX::Unit(s.x.size(), i)); }, 2e-5);
    }
    const Dense found = dense(assembled(s, 1.0).A) - mass_matrix(s);
    EXPECT_LT((found - K).norm(), 1e-6 * K.norm());
  }
}

TEST(Assembly, MatrixIsSymmetricToTheBit) {
  for (const auto& materials :
       {damped_pair(Stiffness::rotated_linear), damped_pair(Stiffness::exact), damped_rubbers()}) {
    Specimen s = make_specimen(materials);
    for (const auto& [stretch, noise] : states) {
      deform(s, stretch, noise);
      const Dense A = dense(assembled(s, 0.01).A);
      EXPECT_EQ(A, Dense(A.transpose()));
    }
  }
}

TEST(Assembly, MatrixIsAtLeastTheMassHoweverTheElementsAreInverted) {
  for (const auto& materials :
       {damped_pair(Stiffness::rotated_linear), damped_pair(Stiffness::exact), damped_rubbers()}) {
    Specimen s = make_specimen(materials);
    for (const auto& [stretch, noise] : states) {
      deform(s, stretch, noise);
      const Eigen::SelfAdjointEigenSolver<Dense> eigen(dense(assembled(s, 0.01).A), Eigen::EigenvaluesOnly);
      const double largest = eigen.eigenvalues().tail(1)[0];
      EXPECT_GT(eigen.eigenvalues()[0], s.bodies.mass.minCoeff() - 1e-12 * largest);
    }
  }
}

TEST(Assembly, TranslationsMeetOnlyMassAndItsDamping) {
  Specimen s = make_specimen(damped_pair(Stiffness::rotated_linear));
  deform(s, Vec3(1, 1, 1), 0.06);
  const double dt = 0.01;
  const System system = assembled(s, dt);
  const Vec3 velocity(1, -2, 0.5);
  VecX v(s.x.size()), Av(s.x.size());
  for (Index i = 0; i < s.vertices(); ++i) block(v, i) = velocity;
  multiply(system.A, v, Av);
  double largest = 0;
  for (const double value : system.A.values) largest = std::max(largest, std::abs(value));
  for (Index i = 0; i < s.vertices(); ++i) {
    const Vec3 expected = (s.bodies.mass[i] + dt * s.bodies.damping_mass[i]) * velocity;
    EXPECT_LT((block(Av, i) - expected).norm(), 1e-14 * largest);
  }
}

TEST(Assembly, MovesAreEliminatedAsInTheFullSystem) {
  Specimen s = make_specimen(damped_pair(Stiffness::rotated_linear));
  deform(s, Vec3(1.1, 0.9, 1), 0.01);
  const double dt = 0.01;
  // Every third vertex is told; the free ones are numbered backwards, to be fair to the numbering.
  std::vector<Index> blocks(s.mesh.vertices.size(), -1), free;
  for (Index i = s.vertices() - 1; i >= 0; --i) {
    if (i % 3 == 0) continue;
    blocks[i] = static_cast<Index>(free.size());
    free.push_back(i);
  }
  VecX prescribed = random_vector(s.x.size(), 75, 2.0);
  for (const Index i : free) block(prescribed, i).setConstant(std::nan(""));  // not to be read
  const System system = assembled(s, dt, blocks, prescribed);
  EXPECT_EQ(system.plan.vertex_of_block, free);

  const System full = assembled(s, dt);
  const Dense A = dense(full.A), reduced = dense(system.A);
  for (Index r = 0; r < static_cast<Index>(free.size()); ++r) {
    Vec3 b = block(full.b, free[r]);
    for (Index i = 0; i < s.vertices(); ++i) {
      if (i % 3 == 0) b -= block(A, free[r], i) * block(prescribed, i);
    }
    EXPECT_LT((block(system.b, r) - b).norm(), 1e-12 * full.b.norm());
    for (Index c = 0; c < static_cast<Index>(free.size()); ++c) {
      EXPECT_EQ(Mat3(block(reduced, r, c)), Mat3(block(A, free[r], free[c])));
    }
  }
  EXPECT_EQ(reduced, Dense(reduced.transpose()));
}

TEST(Assembly, NobodyFreeGivesAnEmptySystem) {
  const Specimen s = make_specimen({material(MaterialModel::corotational)});
  const System system = assembled(s, 0.01, std::vector<Index>(s.mesh.vertices.size(), -1), VecX::Zero(s.x.size()));
  EXPECT_EQ(system.A.rows(), 0);
  EXPECT_EQ(system.b.size(), 0);
}

TEST(Assembly, DampingChangesTheMatrixByDtTimesCAndLeavesTheRightHandSide) {
  const double dt = 0.01, alpha = 2.5, beta = 0.03;
  Material plain = material(MaterialModel::corotational, 5e5, 0.2, Stiffness::rotated_linear);
  Material damped = plain;
  damped.mass_damping = alpha;
  damped.stiffness_damping = beta;
  Specimen s = make_specimen({plain}), d = make_specimen({damped});
  deform(s, Vec3(1, 1, 1), 0);  // turned, but not strained: D = K
  deform(d, Vec3(1, 1, 1), 0);
  const System without = assembled(s, dt), with = assembled(d, dt);
  EXPECT_EQ(without.b, with.b);
  const Dense M = mass_matrix(s);
  const Dense K = (dense(without.A) - M) / (dt * dt);
  const Dense expected = dense(without.A) + dt * (alpha * M + beta * K);
  EXPECT_LT((dense(with.A) - expected).norm(), 1e-12 * expected.norm());
}

TEST(Assembly, BuffersFromBeforeDoNotMatter) {
  Specimen s = make_specimen(damped_pair(Stiffness::exact));
  deform(s, Vec3(1, 1, 1), 0.06);
  const VecX prescribed = VecX::Zero(s.x.size());
  const System fresh = assembled(s, 0.01);
  System used = assembled(s, 0.01);
  std::fill(used.A.values.begin(), used.A.values.end(), 7.0);
  std::fill(used.buffer.blocks.begin(), used.buffer.blocks.end(), 7.0);
  std::fill(used.buffer.forces.begin(), used.buffer.forces.end(), 7.0);
  used.b.setConstant(7.0);
  assemble(s.bodies, used.plan, {s.x, s.v, prescribed, gravity, 0.01}, used.buffer, used.A, used.b);
  EXPECT_EQ(dense(used.A), dense(fresh.A));
  EXPECT_EQ(used.b, fresh.b);

  // A matrix of another body with as many rows and slots, but other columns.
  std::rotate(used.A.column.begin(), used.A.column.begin() + 1, used.A.column.end());
  assemble(s.bodies, used.plan, {s.x, s.v, prescribed, gravity, 0.01}, used.buffer, used.A, used.b);
  EXPECT_EQ(dense(used.A), dense(fresh.A));
}

TEST(Assembly, HasTheSameBitsForAnyNumberOfThreads) {
  Specimen s = make_specimen(damped_pair(Stiffness::rotated_linear), {9, 8, 9});
  deform(s, Vec3(1, 1, 1), 0.004);  // half the least cell: some elements are inverted
  const System one = assembled(s, 0.01);
  const VecX force = elastic_force(s.bodies, s.x);
  const double energy = elastic_energy(s.bodies, s.x);
  for (const int threads : {2, 3}) {
    set_thread_count(threads);
    const System many = assembled(s, 0.01);
    EXPECT_EQ(many.A.values, one.A.values);
    EXPECT_EQ(many.b, one.b);
    EXPECT_EQ(elastic_force(s.bodies, s.x), force);
    EXPECT_EQ(elastic_energy(s.bodies, s.x), energy);
  }
  set_thread_count(1);
}

}  // namespace assembly_test
}  // namespace sim
