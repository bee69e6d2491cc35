// Sheets against what is known of the continuum that they stand for.
#include "elasticity/sheet.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "elasticity/sheet_specimen.hpp"
#include "elasticity/specimen.hpp"

namespace sim {
namespace sheet_test {

using test::SheetMesh;
using test::stacked;

ElasticBodies bodies_of(const SheetMesh& mesh, const Material& material) {
  ThinParts parts;
  add_sheet(mesh.vertices, {mesh.triangles, 0, mesh.grid, 0}, material, parts);
  return make_elastic_bodies(mesh.vertices, {}, {}, std::span(&material, 1), std::move(parts));
}

Material of(MaterialModel model) {
  Material m;
  m.name = "cloth";
  m.model = model;
  m.density = 200;
  m.thickness = 1e-3;
  m.stretch = 40;
  m.bend = 0;
  m.young = 1e6;
  m.poisson = 0.3;
  return m;
}

template <class Map>
VecX mapped(const std::vector<Vec3>& rest, const Map& map) {
  VecX x(3 * static_cast<Eigen::Index>(rest.size()));
  for (Index i = 0; i < static_cast<Index>(rest.size()); ++i) block(x, i) = map(rest[i]);
  return x;
}

VecX strained(const std::vector<Vec3>& rest, double exx, double eyy, double gxy) {
  return mapped(rest, [&](const Vec3& X) {
    return Vec3(X[0] * (1 + exx) + gxy / 2 * X[1], X[1] * (1 + eyy) + gxy / 2 * X[0], 0);
  });
}

struct Plane {
  double c11, c12, g;  // N/m
};
double density(const Plane& p, double exx, double eyy, double gxy) {
  return 0.5 * p.c11 * (exx * exx + eyy * eyy) + p.c12 * exx * eyy + 0.5 * p.g * gxy * gxy;
}

// Of unit area, in small uniform strains.
void expect_plane(const ElasticBodies& bodies, const std::vector<Vec3>& rest, double area, const Plane& plane) {
  const double e = 1e-6;
  for (const auto& [exx, eyy, gxy] :
       {std::array{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}, {1.0, -0.5, 0.3}, {0.7, 0.7, -1.0}}) {
    const double energy = elastic_energy(bodies, strained(rest, e * exx, e * eyy, e * gxy)) / (area * e * e);
    EXPECT_NEAR(energy, density(plane, exx, eyy, gxy), 1e-5 * plane.c11) << exx << " " << eyy << " " << gxy;
  }
}

TEST(GridSprings, HaveTheModuliOfTheGrid) {
  const SheetMesh grid = test::grid_sheet(7, 5, 0.1);
  for (const double shear : {20.0, 3.0}) {
    Material m = of(MaterialModel::grid_springs);
    m.shear = shear;
    expect_plane(bodies_of(grid, m), grid.vertices, 0.35, {40 + shear, shear, shear});
  }
}

// k_d = k_s/2: Y = 4/3 k_s, nu = 1/3.
TEST(GridSprings, AreIsotropicWhereShearIsNotSaid) {
  const SheetMesh grid = test::grid_sheet(4, 4, 0.1);
  const double Y = 4.0 / 3 * 40, nu = 1.0 / 3, c11 = Y / (1 - nu * nu);
  expect_plane(bodies_of(grid, of(MaterialModel::grid_springs)), grid.vertices, 0.16,
               {c11, nu * c11, Y / (2 * (1 + nu))});
}

TEST(GridSprings, Of50By50VerticesAreAsManyAsThePaperHas) {
  Material m = of(MaterialModel::grid_springs);
  m.flexion = 1;
  EXPECT_EQ(bodies_of(test::grid_sheet(49, 49, 1.0 / 49), m).springs.size(), 4900u + 4802u + 4800u);
}

// k a^2 theta^4 / 32 of a flexion spring across two edges of length a that are turned against each other by theta.
TEST(GridSprings, FlexionHasNoStiffnessAgainstASmallBend) {
  const SheetMesh grid = test::grid_sheet(2, 1, 0.1);
  Material m = of(MaterialModel::grid_springs);
  m.flexion = 8;
  const ElasticBodies bodies = bodies_of(grid, m);
  for (const double theta : {0.1, 0.05}) {
    const VecX x = mapped(grid.vertices, [&](const Vec3& X) {
      const double over = X[0] - 0.1;
      return over <= 0 ? X : Vec3(0.1 + over * std::cos(theta), X[1], over * std::sin(theta));
    });
    double flexion = 0;
    for (const Spring& spring : bodies.springs) {
      if (spring.stiffness == 8)
        flexion += element_energy(spring, {block(x, spring.vertices[0]), block(x, spring.vertices[1])});
    }
    EXPECT_NEAR(flexion / (2 * 8 * 0.01 * std::pow(theta, 4) / 32), 1, theta * theta);
  }
}

// Infinite in all but name: the springs of a border triangle belong to it alone, so those inside count half.
TEST(EdgeSprings, OfEquilateralTrianglesAreAMembrane) {
  const SheetMesh sheet = test::equilateral_sheet(40, 40, 0.1);
  ElasticBodies bodies = bodies_of(sheet, of(MaterialModel::edge_springs));
  std::map<std::array<Index, 2>, int> triangles;
  for (const Triangle& t : sheet.triangles) {
    for (std::size_t k = 0; k < 3; ++k) ++triangles[{std::min(t[k], t[(k + 1) % 3]), std::max(t[k], t[(k + 1) % 3])}];
  }
  EXPECT_EQ(bodies.springs.size(), triangles.size());
  for (Spring& spring : bodies.springs) {
    if (triangles.at(spring.vertices) == 1) spring.stiffness /= 2;
  }
  const double Y = 2 * 40 / std::sqrt(3.0), nu = 1.0 / 3, c11 = Y / (1 - nu * nu);
  expect_plane(bodies, sheet.vertices, sheet.area(), {c11, nu * c11, Y / (2 * (1 + nu))});
}

TEST(Shell, IsAPlateInPlaneStressWhateverTheMesh) {
  const double Y = 1e6 * 1e-3, nu = 0.3, c11 = Y / (1 - nu * nu);
  for (const SheetMesh& sheet : {test::grid_sheet(4, 3, 0.1), test::equilateral_sheet(5, 4, 0.1)}) {
    expect_plane(bodies_of(sheet, of(MaterialModel::shell)), sheet.vertices, sheet.area(),
                 {c11, nu * c11, Y / (2 * (1 + nu))});
  }
}

// 3, 4 and 8 k_B kappa^2 of a cylinder, a sphere and a saddle, an area: D = 6 k_B and nu = -1/3 of equilateral
// triangles.
TEST(Hinges, OfEquilateralTrianglesBendAsAPlate) {
  const SheetMesh sheet = test::equilateral_sheet(60, 60, 0.02);
  Material m = of(MaterialModel::edge_springs);
  m.bend = 0.01;
  ElasticBodies bodies = bodies_of(sheet, m);
  bodies.springs.clear();
  bodies.numbering =
      number_elements({0, 0, 0, static_cast<Index>(bodies.hinges.size())},
                      std::vector<Index>(4 * bodies.hinges.size(), 0), static_cast<Index>(sheet.vertices.size()));
  const double kappa = 1e-3;
  // Hinges on the border belong to triangles that are there: those of a band along it are missing, 2/60 of each side.
  double covered = 0;  // hinges have a third of the area of both of their triangles each
  for (const Hinge& h : bodies.hinges) {
    const auto& X = sheet.vertices;
    const Vec3 e = X[h.vertices[1]] - X[h.vertices[0]];
    covered +=
        (e.cross(X[h.vertices[2]] - X[h.vertices[0]]).norm() + e.cross(X[h.vertices[3]] - X[h.vertices[0]]).norm()) /
        6;
  }
  const auto energy = [&](double kxx, double kyy, double angle) {
    const double c = std::cos(angle), s = std::sin(angle);
    return elastic_energy(bodies, mapped(sheet.vertices,
                                         [&](const Vec3& X) {
                                           const double a = c * X[0] + s * X[1], b = c * X[1] - s * X[0];
                                           return Vec3(X[0], X[1], kxx / 2 * a * a + kyy / 2 * b * b);
                                         })) /
           (covered * 0.01 * kappa * kappa);
  };
  for (const double angle : {0.0, 0.3, 0.9}) {
    EXPECT_NEAR(energy(kappa, 0, angle), 3, 0.06) << angle;
    EXPECT_NEAR(energy(kappa, kappa, angle), 4, 0.06) << angle;
    EXPECT_NEAR(energy(kappa, -kappa, angle), 8, 0.12) << angle;
  }
}

TEST(Sheets, MassIsDensityTimesThicknessTimesAreaAndGoesToTheCornersEvenly) {
  const SheetMesh sheet = test::grid_sheet(4, 3, 0.1);
  Material m = of(MaterialModel::shell);
  m.mass_damping = 5;
  const ElasticBodies bodies = bodies_of(sheet, m);
  EXPECT_NEAR(bodies.mass.sum(), 200 * 1e-3 * 0.12, 1e-16);
  EXPECT_LT((bodies.damping_mass - 5 * bodies.mass).norm(), 1e-16);
  EXPECT_NEAR(bodies.mass[6], 0.2 * 0.01, 1e-17);  // inside, a third of six halves of a cell
}

TEST(Sheets, EdgesOfOneTriangleHaveNoHinge) {
  Material m = of(MaterialModel::shell);
  // Of 3 x 2 cells: 6 diagonals, 3 edges along x and 4 along y inside.
  EXPECT_EQ(bodies_of(test::grid_sheet(3, 2, 0.1), m).hinges.size(), 6u + 3u + 4u);
}

}  // namespace sheet_test
}  // namespace sim
