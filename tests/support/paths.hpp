// Points of cables round drums about y, as text of a scene.
#pragma once

#include <cmath>
#include <numbers>
#include <string>

namespace sim::test {

inline std::string point(double x, double y, double z) {
  return "[" + std::to_string(x) + ", " + std::to_string(y) + ", " + std::to_string(z) + "]";
}

// From an angle to another one (degrees from the x axis), without brackets.
inline std::string arc(double radius, double from, double to, int parts) {
  std::string points;
  for (int k = 0; k <= parts; ++k) {
    const double angle = (from + (to - from) * k / parts) * std::numbers::pi / 180;
    points += (k > 0 ? ", " : "") + point(radius * std::cos(angle), 0, radius * std::sin(angle));
  }
  return points;
}

// Half a turn over a drum of this radius, from `left` below its axis to `right` below it.
inline std::string over_a_drum(double radius, double left, double right) {
  return "[" + point(-radius, 0, -left) + ", " + arc(radius, 180, 0, 180) + ", " + point(radius, 0, -right) + "]";
}

}  // namespace sim::test
