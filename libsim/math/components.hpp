// Which things belong together: of each group the first one stands for all.
#pragma once

#include <algorithm>
#include <numeric>
#include <vector>

#include "math/types.hpp"

namespace sim {

class Components {
 public:
  explicit Components(std::size_t count = 0) { separate(count); }

  // `count` things, each by itself.
  void separate(std::size_t count) {
    before.resize(count);
    std::iota(before.begin(), before.end(), 0);
  }
  Index first_of(Index i) {
    while (before[i] != i) i = before[i] = before[before[i]];
    return i;
  }
  void unite(Index a, Index b) {
    a = first_of(a);
    b = first_of(b);
    before[std::max(a, b)] = std::min(a, b);
  }
  // Of each thing.
  std::vector<Index> firsts() {
    std::vector<Index> all(before.size());
    for (std::size_t i = 0; i < all.size(); ++i) all[i] = first_of(static_cast<Index>(i));
    return all;
  }

 private:
  std::vector<Index> before;  // an earlier one of the group; itself, where it is the first
};

}  // namespace sim
