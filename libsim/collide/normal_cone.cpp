#include "collide/normal_cone.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "collide/contact_geometry.hpp"

namespace sim {

namespace {

constexpr double nothing = 1e-9;     // weight
constexpr double clearly = 0.3;      // cosine
constexpr double least_left = 1e-3;  // of the length of n: it cannot be turned by a right angle
constexpr double settled = 1e-10;
constexpr int most_passes = 100;
constexpr int few_passes = 20;
constexpr double small_turn = 1.7e-3;  // rad: TrackingOptions::small_turn
constexpr int most_turns = 20;

struct Directions {
  std::vector<Vec3> of;         // unit vectors d; n . d <= 0 is asked
  Vec3 outward = Vec3::Zero();  // of the triangles, all together
  bool has_border = false;      // of an open surface, which has two outsides
  double side;                  // 1: n points away from this side; -1: to it
  std::array<Index, 3> met{};   // a vertex, the ends of an edge or the corners of a face
  int count = 0;                // of them

  explicit Directions(double side_of_n) : side(side_of_n) {}
  void add(const Vec3& d) {
    const double length = d.norm();
    if (length > 0) of.push_back(d * (side / length));
  }
  void add_both_ways(const Vec3& d) {
    add(d);
    add(-d);
  }
};

Vec3 doubled_area(const Triangle& triangle, const Places& x) {
  const auto [a, b, c] = triangle;
  return (x.of(b) - x.of(a)).cross(x.of(c) - x.of(a));
}

// The triangles that meet there.
template <class Visit>
void for_triangles(const CollisionSurface& surface, const Directions& at, const Visit& visit) {
  if (at.count == 3) return visit(at.met);
  for (const Index triangle : surface.vertex_triangles.of(at.met[0])) {
    const Triangle& corners = surface.triangles[triangle];
    if (at.count == 1 || shares_vertex(corners, at.met[1])) visit(corners);
  }
}

// Along the edges that end there. Those of cables say nothing: what they go round is where they bend to.
void add_at_vertex(const CollisionSurface& surface, Index vertex, const Places& x, Directions& found) {
  for (const Index e : surface.vertex_edges.of(vertex)) {
    const Edge& edge = surface.edges[e];
    if (!is_face(surface.triangles[surface.edge_triangles[e][0]])) continue;
    found.add(x.of(edge[0] == vertex ? edge[1] : edge[0]) - x.of(vertex));
    found.has_border |= surface.edge_triangles[e][1] < 0;
  }
}

// Away from it in its triangles.
void add_at_edge(const CollisionSurface& surface, const Places& x, Directions& found) {
  const Index a = found.met[0], b = found.met[1];
  const Vec3 along = (x.of(b) - x.of(a)).normalized();
  int triangles = 0;
  for_triangles(surface, found, [&](const Triangle& corners) {
    ++triangles;
    for (const Index corner : corners) {
      if (corner == a || corner == b) continue;
      const Vec3 d = x.of(corner) - x.of(a);
      found.add(d - along * along.dot(d));
    }
  });
  found.has_border = triangles < 2;
}

// An edge at which the surface bends inward, by more than a tilt that makes no wedge.
bool is_concave(const CollisionSurface& surface, Index edge, const Places& x) {
  const auto [one, other] = surface.edge_triangles[edge];
  if (other < 0) return false;
  const auto [a, b] = surface.edges[edge];
  const Vec3 n = doubled_area(surface.triangles[one], x).normalized();
  const Vec3 along = (x.of(b) - x.of(a)).normalized();
  for (const Index corner : surface.triangles[other]) {
    if (corner == a || corner == b) continue;
    const Vec3 d = x.of(corner) - x.of(a), away = d - along * along.dot(d);
    return n.dot(away) > cone_slack * away.norm();
  }
  return false;
}

// Where a rim bends inward, as of a letter or the bore of a ring: the surface there is that of several convex parts,
// and what is met at the end of an edge is the part that this edge is of. The others have contacts of their own. Not
// a tip, of which all edges go back.
bool bends_inward(const CollisionSurface& surface, Index vertex, const Places& x) {
  const auto edges = surface.vertex_edges.of(vertex);
  if (surface.is_open(vertex)) return false;
  if (std::none_of(edges.begin(), edges.end(), [&](Index e) { return is_concave(surface, e, x); })) return false;
  Directions all(1);
  add_at_vertex(surface, vertex, x, all);
  const Vec3 back = std::accumulate(all.of.begin(), all.of.end(), Vec3::Zero().eval()).normalized();
  return std::any_of(all.of.begin(), all.of.end(), [&](const Vec3& d) { return d.dot(back) < cone_slack; });
}

// What there is of the surface at the end `vertex` of an edge; where it bends inward it goes on beyond.
void add_at_end(const CollisionSurface& surface, Index vertex, Index other, const Places& x, Directions& found) {
  if (!bends_inward(surface, vertex, x)) return add_at_vertex(surface, vertex, x, found);
  found.met = {vertex, other};
  found.count = 2;
  add_at_edge(surface, x, found);
  found.add_both_ways(x.of(other) - x.of(vertex));
}

void find_outward(const CollisionSurface& surface, const Places& x, Directions& found) {
  found.outward.setZero();
  for_triangles(surface, found, [&](const Triangle& corners) { found.outward += doubled_area(corners, x); });
}

Directions directions_of(const CollisionSurface& surface, std::span<const Index> vertices,
                         std::span<const double> weights, const Places& x, double side) {
  Directions found(side);
  for (std::size_t k = 0; k < vertices.size(); ++k) {
    const double weight = std::abs(weights[k]);
    if (weight > nothing) found.met[found.count++] = vertices[k];
  }
  if (found.count == 2) {
    add_at_edge(surface, x, found);
  } else if (found.count == 1 && vertices.size() == 2) {
    add_at_end(surface, found.met[0], found.met[0] == vertices[0] ? vertices[1] : vertices[0], x, found);
  } else if (found.count == 1) {
    add_at_vertex(surface, found.met[0], x, found);
  }
  find_outward(surface, x, found);
  if (surface.is_open(vertices[0])) {
    found.has_border = true;
    found.outward.setZero();
  }
  return found;
}

// Which of its vertices an edge is met next to; past the last where it is none.
std::size_t end_nearby(std::span<const double> weights) {
  const auto near = std::ranges::find_if(weights, [](double w) { return std::abs(w) > 1 - end_of_doubt; });
  return static_cast<std::size_t>(near - weights.begin());
}

// An edge that is met next to an end: what there is of the surface at that end. True where it is.
bool add_end(const CollisionSurface& surface, std::span<const Index> vertices, std::span<const double> weights,
             const Places& x, Directions& found) {
  const std::size_t end = end_nearby(weights);
  if (found.count != 2 || end == weights.size()) return false;
  const Index other = found.met[found.met[0] == vertices[end] ? 1 : 0];
  add_at_end(surface, vertices[end], other, x, found);
  return true;
}

// Along the edge or the face inside of which it is met, both ways. Of a face in directions at right angles: two edges
// of a slender one are nearly one, and leave the cone open across them.
void add_along(const Places& x, Directions& found) {
  Vec3 first = Vec3::Zero();
  for (int k = 1; k < found.count; ++k) {
    Vec3 d = x.of(found.met[k]) - x.of(found.met[0]);
    d -= first * first.dot(d);
    found.add_both_ways(d);
    first = d.normalized();
  }
}

// The largest sine by which n leaves the cone.
double outside(std::span<const Vec3> directions, const Vec3& n) {
  double most = 0;
  for (const Vec3& d : directions) most = std::max(most, n.dot(d));
  return most;
}

// n - sum of w d with w >= 0, one w after the other: the nearest to n with n . d <= 0 (Hildreth's method); with
// `compliance` the minimum of |n - n_0|^2 + sum of max(0, n . d)^2 / compliance.
Vec3 turned_into_cone(std::span<const Vec3> directions, const Vec3& n, double compliance, int passes) {
  Vec3 turned = n;
  std::vector<double> w(directions.size());
  double change = 1;
  for (int pass = 0; pass < passes && change > settled; ++pass) {
    change = 0;
    for (std::size_t k = 0; k < w.size(); ++k) {
      const double more = std::max(-w[k], (turned.dot(directions[k]) - compliance * w[k]) / (1 + compliance));
      w[k] += more;
      turned -= more * directions[k];
      change = std::max(change, std::abs(more));
    }
  }
  return turned;
}

// The nearest direction to n in the cone. None where the cone has no inside: what is left then is small, and points
// anywhere. Where two surfaces lie on each other with a small tilt their cones have nothing in common, and what is
// outside by less than cone_slack is inside: then the least outside, so that n turns with what is flat.
std::optional<Vec3> nearest_in_cone(std::span<const Vec3> directions, const Vec3& n) {
  Vec3 nearest = n;
  if (outside(directions, n) > cone_slack) {
    nearest = turned_into_cone(directions, n, 0, most_passes);
    if (!(nearest.norm() > least_left)) return {};
    nearest.normalize();
    if (outside(directions, nearest) > cone_slack) return {};
  }
  if (outside(directions, nearest) <= settled) return nearest;
  Vec3 least = nearest;
  for (int k = 0; k < most_turns; ++k) {
    const Vec3 before = least;
    least = turned_into_cone(directions, before, cone_slack, few_passes).normalized();
    if ((least - before).norm() < small_turn) break;
  }
  return outside(directions, least) <= cone_slack ? least : nearest;
}

// Not into the body itself. A surface with a border has two outsides.
bool is_outside(const Directions& side, const Vec3& n) {
  return side.has_border || side.side * n.dot(side.outward) >= 0;
}

// That of one side alone; none in its dents, where the cone is inside the body.
std::optional<Vec3> nearest_in_cone(const Directions& side, const Vec3& n) {
  const auto found = nearest_in_cone(std::span(side.of), n);
  return found && is_outside(side, *found) ? found : std::nullopt;
}

// Where it cannot push to its outside.
bool is_dent(const Directions& side) {
  return !nearest_in_cone(side, side.side * side.outward.normalized());
}

// Clearly against its outward side.
bool is_against(const Directions& side, const Vec3& n) {
  return !side.has_border && side.side * n.dot(side.outward) < -clearly * side.outward.norm();
}

struct Sides {
  Directions to, from;  // n points from the one to the other
};

std::vector<Vec3> directions_of_both(const Sides& sides) {
  std::vector<Vec3> both = sides.to.of;
  both.insert(both.end(), sides.from.of.begin(), sides.from.of.end());
  return both;
}

Sides sides_of(const CollisionSurface& surface, ContactKind kind, const std::array<Index, 4>& vertices,
               const std::array<double, 4>& weights, const Places& x) {
  const std::span all(vertices);
  const std::span all_weights(weights);
  const std::size_t second = first_of_second(kind);
  return {directions_of(surface, all.first(second), all_weights.first(second), x, -1),
          directions_of(surface, all.subspan(second), all_weights.subspan(second), x, 1)};
}

// Whether an edge goes on beyond its end in much the same direction, as a long one that is divided does.
bool goes_on(const CollisionSurface& surface, Index end, Index other, const Places& x) {
  const Vec3 along = (x.of(end) - x.of(other)).normalized();
  return std::ranges::any_of(surface.vertex_edges.of(end), [&](Index e) {
    const auto [a, b] = surface.edges[e];
    const Vec3 on = (x.of(a == end ? b : a) - x.of(end)).normalized();
    return along.dot(on) > 0 && along.cross(on).norm() <= cone_slack;
  });
}

// Along an edge that is met inside nothing pushes; next to an end if it goes on there. Where the edges of both sides
// lie inside planes this is what tells the direction out of them from those in them; and a vertex that slides along
// the border of a face is beside it by less than it slides.
void add_along_edges(const CollisionSurface& surface, ContactKind kind, const std::array<Index, 4>& vertices,
                     const std::array<double, 4>& weights, const Places& x, Sides& sides) {
  const auto is_met_inside = [&](const Directions& side, std::size_t first, std::size_t last) {
    if (side.count != 2) return false;
    const std::size_t k = first + end_nearby(std::span(weights).subspan(first, last - first));
    return k == last || goes_on(surface, vertices[k], side.met[vertices[k] == side.met[0] ? 1 : 0], x);
  };
  if (kind == ContactKind::vertex_face) {
    if (is_met_inside(sides.from, 1, 4)) add_along(x, sides.from);
    return;
  }
  const auto [of_to, of_from] =
      along_edges({x.of(vertices[0]), x.of(vertices[1]), x.of(vertices[2]), x.of(vertices[3])});
  if (is_met_inside(sides.to, 0, 2)) sides.to.add_both_ways(of_to);
  if (is_met_inside(sides.from, 2, 4)) sides.from.add_both_ways(of_from);
}

// The same of both sides; whether either is.
bool add_ends(const CollisionSurface& surface, ContactKind kind, const std::array<Index, 4>& vertices,
              const std::array<double, 4>& weights, const Places& x, Sides& sides) {
  const std::span all(vertices);
  const std::span all_weights(weights);
  const std::size_t second = first_of_second(kind);
  const bool to_ends = add_end(surface, all.first(second), all_weights.first(second), x, sides.to);
  const bool from_ends = add_end(surface, all.subspan(second), all_weights.subspan(second), x, sides.from);
  return to_ends || from_ends;
}

// Directions of two edges of which one is met next to an end, or both are; none where neither is: of a vertex on the
// inner rim of a ring only that rim's own face has a normal in the cone of all, and it may point along the edge that
// meets the rim beside it.
std::vector<Vec3> directions_with_ends(const CollisionSurface& surface, const std::array<Index, 4>& vertices,
                                       const std::array<double, 4>& weights, const Places& x, Sides sides) {
  if (!add_ends(surface, ContactKind::edge_edge, vertices, weights, x, sides)) return {};
  return directions_of_both(sides);
}

}  // namespace

Places places_at(const CollisionSurface& surface, const std::array<Index, 4>& vertices, const VecX& x0,
                 const VecX& x1, double time) {
  constexpr double farthest = 0.5;  // cosine
  const Places impact(x0, x1, time);
  for (const Index vertex : vertices) {
    for (const Index triangle : surface.vertex_triangles.of(vertex)) {
      const Vec3 before = doubled_area(surface.triangles[triangle], x0);
      const Vec3 then = doubled_area(surface.triangles[triangle], impact);
      if (before.dot(then) < farthest * before.norm() * then.norm()) return x0;
    }
  }
  return impact;
}

bool is_met_from_inside(const CollisionSurface& surface, ContactKind kind, const std::array<Index, 4>& vertices,
                        const std::array<double, 4>& weights, const Places& x, const Vec3& n) {
  const Sides sides = sides_of(surface, kind, vertices, weights, x);
  return is_against(sides.to, n) && is_against(sides.from, n);
}

bool is_behind_face(const CollisionSurface& surface, const std::array<Index, 4>& vertices, const Places& x,
                    const Vec3& n) {
  return !surface.is_open(vertices[1]) && n.dot(doubled_area({vertices[1], vertices[2], vertices[3]}, x)) < 0;
}

bool is_met_from_behind(const CollisionSurface& surface, ContactKind kind, const std::array<Index, 4>& vertices,
                        const std::array<double, 4>& weights, const Places& x, const Vec3& n) {
  const Sides plain = sides_of(surface, kind, vertices, weights, x);
  Sides whole = plain;
  add_ends(surface, kind, vertices, weights, x, whole);
  add_along_edges(surface, kind, vertices, weights, x, whole);
  const auto looks_away = [&](const Directions& side) {
    bool away = true;
    for_triangles(surface, side, [&](const Triangle& corners) {
      away = away && side.side * n.dot(doubled_area(corners, x).normalized()) < -clearly;
    });
    return away;
  };
  // In a dent the cone says nothing: there it is all of the surface next to that vertex, or what meets.
  const auto is_against_dent = [&](Directions side, std::size_t first, std::size_t last) {
    const std::size_t k = first + end_nearby(std::span(weights).subspan(first, last - first));
    if (k < last) {
      side.met[0] = vertices[k];
      side.count = 1;
      find_outward(surface, x, side);
    }
    return is_against(side, n);
  };
  const auto is_behind = [&](const Directions& side, const Directions& all, std::size_t first, std::size_t last) {
    if (side.has_border) return false;
    if (is_dent(side)) return is_against_dent(side, first, last);
    return outside(all.of, n) > clearly || looks_away(side);
  };
  const std::size_t second = first_of_second(kind);
  return is_behind(plain.to, whole.to, 0, second) || is_behind(plain.from, whole.from, second, 4);
}

Vec3 within_cones(const CollisionSurface& surface, ContactKind kind, const std::array<Index, 4>& vertices,
                  const std::array<double, 4>& weights, const Places& x, const Vec3& n) {
  Sides sides = sides_of(surface, kind, vertices, weights, x);
  add_along_edges(surface, kind, vertices, weights, x, sides);
  const Directions &to = sides.to, &from = sides.from;  // a lambda may take them
  const std::vector<Vec3> both = directions_of_both(sides);
  // Where a body meets itself it may be turned inside out: nothing is said of its outside.
  const bool is_self = surface.vertex_object[vertices[0]] == surface.vertex_object[vertices[3]];
  const auto may_push = [&](const Directions& side, const Vec3& d) { return is_self || is_outside(side, d); };
  const auto pushes_outside = [&](const Vec3& d) { return may_push(to, d) && may_push(from, d); };
  if (kind == ContactKind::edge_edge) {
    const std::vector<Vec3> all = directions_with_ends(surface, vertices, weights, x, sides);
    const auto in_all = all.empty() ? std::nullopt : nearest_in_cone(all, n);
    if (in_all && pushes_outside(*in_all)) return *in_all;
  }
  const auto in_both = nearest_in_cone(both, n);
  if (in_both && pushes_outside(*in_both)) return *in_both;
  const auto one = nearest_in_cone(to, n), other = nearest_in_cone(from, n);
  if (one && other) return n;
  const bool to_is_dent = is_dent(to), from_is_dent = is_dent(from);
  if (one && from_is_dent && may_push(from, *one)) return *one;
  if (other && to_is_dent && may_push(to, *other)) return *other;
  // n lies in both surfaces, as where a corner slides over an edge inside a plane: what is left is out of them, of
  // both or of the one that is flat there.
  const Vec3 out_of_to = -to.outward.normalized(), out_of_from = from.outward.normalized();
  const Vec3 out = out_of_to + out_of_from;
  Vec3 nearest = in_both.value_or(n);
  double best = -2;
  const auto take = [&](const Vec3& d) {
    const bool in_cones =
        (to_is_dent || outside(to.of, d) <= cone_slack) && (from_is_dent || outside(from.of, d) <= cone_slack);
    if (!in_cones || !pushes_outside(d) || !(n.dot(d) > best)) return;
    best = n.dot(d);
    nearest = d;
  };
  if (out.norm() > clearly) {
    const auto found = nearest_in_cone(both, out.normalized());
    if (found) take(*found);
  }
  if (best > -2 || is_self || (to_is_dent && from_is_dent)) return nearest;
  if (!to.has_border) take(out_of_to);
  if (!from.has_border) take(out_of_from);
  return nearest;
}

namespace {

// The normal of the plane that all of it lies in which meets there; none of what may bend.
std::optional<Vec3> plane_of(const CollisionSurface& surface, const Directions& side, const Places& x,
                             Planes planes) {
  std::optional<Vec3> plane;
  bool is_flat = true;
  for_triangles(surface, side, [&](const Triangle& corners) {
    is_flat = is_flat && is_face(corners) && std::all_of(corners.begin(), corners.end(), [&](Index corner) {
                return surface.vertex_moves[corner] == 0 ||
                       (planes == Planes::of_rigid_too && surface.vertex_body[corner] >= 0);
              });
    if (!is_flat) return;
    const Vec3 n = doubled_area(corners, x).normalized();
    if (!plane) plane = n;
    is_flat = n.cross(*plane).norm() <= settled && n.dot(*plane) > 0;
  });
  return is_flat ? plane : std::nullopt;
}

}  // namespace

std::optional<Vec3> normal_of_plane(const CollisionSurface& surface, ContactKind kind,
                                    const std::array<Index, 4>& vertices, const std::array<double, 4>& weights,
                                    const Places& x, const Vec3& n, Planes planes) {
  const auto elastic = std::ranges::count_if(vertices, [&](Index v) { return is_elastic(surface, v); });
  if (elastic == 0 || elastic == 4) return {};
  Sides sides = sides_of(surface, kind, vertices, weights, x);
  add_along_edges(surface, kind, vertices, weights, x, sides);
  const std::optional<Vec3> of_to = plane_of(surface, sides.to, x, planes),
                            of_from = plane_of(surface, sides.from, x, planes);
  if (of_to.has_value() == of_from.has_value()) return {};
  const Vec3 plane = of_to.value_or(of_from.value_or(n)), towards = plane.dot(n) < 0 ? Vec3(-plane) : plane;
  if ((towards - n).norm() > cone_slack) return {};
  if (outside(of_to ? sides.from.of : sides.to.of, towards) > cone_slack) return {};
  return towards;
}

bool slide_past_a_face(const CollisionSurface& surface, const VecX& x0, const VecX& x1, Contact& contact) {
  const NearestPoints near = nearest_points(contact.kind, gather(contact.vertices, x0));
  Sides sides = sides_of(surface, contact.kind, contact.vertices, near.weights, x0);
  Directions &to = sides.to, &from = sides.from;  // a lambda may take them
  add_along(x0, to);
  add_along(x0, from);
  double least = cone_slack * -contact.n.dot(separation_vector(contact, x1));
  Contact past = contact;
  past.weights = near.weights;
  const Vec3 r1 = separation_vector(past, x1);
  bool found = false;
  for (const Directions* side : {&to, &from}) {
    if (surface.is_open(side->met[0])) continue;
    for_triangles(surface, *side, [&](const Triangle& corners) {
      const Vec3 area = doubled_area(corners, x0), n = area * (side->side / area.norm());
      const double into = -n.dot(r1), gap = n.dot(near.r);
      if (!(into > 0 && into < least && gap > 0 && gap <= contact.eps2)) return;  // none of a face without area
      if (std::max(outside(to.of, n), outside(from.of, n)) > cone_slack) return;
      least = into;
      past.n = n;
      found = true;
    });
  }
  if (found) contact = past;
  return found;
}

}  // namespace sim
