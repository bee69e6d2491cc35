// How stiffly hinges bend, against closed forms.
//
// Where two neighbours are a parallelogram u is 0, and an edge with the others a and b of its triangle, at the height
// h, is turned by a.K b / h.
#include "elasticity/sheet_bending.hpp"

#include <gtest/gtest.h>

#include <numbers>

#include "elasticity/sheet.hpp"
#include "elasticity/sheet_specimen.hpp"
#include "mesh/generate.hpp"

namespace sim {
namespace sheet_bending_test {

using test::SheetMesh;

Material shell(double poisson) {
  Material m;
  m.model = MaterialModel::shell;
  m.young = 3e9;
  m.poisson = poisson;
  m.thickness = 2e-3;
  return m;
}

std::optional<BendingRange> range_of(const std::vector<Vec3>& vertices, const std::vector<Triangle>& triangles,
                                     double poisson = 0) {
  ThinParts parts;
  add_sheet(vertices, {triangles, 0, {0, 0}, 0}, shell(poisson), parts);
  return bending_range(vertices, parts.hinges, shell(poisson));
}

void expect_range(const std::optional<BendingRange>& range, double smallest, double largest, double error) {
  ASSERT_TRUE(range);
  EXPECT_NEAR(range->smallest, smallest, error);
  EXPECT_NEAR(range->largest, largest, error);
}

// Rows of triangles, shifted by half a cell from one to the next: those of the pattern "equilateral", without the
// halves at its ends.
SheetMesh rows(Index nx, Index ny, double length_over_height) {
  SheetMesh sheet = test::grid_sheet(nx, ny, 0.1);
  for (Vec3& v : sheet.vertices) v = Vec3(length_over_height * (v[0] - v[1] / 2), v[1], 0);
  return sheet;
}

const double equilateral = 2 / std::sqrt(3.0);

SheetMesh turned(SheetMesh sheet) {
  const Mat3 turn = Eigen::AngleAxisd(0.7, Vec3(1, 2, 3).normalized()).toRotationMatrix();
  for (Vec3& v : sheet.vertices) v = turn * v + Vec3(3, 0, 1);
  return sheet;
}

// Of Poisson's ratio -1/3: a strip has 1 - 1/9 of D, which is what a plate of 1/3 has.
TEST(ShellBending, OfEquilateralTrianglesIsThatOfThePlate) {
  const SheetMesh sheet = turned(rows(14, 14, equilateral));
  expect_range(range_of(sheet.vertices, sheet.triangles, 1.0 / 3), 1, 1, 1e-9);
  expect_range(range_of(sheet.vertices, sheet.triangles, 0), 8.0 / 9, 1, 1e-9);
}

// Halves of squares, cut one way: C = (K11 + K12)^2 + (K22 + K12)^2 + 4 K12^2. With q = sin 2 phi a cylinder has
// 1 + q + q^2, which is 3/4 to 3, and a strip 4 / (5 - 2 q - q^2), 2/3 to 2.
TEST(ShellBending, OfSquaresCutOneWay) {
  const SheetMesh sheet = turned(test::grid_sheet(14, 14, 0.1));
  expect_range(range_of(sheet.vertices, sheet.triangles), 2.0 / 3, 3, 1e-9);
  expect_range(range_of(sheet.vertices, sheet.triangles, 0.5), 3.0 / 4, 3, 1e-9);  // strips: 8/9 and more
}

// Cells of length a over rows of 1, L^2 = 1 + a^2/4: C = (a^4/16 + L^4/2) K11^2 - a^2/2 K11 K22 + K22^2
// + 2 L^4/a^2 K12^2. With a = 2 a cylinder has 3 cos^4 + sin^4, 3/4 to 3, and a strip across the rows 2/3.
TEST(ShellBending, OfRowsOfLongTriangles) {
  const SheetMesh sheet = rows(14, 14, 2);
  expect_range(range_of(sheet.vertices, sheet.triangles), 2.0 / 3, 3, 1e-9);
}

// Vertices have four triangles and eight in turn, and u is d at those of eight. Of cells of 1, hinges along the axes
// are turned by K22 + 2 d and K11 + 2 d and those of diagonals by sqrt(2) (2 d + K12) and sqrt(2) (2 d - K12) in
// turn:
//   K.C K = (K22 + 2 d)^2 + (K11 + 2 d)^2 + 4 K12^2 + 16 d^2,  least with d = -(K11 + K22) / 12
// Cylinders have 5/6 along the axes to 4/3 between them, strips 4/5 to 1. "cross" is the same, turned by 45 degrees
// and smaller. Patches of three rings, held at their rim, are a little stiffer.
TEST(ShellBending, OfGridsIsThatOfTheLeastEnergy) {
  for (const SheetPattern pattern : {SheetPattern::grid, SheetPattern::cross}) {
    const Mesh sheet = generate(SheetShape{.size = {1, 1}, .cells = {16, 16}, .pattern = pattern});
    expect_range(range_of(sheet.vertices, sheet.triangles), 0.8, 4.0 / 3, 0.035);
  }
}

TEST(ShellBending, IsOfTheSurfaceLaidFlat) {
  const SheetMesh flat = rows(14, 14, 0.8);
  SheetMesh folded = flat;  // by 25 degrees along each row
  for (Vec3& v : folded.vertices) {
    const int row = static_cast<int>(std::lround(v[1] / 0.1));
    Vec3 at(v[0], 0, 0);
    for (int k = 0; k < row; ++k) {
      const double angle = 25 * k * std::numbers::pi / 180;
      at += 0.1 * Vec3(0, std::cos(angle), std::sin(angle));
    }
    v = at;
  }
  const auto range = range_of(flat.vertices, flat.triangles);
  ASSERT_TRUE(range);
  EXPECT_LT(range->smallest, 0.8);
  expect_range(range_of(folded.vertices, folded.triangles), range->smallest, range->largest, 1e-9);
}

TEST(ShellBending, OfNarrowStripsIsThatOfWideOnes) {
  for (const Index ny : {2, 3, 4, 5, 7}) {
    const SheetMesh strip = rows(20, ny, equilateral);
    expect_range(range_of(strip.vertices, strip.triangles), 8.0 / 9, 1, 1e-9);
  }
  const SheetMesh one = rows(20, 1, equilateral);
  EXPECT_FALSE(range_of(one.vertices, one.triangles));
}

TEST(ShellBending, OfSheetsThatHaveButAVertexInCommonIsThatOfEach) {
  const SheetMesh sheet = rows(8, 8, 2);
  SheetMesh both = sheet;
  const Index count = static_cast<Index>(sheet.vertices.size()), middle = count / 2;
  for (const Vec3& v : sheet.vertices) both.vertices.push_back(Vec3(v[0], 0, v[1]) + sheet.vertices[middle]);
  for (const Triangle& t : sheet.triangles) {
    both.triangles.push_back(t);
    for (Index& v : both.triangles.back()) v = v == 0 ? middle : v + count;
  }
  expect_range(range_of(both.vertices, both.triangles), 2.0 / 3, 3, 1e-9);
}

TEST(ShellBending, OfASphereOfNearlyEquilateralTrianglesIsNearlyThatOfThePlate) {
  const Mesh ball = generate(SphereShape{.radius = 0.5, .resolution = 6});
  const auto range = range_of(ball.vertices, ball.triangles, 1.0 / 3);
  ASSERT_TRUE(range);
  EXPECT_GT(range->smallest, 0.95);
  EXPECT_LT(range->largest, 1.05);
}

TEST(ShellBending, OfFewTrianglesIsNotTold) {
  const std::vector<Vec3> corners{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  EXPECT_FALSE(range_of(corners, {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}}));
  EXPECT_FALSE(range_of(corners, {{0, 1, 2}}));
  EXPECT_FALSE(range_of(corners, {{0, 1, 2}, {2, 1, 3}}));
}

}  // namespace sheet_bending_test
}  // namespace sim
