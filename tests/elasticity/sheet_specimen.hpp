// Flat meshes of triangles, made apart from the generators of the mesh room.
#pragma once

#include <cmath>
#include <map>
#include <vector>

#include "mesh/mesh.hpp"

namespace sim::test {

struct SheetMesh {
  std::vector<Vec3> vertices;
  std::vector<Triangle> triangles;
  std::array<Index, 2> grid{0, 0};

  double area() const {
    double twice = 0;
    for (const Triangle& t : triangles) {
      twice += (vertices[t[1]] - vertices[t[0]]).cross(vertices[t[2]] - vertices[t[0]]).norm();
    }
    return twice / 2;
  }
};

inline SheetMesh grid_sheet(Index nx, Index ny, double cell) {
  SheetMesh sheet;
  sheet.grid = {nx, ny};
  for (Index j = 0; j <= ny; ++j) {
    for (Index i = 0; i <= nx; ++i) sheet.vertices.emplace_back(i * cell, j * cell, 0);
  }
  for (Index j = 0; j < ny; ++j) {
    for (Index i = 0; i < nx; ++i) {
      const Index a = i + (nx + 1) * j, b = a + 1, c = a + nx + 1, d = c + 1;
      sheet.triangles.push_back({a, b, d});
      sheet.triangles.push_back({a, d, c});
    }
  }
  return sheet;
}

// A rhombus of nx by ny edges.
inline SheetMesh equilateral_sheet(Index nx, Index ny, double edge) {
  SheetMesh sheet = grid_sheet(nx, ny, edge);
  sheet.grid = {0, 0};
  for (Vec3& v : sheet.vertices) v = Vec3(v[0] - v[1] / 2, v[1] * std::sqrt(0.75), 0);
  return sheet;
}

}  // namespace sim::test
