#include "collide/normal_cone.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <span>
#include <vector>

namespace sim {

namespace {

constexpr double nothing = 1e-9;     // weight
constexpr double slack = 0.1;        // sine of an angle; a tilt up to there makes no wedge
constexpr double least_left = 1e-3;  // of the length of n: it cannot be turned by a right angle
constexpr double settled = 1e-10;
constexpr int most_passes = 100;

struct Directions {
  std::vector<Vec3> of;  // unit vectors d; n . d <= 0 is asked
  void add(const Vec3& d, double side) {
    const double length = d.norm();
    if (length > 0) of.push_back(d * (side / length));
  }
};

// Along the edges that end there.
void add_at_vertex(const CollisionSurface& surface, Index vertex, const VecX& x, double side, Directions& found) {
  for (const Index e : surface.vertex_edges.of(vertex)) {
    const Edge& edge = surface.edges[e];
    found.add(block(x, edge[0] == vertex ? edge[1] : edge[0]) - block(x, vertex), side);
  }
}

// Away from it in its triangles.
void add_at_edge(const CollisionSurface& surface, Index a, Index b, const VecX& x, double side, Directions& found) {
  const Vec3 along = (block(x, b) - block(x, a)).normalized();
  for (const Index triangle : surface.vertex_triangles.of(a)) {
    const Triangle& corners = surface.triangles[triangle];
    if (!shares_vertex(corners, b)) continue;
    for (const Index corner : corners) {
      if (corner == a || corner == b) continue;
      const Vec3 d = block(x, corner) - block(x, a);
      found.add(d - along * along.dot(d), side);
    }
  }
}

void add_side(const CollisionSurface& surface, std::span<const Index> vertices, std::span<const double> weights,
              const VecX& x, double side, Directions& found) {
  std::array<Index, 3> met{};
  int count = 0;
  for (std::size_t k = 0; k < vertices.size(); ++k) {
    const double weight = std::abs(weights[k]);
    if (weight > nothing) met[count++] = vertices[k];
  }
  if (count == 1) add_at_vertex(surface, met[0], x, side, found);
  if (count == 2) add_at_edge(surface, met[0], met[1], x, side, found);
}

}  // namespace

Vec3 within_cones(const CollisionSurface& surface, ContactKind kind, const std::array<Index, 4>& vertices,
                  const std::array<double, 4>& weights, const VecX& x, const Vec3& n) {
  Directions directions;
  const std::span all(vertices);
  const std::span all_weights(weights);
  const std::size_t second = kind == ContactKind::vertex_face ? 1 : 2;
  add_side(surface, all.first(second), all_weights.first(second), x, -1, directions);
  add_side(surface, all.subspan(second), all_weights.subspan(second), x, 1, directions);
  if (std::none_of(directions.of.begin(), directions.of.end(), [&](const Vec3& d) { return n.dot(d) > slack; }))
    return n;
  // The nearest point of the cone is n - sum of w d with w >= 0 (Hildreth's method: one w after the other).
  Vec3 turned = n;
  std::vector<double> w(directions.of.size());
  double change = 1;
  for (int pass = 0; pass < most_passes && change > settled; ++pass) {
    change = 0;
    for (std::size_t k = 0; k < w.size(); ++k) {
      const double more = std::max(-w[k], turned.dot(directions.of[k]));
      w[k] += more;
      turned -= more * directions.of[k];
      change = std::max(change, std::abs(more));
    }
  }
  return turned.norm() > least_left ? Vec3(turned.normalized()) : n;
}

}  // namespace sim
