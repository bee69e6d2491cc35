// The ways to take a step, behind one call of one signature. A stepper takes `state` from one multiple of Options::dt
// to the next and returns a row of /steps. State alone decides what follows; a stepper may be thrown away between
// steps at no cost but time.
#pragma once

#include <utility>
#include <variant>

#include "asynchronous/step.hpp"
#include "local/scratch.hpp"
#include "step/scratch.hpp"

namespace sim {

using Stepper = std::variant<Scratch, LocalScratch, AsyncScratch>;  // in the order of StepperKind

Stepper make_stepper(const Options& options, Thickness known = {});  // of acm: what advise() has found

// Advances `state` by options.dt; leaves it untouched when the report says that the step was not accepted.
StepReport advance(const Model& model, const Options& options, State& state, Stepper& stepper);

// What the last step left for frames and records of the result.
struct StepRecords {
  std::vector<Contact>& solved;  // contacts as they were solved, with their gaps at the end
  std::vector<Contact>& limits;  // strain limits that push
  Trace& trace;                  // where Options::trace asks for it
};
StepRecords records(Stepper& stepper);

}  // namespace sim
