// One time step, Algorithm 1 of Verschoor & Jalba 2019:
//
//     integrate -> detect -> (solve -> look for collisions -> re-linearise) until nothing changes -> commit
//
// (step/advance.hpp). The contact islands that do not get there take the step in two halves, and so on
// (step/division.hpp).
#pragma once

#include "model/report.hpp"
#include "step/scratch.hpp"

namespace sim {

// Advances `state` by options.dt; leaves it untouched when the report says that the step was not accepted.
StepReport step(const Model& model, const Options& options, State& state, Scratch& scratch);

}  // namespace sim
