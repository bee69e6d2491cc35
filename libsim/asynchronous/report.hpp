// What a step of asynchronous/step.hpp tells: its row of /steps, and its contacts.
#pragma once

#include "asynchronous/batch.hpp"
#include "model/report.hpp"
#include "model/state.hpp"

namespace sim {

// The ledger. Contacts are no remainder: what their layers hold is StepReport::contact_energy, what friction takes is
// known. dissipation_scheme is the rest: what restitution takes, and what kicks make of elastic and contact energy.
void record(const Course& course, const State& start, const State& end, StepReport& report);

// Pairs that pushed since the step began, with the mean of their forces over it, as they are at its end.
std::vector<Contact> pushing_contacts(const Course& course);

// Those that friction goes on by in the next step.
std::vector<Contact> remembered(std::span<const Contact> contacts);

double smallest_gap(std::span<const Contact> contacts);  // no_gap where there are none

// Pairs that end the step in a layer, by octave of their deepest, and those in one beyond `rest_depth`.
void count_layers(const Course& course, Index rest_depth, StepEvents& events);

}  // namespace sim
