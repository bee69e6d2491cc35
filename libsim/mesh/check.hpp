// Is this mesh fit to be simulated? Defects come back as sentences with ids, never as a crash later on.
#pragma once

#include "mesh/mesh.hpp"

namespace sim {

// Gives every tet a positive volume by swapping two of its vertices where needed; returns how many were turned.
Index orient_tets(Mesh& mesh);

// One sentence a kind of defect, with the count and the first few ids; empty when the mesh is sound.
//   tet mesh: index out of range, repeated vertex, zero or negative volume, unused vertex, a face shared by three
//   tets,
//             not a number among the coordinates
//   surface:  index out of range, repeated vertex, zero area, unused vertex, open edge, edge of three or more
//   triangles,
//             neighbours of opposite orientation, inside out, not a number among the coordinates
std::vector<std::string> tet_defects(const Mesh& mesh);
std::vector<std::string> surface_defects(const Mesh& mesh);

}  // namespace sim
