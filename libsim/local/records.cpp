#include "local/records.hpp"

#include <algorithm>

#include "collide/limits.hpp"

namespace sim {

namespace {

Vec3 force_of(const Contact& contact) {
  return contact.lambda * contact.n - contact.friction[0] * contact.t1 - contact.friction[1] * contact.t2;
}

void set_force(const Vec3& force, Contact& contact) {
  contact.lambda = std::max(0.0, contact.n.dot(force));
  contact.friction = {-contact.t1.dot(force), -contact.t2.dot(force)};
}

bool has_id(const Contact& contact, ContactId id) {
  return contact.id < id;
}

}  // namespace

void add_to_records(const LocalPart& part, std::vector<Contact>& records) {
  for (const Contact& now : part.state.contacts.contacts) {
    const auto place = std::lower_bound(records.begin(), records.end(), now.id, has_id);
    const bool is_known = place != records.end() && place->id == now.id;
    if (!is_known && now.state == FrictionState::open && now.gap > now.eps2) continue;
    const Vec3 before = is_known ? force_of(*place) : Vec3(Vec3::Zero());
    const FrictionState state = is_known && now.state == FrictionState::open ? place->state : now.state;
    Contact& record = is_known ? *place : *records.insert(place, now);
    record = now;
    record.state = state;
    set_force(before + part.dt * force_of(now), record);
  }
}

void finish_records(const VecX& x, double dt, std::vector<Contact>& records) {
  for (Contact& contact : records) {
    set_force(force_of(contact) / dt, contact);
    contact.gamma = contact.friction;
    contact.gap = gap(contact, x);
    if (contact.lambda == 0) {
      contact.state = FrictionState::open;
      contact.friction = contact.gamma = {};
    }
  }
  std::erase_if(records, [](const Contact& c) { return c.state == FrictionState::open && c.gap > c.eps2; });
}

}  // namespace sim
