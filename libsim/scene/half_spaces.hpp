// Half-spaces are triangles that stand for their planes. Private to the room.
#pragma once

#include "model/model.hpp"

namespace sim {

// Their triangles are made much larger than the scene, about the point that is nearest to it: where bodies get no
// farther than half its inradius (step/advance.cpp), it is the plane. Not larger than needed, for the sake of
// rounding.
void enlarge_half_spaces(Model& model);

}  // namespace sim
