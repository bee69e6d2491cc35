// Numbers that should be the same, and numbers that are not known.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

namespace simcheck {

constexpr double eps = std::numeric_limits<double>::epsilon();
constexpr double unknown = std::numeric_limits<double>::quiet_NaN();
constexpr double largest_agreement = 1e-6;  // relative; what is farther off contradicts

// Infinity for what is not finite.
inline double relative(double difference, double scale) {
  if (!std::isfinite(difference)) return std::numeric_limits<double>::infinity();
  return difference == 0 ? 0 : std::abs(difference) / std::max(scale, std::numeric_limits<double>::min());
}

}  // namespace simcheck
