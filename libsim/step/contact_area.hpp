// What part of their surfaces a contact of rigid bodies stands for, by which they share what they bear
// (contact/even_forces.hpp).
#pragma once

#include "collide/contact.hpp"

namespace sim {

// m^2, projected on the plane of the contact: of a vertex or an edge a third of its triangles; of two edges the
// lesser part; of a vertex at most two of the face that it touches, as many as a vertex has of a mesh as fine as
// that. Of what is not seen from the front, or is a segment or a point, another measure of it, so that none is 0.
double contact_area(const CollisionSurface& surface, const Contact& contact, const VecX& x);

}  // namespace sim
