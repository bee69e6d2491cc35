#include "mesh/refine.hpp"

#include <gtest/gtest.h>

#include <random>

#include "math/error.hpp"
#include "mesh/generate.hpp"
#include "mesh/shapes.hpp"
#include "mesh/surface.hpp"

namespace sim {
namespace refine_test {

std::set<std::set<Index>> corners_of(const std::vector<Triangle>& triangles) {
  std::set<std::set<Index>> all;
  for (const Triangle& t : triangles) all.insert({t[0], t[1], t[2]});
  return all;
}

TEST(Refine, ATetrahedronBecomesEightOfAnEighthOfItsVolumeAndItsSign) {
  std::mt19937 random(1);
  std::uniform_real_distribution<double> in(-1, 1);
  std::set<int> diagonals;  // which of the three was cut along
  for (int k = 0; k < 200; ++k) {
    Mesh mesh{{}, {{0, 1, 2, 3}}, {}};
    for (int i = 0; i < 4; ++i) mesh.vertices.emplace_back(in(random), in(random), in(random));
    const double whole = testing::tet_volume(mesh);
    refine(mesh, 1);
    ASSERT_EQ(mesh.tets.size(), 8u);
    ASSERT_EQ(mesh.vertices.size(), 10u);
    for (const Tet& tet : mesh.tets) EXPECT_NEAR(testing::tet_volume(mesh, tet), whole / 8, 1e-15);
    diagonals.insert(mesh.tets[4][1]);
  }
  EXPECT_EQ(diagonals.size(), 3u);
}

TEST(Refine, TheShapeAndItsVerticesStay) {
  for (const Mesh& coarse :
       {generate(BoxShape{{1, 2, 3}, {2, 1, 1}}), generate(SphereShape{.radius = 1, .resolution = 2}),
        generate(TorusShape{.segments = 7, .major_radius = 1, .side = 0.4})}) {
    Mesh mesh = coarse;
    for (int level = 1; level <= 2; ++level) {
      refine(mesh, 1);
      EXPECT_TRUE(testing::is_closed_and_oriented(mesh));
      EXPECT_EQ(testing::euler_characteristic(mesh), testing::euler_characteristic(coarse));
      EXPECT_NEAR(testing::enclosed_volume(mesh), testing::enclosed_volume(coarse), 1e-12);
      EXPECT_NEAR(testing::tet_volume(mesh), testing::tet_volume(coarse), 1e-12);
      EXPECT_GT(testing::smallest_tet(mesh), 0);
      EXPECT_EQ(testing::used_vertices(mesh).size(), mesh.vertices.size());
      EXPECT_EQ(corners_of(extract_surface(mesh.tets)), corners_of(mesh.triangles)) << "neighbours do not fit";
    }
    EXPECT_EQ(mesh.tets.size(), 64 * coarse.tets.size());
    EXPECT_EQ(mesh.triangles.size(), 16 * coarse.triangles.size());
    EXPECT_TRUE(std::equal(coarse.vertices.begin(), coarse.vertices.end(), mesh.vertices.begin()));
  }
}

// Angles of a regular tetrahedron's parts: of the two kinds that there are, whatever the level.
TEST(Refine, PartsGetNoFlatter) {
  Mesh mesh{{{1, 1, 1}, {1, -1, -1}, {-1, 1, -1}, {-1, -1, 1}}, {{0, 2, 1, 3}}, {}};
  ASSERT_GT(testing::smallest_tet(mesh), 0);
  refine(mesh, 1);
  const double least = testing::smallest_dihedral(mesh);
  EXPECT_NEAR(least, 54.7356, 1e-3);  // a quarter of an octahedron: atan(sqrt(2))
  for (int level = 2; level <= 4; ++level) {
    refine(mesh, 1);
    EXPECT_GT(testing::smallest_dihedral(mesh), 44.9) << level;
  }
}

TEST(Refine, ASurfaceWithABorderKeepsIt) {
  Mesh mesh{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, {}, {{0, 1, 2}}};
  refine(mesh, 1);
  const std::vector<Triangle> expected{{0, 3, 4}, {3, 1, 5}, {4, 5, 2}, {3, 5, 4}};
  EXPECT_EQ(mesh.triangles, expected);
  EXPECT_EQ(mesh.vertices[3], Vec3(0.5, 0, 0));
  EXPECT_EQ(mesh.vertices[5], Vec3(0.5, 0.5, 0));
}

}  // namespace refine_test
}  // namespace sim
