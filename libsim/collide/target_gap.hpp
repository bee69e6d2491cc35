// The gaps that contacts are to end a step with (Contact::target_gap), as parts of eps2.
#pragma once

#include <algorithm>

#include "collide/contact.hpp"

namespace sim {

// Nearer than this part of eps2 nothing gets: directions between nearest points have a meaning.
inline constexpr double least_distance = 0.02;
// What begins nearer than twice that may come to half its distance (collide/check.hpp). All that is farther off keeps
// the gap it has: to raise what presses is work that nothing does.
inline constexpr double lowest_target_gap = 2 * least_distance, new_target_gap = 0.5, highest_target_gap = 0.7;
// The target gap of a contact that collides on its way grows by this part of its way in the step, at most by this
// part of eps2.
inline constexpr double keep_off_way = 0.05, keep_off_part = 0.5;

// The gap that the contact has, where it may have it; one that is too small grows by `correction` (m) at most.
inline double target_gap_of(const Contact& contact, double highest, double correction) {
  const double lowest = lowest_target_gap * contact.eps2;
  if (contact.gap >= lowest) return std::clamp(contact.gap, lowest, highest * contact.eps2);
  return std::min(lowest, contact.gap + correction);
}

// By how much the target gap of a contact that collides on its way grows, in m: by `least` at least.
inline double farther_off(const Contact& contact, const VecX& x0, const VecX& x1, double least) {
  const double way = (separation_vector(contact, x1) - separation_vector(contact, x0)).norm();
  return std::min(keep_off_part * contact.eps2, std::max(keep_off_way * way, least));
}

}  // namespace sim
