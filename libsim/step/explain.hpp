// Why a step did not get to its end, for people: with objects, places and likely reasons.
#pragma once

#include <span>
#include <string>

#include "collide/check.hpp"
#include "collide/contact_set.hpp"
#include "step/model.hpp"
#include "step/options.hpp"

namespace sim {

// What is left after the last round of a step.
struct Unsettled {
  const Model& model;
  const ContactOptions& options;
  std::span<const Hit> hits;
  const ContactSet& contacts;
  const UpkeepReport& kept;
};
std::string out_of_rounds(const Unsettled& step);

}  // namespace sim
