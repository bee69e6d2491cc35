#include "collide/contact_set.hpp"

#include <algorithm>

namespace sim {

namespace {

bool by_id(const Contact& a, const Contact& b) {
  return a.id < b.id;
}

bool stays_of_two(const Contact& a, const Contact& b) {
  if (a.lambda != b.lambda) return a.lambda > b.lambda;
  if (a.age != b.age) return a.age > b.age;
  return a.slid_from < b.slid_from;
}

// Sorts, and of contacts with the same id keeps one; returns how many went.
Index restore_order(std::vector<Contact>& contacts) {
  std::sort(contacts.begin(), contacts.end(),
            [](const Contact& a, const Contact& b) { return a.id != b.id ? a.id < b.id : stays_of_two(a, b); });
  const auto end =
      std::unique(contacts.begin(), contacts.end(), [](const Contact& a, const Contact& b) { return a.id == b.id; });
  const auto gone = static_cast<Index>(contacts.end() - end);
  contacts.erase(end, contacts.end());
  return gone;
}

}  // namespace

const Contact* find(const ContactSet& set, ContactId id) {
  const auto place = std::lower_bound(set.contacts.begin(), set.contacts.end(), id,
                                      [](const Contact& c, ContactId wanted) { return c.id < wanted; });
  return place != set.contacts.end() && place->id == id ? &*place : nullptr;
}

Contact* find(ContactSet& set, ContactId id) {
  return const_cast<Contact*>(find(static_cast<const ContactSet&>(set), id));
}

void begin_step(ContactSet& set, const VecX& x0) {
  for (Contact& contact : set.contacts) {
    contact.gap = gap(contact, x0);
    contact.c_t = {};
    contact.time = 0;
    contact.slid_from = no_contact;
    ++contact.age;
  }
}

Index add_contacts(const CollisionSurface& surface, std::span<const Hit> hits, const VecX& x0, const VecX& x1,
                   ContactSet& set) {
  const std::size_t old = set.contacts.size();
  for (const Hit& hit : hits) {
    const ContactId id = contact_id(hit.kind, hit.pair);
    const auto last_old = set.contacts.begin() + static_cast<std::ptrdiff_t>(old);
    const auto place = std::lower_bound(set.contacts.begin(), last_old, id,
                                        [](const Contact& c, ContactId wanted) { return c.id < wanted; });
    if (place == last_old || place->id != id) set.contacts.push_back(make_contact(surface, hit, x0, x1));
  }
  const auto found = set.contacts.begin() + static_cast<std::ptrdiff_t>(old);
  std::sort(found, set.contacts.end(), [](const Contact& a, const Contact& b) {
    return a.id != b.id ? a.id < b.id : a.time < b.time;  // of a pair that hits twice the first hit counts
  });
  set.contacts.erase(
      std::unique(found, set.contacts.end(), [](const Contact& a, const Contact& b) { return a.id == b.id; }),
      set.contacts.end());
  std::inplace_merge(set.contacts.begin(), found, set.contacts.end(), by_id);
  return static_cast<Index>(set.contacts.size() - old);
}

UpkeepReport update_contacts(const CollisionSurface& surface, const VecX& x, const UpkeepOptions& options,
                             ContactSet& set) {
  UpkeepReport report;
  std::size_t kept = 0;
  for (Contact& contact : set.contacts) {
    const bool pushes = contact.state != FrictionState::open;
    const Vec3 n = contact.n;
    const Slide outcome = slide(surface, contact, x, options);
    if (outcome == Slide::gone) {
      report.lost += pushes ? 1 : 0;
      continue;
    }
    Turn turn;
    if (outcome == Slide::moved) {
      ++report.moved;  // its normal has turned as far as it may
      turn.done = angle_between(n, contact.n);
    } else {
      turn = relinearise(contact, x, options);
    }
    report.largest_turn = std::max(report.largest_turn, turn.done);
    report.largest_turn_left = std::max(report.largest_turn_left, turn.left);
    if (pushes) {
      report.lowest_gap = std::min(report.lowest_gap, contact.gap);
      report.highest_gap = std::max(report.highest_gap, contact.gap);
      report.pushing_turn = std::max(report.pushing_turn, turn.done);
      report.pushing_turn_left = std::max(report.pushing_turn_left, turn.left);
    }
    set.contacts[kept++] = contact;
  }
  report.removed = static_cast<Index>(set.contacts.size() - kept);
  set.contacts.resize(kept);
  if (report.moved > 0) report.merged = restore_order(set.contacts);
  return report;
}

}  // namespace sim
