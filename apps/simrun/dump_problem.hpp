// --dump-problem: the frictional problem of chosen steps, with its solution, for other solvers to be tried on.
#pragma once

#include <spdlog/logger.h>

#include <cstdint>
#include <string>
#include <vector>

#include "step/step.hpp"

namespace simrun {

class ProblemDumps {
 public:
  // `steps`: ascending, each once. The files go beside the result: out.h5 has out.step12.hdf5. `hardest`: not the
  // last problem of the step but the one that its method did not solve, or that took it the most iterations.
  ProblemDumps(const std::string& result, const std::string& method, const std::vector<std::int64_t>& steps,
               bool hardest);

  // Before a step: whether its hardest problem is to be kept.
  void prepare(std::int64_t step, sim::Scratch& scratch) const;
  // Writes the step's problem where it is asked for, also of a step that failed. Says so, or why not; a file that
  // cannot be written does not end the run.
  void write(const sim::StepReport& report, const sim::Scratch& scratch, spdlog::logger& log);
  void finish(std::int64_t last_step, spdlog::logger& log) const;  // names the steps that were never reached
  bool failed() const { return failed_; }

 private:
  std::string stem_, method_;
  std::vector<std::int64_t> steps_;
  bool hardest_;
  std::size_t next_ = 0;  // of steps_
  bool failed_ = false;
};

}  // namespace simrun
