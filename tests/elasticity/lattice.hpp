// Small bodies of hexahedra cut in six tets each, made without the mesh room: tests and benchmarks of the elasticity.
#pragma once

#include <cmath>
#include <numbers>
#include <utility>

#include "mesh/mesh.hpp"

namespace sim::test {

// Cells of a lattice, each cut along its diagonal into the six tets whose corners go up one axis after the other.
// `vertex(i, j, k)` numbers the lattice points; where they lie decides about the orientation.
template <class VertexNumber>
void add_lattice_tets(std::array<Index, 3> cells, const VertexNumber& vertex, Mesh& mesh) {
  constexpr int axis_orders[6][3] = {{0, 1, 2}, {1, 2, 0}, {2, 0, 1}, {0, 2, 1}, {2, 1, 0}, {1, 0, 2}};
  for (Index k = 0; k < cells[2]; ++k) {
    for (Index j = 0; j < cells[1]; ++j) {
      for (Index i = 0; i < cells[0]; ++i) {
        for (const auto& order : axis_orders) {
          std::array<Index, 3> at{i, j, k};
          Tet tet{vertex(at[0], at[1], at[2])};
          for (int step = 0; step < 3; ++step) {
            ++at[order[step]];
            tet[step + 1] = vertex(at[0], at[1], at[2]);
          }
          const auto& x = mesh.vertices;
          if (six_volume(x[tet[0]], x[tet[1]], x[tet[2]], x[tet[3]]) < 0) std::swap(tet[2], tet[3]);
          mesh.tets.push_back(tet);
        }
      }
    }
  }
}

inline Mesh lattice_box(std::array<Index, 3> cells, const Vec3& size) {
  Mesh mesh;
  for (Index k = 0; k <= cells[2]; ++k) {
    for (Index j = 0; j <= cells[1]; ++j) {
      for (Index i = 0; i <= cells[0]; ++i) {
        mesh.vertices.push_back(
            Vec3(double(i) / cells[0], double(j) / cells[1], double(k) / cells[2]).cwiseProduct(size));
      }
    }
  }
  const auto vertex = [&](Index i, Index j, Index k) { return i + (cells[0] + 1) * (j + (cells[1] + 1) * k); };
  add_lattice_tets(cells, vertex, mesh);
  return mesh;
}

// A ring of square section, one cell a segment: four vertices and six tets a segment.
inline Mesh lattice_ring(Index segments, double major_radius, double side) {
  Mesh mesh;
  for (Index i = 0; i < segments; ++i) {
    const double angle = 2 * std::numbers::pi * i / segments;
    for (const double z : {-0.5, 0.5}) {
      for (const double out : {-0.5, 0.5}) {
        const double radius = major_radius + out * side;
        mesh.vertices.emplace_back(radius * std::cos(angle), radius * std::sin(angle), z * side);
      }
    }
  }
  const auto vertex = [&](Index i, Index j, Index k) { return 4 * (i % segments) + j + 2 * k; };
  add_lattice_tets({segments, 1, 1}, vertex, mesh);
  return mesh;
}

}  // namespace sim::test
