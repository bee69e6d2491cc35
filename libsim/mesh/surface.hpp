// The boundary of a set of tets.
#pragma once

#include <span>

#include "mesh/mesh.hpp"

namespace sim {

// Every face that belongs to one tet only, turned outward, in the order of tets and of their faces.
// Tets must have positive volume (check.hpp turns those that do not).
std::vector<Triangle> extract_surface(std::span<const Tet> tets);

// Those that no tet and no triangle has, from the one of this number on; what is left keeps its order.
void drop_unused_vertices(Mesh& mesh, std::size_t first = 0);

// Without the tets and the vertices that are inside; what is left keeps its order. Of a mesh that embeds nothing.
void hollow_out(Mesh& mesh);

// Does every edge come as often in the one direction as in the other? Then what the triangles enclose has a volume,
// with a sign.
bool is_closed(std::span<const Triangle> triangles);

double mean_edge(std::span<const Vec3> vertices, std::span<const Triangle> triangles);  // m; 0 without triangles
double mean_edge(const Mesh& mesh, Range triangles);

}  // namespace sim
