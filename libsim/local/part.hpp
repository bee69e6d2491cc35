// One part of a step by local forces on its way. Private to the room.
#pragma once

#include "local/scratch.hpp"
#include "math/stopwatch.hpp"
#include "model/report.hpp"

namespace sim {

inline constexpr double closing_speed = 1e-3;  // m/s: what contacts miss, gaps and slips, is made up no faster

struct LocalPart {
  const Model& model;
  const Options& options;
  double dt;     // s, of this part
  double end;    // s, the time at its end
  State& state;  // LocalScratch::next; LocalScratch::start is as it was
  LocalScratch& s;
  StepReport& report;
  StepStatus status = StepStatus::converged;
  std::string reason = {};  // for people
  Stopwatch watch = {};
  bool failed() const { return status != StepStatus::converged; }
  bool is_implicit() const { return options.local.integrator == LocalIntegrator::implicit_euler; }
};

inline void fail(LocalPart& part, StepStatus status, const std::string& reason) {
  if (part.failed()) return;
  part.status = status;
  part.reason = reason;
}

inline bool is_free(const Model& model, Index vertex) {
  return model.plan.block_of_vertex[vertex] >= 0;
}

}  // namespace sim
