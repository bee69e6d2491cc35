// One time step: integrate -> detect -> solve -> check the motion -> commit.
#pragma once

#include "collide/check.hpp"
#include "step/model.hpp"
#include "step/options.hpp"
#include "step/report.hpp"
#include "step/state.hpp"

namespace sim {

// Working memory of a run; may be thrown away between steps at no cost but time.
struct Scratch {
  ElementBuffer elements;
  BlockMatrix A;
  VecX b, v;  // of the unknowns
  VecX told;  // of all vertices: velocities of those that are told how to move
  CgScratch cg;

  VecX motion;  // m/s, of all vertices: as foreseen for detection, then as solved
  VecX x1;      // m, where the solved motion leads
  Detection detection;
  Candidates candidates, added;
  std::vector<Index> escaped;
  CheckBuffers check;
  std::vector<Hit> hits;
};

// Advances `state` by options.dt; leaves it untouched when the report's status is not `converged`.
StepReport step(const Model& model, const Options& options, State& state, Scratch& scratch);

}  // namespace sim
