// How to step: every field with its default, unit and meaning.
#pragma once

#include <string>

#include "linear/conjugate_gradient.hpp"

namespace sim {

struct Options {
  double dt = 0.001;  // s
  std::string method = "cr-full";
  CgOptions linear;  // of the contact-free solve A v = b
};

}  // namespace sim
