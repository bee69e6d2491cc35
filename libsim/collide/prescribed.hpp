// What no force can answer: held parts of a body that the prescribed motion of a step leads through something else
// that is prescribed (an obstacle, or held parts of another body). Detection leaves such pairs out (surface.hpp), so
// they are looked at by themselves, and only in steps in which something prescribed moves.
//
// Objects of which nothing moves freely pass through each other as they are told.
#pragma once

#include <optional>

#include "collide/check.hpp"

namespace sim {

// True where a vertex without unknowns is elsewhere at x1.
bool anything_prescribed_moves(const CollisionSurface& surface, const VecX& x0, const VecX& x1);

// The first such crossing on the way from x0 to x1, in the order of the pairs; kind, pair and time. What begins in
// touch, and what goes along with the other, does not cross. `detection` is that of the step (find_candidates).
std::optional<Hit> find_prescribed_crossing(const CollisionSurface& surface, const VecX& x0, const VecX& x1,
                                            const DetectionOptions& options, const Detection& detection);

// The same of the surfaces themselves, without the thickness of sheets, for whoever has no such detection.
std::optional<Hit> find_prescribed_crossing(const CollisionSurface& surface, const VecX& x0, const VecX& x1,
                                            const DetectionOptions& options);

}  // namespace sim
