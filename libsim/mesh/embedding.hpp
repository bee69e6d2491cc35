// Embedded surfaces: vertices that have no unknowns and no mass of their own, but go with the corners of a tet.
//
//     x_p = sum beta_k x_k        v_p = sum beta_k v_k        sum beta_k = 1
//
// A force on such a vertex is one of beta_k times it on corner k: sum and torque of both are the same.
#pragma once

#include <span>

#include "mesh/mesh.hpp"

namespace sim {

struct Embedding {
  std::vector<EmbeddedVertex> vertices;  // ascending
  std::vector<Index> of_vertex;          // into these, of every vertex; -1: is not embedded. Empty: none is

  bool holds(Index vertex) const { return !of_vertex.empty() && of_vertex[vertex] >= 0; }
};
Embedding make_embedding(std::span<const EmbeddedVertex> vertices, std::size_t count);

// visit(node, weight) for what a vertex with this weight depends on: itself, or the corners of its tet.
template <class Visit>
void for_each_node(const Embedding& embedding, Index vertex, double weight, const Visit& visit) {
  if (!embedding.holds(vertex)) return visit(vertex, weight);
  const EmbeddedVertex& point = embedding.vertices[embedding.of_vertex[vertex]];
  for (std::size_t k = 0; k < 4; ++k) {
    if (point.weights[k] != 0) visit(point.corners[k], weight * point.weights[k]);
  }
}

// Entries of embedded vertices from those of their corners: places, velocities, accelerations.
void follow(const Embedding& embedding, VecX& values);

// Of a surface in these tets: a copy of the tets' mesh with the surface's vertices after its own, and the surface's
// triangles. Throws InputError for a vertex in no tet: with a weight that is more than `outside_a_tet` below 0.
inline constexpr double outside_a_tet = 1e-9;
Mesh embed(const Mesh& surface, const Mesh& cage);

// The part of each tet that is inside a closed surface: by columns along z, exact along them. At least
// `least_filled`, and then times what gives the tets the volume of the solid in all.
inline constexpr double least_filled = 0.05;
std::vector<double> filled_parts(const Mesh& surface, const Mesh& cage);

// Cubes of a lattice of this edge that meet the inside of a closed surface, six tets each, neighbours mirrored. The
// lattice is centred on the surface's box. Throws InputError for cells that are too many to count.
Mesh make_cage(const Mesh& surface, double cell);

}  // namespace sim
