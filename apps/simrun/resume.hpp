// --resume: what a run goes on with, and from where.
#pragma once

#include <cstdint>
#include <string>

#include "command_line.hpp"
#include "model/state.hpp"
#include "output/result_reader.hpp"
#include "scene/scene.hpp"

namespace simrun {

struct Resumption {
  std::string file;      // the result file that has the checkpoint
  bool in_place = true;  // go on in that file; otherwise the run writes one of its own
  std::int64_t step = 0;
  bool trace = false;
  sim::ResultInfo info;  // of the file
  sim::Scene before;     // its scene, and
  sim::Scene scene;      // the one to go on with
};

// Chooses the checkpoint and checks that scene and file belong together. Throws InputError and FileError.
Resumption plan_resumption(const CommandLine& command_line);

sim::State resumed_state(const Resumption& resumption, const sim::Model& model);

}  // namespace simrun
