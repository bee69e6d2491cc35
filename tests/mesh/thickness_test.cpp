#include "mesh/thickness.hpp"

#include <gtest/gtest.h>

#include "mesh/generate.hpp"

namespace sim {
namespace thickness_test {

int across(const std::array<Index, 3>& cells) {
  return cells_across(generate(BoxShape{.size = {1, 1, 1}, .cells = cells}).tets);
}

TEST(CellsAcross, AreThoseOfTheThinnestSideUpToThree) {
  EXPECT_EQ(across({6, 7, 1}), 1);
  EXPECT_EQ(across({1, 1, 1}), 1);
  EXPECT_EQ(across({6, 2, 7}), 2);
  EXPECT_EQ(across({3, 6, 7}), 3);
  EXPECT_EQ(across({6, 6, 6}), 3);
  EXPECT_EQ(cells_across(generate(TorusShape{}).tets), 1);
  EXPECT_EQ(cells_across(generate(SphereShape{.resolution = 1}).tets), 2);
  EXPECT_EQ(cells_across(generate(SphereShape{.resolution = 2}).tets), 3);
}

TEST(BendingExcess, LiesOnStraightLinesBetweenWhatWasMeasured) {
  EXPECT_DOUBLE_EQ(bending_excess(1, 0.3), 4.56);
  EXPECT_DOUBLE_EQ(bending_excess(1, 0.25), (4.13 + 4.56) / 2);
  EXPECT_DOUBLE_EQ(bending_excess(2, 0), 1.85);
  EXPECT_DOUBLE_EQ(bending_excess(2, 0.49), 3.35);
  EXPECT_EQ(bending_excess(3, 0.3), 1);
}

}  // namespace thickness_test
}  // namespace sim
