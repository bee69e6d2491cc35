// Readers of mesh files. The ending of the name decides the format:
//   tets      .msh (Gmsh 2.2 and 4.1, ASCII and binary), .node or .ele (TetGen, both files needed), .vtk (legacy)
//   surfaces  .obj .off .ply .stl (ASCII and binary where the format has both)
#pragma once

#include "mesh/mesh.hpp"

namespace sim {

// What the file says: for tet files vertices and tets (triangles stay empty), for surface files vertices and
// triangles, in the order and orientation of the file. Polygons of more than three corners are cut into fans about
// their first corner; exactly equal STL corners are merged, numbered by first appearance; points,
// lines and faces of tet files are passed over, but volume elements other than tets of four nodes are refused:
// without them the body would have holes. Vertices that no tet uses are dropped from Gmsh files only (Gmsh writes the
// points of the geometry too); elsewhere they stay, for check.hpp to report. Numbers are read to the nearest double
// in every locale. Throws FileError (cannot be opened, is a directory, one of the two TetGen files is missing) or
// InputError with file, line or byte offset, what was expected and what was found.
Mesh read_mesh(const std::string& path);

bool is_surface_file(const std::string& path);  // by its ending

}  // namespace sim
