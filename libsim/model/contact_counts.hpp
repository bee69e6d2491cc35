// What a report tells of the contacts of a step, whichever stepper made them.
#pragma once

#include <span>

#include "collide/contact_set.hpp"
#include "model/report.hpp"

namespace sim {

void count(std::span<const Contact> contacts, StepReport& report);  // all, those that push, stick, slide
Index count_pushing(std::span<const Contact> limits);

// Of the pairs in contact: whatever plane a contact has, nothing overlaps. Infinite where there are none.
double smallest_distance(const ContactSet& contacts, const VecX& x);

}  // namespace sim
