// Fills a closed surface with tets by TetGen (Si 2015), the only place of the code that knows TetGen.
#pragma once

#include "mesh/mesh.hpp"

namespace sim {

struct TetrahedralizeOptions {
  double quality = 1.4;      // bound on radius-edge ratio, > 1; smaller is better and makes more tets
  double min_dihedral = 15;  // degrees, bound on the smallest dihedral angle TetGen tries for
  double max_volume = 0;     // m^3, largest tet; 0: no bound
};

// The surface is kept as it is: its vertices come first and no points are added on it. Throws InputError, with the
// ids of triangles, when the surface has defects or intersects itself (found before TetGen is trusted with it).
Mesh tetrahedralize(const Mesh& surface, const TetrahedralizeOptions& options);

}  // namespace sim
