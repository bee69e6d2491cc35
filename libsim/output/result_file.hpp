// The result file (HDF5): docs/result-format.md is its reference.
//
// Every frame that append_frame() has returned from can be read by others, while the run goes on and after the
// program was killed.
#pragma once

#include <memory>
#include <string>

#include "step/model.hpp"
#include "step/report.hpp"
#include "step/state.hpp"

namespace sim {

struct ResultHeader {
  std::string scene_json;  // the effective scene
  std::string solver;
  int threads = 1;
  std::string command_line;
  std::string program_version;  // with git hash
  bool velocities = true;       // write /frames/velocities
};

class ResultFile {
 public:
  // Creates `path` (and the .xdmf beside it); throws FileError.
  ResultFile(const std::string& path, const Model& model, const ResultHeader& header);
  ~ResultFile();  // closes; a run that was not finished keeps the status "running"
  ResultFile(ResultFile&&) noexcept;

  void append_frame(const State& state);
  void append_step(const StepReport& report);
  // status: "done", "stopped" (with a reason) or "interrupted".
  void finish(const std::string& status, const std::string& reason);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace sim
