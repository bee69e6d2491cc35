// Numbers for people: as many digits as tell them apart, no more.
#pragma once

#include <cstdio>
#include <string>

namespace sim {

inline std::string number_text(double value, int significant_digits) {
  char text[64];
  std::snprintf(text, sizeof text, "%.*g", significant_digits, value);
  return text;
}

}  // namespace sim
