// How to step: every field with its default, unit and meaning.
#pragma once

#include <span>
#include <string>

#include "linear/conjugate_gradient.hpp"

namespace sim {

struct Options {
  double dt = 0.001;  // s
  std::string method = "cr-full";
  CgOptions linear;  // of the contact-free solve A v = b
};

// The contact methods by name, in the order in which to list them.
struct SolverName {
  const char* name;
  const char* meaning;
  bool available;  // in this version
};
std::span<const SolverName> known_solvers();

}  // namespace sim
