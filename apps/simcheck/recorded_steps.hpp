// The rows of /steps that a judgement needs.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "output/result_reader.hpp"

namespace simcheck {

struct RecordedSteps {
  std::map<std::int64_t, std::size_t> row_of_step;  // of steps that moved the bodies
  std::map<std::string, std::vector<double>> columns;
  std::map<std::string, std::int64_t> statuses;  // how many steps ended how
  bool has_ledger = false;                       // its columns are there
};

RecordedSteps read_steps(const sim::ResultReader& reader);

}  // namespace simcheck
