// Is this mesh fit to be simulated? Defects come back as sentences with ids, which count from 0, never as a crash
// later on.
#pragma once

#include "mesh/mesh.hpp"

namespace sim {

// Gives every tet a positive volume by swapping two of its vertices where needed; returns how many were turned. Tets
// that name a vertex twice or one that does not exist are left alone.
Index orient_tets(Mesh& mesh);

// One sentence a kind of defect, with the count and the first few ids; empty when the mesh is sound.
//   tet mesh: no tets, index out of range, not a number among the coordinates, repeated vertex, unused vertex, zero
//             or negative volume, a face shared by three tets, a face with two tets on the same side
//   surface:  no triangles, index out of range, not a number among the coordinates, repeated vertex, unused vertex,
//             zero area, T-junction, open edge, edge of three or more triangles, neighbours of opposite orientation,
//             a closed part that encloses nothing or is inside out (the wall of a cavity is not)
// The first three hide the others, and what is wrong with edges hides what is wrong with parts.
std::vector<std::string> tet_defects(const Mesh& mesh);
// `may_be_open`: open edges are no defect, nor is what such a surface encloses.
std::vector<std::string> surface_defects(const Mesh& mesh, bool may_be_open = false);

}  // namespace sim
