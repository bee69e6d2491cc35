// The columns of /steps in the result file: one table that the writer, the reference page and the tests share.
#pragma once

#include <span>
#include <string>
#include <variant>

#include "model/report.hpp"

namespace sim {

struct StepColumn {
  const char* name;
  std::variant<std::int64_t StepReport::*, Index StepReport::*, StepStatus StepReport::*, bool StepReport::*,
               double StepReport::*, Vec3 StepReport::*>
      member;
  const char* unit;  // "1" for counts
  const char* meaning;
};

// The first is "step": the number of its rows is the number of steps in the file.
std::span<const StepColumn> step_columns();

const char* type_name(const StepColumn& column);  // "i32", "i64", "f64" or "f64 [3]"

std::string step_columns_reference();  // the table in docs/result-format.md

}  // namespace sim
