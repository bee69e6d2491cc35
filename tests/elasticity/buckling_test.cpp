// A strip of shell that is pressed from its ends, which turn freely, gives way at Euler's load pi^2 B / L^2 a width.
#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>
#include <numbers>

#include "elasticity/sheet.hpp"
#include "elasticity/specimen.hpp"
#include "mesh/generate.hpp"

namespace sim {
namespace buckling_test {

constexpr double young = 1e6, poisson = 0.3, thickness = 2e-3, length = 1;

struct Strip {
  Mesh mesh;
  ElasticBodies bodies;
  std::vector<Index> inside;  // vertices that are not at an end

  explicit Strip(Index cells, Index rows)
      : mesh(generate(SheetShape{
            {length, rows * std::sqrt(0.75) * length / cells}, {cells, rows}, SheetPattern::equilateral})) {
    Material m;
    m.model = MaterialModel::shell;
    m.young = young;
    m.poisson = poisson;
    m.thickness = thickness;
    ThinParts parts;
    add_sheet(mesh.vertices, {mesh.triangles, 0, {0, 0}, 0}, m, parts);
    bodies = make_elastic_bodies(mesh.vertices, {}, {}, std::span(&m, 1), std::move(parts));
    for (Index i = 0; i < static_cast<Index>(mesh.vertices.size()); ++i) {
      if (std::abs(mesh.vertices[i][0]) < 0.499 * length) inside.push_back(i);
    }
  }

  // The least stiffness against moves across its plane, where it is shorter by `strain`.
  double least_stiffness(double strain) const {
    VecX x = test::stacked(mesh.vertices);
    for (Index i = 0; i < static_cast<Index>(mesh.vertices.size()); ++i)
      block(x, i) = Vec3((1 - strain) * x[3 * i], (1 + poisson * strain) * x[3 * i + 1], 0);
    const auto count = static_cast<Eigen::Index>(inside.size());
    Eigen::MatrixXd K(count, count);
    constexpr double h = 1e-5;
    for (Eigen::Index k = 0; k < count; ++k) {
      const Eigen::Index z = 3 * inside[static_cast<std::size_t>(k)] + 2;
      x[z] = h;
      const VecX f = elastic_force(bodies, x);
      x[z] = 0;
      for (Eigen::Index j = 0; j < count; ++j) K(j, k) = -f[3 * inside[static_cast<std::size_t>(j)] + 2] / h;
    }
    return Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(0.5 * (K + K.transpose()), Eigen::EigenvaluesOnly)
        .eigenvalues()[0];
  }

  // In units of k_B: B, from the strain at which it buckles.
  double bending_stiffness() const {
    double low = 0, high = 1e-4;
    for (int i = 0; i < 20; ++i) {
      const double middle = (low + high) / 2;
      (least_stiffness(middle) > 0 ? low : high) = middle;
    }
    const double D = young * thickness * thickness * thickness / (12 * (1 - poisson * poisson));
    return low * young * thickness * length * length / (std::numbers::pi * std::numbers::pi) / (D / 6);
  }
};

TEST(Buckling, OfAStripIsAtEulersLoad) {
  const double narrow = Strip(24, 2).bending_stiffness(), wide = Strip(24, 8).bending_stiffness();
  EXPECT_NEAR(narrow, 16.0 / 3, 0.4);
  EXPECT_GT(wide, 16.0 / 3 * 0.97);
  EXPECT_LT(wide, 6 * 1.03);
}

}  // namespace buckling_test
}  // namespace sim
