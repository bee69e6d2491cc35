// The rows of /steps that a judgement needs.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "math/types.hpp"
#include "output/result_reader.hpp"

namespace simcheck {

struct RecordedSteps {
  std::map<std::int64_t, std::size_t> row_of_step;  // of steps that moved the bodies
  std::map<std::string, std::vector<double>> columns;
  std::map<std::string, std::int64_t> statuses;  // how many steps ended how
  bool has_ledger = false;                       // its columns are there

  double number(const char* name, std::size_t row) const { return columns.at(name)[row]; }
  sim::Vec3 vector(const char* name, std::size_t row) const {
    return Eigen::Map<const sim::Vec3>(columns.at(name).data() + 3 * row);
  }
};

RecordedSteps read_steps(const sim::ResultReader& reader);

}  // namespace simcheck
