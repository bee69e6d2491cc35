// Readers of mesh files. The ending of the name decides the format:
//   tets      .msh (Gmsh 2.2 and 4.1, ASCII and binary), .node or .ele (TetGen, both files needed), .vtk (legacy)
//   surfaces  .obj .off .ply .stl (ASCII and binary where the format has both)
#pragma once

#include "mesh/mesh.hpp"

namespace sim {

// What the file says: for tet files vertices and tets (triangles stay empty), for surface files vertices and
// triangles. Polygons of more than three corners are cut into fans; equal STL corners are merged; elements that are
// neither tets nor surface triangles are passed over. Throws FileError (cannot be opened) or InputError with file,
// line or byte offset, the value and what was expected.
Mesh read_mesh(const std::string& path);

bool is_surface_file(const std::string& path);  // by its ending

}  // namespace sim
