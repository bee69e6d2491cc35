// The contacts of a part of a step: passes of the response until nothing collides on the way x0 -> x1. Gaps along the
// planes of contacts say when it is worth to look. What may meet is looked up once a step; parts and passes check it,
// and look up what leaves its reach.
#pragma once

#include "local/part.hpp"

namespace sim {

// The pairs that may meet in the step, if it goes about as foreseen.
void detect(const Model& model, const Options& options, const State& state, LocalScratch& scratch,
            StepReport& report);

// Takes x1 to where nothing collides. False where Options::local.passes are not enough, or the part has failed.
bool respond(LocalPart& part);

std::string out_of_passes(const LocalPart& part);  // for people: what still collides

// After the part: the forces of the contacts and what has slipped, with the geometry that they were answered with.
void note_forces(LocalPart& part);
// Then contacts as the next part finds them: linearised at x1, without those that have gone.
void keep_contacts(LocalPart& part);

}  // namespace sim
