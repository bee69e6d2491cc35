// Pairs that come to be contacts by being near, without colliding.
//
// The proximity set of Otaduy et al. 2009 (section 4): pairs that are nearer than the tolerance at the start of a
// step are contacts from the first solve on.
#pragma once

#include "collide/contact.hpp"

namespace sim {

// Of the candidates those that are nearer at x than the tolerance of the pair's gap, as hits at time 0.
void find_near(const CollisionSurface& surface, const Candidates& candidates, const VecX& x, std::vector<Hit>& hits);

// Vertices and faces that are nearer at x than all contacts that push between the same two objects, and are no
// contacts: what slides over many borders at once may leave its contacts behind, and what still pushes holds it where
// it collides nowhere else. They bear as much, and must not be left out.
void find_nearer_than_pushing(const CollisionSurface& surface, std::span<const Contact> contacts,
                              const Candidates& candidates, const VecX& x, std::vector<Hit>& hits);

}  // namespace sim
