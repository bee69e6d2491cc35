// How often a contact is there, nearly: the diagonal of Z (Verschoor & Jalba 2019, section 3.4.1).
//
//     Z_a = sum over contacts b, a among them, that have a vertex in common with a, of
//           product over the common vertices i of (1 - | |w_a,i| - |w_b,i| |)
//
// w are the barycentric coordinates of the contact point, on either side positive. Two identical contacts have Z = 2,
// a contact that shares no vertex has Z = 1. Only vertices that move have a column in L and count: all contacts with
// one triangle of a floor are not duplicates.
//
// Of a contact between two rigid bodies, or of one with an obstacle, Z_a is the number of contacts between the two:
// they all act on the same unknowns. Where a rigid body touches a deformable one, the vertices of the latter count,
// which are what gives way.
#pragma once

#include <span>

#include "collide/contact.hpp"

namespace sim {

// The product for two contacts; 0 where they have no vertex in common.
double likeness(const CollisionSurface& surface, const Contact& a, const Contact& b);

// Whether one of two contacts is enough: they are alike, 0.9 and more, and on neither side does one rest, with all
// but a tenth of its weight, on vertices that the other has not. All vertices of a small body are alike for one large
// triangle, and are not the same.
bool say_the_same(const CollisionSurface& surface, const Contact& a, const Contact& b);

struct SimilarityBuffers {
  std::vector<Index> begin, contacts;  // of every vertex, the contacts that it is in
  struct RigidPair {
    std::array<Index, 2> objects;
    Index contact;
  };
  std::vector<RigidPair> pairs;  // the contacts in which nothing is deformable, by who is in them
};

// One number a contact, in their order.
void similarity(const CollisionSurface& surface, std::span<const Contact> contacts, SimilarityBuffers& buffers,
                std::vector<double>& Z);

}  // namespace sim
