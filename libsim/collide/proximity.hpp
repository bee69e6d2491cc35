// The proximity set of Otaduy et al. 2009 (section 4): pairs that are nearer than the tolerance at the start of a
// step are contacts from the first solve on.
#pragma once

#include "collide/check.hpp"

namespace sim {

// Of the candidates those that are nearer at x than the tolerance of the pair's gap, as hits at time 0.
void find_near(const CollisionSurface& surface, const Candidates& candidates, const VecX& x, std::vector<Hit>& hits);

}  // namespace sim
