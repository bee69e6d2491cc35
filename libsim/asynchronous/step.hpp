// Asynchronous contact mechanics (Harmon, Vouga, Smith, Tamstorf & Grinspun 2009): every force has a clock of its own
// and kicks the vertices that it acts on, which fly straight in between. Contact is layers of penalties that begin
// ever nearer, ever stiffer and with ever faster clocks (asynchronous/layers.hpp); which of them are watched when is
// up to a culler that changes no bit (asynchronous/windows.hpp). docs/decisions/asynchronous-contact.md.
#pragma once

#include "asynchronous/kinetic.hpp"
#include "asynchronous/resting.hpp"
#include "asynchronous/windows.hpp"
#include "contact/report.hpp"

namespace sim {

// Working memory of a run; may be thrown away between steps at no cost but time.
struct AsyncScratch {
  bool planned = false;
  KickPlan plan;
  ContactLaw law;
  Thickness thickness;  // of the model: a stepper that is told it does not look for it
  PairTable table;
  Detection resting;  // of what a step begins with (asynchronous/resting.hpp)

  Flights flights;
  VertexLedger ledger;
  Guides guides;
  VecX prescribed;  // m/s, of all vertices
  LoadForces loads;
  KickBuffers buffers;
  std::vector<PairKick> pair_kicks;
  std::vector<Index> pushing, parted, rubbing;
  std::vector<std::array<Vec3, 4>> before;  // of Course
  WindowScratch windows;
  KineticScratch kinetic;
  FreeClocks free_clocks;

  // As those of Scratch: pairs that pushed in the last step, with their mean forces.
  std::vector<Contact> solved, limits;
  Trace trace;
};

// Advances `state` by options.dt; leaves it untouched when the report says that the step was not accepted.
StepReport step(const Model& model, const Options& options, State& state, AsyncScratch& scratch);

}  // namespace sim
