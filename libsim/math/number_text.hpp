// Numbers for people: as many digits as tell them apart, no more.
#pragma once

#include "math/format.hpp"

namespace sim {

inline std::string number_text(double value, int significant_digits) {
  return format("%.*g", significant_digits, value);
}

}  // namespace sim
