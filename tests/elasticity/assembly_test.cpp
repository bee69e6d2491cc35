#include "elasticity/assembly.hpp"

#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <numeric>

#include "elasticity/lattice.hpp"
#include "elasticity/reference.hpp"
#include "math/error.hpp"
#include "math/parallel.hpp"

namespace sim {
namespace {

using Dense = Eigen::MatrixXd;
using test::derivative;
using test::material;

const Vec3 gravity(0.3, -0.2, -9.81);

VecX stacked(const std::vector<Vec3>& points) {
  VecX x(3 * static_cast<Eigen::Index>(points.size()));
  for (Index i = 0; i < static_cast<Index>(points.size()); ++i) block(x, i) = points[i];
  return x;
}

VecX random_vector(Eigen::Index size, std::uint64_t seed, double amplitude) {
  Random random(seed);
  VecX v(size);
  for (double& entry : v) entry = random.uniform(-amplitude, amplitude);
  return v;
}

// An irregular block of two materials (the first and the second half of the tets), and a deformed state of it.
struct Specimen {
  std::vector<Material> materials;
  Mesh mesh;
  std::vector<Index> material_of_tet;
  ElasticBodies bodies;
  VecX x, v;

  Index vertices() const { return static_cast<Index>(mesh.vertices.size()); }
};

Specimen make_specimen(const std::vector<Material>& materials, std::array<Index, 3> cells = {2, 2, 1}) {
  Specimen s;
  s.materials = materials;
  s.mesh = test::lattice_box(cells, Vec3(0.2, 0.25, 0.1));
  Random random(71);
  const double noise = 0.02 / *std::max_element(cells.begin(), cells.end());  // small beside the cells
  for (Vec3& vertex : s.mesh.vertices) {
    vertex += noise * Vec3(random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1));
  }
  const std::size_t tets = s.mesh.tets.size();
  for (std::size_t t = 0; t < tets; ++t) {
    s.material_of_tet.push_back(static_cast<Index>(t * materials.size() / tets));
  }
  s.bodies = make_elastic_bodies(s.mesh.vertices, s.mesh.tets, s.material_of_tet, materials);
  s.x = stacked(s.mesh.vertices);
  s.v = random_vector(s.x.size(), 72, 1.0);
  return s;
}

// x = Q (stretch X + noise) + shift: how much noise decides about what the elements go through.
void deform(Specimen& s, const Vec3& stretch, double noise) {
  Random random(73);
  const Mat3 Q = test::random_rotation(random);
  const VecX jitter = random_vector(s.x.size(), 74, noise);
  for (Index i = 0; i < s.vertices(); ++i) {
    block(s.x, i) = Q * (stretch.cwiseProduct(s.mesh.vertices[i]) + block(jitter, i)) + Vec3(3, -2, 1);
  }
}

Mat3 deformation_gradient(const Specimen& s, Index tet) {
  const auto [a, b, c, d] = s.mesh.tets[tet];
  const auto& X = s.mesh.vertices;
  Mat3 rest, now;
  rest << X[b] - X[a], X[c] - X[a], X[d] - X[a];
  now << block(s.x, b) - block(s.x, a), block(s.x, c) - block(s.x, a), block(s.x, d) - block(s.x, a);
  return now * rest.inverse();
}

double rest_volume(const Specimen& s, Index tet) {
  const auto [a, b, c, d] = s.mesh.tets[tet];
  const auto& X = s.mesh.vertices;
  Mat3 rest;
  rest << X[b] - X[a], X[c] - X[a], X[d] - X[a];
  return rest.determinant() / 6;
}

// vec(F) = B x of the tet's twelve coordinates.
Eigen::Matrix<double, 9, 12> strain_matrix(const Specimen& s, Index tet) {
  const auto [a, b, c, d] = s.mesh.tets[tet];
  const auto& X = s.mesh.vertices;
  Mat3 rest;
  rest << X[b] - X[a], X[c] - X[a], X[d] - X[a];
  Eigen::Matrix<double, 3, 4> difference;
  difference << -1, 1, 0, 0, -1, 0, 1, 0, -1, 0, 0, 1;
  const Eigen::Matrix<double, 3, 4> to_F = rest.inverse().transpose() * difference;  // F = x_4 to_F^T
  Eigen::Matrix<double, 9, 12> B = Eigen::Matrix<double, 9, 12>::Zero();
  for (int column = 0; column < 3; ++column) {
    for (int corner = 0; corner < 4; ++corner) {
      B.block<3, 3>(3 * column, 3 * corner) = to_F(column, corner) * Mat3::Identity();
    }
  }
  return B;
}

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

System assembled(const Specimen& s, double dt, const std::vector<Index>& blocks, const VecX& told) {
  System system;
  system.plan = plan_assembly(s.bodies, blocks);
  assemble(s.bodies, system.plan, {s.x, s.v, told, gravity, dt}, system.buffer, system.A, system.b);
  return system;
}

System assembled(const Specimen& s, double dt) {
  return assembled(s, dt, all_free(s), VecX::Zero(s.x.size()));
}

Dense dense(const BlockMatrix& A) {
  Dense D = Dense::Zero(3 * A.rows(), 3 * A.rows());
  for (Index r = 0; r < A.rows(); ++r) {
    for (Index k = A.row_begin[r]; k < A.row_begin[r + 1]; ++k) D.block<3, 3>(3 * r, 3 * A.column[k]) = A.at(k);
  }
  return D;
}

// K of one element, 12 x 12, from the definition of the material's stiffness.
Dense element_stiffness(const Specimen& s, Index tet) {
  const Material& m = s.materials[s.material_of_tet[tet]];
  const ElasticLaw law = elastic_law(m);
  const Mat3 F = deformation_gradient(s, tet);
  const auto B = strain_matrix(s, tet);
  if (law.stiffness == Stiffness::exact) {
    return rest_volume(s, tet) * B.transpose() * projected_stress_derivative(law, F) * B;
  }
  // Mueller & Gross: R K_0 R^T, K_0 = W B^T D_0 B of linear elasticity.
  const Mat9 D0 = stress_derivative(law, Mat3::Identity());
  Dense R = Dense::Zero(12, 12);
  for (int corner = 0; corner < 4; ++corner) R.block<3, 3>(3 * corner, 3 * corner) = test::nearest_rotation(F);
  return R * (rest_volume(s, tet) * B.transpose() * D0 * B) * R.transpose();
}

void add_element(const Specimen& s, Index tet, const Dense& K, Dense& total) {
  for (int a = 0; a < 4; ++a) {
    for (int b = 0; b < 4; ++b) {
      total.block<3, 3>(3 * s.mesh.tets[tet][a], 3 * s.mesh.tets[tet][b]) += K.block<3, 3>(3 * a, 3 * b);
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
    add_element(s, t, (dt * dt + dt * m.stiffness_damping) * element_stiffness(s, t), system.A);
    const Mat3 P = stress(elastic_law(m), deformation_gradient(s, t));
    const VecX force = -rest_volume(s, t) * B.transpose() * Eigen::Map<const Eigen::Matrix<double, 9, 1>>(P.data());
    const double quarter = m.density * rest_volume(s, t) / 4;
    for (int corner = 0; corner < 4; ++corner) {
      const Index i = s.mesh.tets[t][corner];
      system.A.diagonal().segment<3>(3 * i).array() += quarter * (1 + dt * m.mass_damping);
      block(system.b, i) +=
          quarter * block(s.v, i) + dt * (force.segment<3>(3 * Eigen::Index{corner}) + quarter * gravity);
    }
  }
  return system;
}

std::vector<Material> damped_pair(Stiffness stiffness) {
  std::vector<Material> pair{material(MaterialModel::corotational, 5e5, 0.2, stiffness),
                             material(MaterialModel::neo_hookean, 2e5, 0.4)};
  pair[0].mass_damping = 3;
  pair[0].stiffness_damping = 0.004;
  pair[1].stiffness_damping = 0.001;
  pair[1].density = 1300;
  return pair;
}

// States from gentle to badly inverted: the stretch and the noise of deform().
const std::vector<std::pair<Vec3, double>> states{{Vec3(1, 1, 1), 0},          {Vec3(1, 1, 1), 1e-4},
                                                  {Vec3(1.3, 0.9, 1.1), 0.01}, {Vec3(0.6, 0.8, 0.7), 0.01},
                                                  {Vec3(1, 1, 1), 0.06},       {Vec3(1, 1, -0.5), 0.01}};

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
    System system = assembled(s, 0.001);
    VecX expected(s.x.size());
    for (Index i = 0; i < s.vertices(); ++i) {
      block(expected, i) = s.bodies.mass[i] * (block(s.v, i) + 0.001 * gravity);
    }
    EXPECT_LT((system.b - expected).norm(), 1e-12);
  }
}

TEST(Assembly, EqualsTheDenseSystemOfTheDefinitions) {
  for (const Stiffness stiffness : {Stiffness::rotated_linear, Stiffness::exact}) {
    Specimen s = make_specimen(damped_pair(stiffness));
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
  std::vector<Mat3> rotations;
  for (Index t = 0; t < tets; ++t) rotations.push_back(test::nearest_rotation(deformation_gradient(s, t)));
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
      for (int c = 0; c < 4; ++c) block(force, s.mesh.tets[t][c]) += of_tet.segment<3>(3 * Eigen::Index{c});
    }
    return force;
  };
  EXPECT_LT((frozen_force(s.x) - elastic_force(s.bodies, s.x)).norm(), 1e-11 * elastic_force(s.bodies, s.x).norm());

  Dense K(s.x.size(), s.x.size());
  for (Eigen::Index i = 0; i < s.x.size(); ++i) {
    K.col(i) = -derivative([&](double h) { return frozen_force(s.x + h * VecX::Unit(s.x.size(), i)); }, 1e-3);
  }
  Dense found = dense(assembled(s, 1.0).A);
  for (Index i = 0; i < s.vertices(); ++i) found.diagonal().segment<3>(3 * i).array() -= s.bodies.mass[i];
  EXPECT_LT((found - K).norm(), 1e-9 * K.norm());
}

TEST(Assembly, ExactStiffnessIsTheForceDerivativeWhereNothingIsProjected) {
  for (const MaterialModel model : {MaterialModel::corotational, MaterialModel::neo_hookean}) {
    Specimen s = make_specimen({material(model, 5e5, 0.3)});
    deform(s, Vec3(1.3, 1.25, 1.35), 0.004);
    for (Index t = 0; t < static_cast<Index>(s.mesh.tets.size()); ++t) {
      const Mat9 D = stress_derivative(elastic_law(s.materials[0]), deformation_gradient(s, t));
      ASSERT_GT(Eigen::SelfAdjointEigenSolver<Mat9>(D).eigenvalues()[0], 0) << "the state does not serve the test";
    }
    Dense K(s.x.size(), s.x.size());
    for (Eigen::Index i = 0; i < s.x.size(); ++i) {
      K.col(i) =
          -derivative([&](double h) { return elastic_force(s.bodies, s.x + h * VecX::Unit(s.x.size(), i)); }, 2e-5);
    }
    Dense found = dense(assembled(s, 1.0).A);
    for (Index i = 0; i < s.vertices(); ++i) found.diagonal().segment<3>(3 * i).array() -= s.bodies.mass[i];
    EXPECT_LT((found - K).norm(), 1e-6 * K.norm());
  }
}

TEST(Assembly, MatrixIsSymmetricToTheBit) {
  for (const Stiffness stiffness : {Stiffness::rotated_linear, Stiffness::exact}) {
    Specimen s = make_specimen(damped_pair(stiffness));
    for (const auto& [stretch, noise] : states) {
      deform(s, stretch, noise);
      const Dense A = dense(assembled(s, 0.01).A);
      EXPECT_EQ(A, Dense(A.transpose()));
    }
  }
}

TEST(Assembly, MatrixIsAtLeastTheMassHoweverTheElementsAreInverted) {
  for (const Stiffness stiffness : {Stiffness::rotated_linear, Stiffness::exact}) {
    Specimen s = make_specimen(damped_pair(stiffness));
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
  VecX told = random_vector(s.x.size(), 75, 2.0);
  for (const Index i : free) block(told, i).setConstant(std::nan(""));  // not to be read
  const System system = assembled(s, dt, blocks, told);
  EXPECT_EQ(system.plan.vertex_of_block, free);

  const System full = assembled(s, dt);
  const Dense A = dense(full.A), reduced = dense(system.A);
  for (Index r = 0; r < static_cast<Index>(free.size()); ++r) {
    Vec3 b = block(full.b, free[r]);
    for (Index i = 0; i < s.vertices(); ++i) {
      if (i % 3 == 0) b -= A.block<3, 3>(3 * free[r], 3 * i) * block(told, i);
    }
    EXPECT_LT((block(system.b, r) - b).norm(), 1e-12 * full.b.norm());
    for (Index c = 0; c < static_cast<Index>(free.size()); ++c) {
      EXPECT_EQ((reduced.block<3, 3>(3 * r, 3 * c)), (A.block<3, 3>(3 * free[r], 3 * free[c])));
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
  deform(s, Vec3(1.1, 0.9, 1), 0.01);
  deform(d, Vec3(1.1, 0.9, 1), 0.01);
  const System without = assembled(s, dt), with = assembled(d, dt);
  EXPECT_EQ(without.b, with.b);
  Dense M = Dense::Zero(s.x.size(), s.x.size());
  for (Index i = 0; i < s.vertices(); ++i) M.diagonal().segment<3>(3 * i).setConstant(s.bodies.mass[i]);
  const Dense K = (dense(without.A) - M) / (dt * dt);
  const Dense expected = dense(without.A) + dt * (alpha * M + beta * K);
  EXPECT_LT((dense(with.A) - expected).norm(), 1e-12 * expected.norm());
}

TEST(Assembly, BuffersFromBeforeDoNotMatter) {
  Specimen s = make_specimen(damped_pair(Stiffness::exact));
  deform(s, Vec3(1, 1, 1), 0.06);
  const VecX told = VecX::Zero(s.x.size());
  const System fresh = assembled(s, 0.01);
  System used = assembled(s, 0.01);
  std::fill(used.A.values.begin(), used.A.values.end(), 7.0);
  std::fill(used.buffer.blocks.begin(), used.buffer.blocks.end(), 7.0);
  std::fill(used.buffer.forces.begin(), used.buffer.forces.end(), 7.0);
  used.b.setConstant(7.0);
  assemble(s.bodies, used.plan, {s.x, s.v, told, gravity, 0.01}, used.buffer, used.A, used.b);
  EXPECT_EQ(dense(used.A), dense(fresh.A));
  EXPECT_EQ(used.b, fresh.b);

  // A matrix of another body with as many rows and slots, but other columns.
  std::rotate(used.A.column.begin(), used.A.column.begin() + 1, used.A.column.end());
  assemble(s.bodies, used.plan, {s.x, s.v, told, gravity, 0.01}, used.buffer, used.A, used.b);
  EXPECT_EQ(dense(used.A), dense(fresh.A));
}

TEST(Assembly, HasTheSameBitsForAnyNumberOfThreads) {
  Specimen s = make_specimen(damped_pair(Stiffness::rotated_linear), {9, 8, 9});
  deform(s, Vec3(1, 1, 1), 0.02);
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

}  // namespace
}  // namespace sim
