// Why a step did not get to its end, for people: with objects, places and likely reasons.
#pragma once

#include <span>
#include <string>

#include "collide/check.hpp"
#include "collide/contact_set.hpp"
#include "contact/groups.hpp"
#include "model/model.hpp"
#include "model/options.hpp"
#include "step/likely_reason.hpp"

namespace sim {

// What is left after the last round of a step.
struct Unsettled {
  const Situation& situation;
  const ContactOptions& options;
  std::span<const Hit> hits;
  const TrackingReport& kept;
};
std::string out_of_rounds(const Unsettled& step);

// Of an island that was not solved: its bodies; the contact or the body that misses most, where, by how much and how
// much it may; from what that follows; the likely reason. To be appended to the solver's own.
std::string unsolved_island(const Situation& situation, const ContactOptions& options, const ContactGroup& group,
                            SolveStatus status);

// Of bodies apart that were not solved: the first one, and its likely reason.
std::string unsolved_apart(const Situation& situation, const Groups& groups);

// Elements that a step would turn inside out.
std::string turned_elements(const Situation& situation, std::span<const Index> tets);

}  // namespace sim
