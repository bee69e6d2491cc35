// How short and how long an edge may become.
#pragma once

#include <limits>
#include <vector>

#include "math/types.hpp"

namespace sim {

struct LengthLimit {
  std::array<Index, 2> vertices{};
  Index spring = -1;       // of its model, that it belongs to
  double rest_length = 0;  // m
  double shortest = 0;     // m; 0: any
  double longest = std::numeric_limits<double>::infinity();

  bool any() const { return shortest > 0 || longest < std::numeric_limits<double>::infinity(); }
};

// `limit`: parts of the length at rest that it may become shorter and longer by; 1: any.
inline LengthLimit limit_length(std::array<Index, 2> vertices, Index spring, double rest_length,
                                std::array<double, 2> limit) {
  LengthLimit made{vertices, spring, rest_length};
  if (limit[0] < 1) made.shortest = (1 - limit[0]) * rest_length;
  if (limit[1] < 1) made.longest = (1 + limit[1]) * rest_length;
  return made;
}

inline void add_limit(const LengthLimit& limit, std::vector<LengthLimit>& limits) {
  if (limit.any()) limits.push_back(limit);
}

}  // namespace sim
