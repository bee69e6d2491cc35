// T-junctions: a vertex in the middle of another triangle's edge. The surface looks closed there and is not: the
// edge has no neighbour, and neither have the shorter ones along it.
#pragma once

#include <span>

#include "mesh/mesh.hpp"

namespace sim {

struct TJunction {
  Index edge = 0;               // of those given
  std::vector<Index> vertices;  // in its middle, from its first end to its second
};

// Of edges that have a triangle on one side only, with no vertices but those of these edges. Ascending.
std::vector<TJunction> find_t_junctions(const std::vector<Vec3>& vertices,
                                        std::span<const std::array<Index, 2>> open_edges);

// Which of these edges are long ones with vertices in their middle, or pieces along such a one: no holes.
std::vector<char> explained_by(const std::vector<TJunction>& junctions,
                               std::span<const std::array<Index, 2>> open_edges);

}  // namespace sim
