// A finer mesh of the same shape.
#pragma once

#include "mesh/mesh.hpp"

namespace sim {

// Every triangle becomes four and every tetrahedron eight, at the middles of edges; the octahedron inside a
// tetrahedron is cut along its shortest diagonal. Vertices keep their numbers, the middles come after them. Triangles
// turn and tetrahedra have signs as before. Throws InputError where there would be more than numbers for them.
void refine(Mesh& mesh, Index times);

}  // namespace sim
