// Paths, ribbons and wedges.
#include <gtest/gtest.h>

#include <numbers>

#include "math/error.hpp"
#include "mesh/check.hpp"
#include "mesh/generate.hpp"
#include "mesh/surface.hpp"

namespace sim {
namespace generate_path_test {

TEST(GeneratePath, HasSegmentsOfEqualLengthAlongItsLine) {
  const Mesh mesh = generate(PathShape{{Vec3(0, 0, 1), Vec3(3, 0, 1), Vec3(3, 2, 1)}, 10});
  ASSERT_EQ(mesh.vertices.size(), 11u);
  ASSERT_EQ(mesh.triangles.size(), 10u);
  EXPECT_TRUE(mesh.tets.empty());
  EXPECT_EQ(mesh.vertices.front(), Vec3(0, 0, 1));
  EXPECT_EQ(mesh.vertices.back(), Vec3(3, 2, 1));
  for (Index i = 0; i < 10; ++i) {
    EXPECT_EQ(mesh.triangles[i], (Triangle{i, i + 1, i + 1}));
    EXPECT_NEAR((mesh.vertices[i + 1] - mesh.vertices[i]).norm(), 0.5, 1e-14);
  }
  EXPECT_LT((mesh.vertices[7] - Vec3(3, 0.5, 1)).norm(), 1e-14);
}

TEST(GeneratePath, CutsCorners) {
  const Mesh mesh = generate(PathShape{{Vec3(0, 0, 0), Vec3(1, 0, 0), Vec3(1, 1, 0)}, 1});
  EXPECT_EQ(mesh.vertices.size(), 2u);
  EXPECT_EQ(mesh.vertices.back(), Vec3(1, 1, 0));
}

TEST(GeneratePath, NeedsALength) {
  EXPECT_THROW(generate(PathShape{{Vec3(1, 0, 0), Vec3(1, 0, 0)}, 3}), InputError);
  EXPECT_THROW(generate(PathShape{{Vec3(1, 0, 0)}, 3}), InputError);
  EXPECT_THROW(generate(PathShape{{Vec3(1, 0, 0), Vec3(2, 0, 0)}, 0}), InputError);
  EXPECT_EQ(generate(PathShape{{Vec3(1, 0, 0), Vec3(1, 0, 0), Vec3(2, 0, 0)}, 2}).vertices[1], Vec3(1.5, 0, 0));
}

TEST(GenerateRibbon, IsAStripAsWideAsAsked) {
  const Mesh mesh = generate(RibbonShape{{Vec3(0, 0, 0), Vec3(2, 0, 0), Vec3(2, 0, -1)}, 6, Vec3(0, 3, 0), 0.4, 2});
  EXPECT_EQ(mesh.vertices.size(), 21u);
  EXPECT_EQ(mesh.triangles.size(), 24u);
  EXPECT_TRUE(surface_defects(mesh, true).empty());
  double area = 0;
  for (const Triangle& t : mesh.triangles)
    area += (mesh.vertices[t[1]] - mesh.vertices[t[0]]).cross(mesh.vertices[t[2]] - mesh.vertices[t[0]]).norm() / 2;
  EXPECT_NEAR(area, 3 * 0.4, 1e-14);
  EXPECT_LT((mesh.vertices[2] - Vec3(0, 0.2, 0)).norm(), 1e-15);
}

TEST(GenerateWedge, IsASectorOfARing) {
  for (const std::array<Index, 3>& cells : {std::array<Index, 3>{3, 5, 5}, {1, 1, 1}, {2, 3, 1}, {4, 2, 2}}) {
    const WedgeShape shape{{0.085, 0.115}, 20, 0.05, cells};
    const Mesh mesh = generate(shape);
    EXPECT_TRUE(tet_defects(mesh).empty());
    EXPECT_TRUE(is_closed(mesh.triangles));
    EXPECT_EQ(mesh.tets.size(), 5u * cells[0] * cells[1] * cells[2]);
    const double angle = 20 * std::numbers::pi / 180 / cells[1];
    const double sector = cells[1] * std::sin(angle) / 2 * (0.115 * 0.115 - 0.085 * 0.085);
    EXPECT_NEAR(volume(mesh), 0.05 * sector, 1e-14);
    double low = 1, high = 0;
    for (const Vec3& v : mesh.vertices) {
      low = std::min(low, v.head<2>().norm());
      high = std::max(high, v.head<2>().norm());
      EXPECT_LE(std::abs(std::atan2(v[1], v[0])), 10 * std::numbers::pi / 180 + 1e-14);
    }
    EXPECT_NEAR(low, 0.085, 1e-15);
    EXPECT_NEAR(high, 0.115, 1e-15);
  }
  EXPECT_EQ(generate(WedgeShape{{0.085, 0.115}, 20, 0.05, {3, 5, 5}}).vertices.size(), 144u);
}

TEST(GenerateWedge, NeedsALargerOuterRadius) {
  EXPECT_THROW(generate(WedgeShape{{0.2, 0.1}, 20, 0.05, {1, 1, 1}}), InputError);
  EXPECT_THROW(generate(WedgeShape{{0.1, 0.2}, 200, 0.05, {1, 1, 1}}), InputError);
}

}  // namespace generate_path_test
}  // namespace sim
