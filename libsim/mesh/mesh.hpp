// A tetrahedral mesh with its surface, or a bare surface (no tets).
#pragma once

#include <string>
#include <vector>

#include "math/types.hpp"

namespace sim {

using Tet = std::array<Index, 4>;       // positive volume: (x1-x0) x (x2-x0) . (x3-x0) > 0
using Triangle = std::array<Index, 3>;  // counter-clockwise seen from outside

// A vertex of a surface that goes with a tet: x = sum of weights times the places of the corners
// (mesh/embedding.hpp).
struct EmbeddedVertex {
  Index vertex = 0;
  Tet corners{};
  std::array<double, 4> weights{};  // add up to 1
};

struct Mesh {
  std::vector<Vec3> vertices;
  std::vector<Tet> tets;  // empty for a bare surface (fixed and scripted objects may have one)
  std::vector<Triangle>
      triangles;  // the surface, outward; of a tet mesh the boundary of its tets, or embedded in them
  std::vector<EmbeddedVertex> embedded = {};  // ascending by vertex; they come after the vertices of their tets
  std::vector<double> filled = {};            // a tet: the part of it that is solid; empty: all of each
};

// Six times the signed volume of the tet.
double six_volume(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d);
VecX positions(const Mesh& mesh);  // of all vertices
double volume(const Mesh& mesh);   // of the tets, or where there are none of what the surface encloses

}  // namespace sim
