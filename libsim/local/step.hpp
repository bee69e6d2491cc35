// One time step by local contact forces (Spillmann, Becker & Teschner 2007), instead of a contact problem:
//
//     detect once -> parts of the step: fly -> (passes of the response -> look for collisions) until nothing collides
//
// (local/integrate.hpp, response.hpp, passes.hpp). A step has as many parts as its vibrations need; a part that is
// not free of collisions after Options::local.passes is taken in halves. docs/decisions/local-forces.md.
#pragma once

#include "local/scratch.hpp"
#include "model/report.hpp"

namespace sim {

// Advances `state` by options.dt; leaves it untouched when the report says that the step was not accepted. Not for
// models with rigid bodies.
StepReport step(const Model& model, const Options& options, State& state, LocalScratch& scratch);

}  // namespace sim
