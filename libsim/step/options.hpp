// How to step: every field with its default, unit and meaning.
#pragma once

#include <string>

#include "collide/reach.hpp"
#include "contact/solve.hpp"
#include "linear/conjugate_gradient.hpp"

namespace sim {

struct Options {
  double dt = 0.001;  // s
  std::string method = "cr-full";
  CgOptions linear;               // of the contact-free solve A v = b
  bool detect_collisions = true;  // false: objects pass through each other
  DetectionOptions detection;
};

}  // namespace sim
