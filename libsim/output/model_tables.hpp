// /model of the result file. For sources of this room only.
#pragma once

#include <hdf5.h>

#include <vector>

#include "model/model.hpp"

namespace sim {

// The surface triangles of objects without tetrahedra, and whose they are: what has to be drawn beside the
// tetrahedra.
struct ShellTriangles {
  std::vector<Triangle> triangles;
  std::vector<Index> object;
};
ShellTriangles shell_triangles(const Model& model);

// The segments of cables, and whose they are.
struct Segments {
  std::vector<std::array<Index, 2>> ends;
  std::vector<Index> object;
};
Segments segments(const Model& model);

// `volumes`: also what only the .xdmf with tetrahedra refers to.
void write_model(hid_t file, const Model& model, bool volumes);

}  // namespace sim
