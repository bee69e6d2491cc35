// Measures of meshes, written independently of libsim, for the tests of the mesh room.
#pragma once

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>
#include <set>

#include "mesh/mesh.hpp"

namespace sim::testing {

using Vec = std::array<double, 3>;

inline Vec sub(const Vec3& a, const Vec3& b) {
  return {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
}
inline Vec cross(const Vec& a, const Vec& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}
inline double dot(const Vec& a, const Vec& b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

inline double tet_volume(const Mesh& m, const Tet& t) {
  const auto& x = m.vertices;
  return dot(cross(sub(x[t[1]], x[t[0]]), sub(x[t[2]], x[t[0]])), sub(x[t[3]], x[t[0]])) / 6;
}
inline double tet_volume(const Mesh& m) {
  double sum = 0;
  for (const Tet& t : m.tets) sum += tet_volume(m, t);
  return sum;
}
inline double smallest_tet(const Mesh& m) {
  double least = 1e300;
  for (const Tet& t : m.tets) least = std::min(least, tet_volume(m, t));
  return least;
}

// By the divergence theorem: the flux of x / 3 through the surface.
inline double enclosed_volume(const Mesh& m) {
  double sum = 0;
  for (const Triangle& t : m.triangles) {
    const Vec a = sub(m.vertices[t[0]], Vec3::Zero());
    const Vec normal = cross(sub(m.vertices[t[1]], m.vertices[t[0]]), sub(m.vertices[t[2]], m.vertices[t[0]]));
    sum += dot(a, normal) / 6;
  }
  return sum;
}

// Smallest angle in degrees between two faces of a tet, over all tets.
inline double smallest_dihedral(const Mesh& m) {
  double least = 180;
  for (const Tet& t : m.tets) {
    for (int i = 0; i < 4; ++i) {
      for (int j = i + 1; j < 4; ++j) {
        int k = 0;
        while (k == i || k == j) ++k;
        const int l = 6 - i - j - k;
        const Vec edge = sub(m.vertices[t[j]], m.vertices[t[i]]);
        const Vec n1 = cross(edge, sub(m.vertices[t[k]], m.vertices[t[i]]));
        const Vec n2 = cross(edge, sub(m.vertices[t[l]], m.vertices[t[i]]));
        const double angle = std::acos(dot(n1, n2) / std::sqrt(dot(n1, n1) * dot(n2, n2)));
        least = std::min(least, angle * 180 / std::numbers::pi);
      }
    }
  }
  return least;
}

inline std::map<std::array<Index, 2>, int> directed_edges(const Mesh& m) {
  std::map<std::array<Index, 2>, int> count;
  for (const Triangle& t : m.triangles) {
    for (int i = 0; i < 3; ++i) ++count[{t[i], t[(i + 1) % 3]}];
  }
  return count;
}

// Closed and oriented: each edge is passed exactly once in each direction.
inline bool is_closed_and_oriented(const Mesh& m) {
  const auto edges = directed_edges(m);
  return std::all_of(edges.begin(), edges.end(), [&](const auto& e) {
    return e.second == 1 && edges.count({e.first[1], e.first[0]}) == 1;
  });
}

inline Index euler_characteristic(const Mesh& m) {
  std::set<Index> vertices;
  for (const Triangle& t : m.triangles) vertices.insert(t.begin(), t.end());
  const auto edges = directed_edges(m).size() / 2;
  return static_cast<Index>(vertices.size()) - static_cast<Index>(edges) + static_cast<Index>(m.triangles.size());
}

inline std::set<Index> used_vertices(const Mesh& m) {
  std::set<Index> used;
  for (const Tet& t : m.tets) used.insert(t.begin(), t.end());
  return used;
}

inline std::set<Index> surface_vertices(const Mesh& m) {
  std::set<Index> used;
  for (const Triangle& t : m.triangles) used.insert(t.begin(), t.end());
  return used;
}

}  // namespace sim::testing
