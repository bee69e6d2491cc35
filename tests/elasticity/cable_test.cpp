// Cables as elements: their masses, Euler's load, the swings of a hanging chain.
#include "elasticity/cable.hpp"

#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>
#include <numbers>

namespace sim {
namespace cable_test {

constexpr double pi = std::numbers::pi;

struct Line {
  std::vector<Vec3> vertices;
  std::vector<Triangle> segments;
  ElasticBodies bodies;

  Line(const Vec3& step, Index count, Material material) {
    material.model = MaterialModel::cable;
    for (Index i = 0; i <= count; ++i) vertices.push_back(i * step);
    for (Index i = 0; i < count; ++i) segments.push_back({i, i + 1, i + 1});
    ThinParts parts;
    add_cable(vertices, {segments, 0}, material, parts);
    bodies = make_elastic_bodies(vertices, {}, {}, std::span(&material, 1), std::move(parts));
  }

  // -df/dx along y of the vertices from `first` to `last`, where all are at x.
  Eigen::MatrixXd stiffness_across(VecX x, Index first, Index last) const {
    const Eigen::Index count = last - first + 1;
    Eigen::MatrixXd K(count, count);
    constexpr double h = 1e-9;  // m: what it stretches the stiff segments by is its square
    for (Eigen::Index k = 0; k < count; ++k) {
      const Eigen::Index y = 3 * (first + k) + 1;
      x[y] = h;
      const VecX f = elastic_force(bodies, x);
      x[y] = 0;
      for (Eigen::Index j = 0; j < count; ++j) K(j, k) = -f[3 * (first + j) + 1] / h;
    }
    return 0.5 * (K + K.transpose());
  }
};

VecX stacked(const std::vector<Vec3>& points, double factor) {
  VecX x(3 * static_cast<Eigen::Index>(points.size()));
  for (std::size_t i = 0; i < points.size(); ++i) block(x, static_cast<Index>(i)) = factor * points[i];
  return x;
}

TEST(Cable, HasSpringsBendsAndTheMassOfARoundSection) {
  Material m;
  m.stretch = 40;
  m.bend = 0.3;
  m.density = 2000;
  m.thickness = 0.02;
  m.strain_limit = {1, 0.1};
  const Line line(Vec3(0.5, 0, 0), 4, m);
  EXPECT_EQ(line.bodies.springs.size(), 4u);
  EXPECT_EQ(line.bodies.bends.size(), 3u);
  EXPECT_EQ(line.bodies.springs[2].stiffness, 40);
  EXPECT_EQ(line.bodies.bends[0].stiffness, 0.6);
  EXPECT_NEAR(line.bodies.mass.sum(), 2000 * pi * 1e-4 * 2, 1e-12);
  EXPECT_EQ(line.bodies.mass[0], line.bodies.mass[1] / 2);
}

TEST(Cable, TurnsFreelyWhereThreeSegmentsMeet) {
  const std::vector<Vec3> star{Vec3(0, 0, 0), Vec3(1, 0, 0), Vec3(0, 1, 0), Vec3(0, 0, 1), Vec3(0, 0, 2)};
  const std::vector<Triangle> segments{{0, 1, 1}, {2, 0, 0}, {0, 3, 3}, {3, 4, 4}};
  Material m;
  m.model = MaterialModel::cable;
  m.bend = 1;
  ThinParts parts;
  add_cable(star, {segments, 0}, m, parts);
  ASSERT_EQ(parts.bends.size(), 1u);
  EXPECT_EQ(parts.bends[0].vertices, (std::array<Index, 3>{0, 3, 4}));
}

TEST(Cable, LimitsAreThoseOfItsSprings) {
  Material m;
  m.model = MaterialModel::cable;
  m.strain_limit = {0.25, 0.5};
  const std::vector<Vec3> ends{Vec3(0, 0, 0), Vec3(2, 0, 0), Vec3(3, 0, 0)};
  const std::vector<Triangle> segments{{0, 1, 1}, {1, 2, 2}};
  ThinParts parts;
  add_cable(ends, {segments, 0}, m, parts);
  ASSERT_EQ(parts.limits.size(), 2u);
  EXPECT_EQ(parts.limits[0].shortest, 1.5);
  EXPECT_EQ(parts.limits[0].longest, 3);
  EXPECT_EQ(parts.limits[1].spring, 1);
  m.strain_limit = {1, 0.5};
  add_cable(ends, {segments, 0}, m, parts);
  EXPECT_EQ(parts.limits[2].shortest, 0);
  m.strain_limit = {1, 1};
  add_cable(ends, {segments, 0}, m, parts);
  EXPECT_EQ(parts.limits.size(), 4u);
}

// Between pins pi^2 B / L^2; of n links 4 B/l^2 sin^2(pi / 2n), which is that to pi^2 / (12 n^2).
TEST(Cable, BucklesAtEulersLoad) {
  constexpr double B = 0.2, L = 1, stretch = 1e8;
  constexpr Index n = 40;
  Material m;
  m.stretch = stretch;
  m.bend = B;
  const Line line(Vec3(L / n, 0, 0), n, m);
  double low = 0, high = 4 * pi * pi * B;
  for (int i = 0; i < 40; ++i) {
    const double load = (low + high) / 2, strain = load / (stretch * L / n);
    const Eigen::MatrixXd K = line.stiffness_across(stacked(line.vertices, 1 - strain), 1, n - 1);
    const double least = Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(K, Eigen::EigenvaluesOnly).eigenvalues()[0];
    (least > 0 ? low : high) = load;
  }
  EXPECT_NEAR(low, pi * pi * B / (L * L), 1e-3 * pi * pi * B);
  EXPECT_NEAR(low, 4 * B * n * n * std::pow(std::sin(pi / (2 * n)), 2), 2e-5 * pi * pi * B);
}

// Zeros of the Bessel function J0 are 2 omega sqrt(L/g); 50 links have those of their own.
TEST(Cable, SwingsAsAHangingChain) {
  constexpr Index n = 50;
  constexpr double L = 1, g = 9.81;
  Material m;
  m.stretch = 1e9;
  m.density = 1000;
  m.thickness = 0.01;
  const Line line(Vec3(0, 0, -L / n), n, m);
  const double link = mass_per_length(m) * L / n;
  VecX x = stacked(line.vertices, 1);
  for (Index i = 1; i <= n; ++i)  // link i carries what hangs below it
    x[3 * i + 2] = x[3 * i - 1] - L / n - (n - i + 0.5) * link * g / m.stretch;
  const Eigen::MatrixXd K = line.stiffness_across(x, 1, n);
  const Eigen::MatrixXd M = line.bodies.mass.tail(n).asDiagonal();
  const Eigen::VectorXd squares =
      Eigen::GeneralizedSelfAdjointEigenSolver<Eigen::MatrixXd>(K, M, Eigen::EigenvaluesOnly).eigenvalues();
  const double exact[] = {1.2024, 2.7600, 4.3269}, lumped[] = {1.2023, 2.7558, 4.3001};
  for (int k = 0; k < 3; ++k) {
    const double omega = std::sqrt(squares[k] * L / g);
    EXPECT_NEAR(omega, lumped[k], 1e-4) << k;
    EXPECT_NEAR(omega, exact[k], 0.007 * exact[k]) << k;
  }
}

}  // namespace cable_test
}  // namespace sim
