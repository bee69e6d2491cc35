#include "mesh/generate.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <functional>
#include <limits>
#include <set>
#include <string>

#include "math/error.hpp"
#include "mesh/check.hpp"
#include "mesh/lattice.hpp"
#include "mesh/shapes.hpp"

namespace sim {
namespace generate_test {

constexpr double pi = std::numbers::pi;

struct Named {
  std::string name;
  Mesh mesh;
  Index euler;
};

std::vector<Named> all_shapes() {
  std::vector<Named> shapes;
  shapes.push_back({"box", generate(BoxShape{{1, 2, 3}, {2, 3, 5}}), 2});
  shapes.push_back({"slab", generate(SlabShape{{2, 1}, 0.1, {4, 3}}), 2});
  for (const Index n : {3, 4, 18, 31}) shapes.push_back({"torus", generate(TorusShape{n, 0.08, 0.04}), 0});
  shapes.push_back({"torus", generate(TorusShape{7, 0.08, 0.04, 3}), 0});
  for (const Index n : {1, 2, 3, 7}) shapes.push_back({"sphere", generate(SphereShape{0.3, n}), 2});
  for (const Index n : {3, 4, 8, 9, 16, 31}) shapes.push_back({"cylinder", generate(CylinderShape{0.2, 0.7, n}), 2});
  return shapes;
}

std::vector<SheetShape> all_sheets() {
  std::vector<SheetShape> sheets;
  for (const SheetPattern pattern : {SheetPattern::grid, SheetPattern::equilateral, SheetPattern::cross}) {
    for (const std::array<Index, 2>& cells : {std::array<Index, 2>{1, 1}, {4, 3}, {3, 4}, {7, 2}})
      sheets.push_back({{1.5, 0.7}, cells, pattern});
  }
  return sheets;
}

TEST(GenerateSheet, IsARectangleThatFacesUp) {
  for (const SheetShape& shape : all_sheets()) {
    const Mesh mesh = generate(shape);
    double area = 0;
    for (const Triangle& t : mesh.triangles) {
      const Vec3 n = (mesh.vertices[t[1]] - mesh.vertices[t[0]]).cross(mesh.vertices[t[2]] - mesh.vertices[t[0]]);
      EXPECT_GT(n[2], 0);
      area += n[2] / 2;
    }
    EXPECT_NEAR(area, 1.05, 1e-14);
    std::set<std::array<Index, 2>> edges;
    for (const Triangle& t : mesh.triangles) {
      for (std::size_t k = 0; k < 3; ++k)
        edges.insert({std::min(t[k], t[(k + 1) % 3]), std::max(t[k], t[(k + 1) % 3])});
    }
    EXPECT_EQ(mesh.vertices.size() + mesh.triangles.size(), edges.size() + 1);
    EXPECT_TRUE(surface_defects(mesh, true).empty());
    for (const Vec3& v : mesh.vertices) {
      EXPECT_LE(std::abs(v[0]), 0.75);
      EXPECT_LE(std::abs(v[1]), 0.35);
      EXPECT_EQ(v[2], 0);
    }
  }
}

TEST(GenerateSheet, HasAsManyVerticesAsItsPatternSays) {
  EXPECT_EQ(generate(SheetShape{{1, 1}, {49, 49}, SheetPattern::grid}).vertices.size(), 2500u);
  EXPECT_EQ(generate(SheetShape{{1, 1}, {4, 3}, SheetPattern::cross}).vertices.size(), 20u + 12u);
  EXPECT_EQ(generate(SheetShape{{1, 1}, {4, 3}, SheetPattern::equilateral}).vertices.size(), 2 * 5u + 2 * 6u);
}

TEST(GenerateSheet, OfTheGridHasXFastestAndDiagonalsInTurn) {
  const Mesh mesh = generate(SheetShape{{3, 2}, {3, 2}, SheetPattern::grid});
  EXPECT_EQ(mesh.vertices[5], Vec3(-0.5, 0, 0));
  EXPECT_EQ(mesh.triangles[0], (Triangle{0, 1, 5}));
  EXPECT_EQ(mesh.triangles[2], (Triangle{1, 2, 5}));
}

TEST(GenerateSheet, OfTheRightHeightIsEquilateralInside) {
  const Mesh mesh = generate(SheetShape{{6, 4 * std::sqrt(0.75)}, {6, 4}, SheetPattern::equilateral});
  int equilateral = 0;
  for (const Triangle& t : mesh.triangles) {
    double most = 0, least = 9;
    for (std::size_t k = 0; k < 3; ++k) {
      const double edge = (mesh.vertices[t[k]] - mesh.vertices[t[(k + 1) % 3]]).norm();
      most = std::max(most, edge);
      least = std::min(least, edge);
    }
    equilateral += most - least < 1e-14 ? 1 : 0;
  }
  EXPECT_EQ(equilateral, 4 * 11);  // but for the two halves that each row has
  EXPECT_EQ(mesh.triangles.size(), 4u * 13u);
}

TEST(GenerateSheet, RefusesWhatMakesNone) {
  EXPECT_THROW(generate(SheetShape{{0, 1}, {1, 1}, SheetPattern::grid}), InputError);
  EXPECT_THROW(generate(SheetShape{{1, 1}, {1, 0}, SheetPattern::grid}), InputError);
  EXPECT_THROW(generate(SheetShape{{1, 1}, {2000000, 2000000}, SheetPattern::cross}), InputError);
}

TEST(Generate, EveryTetHasPositiveVolume) {
  for (const auto& [name, mesh, euler] : all_shapes()) EXPECT_GT(testing::smallest_tet(mesh), 0) << name;
}

TEST(Generate, EveryVertexIsUsed) {
  for (const auto& [name, mesh, euler] : all_shapes()) {
    const auto used = testing::used_vertices(mesh);
    EXPECT_EQ(used.size(), mesh.vertices.size()) << name;
    EXPECT_EQ(*used.begin(), 0) << name;
    EXPECT_EQ(*used.rbegin(), static_cast<Index>(mesh.vertices.size()) - 1) << name;
  }
}

TEST(Generate, SurfaceIsClosedOrientedAndOfTheRightTopology) {
  for (const auto& [name, mesh, euler] : all_shapes()) {
    EXPECT_TRUE(testing::is_closed_and_oriented(mesh)) << name;
    EXPECT_EQ(testing::euler_characteristic(mesh), euler) << name;
  }
}

TEST(Generate, SurfaceIsOutwardAndEnclosesTheVolumeOfTheTets) {
  for (const auto& [name, mesh, euler] : all_shapes()) {
    const double volume = testing::tet_volume(mesh);
    EXPECT_GT(volume, 0) << name;
    EXPECT_NEAR(testing::enclosed_volume(mesh), volume, 1e-13 * volume) << name;
    EXPECT_NEAR(sim::volume(mesh), volume, 1e-13 * volume) << name;
  }
}

TEST(Generate, ShapesAreCentredAtTheOrigin) {
  for (const auto& [name, mesh, euler] : all_shapes()) {
    Vec3 centre = Vec3::Zero();
    for (const Tet& t : mesh.tets) {
      for (const Index v : t) centre += testing::tet_volume(mesh, t) / 4 * mesh.vertices[v];
    }
    EXPECT_LT((centre / testing::tet_volume(mesh)).cwiseAbs().maxCoeff(), 1e-14) << name;
  }
}

TEST(Box, CountsAndVolumeFollowTheCells) {
  const Mesh mesh = generate(BoxShape{{1, 2, 3}, {2, 3, 5}});
  EXPECT_EQ(mesh.vertices.size(), 3 * 4 * 6);
  EXPECT_EQ(mesh.tets.size(), 6 * 2 * 3 * 5);
  EXPECT_EQ(mesh.triangles.size(), 4 * (2 * 3 + 3 * 5 + 2 * 5));
  EXPECT_NEAR(testing::tet_volume(mesh), 6, 1e-13);
  EXPECT_EQ(mesh.vertices.front(), Vec3(-0.5, -1, -1.5));
  EXPECT_EQ(mesh.vertices.back(), Vec3(0.5, 1, 1.5));
  EXPECT_NEAR(testing::smallest_dihedral(generate(BoxShape{})), 45, 1e-9);
}

TEST(Slab, IsOneCellThick) {
  const Mesh mesh = generate(SlabShape{{2, 1}, 0.1, {4, 3}});
  EXPECT_EQ(mesh.vertices.size(), 5 * 4 * 2);
  EXPECT_EQ(mesh.tets.size(), 6 * 4 * 3);
  EXPECT_NEAR(testing::tet_volume(mesh), 0.2, 1e-15);
  for (const Vec3& x : mesh.vertices) EXPECT_EQ(std::abs(x[2]), 0.05);
}

TEST(Torus, EighteenSegmentsGive72Vertices108Tets144Faces) {
  const Mesh mesh = generate(TorusShape{});
  EXPECT_EQ(mesh.vertices.size(), 72);
  EXPECT_EQ(mesh.tets.size(), 108);
  EXPECT_EQ(mesh.triangles.size(), 144);
}

TEST(Torus, VolumeIsThatOfTheRingOfPrisms) {
  for (const Index n : {3, 18, 40}) {
    const double exact = n * std::sin(2 * pi / n) * 0.08 * 0.04 * 0.04;
    EXPECT_NEAR(testing::tet_volume(generate(TorusShape{n, 0.08, 0.04})), exact, 1e-14 * exact);
  }
}

TEST(Torus, MoreCellsAcrossFillTheSameRing) {
  for (const Index across : {2, 3, 5}) {
    const Mesh mesh = generate(TorusShape{18, 0.08, 0.04, across});
    const double exact = 18 * std::sin(2 * pi / 18) * 0.08 * 0.04 * 0.04;
    EXPECT_NEAR(testing::tet_volume(mesh), exact, 1e-13 * exact);
    EXPECT_EQ(mesh.vertices.size(), 18 * (across + 1) * (across + 1));
    EXPECT_EQ(mesh.tets.size(), 18 * 6 * across * across);
    EXPECT_EQ(mesh.triangles.size(), 18 * 4 * 2 * across);
    for (const Index i : testing::surface_vertices(mesh)) {
      const Vec3& x = mesh.vertices[i];
      const double from_middle = std::max(std::abs(std::hypot(x[0], x[1]) - 0.08), std::abs(x[2]));
      EXPECT_NEAR(from_middle, 0.02, 1e-16);
    }
  }
}

TEST(Torus, VerticesLieOnTheSquareSection) {
  for (const Vec3& x : generate(TorusShape{18, 0.08, 0.04}).vertices) {
    EXPECT_NEAR(std::abs(std::hypot(x[0], x[1]) - 0.08), 0.02, 1e-16);
    EXPECT_EQ(std::abs(x[2]), 0.02);
  }
}

TEST(Sphere, CountsFollowTheResolution) {
  for (const Index n : {1, 2, 4, 6}) {
    const Mesh mesh = generate(SphereShape{0.5, n});
    EXPECT_EQ(mesh.tets.size(), 20 * n * n * n);
    EXPECT_EQ(mesh.triangles.size(), 20 * n * n);
    Index vertices = 1;
    for (Index shell = 1; shell <= n; ++shell) vertices += 10 * shell * shell + 2;
    EXPECT_EQ(mesh.vertices.size(), vertices);
  }
}

TEST(Sphere, SurfaceVerticesLieOnTheSphereAndTheOthersOnShells) {
  const Mesh mesh = generate(SphereShape{0.3, 5});
  const auto surface = testing::surface_vertices(mesh);
  for (Index i = 0; i < static_cast<Index>(mesh.vertices.size()); ++i) {
    const double shell = std::hypot(mesh.vertices[i][0], mesh.vertices[i][1], mesh.vertices[i][2]) / 0.3 * 5;
    EXPECT_NEAR(shell, std::round(shell), 5e-15);
    EXPECT_EQ(surface.count(i) == 1, shell > 4.5);
  }
}

TEST(Sphere, PolesAreVertices) {
  const Mesh mesh = generate(SphereShape{0.3, 5});
  for (const double z : {-0.3, 0.3}) {
    EXPECT_EQ(std::count(mesh.vertices.begin(), mesh.vertices.end(), Vec3(0, 0, z)), 1);
  }
}

TEST(Sphere, HasNoSlivers) {
  for (const Index n : {1, 2, 3, 4, 8, 16}) {
    EXPECT_GT(testing::smallest_dihedral(generate(SphereShape{0.5, n})), 35) << n;
  }
}

TEST(Cylinder, BarrelVerticesLieOnTheRadiusAndEndsAreFlat) {
  const Mesh mesh = generate(CylinderShape{0.2, 0.7, 16});
  Index on_barrel = 0;
  for (const Index i : testing::surface_vertices(mesh)) {
    const Vec3& x = mesh.vertices[i];
    const double radius = std::hypot(x[0], x[1]);
    const bool at_end = std::abs(x[2]) == 0.35;
    EXPECT_TRUE(at_end || std::abs(radius - 0.2) < 1e-16);
    on_barrel += std::abs(radius - 0.2) < 1e-16;
  }
  EXPECT_EQ(on_barrel % 16, 0);
  EXPECT_GE(on_barrel, 32);
}

TEST(Cylinder, VolumeIsThatOfThePrism) {
  for (const Index n : {3, 7, 16, 33}) {
    const double exact = n / 2.0 * std::sin(2 * pi / n) * 0.2 * 0.2 * 0.7;
    EXPECT_NEAR(testing::tet_volume(generate(CylinderShape{0.2, 0.7, n})), exact, 1e-13 * exact);
  }
}

TEST(Cylinder, HasNoSlivers) {
  for (Index n = 4; n <= 48; ++n) {
    EXPECT_GT(testing::smallest_dihedral(generate(CylinderShape{0.5, 1, n})), 29) << n;
  }
}

// Doubling the resolution must divide the error of the volume by four.
TEST(Generate, VolumesConvergeAtSecondOrder) {
  const auto order = [](const auto& volume_of, double exact, Index n) {
    return std::log2((exact - volume_of(n)) / (exact - volume_of(2 * n)));
  };
  const auto torus = [](Index n) { return testing::tet_volume(generate(TorusShape{n, 0.08, 0.04})); };
  const auto sphere = [](Index n) { return testing::tet_volume(generate(SphereShape{0.3, n})); };
  const auto cylinder = [](Index n) { return testing::tet_volume(generate(CylinderShape{0.2, 0.7, n})); };
  EXPECT_NEAR(order(torus, 2 * pi * 0.08 * 0.04 * 0.04, 24), 2, 0.02);
  EXPECT_NEAR(order(sphere, 4 * pi / 3 * 0.3 * 0.3 * 0.3, 8), 2, 0.02);
  EXPECT_NEAR(order(cylinder, pi * 0.2 * 0.2 * 0.7, 24), 2, 0.02);
}

TEST(Circle, PointsAgreeWithTheMathematicsLibrary) {
  for (const Index n : {1, 2, 3, 7, 8, 18, 360, 1001}) {
    for (Index k = -n; k <= 2 * n; ++k) {
      const auto [c, s] = circle_point(k, n);
      EXPECT_NEAR(c, std::cos(2 * pi * k / n), 5e-15);
      EXPECT_NEAR(s, std::sin(2 * pi * k / n), 5e-15);
      EXPECT_NEAR(c * c + s * s, 1, 2 * std::numeric_limits<double>::epsilon());
    }
  }
  EXPECT_EQ(circle_point(3, 4), (std::array<double, 2>{-0.0, -1}));
}

// Neighbours in space are neighbours in memory: a tet of the sphere spans few vertices compared with a random order,
// where the mean span of four indices is 3/5 of all.
TEST(Sphere, TetsSpanVerticesThatAreNearInMemory) {
  const Mesh mesh = generate(SphereShape{0.5, 12});
  double span = 0;
  for (const Tet& t : mesh.tets) {
    span += *std::max_element(t.begin(), t.end()) - *std::min_element(t.begin(), t.end());
  }
  EXPECT_LT(span / static_cast<double>(mesh.tets.size()), 0.2 * static_cast<double>(mesh.vertices.size()));
}

void expect_refused(const std::function<void()>& make, const std::string& value, const std::string& parameter) {
  try {
    make();
    ADD_FAILURE() << "accepted: " << parameter << " = " << value;
  } catch (const InputError& error) {
    const std::string message = error.what();
    EXPECT_NE(message.find(parameter), std::string::npos) << message;
    EXPECT_NE(message.find("is " + value), std::string::npos) << message;
    EXPECT_NE(message.find("expected"), std::string::npos) << message;
  }
}

TEST(Generate, RefusesParametersThatMakeNoShape) {
  expect_refused([] { generate(BoxShape{{1, 0, 1}, {1, 1, 1}}); }, "0", "size[1] of the box");
  expect_refused([] { generate(BoxShape{{1, 1, 1}, {1, 1, 0}}); }, "0", "cells[2] of the box");
  expect_refused([] { generate(SlabShape{{-1, 1}, 1, {1, 1}}); }, "-1", "size[0] of the slab");
  expect_refused([] { generate(SlabShape{{1, 1}, -2, {1, 1}}); }, "-2", "thickness of the slab");
  expect_refused([] { generate(SlabShape{{1, 1}, 1, {1, -3}}); }, "-3", "cells[1] of the slab");
  expect_refused([] { generate(TorusShape{2, 1, 0.5}); }, "2", "segments of the torus");
  expect_refused([] { generate(TorusShape{18, 0, 0.5}); }, "0", "major_radius of the torus");
  expect_refused([] { generate(TorusShape{18, 1, -0.5}); }, "-0.5", "side of the torus");
  expect_refused([] { generate(TorusShape{18, 1, 2}); }, "2", "side of the torus");
  expect_refused([] { generate(SphereShape{std::numeric_limits<double>::quiet_NaN(), 4}); }, "nan", "radius");
  expect_refused([] { generate(SphereShape{std::numeric_limits<double>::infinity(), 4}); }, "inf", "radius");
  expect_refused([] { generate(SphereShape{1, 0}); }, "0", "resolution of the sphere");
  expect_refused([] { generate(CylinderShape{-1, 1, 8}); }, "-1", "radius of the cylinder");
  expect_refused([] { generate(CylinderShape{1, 0, 8}); }, "0", "length of the cylinder");
  expect_refused([] { generate(CylinderShape{1, 1, 2}); }, "2", "segments of the cylinder");
}

TEST(Generate, RefusesMeshesTooLargeForTheirIndices) {
  EXPECT_THROW(generate(BoxShape{{1, 1, 1}, {2000, 2000, 2000}}), InputError);
  EXPECT_THROW(generate(SlabShape{{1, 1}, 1, {2000000000, 2000000000}}), InputError);
  EXPECT_THROW(generate(TorusShape{2000000000, 1, 0.5}), InputError);
  EXPECT_THROW(generate(SphereShape{1, 2000000000}), InputError);
  EXPECT_THROW(generate(CylinderShape{1, 1, 2000000000}), InputError);
  EXPECT_THROW(generate(CylinderShape{1e-9, 1e9, 8}), InputError);
}

}  // namespace generate_test
}  // namespace sim
