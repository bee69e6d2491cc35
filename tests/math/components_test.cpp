#include "math/components.hpp"

#include <gtest/gtest.h>

#include "math/random.hpp"

namespace sim {
namespace components_test {

TEST(Components, TheFirstOneStandsForAll) {
  Components things(6);
  things.unite(5, 3);
  things.unite(4, 1);
  things.unite(3, 4);
  EXPECT_EQ(things.firsts(), (std::vector<Index>{0, 1, 2, 1, 1, 1}));
  things.separate(3);
  EXPECT_EQ(things.firsts(), (std::vector<Index>{0, 1, 2}));
}

// Against labels that are spread until nothing changes.
TEST(Components, AnyPairsGiveWhatSpreadingGives) {
  Random random(1);
  for (int n = 0; n < 200; ++n) {
    const Index count = 1 + static_cast<Index>(random.uniform(0, 40));
    std::vector<std::pair<Index, Index>> pairs(static_cast<std::size_t>(random.uniform(0, 40)));
    const auto any = [&] { return std::min(count - 1, static_cast<Index>(random.uniform(0, count))); };
    for (auto& [a, b] : pairs) a = any(), b = any();
    Components things(static_cast<std::size_t>(count));
    for (const auto& [a, b] : pairs) things.unite(a, b);
    std::vector<Index> label(static_cast<std::size_t>(count));
    std::iota(label.begin(), label.end(), 0);
    for (bool changed = true; changed;) {
      changed = false;
      for (const auto& [a, b] : pairs) {
        const Index least = std::min(label[a], label[b]);
        changed = changed || label[a] != least || label[b] != least;
        label[a] = label[b] = least;
      }
    }
    EXPECT_EQ(things.firsts(), label);
  }
}

}  // namespace components_test
}  // namespace sim
