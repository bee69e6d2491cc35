#include "collide/limits.hpp"

#include <algorithm>

namespace sim {

namespace {

double passed_by(const LengthLimit& limit, LimitSide side, double length) {
  return side == LimitSide::longest ? length - limit.longest : limit.shortest - length;
}

bool moves(const CollisionSurface& surface, const LengthLimit& limit) {
  return surface.vertex_moves[limit.vertices[0]] != 0 || surface.vertex_moves[limit.vertices[1]] != 0;
}

// Re-linearising one that pushes tells whether that is enough.
bool sees_to_it(const Contact* contact) {
  return contact != nullptr && contact->state != FrictionState::open;
}

// Along the spring, but for what has turned it and made it stronger since it was linearised.
Vec3 force_direction(const Contact& limit, const Vec3& r) {
  if (!(limit.transverse > 0) || !(limit.lambda > 0)) return limit.n;
  return limit.lambda * limit.n - limit.transverse * (r - limit.n * limit.n.dot(r));
}

}  // namespace

Vec3 limit_normal(const Contact& limit, const Vec3& r) {
  const double length = r.norm();
  if (!(length > 0)) return limit.n;
  return (is_upper_limit(limit) ? -1 : 1) / length * r;
}

Turn relinearise_limit(Contact& limit, const VecX& x) {
  const Vec3 r = separation_vector(limit, x), n = limit_normal(limit, r);
  const double angle = angle_between(force_direction(limit, r), n);
  turn_frame(limit, n);
  limit.gap = gap(limit, x);
  return {angle, 0};
}

double limit_gap(const LengthLimit& limit, LimitSide side) {
  const bool upper = side == LimitSide::longest;
  return (upper ? limit.longest - limit.rest_length : limit.rest_length - limit.shortest) / gaps_a_thickness;
}

void take_scales(const CollisionSurface& surface, Contact& contact) {
  if (is_limit(contact)) {
    const LengthLimit& limit = surface.limits[contact.pair.first];
    const auto side = static_cast<LimitSide>(contact.pair.second);
    contact.eps2 = limit_gap(limit, side);
    contact.thickness = side == LimitSide::longest ? -limit.longest : limit.shortest;
  } else {
    contact.eps2 = gap_tolerance(surface, contact.vertices);
    contact.thickness = pair_thickness(surface, contact.kind, contact.vertices);
  }
}

Contact make_limit(const CollisionSurface& surface, Pair pair, const VecX& x0, const VecX& x1) {
  Contact contact;
  contact.id = contact_id(ContactKind::limit, pair);
  contact.kind = ContactKind::limit;
  contact.pair = pair;
  contact.vertices = stencil(surface, contact.kind, pair);
  contact.time = 1;
  take_scales(surface, contact);
  contact.weights = {1, -1, 0, 0};
  contact.n = limit_normal(contact, separation_vector(contact, x1));
  std::tie(contact.t1, contact.t2) = std::tuple_cat(tangents(contact.n));
  // Of its length: along where it will have turned to it is shorter, and seems to have passed a limit of compression.
  contact.gap = -passed_by(surface.limits[pair.first], static_cast<LimitSide>(pair.second),
                           separation_vector(contact, x0).norm());
  return contact;
}

void find_passed_limits(const CollisionSurface& surface, const ContactSet& set, const VecX& x1,
                        std::vector<Hit>& hits) {
  for (std::size_t i = 0; i < surface.limits.size(); ++i) {
    const LengthLimit& limit = surface.limits[i];
    if (!moves(surface, limit)) continue;
    const double length = (block(x1, limit.vertices[0]) - block(x1, limit.vertices[1])).norm();
    for (const LimitSide side : {LimitSide::longest, LimitSide::shortest}) {
      if (!(passed_by(limit, side, length) > 0)) continue;
      const Pair pair{static_cast<Index>(i), static_cast<Index>(side)};
      if (!sees_to_it(find(set, contact_id(ContactKind::limit, pair)))) hits.push_back({ContactKind::limit, pair, 1});
    }
  }
}

void split_limits(std::vector<Contact>& contacts, std::vector<Contact>& limits) {
  const auto first =
      std::stable_partition(contacts.begin(), contacts.end(), [](const Contact& c) { return !is_limit(c); });
  limits.assign(first, contacts.end());
  contacts.erase(first, contacts.end());
}

}  // namespace sim
