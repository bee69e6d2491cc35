// Tells of the first tetrahedra of a run that are turned inside out, or so squeezed that the energy of their material
// is continued by another one: object, number, place, time.
#pragma once

#include <spdlog/logger.h>

#include "model/state.hpp"
#include "progress.hpp"

namespace simrun {

class SqueezedElements {
 public:
  // Of a step that was accepted, and the state that it led to.
  void look_at(const sim::StepReport& report, const sim::Model& model, const sim::State& state, Progress& progress,
               spdlog::logger& log);

 private:
  bool inverted_ = false, extrapolated_ = false;  // have been told of
};

}  // namespace simrun
