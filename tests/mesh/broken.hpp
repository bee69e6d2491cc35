// Small surfaces to be broken by hand, for the tests of what is said about broken meshes.
#pragma once

#include "mesh/mesh.hpp"

namespace sim::testing {

// The surface of a mesh and the vertices on it, in their order.
inline Mesh bare(const Mesh& mesh, const Vec3& shift = Vec3(0, 0, 0)) {
  Mesh surface;
  std::vector<Index> place(mesh.vertices.size(), -1);
  for (const Triangle& t : mesh.triangles) {
    for (const Index v : t) place[v] = 0;
  }
  for (std::size_t i = 0; i < place.size(); ++i) {
    if (place[i] < 0) continue;
    place[i] = static_cast<Index>(surface.vertices.size());
    surface.vertices.push_back(mesh.vertices[i] + shift);
  }
  for (const Triangle& t : mesh.triangles) surface.triangles.push_back({place[t[0]], place[t[1]], place[t[2]]});
  return surface;
}

inline Mesh joined(Mesh a, const Mesh& b) {
  const auto first = static_cast<Index>(a.vertices.size());
  a.vertices.insert(a.vertices.end(), b.vertices.begin(), b.vertices.end());
  for (const Triangle& t : b.triangles) a.triangles.push_back({t[0] + first, t[1] + first, t[2] + first});
  return a;
}

inline Mesh reversed(Mesh mesh) {
  for (Triangle& t : mesh.triangles) std::swap(t[1], t[2]);
  return mesh;
}

// Triangles 0: 1-2-3, 1: 0-3-2, 2: 0-1-3, 3: 0-2-1; outward when (b - a) x (c - a) . (d - a) > 0.
inline Mesh tetrahedron(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d) {
  return {{a, b, c, d}, {}, {{1, 2, 3}, {0, 3, 2}, {0, 1, 3}, {0, 2, 1}}};
}

// Vertices 0, 1 on the x axis (first +, then -), 2, 3 on y, 4, 5 on z; triangles +x+y+z, +x+y-z, +x-y+z, +x-y-z, then
// the same with -x.
inline Mesh octahedron(const Vec3& centre = Vec3(0, 0, 0), double radius = 1) {
  Mesh mesh;
  for (const Vec3& x :
       {Vec3(1, 0, 0), Vec3(-1, 0, 0), Vec3(0, 1, 0), Vec3(0, -1, 0), Vec3(0, 0, 1), Vec3(0, 0, -1)}) {
    mesh.vertices.push_back(centre + radius * x);
  }
  mesh.triangles = {{0, 2, 4}, {0, 5, 2}, {0, 4, 3}, {0, 3, 5}, {1, 4, 2}, {1, 2, 5}, {1, 3, 4}, {1, 5, 3}};
  return mesh;
}

}  // namespace sim::testing
