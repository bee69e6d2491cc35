#include "mesh/surface.hpp"

#include <gtest/gtest.h>

#include "mesh/generate.hpp"
#include "mesh/shapes.hpp"

namespace sim {
namespace surface_test {

const std::vector<Tet> two_tets{{0, 1, 2, 3}, {1, 2, 3, 4}};

// Vertices 0 = origin, 1, 2, 3 on the axes, 4 = (1, 1, 1): worked by hand, outward by the right-hand rule.
TEST(Surface, OfTwoTetsIsTheirSixOuterFacesInOrder) {
  const std::vector<Triangle> expected{{0, 3, 2}, {0, 1, 3}, {0, 2, 1}, {2, 3, 4}, {1, 4, 3}, {1, 2, 4}};
  EXPECT_EQ(extract_surface(two_tets), expected);
}

TEST(Surface, OfTwoTetsIsOutward) {
  Mesh mesh{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1, 1, 1}}, two_tets, extract_surface(two_tets)};
  ASSERT_GT(testing::smallest_tet(mesh), 0);
  EXPECT_TRUE(testing::is_closed_and_oriented(mesh));
  EXPECT_NEAR(testing::enclosed_volume(mesh), 0.5, 1e-15);  // 1/6 + 2/6
}

// Vertex 2 is inside, at the centre: what is left keeps its order and its places.
TEST(Surface, HollowedOutATetHasLostWhatIsInside) {
  const Vec3 a{0, 0, 0}, b{1, 0, 0}, c{0, 1, 0}, d{0, 0, 1}, middle{0.25, 0.25, 0.25};
  Mesh mesh;
  mesh.vertices = {a, b, middle, c, d};
  mesh.tets = {{0, 1, 3, 2}, {0, 4, 1, 2}, {0, 3, 4, 2}, {1, 4, 3, 2}};
  mesh.triangles = extract_surface(mesh.tets);
  const double volume = testing::enclosed_volume(mesh);
  hollow_out(mesh);
  EXPECT_TRUE(mesh.tets.empty());
  EXPECT_EQ(mesh.vertices, (std::vector<Vec3>{a, b, c, d}));
  ASSERT_EQ(mesh.triangles.size(), 4U);
  EXPECT_TRUE(testing::is_closed_and_oriented(mesh));
  EXPECT_NEAR(testing::enclosed_volume(mesh), volume, 1e-15);
}

TEST(Surface, OfNoTetsIsEmpty) {
  EXPECT_TRUE(extract_surface({}).empty());
}

TEST(Surface, FollowsTheOrderOfTheTets) {
  const Mesh mesh = generate(BoxShape{{1, 1, 1}, {3, 3, 3}});
  std::map<Triangle, std::size_t> tet_of;  // by its sorted corners
  for (std::size_t i = 0; i < mesh.tets.size(); ++i) {
    for (int skip = 0; skip < 4; ++skip) {
      Triangle key{};
      for (int c = 0, k = 0; c < 4; ++c) {
        if (c != skip) key[k++] = mesh.tets[i][c];
      }
      std::sort(key.begin(), key.end());
      const bool is_new = tet_of.emplace(key, i).second;
      if (!is_new) tet_of[key] = mesh.tets.size();  // shared: not on the surface
    }
  }
  std::size_t last = 0;
  for (Triangle t : mesh.triangles) {
    std::sort(t.begin(), t.end());
    const std::size_t tet = tet_of.at(t);
    ASSERT_LT(tet, mesh.tets.size());
    EXPECT_GE(tet, last);
    last = tet;
  }
}

}  // namespace surface_test
}  // namespace sim
