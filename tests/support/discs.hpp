// A flat disc about z with rings of vertices on both sides, and one in the middle.
#pragma once

#include <cmath>
#include <numbers>

#include "mesh/mesh.hpp"

namespace sim::test {

inline Mesh disc_of_rings(double R, double height, int rings, int rays) {
  Mesh mesh;
  for (const double z : {-0.5 * height, 0.5 * height}) {
    mesh.vertices.emplace_back(0, 0, z);
    for (int i = 1; i <= rings; ++i) {
      for (int j = 0; j < rays; ++j) {
        const double angle = 2 * std::numbers::pi * j / rays, r = R * i / rings;
        mesh.vertices.emplace_back(r * std::cos(angle), r * std::sin(angle), z);
      }
    }
  }
  const int side = 1 + rings * rays;
  const auto at = [&](int i, int j) { return i == 0 ? 0 : 1 + (i - 1) * rays + j % rays; };
  const auto both = [&](int a, int b, int c) {
    mesh.triangles.push_back({side + a, side + b, side + c});
    mesh.triangles.push_back({a, c, b});
  };
  for (int j = 0; j < rays; ++j) {
    both(0, at(1, j), at(1, j + 1));
    for (int i = 1; i < rings; ++i) {
      both(at(i, j), at(i + 1, j), at(i + 1, j + 1));
      both(at(i, j), at(i + 1, j + 1), at(i, j + 1));
    }
    const int a = at(rings, j), b = at(rings, j + 1);
    mesh.triangles.push_back({a, b, side + b});
    mesh.triangles.push_back({a, side + b, side + a});
  }
  return mesh;
}

}  // namespace sim::test
