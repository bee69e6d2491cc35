// Parameters of tests that every contact method takes.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "contact/solve.hpp"

namespace sim::test {

inline std::vector<std::string> every_method() {
  std::vector<std::string> names;
  for (const SolverName& solver : known_solvers()) names.emplace_back(solver.name);
  return names;
}

// GoogleTest has no hyphens in names.
inline std::string name_of_method(const testing::TestParamInfo<std::string>& method) {
  std::string name = method.param;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}

}  // namespace sim::test
