// All contacts, from step to step: sorted by id, no two alike.
#pragma once

#include <functional>

#include "collide/tracking.hpp"

namespace sim {

struct ContactSet {
  std::vector<Contact> contacts;  // ascending by id
  std::vector<ContactId> left;    // pairs that contacts left in this step: what comes back there is frozen
};

const Contact* find(const ContactSet& set, ContactId id);  // null where there is none
Contact* find(ContactSet& set, ContactId id);

// Puts contacts among others, none of which is one of them; both are ascending by id.
void merge(std::span<const Contact> some, std::vector<Contact>& contacts);

// What last step's contacts are at the start of the next one: a step older, gaps of x0, and with nothing to remember
// of how they came about (c_t, time and slid_from).
void begin_step(const CollisionSurface& surface, ContactSet& set, const VecX& x0);

// Contacts for the hits that have none yet; returns how many. Those that exist are left as they are. Of hits that
// would make nearly the same contact (a vertex that meets an edge does so with its faces and edges too) the earliest
// gets one, faces before the insides of edges before their ends: the others will hardly collide once it holds, and if
// they do they come again. The same goes for hits that come after others of the same vertices.
Index add_contacts(const CollisionSurface& surface, std::span<const Hit> hits, const VecX& x0, const VecX& x1,
                   ContactSet& set);

struct TrackingReport {
  Index moved = 0;    // to a neighbour
  Index removed = 0;  // slid off, or left by their pair
  Index merged = 0;   // moved to where a contact was already

  // Of the contacts that push.
  Index lost = 0;                                  // removed
  Index unsettled = 0;                             // with a gap that they may not have
  double pushing_turn = 0, pushing_turn_left = 0;  // degrees
  std::vector<std::array<Index, 4>> restless;      // vertices of those that must be solved again: lost, unsettled, or
                                                   // turned by more than TrackingOptions::small_turn
};

// Contacts that exist and collide all the same, on their way: the motion is straight, their faces turn and their
// points slide. They keep farther off, by `more`; from the third time (`moves_at`) on they are contacts at the place
// of their last collision, unless that is on their other side, and stay so for the rest of the step. Those that are
// violated at the end are for the solver to see to, or are raised `too`, where local answers alone would take long: a
// wedge between what sticks opens by what its friction leaves of them. Returns how many.
enum class Violated { no, too };
inline constexpr Index collisions_before_moving = 3;
Index keep_off(const CollisionSurface& surface, std::span<const Hit> hits,
               const std::function<double(const Contact&)>& more, const VecX& x0, const VecX& x1, ContactSet& set,
               Violated violated = Violated::no, Index moves_at = collisions_before_moving);

// Slides and re-linearises every contact at the positions x. Of two that have become one, the one that pushes harder
// stays (the older of them if they push alike).
// What would go to and fro within a step is stopped: a contact slides once, and is frozen where it comes back to a
// place that it left, or when it has turned often.
// A contact whose new geometry would have it violated at x0, where nothing collides, by more than sliding along a
// surface that turns explains, stays as it was. One that pushes and whose pair has left it is removed, unless it is
// frozen.
TrackingReport update_contacts(const CollisionSurface& surface, const VecX& x0, const VecX& x,
                               const TrackingOptions& options, ContactSet& set);

// Removes contacts for which `goes(contact)` holds; returns how many.
template <class Goes>
Index remove_contacts(ContactSet& set, const Goes& goes) {
  return static_cast<Index>(std::erase_if(set.contacts, goes));
}

}  // namespace sim
