// How much smaller elements are than at rest, against what it does to their frequencies.
#include <gtest/gtest.h>

#include <cmath>

#include "elasticity/element_sizes.hpp"

namespace sim {
namespace element_sizes_test {

namespace of = element_sizes;

TEST(ElementSizes, AreTheHeightsOfATetrahedron) {
  const Sizes regular = of::of_tet({Vec3{1, 1, 1}, {1, -1, -1}, {-1, 1, -1}, {-1, -1, 1}});
  for (const double height : regular) EXPECT_NEAR(height, std::sqrt(8.0) * std::sqrt(2.0 / 3), 1e-14);
  const Sizes corner = of::of_tet({Vec3{0, 0, 0}, {2, 0, 0}, {0, 3, 0}, {0, 0, 5}});
  EXPECT_NEAR(corner[1], 2, 1e-14);
  EXPECT_NEAR(corner[2], 3, 1e-14);
  EXPECT_NEAR(corner[3], 5, 1e-14);
  EXPECT_NEAR(corner[0], 1 / std::sqrt(1.0 / 4 + 1.0 / 9 + 1.0 / 25), 1e-14);
}

TEST(ElementSizes, AreTheHeightsOfTrianglesAndTheEdgeOfAHinge) {
  const Sizes triangle = of::of_membrane({Vec3{0, 0, 1}, {4, 0, 1}, {1, 2, 1}});
  EXPECT_NEAR(triangle[2], 2, 1e-14);
  EXPECT_NEAR(triangle[0], 8 / std::sqrt(13.0), 1e-14);
  const Sizes hinge = of::of_hinge({Vec3{0, 0, 0}, {0, 3, 0}, {2, 1, 0}, {-1, 7, 5}});
  EXPECT_NEAR(hinge[0], 3, 1e-14);
  EXPECT_NEAR(hinge[1], 2, 1e-14);
  EXPECT_NEAR(hinge[2], std::sqrt(26.0), 1e-14);
}

TEST(ElementSizes, CountWhereTheyFallAndAreBoundedFlat) {
  EXPECT_EQ(shrunk({2, 2, 2, 1}, {1, 1, 1, 1}), 1);
  EXPECT_EQ(shrunk({2, 0.5, 2, 1}, {1, 1, 1, 1}), 0.5);
  EXPECT_EQ(shrunk({0, 0.5, 2, 1}, {1, 1, 1, 1}), 1.0 / 16);
  const double none = std::nan("");
  EXPECT_EQ(shrunk({none, 0.5, 1, 1}, {1, 1, 1, 1}), 0.5);
}

}  // namespace element_sizes_test
}  // namespace sim
