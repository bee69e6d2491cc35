// Keeping a contact true while geometry changes under it (Verschoor & Jalba 2019, section 3.3).
//
//     C_new = w C(x) + (1 - w) C_old      equation 21
//
// with w such that the normal turns by less than an angle at a time. When the contact point leaves its face or edge,
// the contact goes on as that of the neighbour, if the surface is smooth enough there to be called the same contact.
#pragma once

#include "collide/contact.hpp"

namespace sim {

struct TrackingOptions {
  double highest_gap = 1;   // eps2: of contacts that push; if their target gap is near that or above, a little more
  double turn = 15;         // degrees: the normal turns by less at a time
  double small_turn = 0.1;  // degrees
  Index most_turns = 5;     // of a contact in a step that are not small; then it is frozen
  double farthest = 20;     // eps2: a pair that is farther apart than its contact's gap by more has left the contact
  double neighbour_turn = 60;  // degrees: on a neighbour whose normal differs by more, the contact ends
};

double angle_between(const Vec3& a, const Vec3& b);  // degrees

// (0, eps2), and where the target gap is near that or beyond, a little more.
bool may_have_gap(const Contact& contact, const TrackingOptions& options);

// The contact goes on beside its surface, as a plane has no end: it would push where nothing touches.
bool has_left(const Contact& contact, const VecX& x, const TrackingOptions& options);

// m: how far its points are from all of the other object, the farther one, less the thickness. What slides over a
// flat surface leaves its pair, and is still on what comes next in the plane.
double distance_from_objects(const CollisionSurface& surface, const Contact& contact, const VecX& x);

struct Turn {
  double done = 0;  // degrees that the normal turned
  double left = 0;  // degrees that it still differs from the geometry's
};

// Weights, normal and gap anew from the positions x, as far as the turn allows, and by no more than `share` of it.
// The normal is chosen as in make_contact, by the direction of the old one instead of that at the impact, and turned
// to its side.
Turn relinearise(const CollisionSurface& surface, Contact& contact, const VecX& x, const TrackingOptions& options,
                 double share = 1);

enum class Slide { stays, moved, gone };

// Where the contact's foot is at positions x. `moved`: the contact is now that with the neighbouring face or edge,
// with its history, a new id, and slid_from; its normal has turned by less than options.turn. `gone`: it lies over no
// neighbour that could take it on, or no vertex of that pair moves; new collisions there are for detection to find. A
// contact that is gone is unchanged. One with thickness stays instead while its pair is near.
Slide slide(const CollisionSurface& surface, Contact& contact, const VecX& x, const TrackingOptions& options);

}  // namespace sim
