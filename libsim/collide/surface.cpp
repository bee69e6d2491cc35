#include "collide/surface.hpp"

#include <algorithm>

#include "collide/interiors.hpp"

namespace sim {

namespace {

struct Side {  // of a triangle
  Edge edge;
  Index triangle, k;
};

std::vector<Side> sorted_sides(std::span<const Triangle> triangles) {
  std::vector<Side> sides;
  sides.reserve(3 * triangles.size());
  for (Index t = 0; t < static_cast<Index>(triangles.size()); ++t) {
    for (Index k = 0; k < 3; ++k) {
      const Index a = triangles[t][k], b = triangles[t][(k + 1) % 3];
      sides.push_back({ascending(a, b), t, k});
    }
  }
  std::sort(sides.begin(), sides.end(), [](const Side& x, const Side& y) {
    return x.edge != y.edge ? x.edge < y.edge : x.triangle < y.triangle;
  });
  return sides;
}

void add_edges(CollisionSurface& surface) {
  surface.triangle_edges.resize(surface.triangles.size());
  for (const Side& side : sorted_sides(surface.triangles)) {
    if (surface.edges.empty() || surface.edges.back() != side.edge) {
      surface.edges.push_back(side.edge);
      surface.edge_triangles.push_back({side.triangle, -1});
    } else if (surface.edge_triangles.back()[1] == -1) {
      surface.edge_triangles.back()[1] = side.triangle;
    }
    surface.triangle_edges[side.triangle][side.k] = static_cast<Index>(surface.edges.size()) - 1;
  }
}

template <class Simplex>
Incidence incidence(std::span<const Simplex> simplices, std::size_t vertex_count) {
  Incidence lists;
  lists.begin.assign(vertex_count + 1, 0);
  for (const Simplex& s : simplices) {
    for (const Index v : s) ++lists.begin[v + 1];
  }
  for (std::size_t v = 0; v < vertex_count; ++v) lists.begin[v + 1] += lists.begin[v];
  lists.items.resize(simplices.size() * std::tuple_size_v<Simplex>);
  std::vector<Index> next(lists.begin.begin(), lists.begin.end() - 1);
  for (std::size_t i = 0; i < simplices.size(); ++i) {
    for (const Index v : simplices[i]) lists.items[next[v]++] = static_cast<Index>(i);
  }
  return lists;
}

// The lowest triangle owns. Which one it is matters to nobody, as long as it is one.
void assign_owners(CollisionSurface& surface) {
  surface.owned.assign(surface.triangles.size(), 0);
  surface.vertex_owner.assign(surface.vertex_object.size(), -1);
  surface.edge_owner.assign(surface.edges.size(), -1);
  for (Index t = 0; t < static_cast<Index>(surface.triangles.size()); ++t) {
    for (unsigned k = 0; k < 3; ++k) {
      Index& of_vertex = surface.vertex_owner[surface.triangles[t][k]];
      if (of_vertex == -1) {
        of_vertex = t;
        surface.owned[t] = static_cast<std::uint8_t>(surface.owned[t] | 1U << k);
      }
      Index& of_edge = surface.edge_owner[surface.triangle_edges[t][k]];
      if (of_edge == -1 && is_segment(surface.edges[surface.triangle_edges[t][k]])) {
        of_edge = t;
        surface.owned[t] = static_cast<std::uint8_t>(surface.owned[t] | 8U << k);
      }
    }
  }
}

std::size_t count_objects(std::span<const Index> vertex_object) {
  const auto last = std::max_element(vertex_object.begin(), vertex_object.end());
  return last == vertex_object.end() ? 0 : static_cast<std::size_t>(*last + 1);
}

}  // namespace

CollisionSurface make_surface(std::span<const Triangle> triangles, std::span<const Index> vertex_object,
                              std::span<const std::uint8_t> vertex_moves, std::span<const Index> vertex_body,
                              std::span<const Index> half_spaces) {
  CollisionSurface surface;
  surface.triangles.assign(triangles.begin(), triangles.end());
  surface.vertex_object.assign(vertex_object.begin(), vertex_object.end());
  surface.vertex_moves.assign(vertex_moves.begin(), vertex_moves.end());
  surface.vertex_body.assign(vertex_body.begin(), vertex_body.end());
  surface.vertex_body.resize(vertex_object.size(), -1);
  add_edges(surface);
  assign_owners(surface);
  for (Index v = 0; v < static_cast<Index>(vertex_object.size()); ++v) {
    if (surface.vertex_owner[v] != -1) surface.vertices.push_back(v);
  }
  for (const Triangle& t : triangles) {
    const bool moves = vertex_moves[t[0]] != 0 || vertex_moves[t[1]] != 0 || vertex_moves[t[2]] != 0;
    surface.triangle_moves.push_back(moves ? 1 : 0);
  }
  surface.half_spaces.assign(half_spaces.begin(), half_spaces.end());
  surface.object_open.assign(count_objects(vertex_object), 0);
  const std::vector<std::uint8_t> closed = closed_objects(surface);
  for (std::size_t i = 0; i < closed.size(); ++i) surface.object_open[i] = closed[i] == 0 ? 1 : 0;
  surface.vertex_triangles = incidence<Triangle>(surface.triangles, vertex_object.size());
  surface.vertex_edges = incidence<Edge>(surface.edges, vertex_object.size());
  return surface;
}

void mark_sheets(std::span<const SheetObject> sheets, std::span<const Vec3> rest, CollisionSurface& surface) {
  if (sheets.empty()) return;
  surface.object_radius.assign(surface.object_open.size(), 0);
  surface.rest.assign(rest.begin(), rest.end());
  for (const auto& [object, thickness] : sheets) {
    surface.object_radius[object] = thickness / 2;
    surface.object_open[object] = 1;
  }
}

}  // namespace sim
