// Numbers for people: as many digits as tell them apart, no more.
#pragma once

#include "math/format.hpp"
#include "math/types.hpp"

namespace sim {

inline std::string number_text(double value, int significant_digits) {
  return format("%.*g", significant_digits, value);
}

inline std::string place_text(const Vec3& x) {  // "(0.1, 0, 0.25)"
  return format("(%.4g, %.4g, %.4g)", x[0], x[1], x[2]);
}

}  // namespace sim
