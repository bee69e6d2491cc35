// Puts vertices and tets that are near each other in space near each other in memory, for the element loops.
#pragma once

#include "mesh/mesh.hpp"

namespace sim {

// Sorts the vertices from `first` on, and all tets, along a Z-order curve (Morton 1966). Vertices before `first` keep
// their places; tets and triangles follow their vertices; the order of the triangles stays.
void order_locally(Mesh& mesh, Index first = 0);

}  // namespace sim
