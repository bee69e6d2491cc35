// What collides: the triangles of all objects as one surface, with its edges and who is next to whom. Made once,
// const from then on.
//
// A vertex moves if it has unknowns; the others (of fixed and scripted objects, and pinned ones) are where they are
// told to be. Nothing can be done about a contact in which no vertex moves, so detection leaves those out, and those
// within one rigid body; nor is such a body ever looked at for intersections with itself. The scene may say of pairs
// of objects that they never touch: they are left out of detection, intersections and distances alike.
//
// Representative triangles (Curtis, Tamstorf & Manocha 2008): every vertex and every edge is owned by one of its
// triangles. Two triangles A and B then stand for the pairs (vertex owned by A, face B), (vertex owned by B, face A)
// and (edge owned by A, edge owned by B); over all pairs of triangles each vertex-face and each edge-edge pair comes
// exactly once, and always in a pair of triangles that contain both.
//
// Obstacles may be less than closed surfaces (docs/decisions/obstacles.md). Segments and points come as triangles
// whose corners are not all different, {a, b, b} and {a, a, a}: such a triangle owns vertices and edges as others do,
// but is no face, and its edges from a vertex to itself are none.
//
// Cables are segments that move. Sheets are triangles that stand for a thin thing: both their sides are outsides,
// closed ones included, and they keep a distance, half their thickness each, so that two of them never come nearer
// than the sum. The same goes for cables.
#pragma once

#include <algorithm>
#include <span>

#include "mesh/length_limit.hpp"
#include "mesh/mesh.hpp"

namespace sim {

// Objects by how they meet others: those of one group are alike in that.
struct ObjectGroups {
  std::vector<Index> of_object;        // empty: all are alike, and all may touch
  std::size_t count = 0;               // groups
  std::vector<std::uint8_t> excluded;  // count x count, symmetric: objects of these two never touch

  std::size_t pair(Index object_a, Index object_b) const {
    return static_cast<std::size_t>(of_object[object_a]) * count + static_cast<std::size_t>(of_object[object_b]);
  }
  bool never_touch(Index object_a, Index object_b) const {
    return !of_object.empty() && excluded[pair(object_a, object_b)] != 0;
  }
};

using Edge = std::array<Index, 2>;  // of vertices, the lower first

struct Incidence {  // a list for each vertex
  std::vector<Index> begin{0};
  std::vector<Index> items;
  std::span<const Index> of(Index vertex) const {
    return {items.data() + begin[vertex], items.data() + begin[vertex + 1]};
  }
};

struct CollisionSurface {
  std::vector<Triangle> triangles;                   // of vertices, counter-clockwise seen from outside
  std::vector<Edge> edges;                           // ascending
  std::vector<std::array<Index, 3>> triangle_edges;  // edge k joins the corners k and (k + 1) % 3
  std::vector<std::array<Index, 2>> edge_triangles;  // ascending; the second is -1 at a border. Of an edge with
                                                     // more than two triangles, the first two
  std::vector<Index> vertices;                       // those that triangles use, ascending
  std::vector<Index> vertex_object;                  // of every vertex of the model
  std::vector<std::uint8_t> vertex_moves;            // of every vertex of the model: has unknowns
  std::vector<std::uint8_t> triangle_moves;          // has a vertex that moves
  std::vector<Index> vertex_body;                    // of every vertex of the model: its rigid body, or -1
  std::vector<Index> vertex_owner, edge_owner;       // triangles; -1 for vertices that no triangle uses
  std::vector<std::uint8_t> owned;                   // by triangle: bit k is corner k, bit 3 + k is edge k
  Incidence vertex_triangles, vertex_edges;
  std::vector<std::uint8_t> object_open;  // by object: has no inside, both its sides collide
  std::vector<Index> half_spaces;         // objects of one triangle each, which stands for all of its plane
  // m, an object: eps2 of its contacts, of two objects the smaller one; infinite where the others decide. Empty: 5
  // um.
  std::vector<double> object_gap;
  ObjectGroups groups;
  std::vector<double> object_radius;  // m, an object: half the thickness of sheets, 0 of others. Empty: no sheets
  std::vector<Vec3> rest;             // m, of every vertex of the model where there are sheets
  std::vector<LengthLimit> limits;    // of springs (collide/limits.hpp)

  double radius_of(Index vertex) const { return object_radius.empty() ? 0 : object_radius[vertex_object[vertex]]; }
  Index object_of_triangle(Index triangle) const { return vertex_object[triangles[triangle][0]]; }
  Index body_of_triangle(Index triangle) const { return vertex_body[triangles[triangle][0]]; }
  bool never_touch(Index triangle_a, Index triangle_b) const {
    return !groups.of_object.empty() &&
           groups.never_touch(object_of_triangle(triangle_a), object_of_triangle(triangle_b));
  }
  bool is_open(Index vertex) const { return object_open[vertex_object[vertex]] != 0; }
  bool is_half_space(Index object) const {
    return std::find(half_spaces.begin(), half_spaces.end(), object) != half_spaces.end();
  }
};

// `vertex_object`, `vertex_moves` and `vertex_body` have one entry for every vertex of the model; no `vertex_body`:
// nothing is rigid. `half_spaces`: objects.
CollisionSurface make_surface(std::span<const Triangle> triangles, std::span<const Index> vertex_object,
                              std::span<const std::uint8_t> vertex_moves, std::span<const Index> vertex_body = {},
                              std::span<const Index> half_spaces = {});

struct SheetObject {
  Index object = 0;
  double thickness = 0;  // m, positive
};
void mark_sheets(std::span<const SheetObject> sheets, std::span<const Vec3> rest, CollisionSurface& surface);

inline constexpr double gaps_a_thickness = 20;  // eps2 of thin things is this part of their thickness
inline constexpr double published_gap = 5e-6;   // m, eps2 of Verschoor & Jalba 2019
// m, eps2 of a contact between two objects.
inline double gap_tolerance(const CollisionSurface& surface, Index object_a, Index object_b) {
  if (surface.object_gap.empty()) return published_gap;
  return std::min(surface.object_gap[object_a], surface.object_gap[object_b]);
}

// Whose surfaces a pair of primitives belongs to: a contact has its two sides at both ends of its vertices.
inline std::array<Index, 2> objects_of(const CollisionSurface& surface, const std::array<Index, 4>& vertices) {
  return ascending(surface.vertex_object[vertices[0]], surface.vertex_object[vertices[3]]);
}

// Has a block of unknowns of its own.
inline bool is_elastic(const CollisionSurface& surface, Index vertex) {
  return surface.vertex_moves[vertex] != 0 && surface.vertex_body[vertex] < 0;
}

// Whether a rigid body takes part in a pair.
inline bool is_of_rigid(const CollisionSurface& surface, const std::array<Index, 4>& vertices) {
  return std::any_of(vertices.begin(), vertices.end(), [&](Index v) { return surface.vertex_body[v] >= 0; });
}

// Not a segment or a point.
inline bool is_face(const Triangle& t) {
  return t[0] != t[1] && t[1] != t[2];
}
inline bool is_segment(const Edge& e) {
  return e[0] != e[1];
}
inline bool shares_vertex(const Triangle& triangle, Index vertex) {
  return triangle[0] == vertex || triangle[1] == vertex || triangle[2] == vertex;
}
inline bool shares_vertex(const Edge& a, const Edge& b) {
  return a[0] == b[0] || a[0] == b[1] || a[1] == b[0] || a[1] == b[1];
}

}  // namespace sim
