// All that a checkpoint must hold to go on bit for bit.
#pragma once

#include "step/model.hpp"

namespace sim {

struct State {
  std::int64_t step = 0;
  double time = 0;  // s
  VecX x;           // positions of all vertices, obstacles included
  VecX v;           // velocities
};

State initial_state(const Model& model);

}  // namespace sim
