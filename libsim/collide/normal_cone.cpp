#include "collide/normal_cone.hpp"

#include <algorithm>
#include <array>
#include <cmath>
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

struct Directions {
  std::vector<Vec3> of;         // unit vectors d; n . d <= 0 is asked
  std::vector<Vec3> faces;      // normals of the triangles that meet there, as n
  Vec3 outward = Vec3::Zero();  // of the triangles, all together
  bool has_border = false;      // of an open surface, which has two outsides
  double side;                  // 1: n points away from this side; -1: to it

  explicit Directions(double side_of_n) : side(side_of_n) {}
  void add(const Vec3& d) {
    const double length = d.norm();
    if (length > 0) of.push_back(d * (side / length));
  }
  void add_face(const Vec3& doubled_area) {
    const double size = doubled_area.norm();
    outward += doubled_area;
    if (size > 0) faces.push_back(doubled_area * (side / size));
  }
};

Vec3 doubled_area(const Triangle& triangle, const VecX& x) {
  const auto [a, b, c] = triangle;
  return (block(x, b) - block(x, a)).cross(block(x, c) - block(x, a));
}

// Along the edges that end there.
void add_at_vertex(const CollisionSurface& surface, Index vertex, const VecX& x, Directions& found) {
  for (const Index e : surface.vertex_edges.of(vertex)) {
    const Edge& edge = surface.edges[e];
    found.add(block(x, edge[0] == vertex ? edge[1] : edge[0]) - block(x, vertex));
    found.has_border |= surface.edge_triangles[e][1] < 0;
  }
  for (const Index triangle : surface.vertex_triangles.of(vertex))
    found.add_face(doubled_area(surface.triangles[triangle], x));
}

// Away from it in its triangles.
void add_at_edge(const CollisionSurface& surface, Index a, Index b, const VecX& x, Directions& found) {
  const Vec3 along = (block(x, b) - block(x, a)).normalized();
  int triangles = 0;
  for (const Index triangle : surface.vertex_triangles.of(a)) {
    const Triangle& corners = surface.triangles[triangle];
    if (!shares_vertex(corners, b)) continue;
    ++triangles;
    found.add_face(doubled_area(corners, x));
    for (const Index corner : corners) {
      if (corner == a || corner == b) continue;
      const Vec3 d = block(x, corner) - block(x, a);
      found.add(d - along * along.dot(d));
    }
  }
  found.has_border = triangles < 2;
}

Directions directions_of(const CollisionSurface& surface, std::span<const Index> vertices,
                         std::span<const double> weights, const VecX& x, double side) {
  Directions found(side);
  std::array<Index, 3> met{};
  int count = 0;
  for (std::size_t k = 0; k < vertices.size(); ++k) {
    const double weight = std::abs(weights[k]);
    if (weight > nothing) met[count++] = vertices[k];
  }
  if (count == 1) add_at_vertex(surface, met[0], x, found);
  if (count == 2) add_at_edge(surface, met[0], met[1], x, found);
  if (count == 3) found.add_face(doubled_area(met, x));
  if (surface.is_open(vertices[0])) {
    found.has_border = true;
    found.outward.setZero();
    found.faces.clear();
  }
  return found;
}

// Along the edge or the face inside of which it is met, both ways.
void add_along(std::span<const Index> vertices, std::span<const double> weights, const VecX& x, Directions& found) {
  Index first = -1;
  for (std::size_t k = 0; k < vertices.size(); ++k) {
    if (std::abs(weights[k]) <= nothing) continue;
    if (first < 0) {
      first = vertices[k];
      continue;
    }
    const Vec3 d = block(x, vertices[k]) - block(x, first);
    found.add(d);
    found.add(-d);
  }
}

// The largest sine by which n leaves the cone.
double outside(std::span<const Vec3> directions, const Vec3& n) {
  double most = 0;
  for (const Vec3& d : directions) most = std::max(most, n.dot(d));
  return most;
}

// The nearest direction to n in the cone, by Hildreth's method: it is n - sum of w d with w >= 0, one w after the
// other. None where the cone has no inside: what is left then is small, and points anywhere.
std::optional<Vec3> nearest_in_cone(std::span<const Vec3> directions, const Vec3& n) {
  if (outside(directions, n) <= cone_slack) return n;
  Vec3 turned = n;
  std::vector<double> w(directions.size());
  double change = 1;
  for (int pass = 0; pass < most_passes && change > settled; ++pass) {
    change = 0;
    for (std::size_t k = 0; k < w.size(); ++k) {
      const double more = std::max(-w[k], turned.dot(directions[k]));
      w[k] += more;
      turned -= more * directions[k];
      change = std::max(change, std::abs(more));
    }
  }
  if (!(turned.norm() > least_left)) return {};
  turned.normalize();
  return outside(directions, turned) <= cone_slack ? std::optional(turned) : std::nullopt;
}

// That of one side alone; none in its dents, where the cone is inside the body.
std::optional<Vec3> nearest_in_cone(const Directions& side, const Vec3& n) {
  const auto found = nearest_in_cone(std::span(side.of), n);
  return found && (side.has_border || side.side * found->dot(side.outward) >= 0) ? found : std::nullopt;
}

// Where it cannot push to its outside.
bool is_dent(const Directions& side) {
  return !nearest_in_cone(side, side.side * side.outward.normalized());
}

struct Sides {
  Directions to, from;  // n points from the one to the other
};

Sides sides_of(const CollisionSurface& surface, ContactKind kind, const std::array<Index, 4>& vertices,
               const std::array<double, 4>& weights, const VecX& x) {
  const std::span all(vertices);
  const std::span all_weights(weights);
  const std::size_t second = kind == ContactKind::vertex_face ? 1 : 2;
  return {directions_of(surface, all.first(second), all_weights.first(second), x, -1),
          directions_of(surface, all.subspan(second), all_weights.subspan(second), x, 1)};
}

}  // namespace

bool is_met_from_inside(const CollisionSurface& surface, ContactKind kind, const std::array<Index, 4>& vertices,
                        const std::array<double, 4>& weights, const VecX& x, const Vec3& n) {
  const auto is_wrong = [&](const Directions& side) {
    return !side.has_border && side.side * n.dot(side.outward) < -clearly * side.outward.norm();
  };
  const Sides sides = sides_of(surface, kind, vertices, weights, x);
  return is_wrong(sides.to) && is_wrong(sides.from);
}

Vec3 within_cones(const CollisionSurface& surface, ContactKind kind, const std::array<Index, 4>& vertices,
                  const std::array<double, 4>& weights, const VecX& x, const Vec3& n) {
  const auto [to, from] = sides_of(surface, kind, vertices, weights, x);
  std::vector<Vec3> both = to.of;
  both.insert(both.end(), from.of.begin(), from.of.end());
  if (const auto found = nearest_in_cone(std::span(std::as_const(both)), n)) return *found;
  const auto one = nearest_in_cone(to, n), other = nearest_in_cone(from, n);
  if (one && other) return n;
  if (one && is_dent(from)) return *one;
  if (other && is_dent(to)) return *other;
  // n lies in both surfaces, as where a corner slides over an edge inside a plane: what is left is out of them.
  const Vec3 out = from.outward.normalized() - to.outward.normalized();
  if (!(out.norm() > clearly)) return n;
  return nearest_in_cone(std::span(std::as_const(both)), out.normalized()).value_or(n);
}

std::optional<Vec3> face_it_slides_past(const CollisionSurface& surface, ContactKind kind,
                                        const std::array<Index, 4>& vertices, const VecX& x0, const VecX& x1,
                                        double eps2, double depth) {
  const Stencil start = gather(vertices, x0), end = gather(vertices, x1);
  const NearestPoints near = nearest_points(kind, start);
  auto [to, from] = sides_of(surface, kind, vertices, near.weights, x0);
  const std::span all(vertices);
  const std::span<const double> weights(near.weights);
  const std::size_t second = kind == ContactKind::vertex_face ? 1 : 2;
  add_along(all.first(second), weights.first(second), x0, to);
  add_along(all.subspan(second), weights.subspan(second), x0, from);
  Vec3 r1 = Vec3::Zero();
  for (int k = 1; k < 4; ++k) r1 += near.weights[k] * (end[k] - end[0]);
  std::optional<Vec3> best;
  double least = cone_slack * depth;
  for (const Directions* side : {&to, &from}) {
    for (const Vec3& n : side->faces) {
      const double into = -n.dot(r1);
      if (into <= 0 || into >= least || n.dot(near.r) <= 0 || n.dot(near.r) > eps2) continue;
      if (std::max(outside(to.of, n), outside(from.of, n)) > cone_slack) continue;
      least = into;
      best = n;
    }
  }
  return best;
}

}  // namespace sim
