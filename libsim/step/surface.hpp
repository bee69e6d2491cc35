// The surface of a model, as detection sees it: a vertex moves where it has unknowns.
#pragma once

#include "collide/surface.hpp"
#include "step/model.hpp"

namespace sim {

CollisionSurface make_surface(const Model& model);  // of a finished model

}  // namespace sim
