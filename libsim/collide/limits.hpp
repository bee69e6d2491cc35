// Strain limits (Raghupathi & Faure 2006, section 4.5): springs that must not get longer or shorter than the scene
// lets them. Each side of a limit is a contact of the kind `limit`, whose friction coefficient is 0:
//
//     gap = longest - e . (x_i - x_j)          gap = e . (x_i - x_j) - shortest
//
// that is n = -e with the thickness -longest, and n = e with the thickness shortest. e is the direction from x_j to
// x_i where the last solution leads, so that the gap is exact there. Rows, solvers, tolerances and rounds are those
// of contacts; no method knows. A limit neither slides nor leaves, it is open where its spring is slack; nor is it
// ever frozen: a step that leads past it is not taken.
#pragma once

#include "collide/contact_set.hpp"

namespace sim {

enum class LimitSide : Index { longest, shortest };  // Pair::second

inline bool is_limit(const Contact& contact) {
  return contact.kind == ContactKind::limit;
}
inline bool is_upper_limit(const Contact& contact) {
  return is_limit(contact) && contact.pair.second == static_cast<Index>(LimitSide::longest);
}

Vec3 limit_normal(const Contact& limit, const Vec3& r);  // where r = x_i - x_j; as it is where r has no length

// Direction and gap anew from the positions x.
Turn relinearise_limit(Contact& limit, const VecX& x);

// m, eps2 of a limit: the part of what it lets the length change by that gaps of thin things are of their thickness.
double limit_gap(const LengthLimit& limit, LimitSide side);

// eps2 and thickness of a contact or a limit, as the scene has them.
void take_scales(const CollisionSurface& surface, Contact& contact);

Contact make_limit(const CollisionSurface& surface, Pair pair, const VecX& x0, const VecX& x1);

// Adds those that are passed at x1 and have no contact that would see to it, ascending.
void find_passed_limits(const CollisionSurface& surface, const ContactSet& set, const VecX& x1,
                        std::vector<Hit>& hits);

// Moves the limits among the contacts to `limits`.
void split_limits(std::vector<Contact>& contacts, std::vector<Contact>& limits);

}  // namespace sim
