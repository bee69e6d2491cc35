// An irregular block of tets in one or more materials, and deformed states of it.
#pragma once

#include <algorithm>
#include <utility>
#include <vector>

#include "elasticity/assembly.hpp"
#include "elasticity/lattice.hpp"
#include "elasticity/reference.hpp"

namespace sim::test {

inline VecX stacked(const std::vector<Vec3>& points) {
  VecX x(3 * static_cast<Eigen::Index>(points.size()));
  for (Index i = 0; i < static_cast<Index>(points.size()); ++i) block(x, i) = points[i];
  return x;
}

inline VecX random_vector(Eigen::Index size, std::uint64_t seed, double amplitude) {
  Random random(seed);
  VecX v(size);
  for (double& entry : v) entry = random.uniform(-amplitude, amplitude);
  return v;
}

// A jittered block of six tets a cell, its tets shared out evenly among the materials, and where it is now.
struct Specimen {
  std::vector<Material> materials;
  Mesh mesh;
  std::vector<Index> material_of_tet;
  ElasticBodies bodies;
  VecX x, v;

  Index vertices() const { return static_cast<Index>(mesh.vertices.size()); }
};

inline Specimen make_specimen(const std::vector<Material>& materials, std::array<Index, 3> cells = {2, 2, 1}) {
  Specimen s;
  s.materials = materials;
  s.mesh = test::lattice_box(cells, Vec3(0.2, 0.25, 0.1));
  Random random(71);
  const double jitter = 0.1 * std::min({0.2 / cells[0], 0.25 / cells[1], 0.1 / cells[2]});
  for (Vec3& vertex : s.mesh.vertices) {
    vertex += jitter * Vec3(random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1));
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
inline void deform(Specimen& s, const Vec3& stretch, double noise) {
  Random random(73);
  const Mat3 Q = test::random_rotation(random);
  const VecX jitter = random_vector(s.x.size(), 74, noise);
  for (Index i = 0; i < s.vertices(); ++i) {
    block(s.x, i) = Q * (stretch.cwiseProduct(s.mesh.vertices[i]) + block(jitter, i)) + Vec3(3, -2, 1);
  }
}

inline Mat3 deformation_gradient(const Specimen& s, Index tet) {
  const auto [a, b, c, d] = s.mesh.tets[tet];
  const auto& X = s.mesh.vertices;
  Mat3 rest, now;
  rest << X[b] - X[a], X[c] - X[a], X[d] - X[a];
  now << block(s.x, b) - block(s.x, a), block(s.x, c) - block(s.x, a), block(s.x, d) - block(s.x, a);
  return now * rest.inverse();
}

inline double rest_volume(const Specimen& s, Index tet) {
  const auto [a, b, c, d] = s.mesh.tets[tet];
  const auto& X = s.mesh.vertices;
  Mat3 rest;
  rest << X[b] - X[a], X[c] - X[a], X[d] - X[a];
  return rest.determinant() / 6;
}

// vec(F) = B x of the tet's twelve coordinates.
inline Eigen::Matrix<double, 9, 12> strain_matrix(const Specimen& s, Index tet) {
  const auto [a, b, c, d] = s.mesh.tets[tet];
  const auto& X = s.mesh.vertices;
  Mat3 rest;
  rest << X[b] - X[a], X[c] - X[a], X[d] - X[a];
  Eigen::Matrix<double, 3, 4> difference;
  difference << -1, 1, 0, 0, -1, 0, 1, 0, -1, 0, 0, 1;
  const Eigen::Matrix<double, 3, 4> to_F = rest.inverse().transpose() * difference;  // F = x_4 to_F^T
  Eigen::Matrix<double, 9, 12> B = Eigen::Matrix<double, 9, 12>::Zero();
  for (Eigen::Index column = 0; column < 3; ++column) {
    for (Eigen::Index corner = 0; corner < 4; ++corner) {
      B.block<3, 3>(3 * column, 3 * corner) = to_F(column, corner) * Mat3::Identity();
    }
  }
  return B;
}

inline std::vector<Material> damped_pair(Stiffness stiffness) {
  std::vector<Material> pair{material(MaterialModel::corotational, 5e5, 0.2, stiffness),
                             material(MaterialModel::neo_hookean, 2e5, 0.4)};
  pair[0].mass_damping = 3;
  pair[0].stiffness_damping = 0.004;
  pair[1].stiffness_damping = 0.001;
  pair[1].density = 1300;
  return pair;
}

inline std::vector<Material> damped_rubbers() {
  std::vector<Material> pair{material(MaterialModel::stable_neo_hookean, 5e5, 0.3),
                             material(MaterialModel::mooney_rivlin, 2e5, 0.4)};
  pair[0].stiffness_damping = 0.004;
  pair[1].stiffness_damping = 0.01;
  pair[1].c2_share = 0.4;
  return pair;
}

// States from gentle to badly inverted: the stretch and the noise of deform().
inline const std::vector<std::pair<Vec3, double>> states{{Vec3(1, 1, 1), 0},          {Vec3(1, 1, 1), 1e-4},
                                                         {Vec3(1.3, 0.9, 1.1), 0.01}, {Vec3(0.6, 0.8, 0.7), 0.01},
                                                         {Vec3(1, 1, 1), 0.06},       {Vec3(1, 1, -0.5), 0.01}};

}  // namespace sim::test
