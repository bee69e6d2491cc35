// All that a checkpoint must hold to go on bit for bit.
#pragma once

#include "collide/contact_set.hpp"
#include "step/model.hpp"

namespace sim {

struct State {
  std::int64_t step = 0;
  double time = 0;  // s
  VecX x;           // m, positions of all vertices, obstacles included
  VecX v;           // m/s
  VecX left_over;   // kg m/s: what the last solve missed, added to the next step's b; zero for rigid vertices
  std::vector<RigidState> rigid;  // x and v of their vertices follow from them
  ContactSet contacts;            // with what the solver starts from in the next step
};

// At rest and moving as the scene says; told vertices are where their motion has them at time 0.
State initial_state(const Model& model);

// The first object with a told vertex whose entry of `velocity` is not finite: its motion has no value, or too large
// a one, at the time it was asked for. -1: all are finite.
Index first_non_finite(const Model& model, const VecX& velocity);

}  // namespace sim
