// One function a format of mesh files, for read.cpp only. Each throws InputError for everything that is not as the
// format wants it; an empty mesh is found by the caller.
#pragma once

#include <span>
#include <string_view>

#include "mesh/mesh.hpp"

namespace sim {

Mesh read_gmsh(const std::string& path);  // MSH 2.2 and 4.1, https://gmsh.info/doc/texinfo/gmsh.html#MSH-file-format
Mesh read_tetgen(const std::string& path);  // Si 2015; path of the .node or of the .ele file
Mesh read_vtk(const std::string& path);     // legacy VTK to version 5.1, https://vtk.org (VTK file formats)
Mesh read_obj(const std::string& path);     // Wavefront OBJ: v and f
Mesh read_off(const std::string& path);     // Geomview OFF, also with normals, colours or texture coordinates
Mesh read_ply(const std::string& path);     // Stanford PLY 1.0, text and both byte orders
Mesh read_stl(const std::string& path);     // STL, text and binary

// A polygon as a fan of triangles about its first corner.
inline void append_fan(std::span<const Index> corners, std::vector<Triangle>& triangles) {
  for (std::size_t k = 2; k < corners.size(); ++k) triangles.push_back({corners[0], corners[k - 1], corners[k]});
}

// What a reader expected where it found a tet with nodes on its edges.
constexpr std::string_view first_order_tets = "tets of four nodes (export a mesh of tets only, of first order)";

}  // namespace sim
