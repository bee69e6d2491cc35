#include "model/contact_counts.hpp"

#include <algorithm>
#include <limits>

#include "collide/limits.hpp"

namespace sim {

void count(std::span<const Contact> contacts, StepReport& report) {
  report.contacts = static_cast<Index>(contacts.size());
  report.active = report.sticking = report.sliding = 0;
  for (const Contact& contact : contacts) {
    report.sticking += contact.state == FrictionState::sticking ? 1 : 0;
    report.sliding += contact.state == FrictionState::sliding ? 1 : 0;
  }
  report.active = report.sticking + report.sliding;
}

Index count_pushing(std::span<const Contact> limits) {
  return static_cast<Index>(
      std::count_if(limits.begin(), limits.end(), [](const Contact& c) { return c.state != FrictionState::open; }));
}

double smallest_distance(const ContactSet& contacts, const VecX& x) {
  double smallest = std::numeric_limits<double>::infinity();
  for (const Contact& contact : contacts.contacts) {
    if (!is_limit(contact)) smallest = std::min(smallest, distance(contact, x));
  }
  return smallest;
}

}  // namespace sim
