#include "collide/interiors.hpp"

#include <algorithm>
#include <limits>
#include <optional>

#include "geometry/predicates.hpp"
#include "geometry/triangle_intersection.hpp"
#include "math/components.hpp"

namespace sim {

namespace {

TriangleCorners corners_of(const CollisionSurface& surface, const VecX& x, Index t) {
  const Triangle& v = surface.triangles[t];
  return {block(x, v[0]), block(x, v[1]), block(x, v[2])};
}

TriangleCorners segment(const Vec3& p, const Vec3& q) {
  return {p, q, q};
}

// ---- around a line

// Half-planes that end at the line through a and b are named by one of their points. Angles are counted from that of
// `zero`, counter-clockwise seen against the direction from a to b.
struct Around {
  Vec3 a, b, zero;

  enum class Turn { none, less_than_half, half, more_than_half };

  Turn turn(const Vec3& p) const {
    const int side = orientation(a, b, zero, p);
    if (side != 0) return side > 0 ? Turn::less_than_half : Turn::more_than_half;
    for (int dropped = 0; dropped < 3; ++dropped) {
      const int product = orientation_in_plane(a, b, zero, dropped) * orientation_in_plane(a, b, p, dropped);
      if (product != 0) return product > 0 ? Turn::none : Turn::half;
    }
    return Turn::none;  // on the line
  }

  // The sign of angle(q) - angle(p).
  int order(const Vec3& p, const Vec3& q) const {
    const Turn turn_p = turn(p), turn_q = turn(q);
    if (turn_p != turn_q) return turn_p < turn_q ? 1 : -1;
    return turn_p == Turn::none || turn_p == Turn::half ? 0 : orientation(a, b, p, q);
  }
};

// The faces around an edge: the half-planes they lie in, and whether they run from a to b. Seen as Around has it,
// behind a face that does is the outside.
struct Fan {
  struct Face {
    Vec3 point;
    bool runs_with;
  };
  Vec3 a, b;
  std::vector<Face> faces;

  // Is the half-plane of p strictly inside?
  bool holds(const Vec3& p) const {
    const Around around{a, b, faces.front().point};
    int inside = faces.front().runs_with ? 1 : 0;
    for (const Face& face : faces) {
      const int order = around.order(face.point, p);
      if (order == 0) return false;
      if (order > 0) inside += face.runs_with ? -1 : 1;
    }
    return inside > 0;
  }
};

Fan fan_of(const CollisionSurface& surface, const VecX& x, const Edge& edge) {
  Fan fan{block(x, edge[0]), block(x, edge[1]), {}};
  for (const Index t : surface.vertex_triangles.of(edge[0])) {
    const Triangle& v = surface.triangles[t];
    for (int k = 0; k < 3; ++k) {
      const Index from = v[k], to = v[(k + 1) % 3];
      const bool with = from == edge[0] && to == edge[1];
      if (with || (from == edge[1] && to == edge[0])) fan.faces.push_back({block(x, v[(k + 2) % 3]), with});
    }
  }
  return fan;
}

bool boxes_meet(const TriangleCorners& s, const TriangleCorners& t) {
  for (int axis = 0; axis < 3; ++axis) {
    const auto [s_low, s_high] = std::minmax({s[0][axis], s[1][axis], s[2][axis]});
    const auto [t_low, t_high] = std::minmax({t[0][axis], t[1][axis], t[2][axis]});
    if (s_low > t_high || t_low > s_high) return false;
  }
  return true;
}

// What two triangles may share a line with: one of them as a face, and edges.
struct Beside {
  const CollisionSurface& surface;
  const VecX& x;
  std::span<const std::uint8_t> closed;

  TriangleCorners ends(Index edge) const {
    return segment(block(x, surface.edges[edge][0]), block(x, surface.edges[edge][1]));
  }
  bool is_closed(Index edge) const { return closed[surface.vertex_object[surface.edges[edge][0]]] != 0; }

  // A piece of the edge's inside in the inside of the face.
  bool edge_in_face(Index edge, Index triangle) const {
    const TriangleCorners line = ends(edge), face = corners_of(surface, x, triangle);
    if (!boxes_meet(line, face) || triangles_intersect(line, face) != TriangleMeeting::overlapping) return false;
    const Fan fan = fan_of(surface, x, surface.edges[edge]);
    const auto below = [&](const Fan::Face& f) { return orientation(face[0], face[1], face[2], f.point) < 0; };
    const bool face_is_closed = closed[surface.object_of_triangle(triangle)] != 0;
    if (face_is_closed && std::any_of(fan.faces.begin(), fan.faces.end(), below)) return true;
    const auto held = [&](const Vec3& corner) { return !collinear(fan.a, fan.b, corner) && fan.holds(corner); };
    return is_closed(edge) && std::any_of(face.begin(), face.end(), held);
  }

  // Two edges with a piece in common.
  bool edge_on_edge(Index one, Index other) const {
    if (one == other) return false;
    const TriangleCorners p = ends(one), q = ends(other);
    if (!boxes_meet(p, q) || !collinear(p[0], p[1], q[0]) || !collinear(p[0], p[1], q[1]) ||
        triangles_intersect(p, q) != TriangleMeeting::overlapping)
      return false;
    const Fan around_one = fan_of(surface, x, surface.edges[one]),
              around_other = fan_of(surface, x, surface.edges[other]);
    const auto any_held = [](const Fan& fan, const std::vector<Fan::Face>& faces) {
      return std::any_of(faces.begin(), faces.end(), [&](const Fan::Face& f) { return fan.holds(f.point); });
    };
    return (is_closed(one) && any_held(around_one, around_other.faces)) ||
           (is_closed(other) && any_held(around_other, around_one.faces));
  }
};

// ---- a point of a surface, inside another

// A point of the triangle q w u, infinitely near q, and infinitely nearer to the edge q w than to q. A sign of
// anything that is linear in the point is the first one of q, w, u that is not 0.
struct NearCorner {
  Vec3 q, w, u;

  template <class Sign>
  int sign(const Sign& of) const {
    for (const Vec3* p : {&q, &w, &u}) {
      const int s = of(*p);
      if (s != 0) return s;
    }
    return 0;
  }
};

// Of the shadow along z: to the left of the line from s to t? Where the line runs through it, it is moved by next to
// nothing along x, and by nothing next to that along y: 0 only where s and t have one shadow.
int side_in_shadow(const NearCorner& point, const Vec3& s, const Vec3& t) {
  const int side = point.sign([&](const Vec3& p) { return orientation_in_plane(s, t, p, 2); });
  if (side != 0) return side;
  if (s[1] != t[1]) return s[1] > t[1] ? 1 : -1;
  return (t[0] > s[0]) - (t[0] < s[0]);
}

// What the triangle adds to the winding number of the point, by the ray upwards.
int winding(const NearCorner& point, const TriangleCorners& t) {
  for (int axis = 0; axis < 2; ++axis) {
    const auto [low, high] = std::minmax({t[0][axis], t[1][axis], t[2][axis]});
    if (point.q[axis] < low || point.q[axis] > high) return 0;
  }
  if (point.q[2] > std::max({t[0][2], t[1][2], t[2][2]})) return 0;
  const int facing = side_in_shadow(point, t[0], t[1]);
  if (facing == 0 || side_in_shadow(point, t[1], t[2]) != facing || side_in_shadow(point, t[2], t[0]) != facing)
    return 0;
  const int side = point.sign([&](const Vec3& p) { return orientation(t[0], t[1], t[2], p); });
  return side * facing < 0 ? facing : 0;
}

// How often the surface of these triangles winds around the sample's point. None where one of them covers the sample:
// then its part meets the surface in more than points.
std::optional<int> winding_around(const TriangleCorners& sample, const CollisionSurface& surface, const VecX& x,
                                  std::span<const Index> triangles) {
  int turns = 0;
  for (const Index t : triangles) {
    const TriangleCorners corners = corners_of(surface, x, t);
    if (boxes_meet(sample, corners) && triangles_intersect(sample, corners) == TriangleMeeting::overlapping)
      return std::nullopt;
    turns += winding({sample[0], sample[1], sample[2]}, corners);
  }
  return turns;
}

bool is_inside(const TriangleCorners& sample, const CollisionSurface& surface, const VecX& x,
               std::span<const Index> triangles) {
  return winding_around(sample, surface, x, triangles).value_or(0) > 0;
}

struct Extent {
  Eigen::Array3d low = Eigen::Array3d::Constant(std::numeric_limits<double>::infinity()), high = -low;
  bool moves = false;

  void add(const TriangleCorners& t, bool triangle_moves) {
    for (const Vec3& p : t) {
      low = low.min(p.array());
      high = high.max(p.array());
    }
    moves = moves || triangle_moves;
  }
  bool holds(const Extent& other) const { return (low <= other.low).all() && (other.high <= high).all(); }
};

struct Part {  // of an object's surface: triangles joined by edges
  Index object = -1;
  Extent extent;
  Index sample = -1;  // a triangle with area, where there is one; a segment; a point
  std::vector<Index> triangles;
};

// By triangle, the lowest one of its part.
std::vector<Index> lowest_of_parts(const CollisionSurface& surface) {
  Components parts(surface.triangles.size());
  for (Index t = 0; t < static_cast<Index>(surface.triangles.size()); ++t)
    for (const Index e : surface.triangle_edges[t]) parts.unite(t, surface.edge_triangles[e][0]);
  return parts.firsts();
}

std::vector<Part> parts_of(const CollisionSurface& surface, const VecX& x) {
  const std::vector<Index> lowest = lowest_of_parts(surface);
  std::vector<Index> part_of(surface.triangles.size(), -1);
  std::vector<Part> parts;
  for (Index t = 0; t < static_cast<Index>(surface.triangles.size()); ++t) {
    if (lowest[t] == t) {
      part_of[t] = static_cast<Index>(parts.size());
      parts.push_back({surface.object_of_triangle(t), {}, -1, {}});
    }
    Part& part = parts[part_of[lowest[t]]];
    const TriangleCorners corners = corners_of(surface, x, t);
    part.triangles.push_back(t);
    part.extent.add(corners, surface.triangle_moves[t] != 0);
    const bool sound = !is_face(surface.triangles[t]) || !collinear(corners[0], corners[1], corners[2]);
    if (part.sample == -1 && sound) part.sample = t;
  }
  return parts;
}

// Of a segment or a point: a triangle with area at its first end, whose nearest points to that end count.
TriangleCorners sample_corners(const CollisionSurface& surface, const VecX& x, Index t) {
  TriangleCorners corners = corners_of(surface, x, t);
  if (is_face(surface.triangles[t])) return corners;
  corners[1] = corners[0] + Vec3::UnitX();
  corners[2] = corners[0] + Vec3::UnitY();
  return corners;
}

// Does the part, a closed one, face outward?
bool faces_outward(const Part& part, const CollisionSurface& surface, const VecX& x) {
  const Vec3 apex = block(x, surface.triangles[part.triangles.front()][0]);
  double volume = 0;
  for (const Index t : part.triangles) {
    const TriangleCorners corners = corners_of(surface, x, t);
    volume += (corners[0] - apex).dot((corners[1] - apex).cross(corners[2] - apex));
  }
  return volume > 0;
}

// A triangle of the part around it that it is in, -1 where it is in none: those it is in, less the cavities, as the
// first of its triangles knows that none of them covers.
Index doubled_in(const Part& part, const std::vector<const Part*>& around, const CollisionSurface& surface,
                 const VecX& x) {
  for (const Index t : part.triangles) {
    const TriangleCorners sample = corners_of(surface, x, t);
    if (collinear(sample[0], sample[1], sample[2])) continue;
    int inside = 0;
    Index outer = -1;
    const bool known = std::all_of(around.begin(), around.end(), [&](const Part* other) {
      const std::optional<int> turns = winding_around(sample, surface, x, other->triangles);
      inside += turns.value_or(0);
      if (turns.value_or(0) > 0) outer = other->triangles.front();
      return turns.has_value();
    });
    if (known) return inside > 0 ? outer : -1;
  }
  return -1;
}

struct Outer {  // an object, as what may hold others
  Extent extent;
  std::vector<Index> triangles;
};

std::vector<Outer> outers_of(const CollisionSurface& surface, std::size_t objects, const VecX& x) {
  std::vector<Outer> outers(objects);
  for (Index t = 0; t < static_cast<Index>(surface.triangles.size()); ++t) {
    Outer& outer = outers[surface.object_of_triangle(t)];
    outer.extent.add(corners_of(surface, x, t), surface.triangle_moves[t] != 0);
    outer.triangles.push_back(t);
  }
  return outers;
}

}  // namespace

std::vector<std::uint8_t> closed_objects(const CollisionSurface& surface) {
  std::vector<Index> balance(surface.edges.size(), 0);
  Index objects = 0;
  for (Index t = 0; t < static_cast<Index>(surface.triangles.size()); ++t) {
    const Triangle& v = surface.triangles[t];
    for (int k = 0; k < 3; ++k) balance[surface.triangle_edges[t][k]] += v[k] < v[(k + 1) % 3] ? 1 : -1;
    objects = std::max(objects, surface.object_of_triangle(t) + 1);
  }
  std::vector<std::uint8_t> closed(static_cast<std::size_t>(objects), 1);
  for (std::size_t e = 0; e < balance.size(); ++e) {
    if (balance[e] != 0) closed[surface.vertex_object[surface.edges[e][0]]] = 0;
  }
  for (std::size_t i = 0; i < closed.size() && i < surface.object_radius.size(); ++i) {
    if (surface.object_radius[i] > 0) closed[i] = 0;
  }
  return closed;
}

bool overlap_beside_a_line(const CollisionSurface& surface, std::span<const std::uint8_t> closed, const VecX& x,
                           Index s, Index t) {
  const Beside beside{surface, x, closed};
  for (const Index e : surface.triangle_edges[s]) {
    if (beside.edge_in_face(e, t)) return true;
    for (const Index f : surface.triangle_edges[t]) {
      if (beside.edge_on_edge(e, f)) return true;
    }
  }
  return std::any_of(surface.triangle_edges[t].begin(), surface.triangle_edges[t].end(),
                     [&](Index f) { return beside.edge_in_face(f, s); });
}

bool overlap_beside_a_plane(const CollisionSurface& surface, std::span<const std::uint8_t> closed, const VecX& x,
                            Index s, Index t) {
  if (closed[surface.object_of_triangle(s)] == 0 || closed[surface.object_of_triangle(t)] == 0) return false;
  const TriangleCorners p = corners_of(surface, x, s), q = corners_of(surface, x, t);
  for (int dropped = 0; dropped < 3; ++dropped) {
    const int product =
        orientation_in_plane(p[0], p[1], p[2], dropped) * orientation_in_plane(q[0], q[1], q[2], dropped);
    if (product != 0) return product > 0;
  }
  return false;
}

std::vector<Nested> nested_objects(const CollisionSurface& surface, std::span<const std::uint8_t> closed,
                                   const VecX& x) {
  const std::vector<Outer> outers = outers_of(surface, closed.size(), x);
  std::vector<Nested> found;
  for (const Part& part : parts_of(surface, x)) {
    for (Index outer = 0; outer < static_cast<Index>(outers.size()); ++outer) {
      const Extent& extent = outers[outer].extent;
      if (outer == part.object || closed[outer] == 0 || part.sample == -1 || !extent.holds(part.extent) ||
          !(extent.moves || part.extent.moves) || surface.groups.never_touch(part.object, outer))
        continue;
      if (is_inside(sample_corners(surface, x, part.sample), surface, x, outers[outer].triangles))
        found.push_back({part.object, outer});
    }
  }
  const auto key = [](const Nested& n) { return std::pair(n.inner, n.outer); };
  std::sort(found.begin(), found.end(), [&](const Nested& a, const Nested& b) { return key(a) < key(b); });
  found.erase(
      std::unique(found.begin(), found.end(), [&](const Nested& a, const Nested& b) { return key(a) == key(b); }),
      found.end());
  return found;
}

std::vector<DoubledPart> doubled_parts(const CollisionSurface& surface, std::span<const std::uint8_t> closed,
                                       const VecX& x) {
  const std::vector<Part> parts = parts_of(surface, x);
  std::vector<std::vector<const Part*>> of_object(closed.size());
  for (const Part& part : parts) of_object[part.object].push_back(&part);
  std::vector<DoubledPart> found;
  for (const Part& part : parts) {
    if (closed[part.object] == 0 || part.sample == -1) continue;
    std::vector<const Part*> around;
    for (const Part* other : of_object[part.object]) {
      if (other != &part && other->extent.holds(part.extent)) around.push_back(other);
    }
    if (around.empty() || !faces_outward(part, surface, x)) continue;
    const Index outer = doubled_in(part, around, surface, x);
    if (outer >= 0) found.push_back({part.object, part.triangles.front(), outer});
  }
  return found;
}

}  // namespace sim
