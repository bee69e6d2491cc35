// Fills a closed surface with tets by TetGen (Si 2015), the only place of the code that knows TetGen.
#pragma once

#include "mesh/mesh.hpp"

namespace sim {

// What TetGen tries for. It adds no points on the surface, so tets near a surface that is coarser than asked for
// can miss all three bounds: the triangles of the surface set the size of the tets on them.
struct TetrahedralizeOptions {
  double quality = 1.4;      // bound on radius-edge ratio, > 1; smaller is better and makes more tets
  double min_dihedral = 15;  // degrees, bound on the smallest dihedral angle, 0 to 30
  double max_volume = 0;     // m^3, bound on the volume of a tet; 0: none
};

// The surface is kept as it is: its vertices come first, its triangles stay, and no points are added on it. Parts of
// it that lie inside another and face inward are the walls of cavities, which stay empty. Throws InputError, with the
// ids of triangles (from 0), when the surface has defects or intersects itself (found before TetGen is trusted with
// it).
Mesh tetrahedralize(const Mesh& surface, const TetrahedralizeOptions& options);

}  // namespace sim
