// A run starts from objects that do not overlap; all that follows relies on it.
#pragma once

#include <string>

#include "collide/surface.hpp"
#include "model/state.hpp"

namespace simrun {

// Throws InputError where objects overlap at the start, themselves or each other, decided exactly
// (collide/intersections.hpp): names the objects and triangles, says how deep and what to do, and leaves the pairs in
// `obj_path` to look at. `source` is what the message calls the scene.
void refuse_initial_overlaps(const sim::Model& model, const sim::CollisionSurface& surface, const sim::State& start,
                             const std::string& source, const std::string& obj_path);

}  // namespace simrun
