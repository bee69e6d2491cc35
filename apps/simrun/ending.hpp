// How a run ends, and what helps where it stopped early.
#pragma once

#include <string>

#include "exit_status.hpp"
#include "model/options.hpp"
#include "model/report.hpp"
#include "model/state.hpp"

namespace simrun {

struct Ending {
  std::string status = "done";
  std::string reason;
  int exit_status = exit_done;
  std::int64_t step = 0;  // the last one
};

Ending interrupted();

// After a step that was not taken from this state.
Ending stopped(const sim::Model& model, const sim::Options& options, const sim::State& state,
               const sim::StepReport& report);

}  // namespace simrun
