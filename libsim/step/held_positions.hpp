// What sticking contacts take back in the next step: Contact::drift, their slip since they began to stick.
//
// Each contact knows its own. Of two bodies that move as wholes these must be one motion of the one past the other,
// or no motion takes them back: contacts that began to stick at different times would brace the bodies against each
// other, with friction at its bounds, in every step that follows. So these have the drifts d_i of the motion that
// comes nearest to them,
//
//     least sum of |a + b x p_i - d_i|^2     p_i: the points of the contacts that stick, from their middle
//
// along their tangents. By its normal equations a is the mean of d_i, and b what sum of p_i x d_i asks for.
//
// So it is where elastic bodies touch: a few vertices have many contacts, vertices with faces and edges with edges,
// and friction that cancels on all vertices would grow to its bounds. With the rows T of the contacts along their
// tangents,
//
//     d <- T u,   u: displacements of the elastic vertices that move, least |T u - d|
#pragma once

#include "collide/contact_set.hpp"
#include "model/model.hpp"

namespace sim {

// Of contacts that stick, or have slid by no more than they may miss; of others 0.
void keep_drifts(const Model& model, const VecX& x, ContactSet& contacts);

}  // namespace sim
