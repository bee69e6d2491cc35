// All that a checkpoint must hold to go on bit for bit.
#pragma once

#include "collide/contact_set.hpp"
#include "model/asynchronous.hpp"
#include "model/model.hpp"

namespace sim {

// Of generalized alpha (step/inertia.hpp); empty under other schemes, and before its first step. Of a rigid body the
// entry of its first vertex is that of its centre, that of its second that of its turning: L / (m radius) for v.
struct History {
  VecX acceleration, force;               // m/s^2, of all vertices: a0, F0 / m
  std::vector<std::uint8_t> holds;        // an object: they go on smoothly
  VecX strain_rate, strain_acceleration;  // 1/s, 1/s^2: s', s'' in the layout of Model::strains
};

struct State {
  std::int64_t step = 0;
  double time = 0;  // s
  VecX x;           // m, positions of all vertices, obstacles included
  VecX v;           // m/s
  VecX left_over;   // kg m/s: what the last solve missed, added to the next step's b; zero for rigid vertices
  std::vector<RigidState> rigid;  // x and v of their vertices follow from them
  History history;
  VecX unseen;          // UnseenStrains of the step that led here, of semi-implicit steps; empty: none
  ContactSet contacts;  // with what the solver starts from in the next step
};

inline UnseenStrains unseen_of(const State& state) {
  return as_unseen(state.unseen);
}

// At rest and moving as the scene says; prescribed vertices are where their motion has them at time 0.
State initial_state(const Model& model);

// The first object with a prescribed vertex whose entry of `velocity` is not finite: its motion has no value, or too
// large a one, at the time it was asked for. -1: all are finite.
Index first_non_finite(const Model& model, const VecX& velocity);
std::string goes_to_non_finite(const Model& model, Index object);  // that it does, for people

}  // namespace sim
