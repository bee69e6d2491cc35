#include "collide/reach.hpp"

#include <Eigen/Geometry>
#include <algorithm>

#include "math/parallel.hpp"

namespace sim {

namespace {

using Lanes = Eigen::Array4d;  // one number for each of the four vertices of a pair

constexpr Index chunk = 2048;

Lanes padded(const Vec3& x) {
  return {x[0], x[1], x[2], 0.0};
}

Box box_of_motion(const Vec3& x0, const Vec3& x1, const DetectionOptions& options, double radius) {
  const Lanes a = padded(x0), b = padded(x0 + options.growth * (x1 - x0)), c = padded(x1);
  const double wider = options.margin + radius;
  const Lanes margin(wider, wider, wider, 0.0);
  return {a.min(b).min(c) - margin, a.max(b).max(c) + margin};
}

// The four vertices' reaches as centres and half extents.
struct Quartet {
  Lanes x, y, z, hx, hy, hz;
};

Quartet quartet(const Box& a, const Box& b, const Box& c, const Box& d) {
  const std::array<Lanes, 4> mid{0.5 * (a.low + a.high), 0.5 * (b.low + b.high), 0.5 * (c.low + c.high),
                                 0.5 * (d.low + d.high)};
  const std::array<Lanes, 4> half{0.5 * (a.high - a.low), 0.5 * (b.high - b.low), 0.5 * (c.high - c.low),
                                  0.5 * (d.high - d.low)};
  const auto lane = [](const std::array<Lanes, 4>& v, int i) -> Lanes {
    return {v[0][i], v[1][i], v[2][i], v[3][i]};
  };
  return {lane(mid, 0), lane(mid, 1), lane(mid, 2), lane(half, 0), lane(half, 1), lane(half, 2)};
}

// The shadows of the four reaches on an axis, [low, high], and how far apart they must be for a proof.
struct Shadows {
  Lanes low, high;
  double needed;
};

Shadows cast(const Quartet& q, const Vec3& axis, double distance) {
  const Vec3 size = axis.cwiseAbs();
  const Lanes mid = axis[0] * q.x + axis[1] * q.y + axis[2] * q.z;
  const Lanes half = size[0] * q.hx + size[1] * q.hy + size[2] * q.hz;
  return {mid - half, mid + half, distance * (size[0] + size[1] + size[2])};  // |axis| and more
}

bool one_from_three(const Shadows& s) {
  const double below = std::min(s.low[1], std::min(s.low[2], s.low[3])) - s.high[0];
  const double above = s.low[0] - std::max(s.high[1], std::max(s.high[2], s.high[3]));
  return std::max(below, above) > s.needed;
}

bool two_from_two(const Shadows& s) {
  const double below = std::min(s.low[2], s.low[3]) - std::max(s.high[0], s.high[1]);
  const double above = std::min(s.low[0], s.low[1]) - std::max(s.high[2], s.high[3]);
  return std::max(below, above) > s.needed;
}

Vec3 corner(const Quartet& q, int k) {
  return {q.x[k], q.y[k], q.z[k]};
}

// From the reaches of vertices.
void reach_of_features(const CollisionSurface& surface, Reach& reach) {
  parallel_for(static_cast<Index>(surface.edges.size()), chunk, [&](Index begin, Index end) {
    for (Index e = begin; e < end; ++e) {
      reach.edge[e] = hull(reach.vertex[surface.edges[e][0]], reach.vertex[surface.edges[e][1]]);
    }
  });
  parallel_for(static_cast<Index>(surface.triangles.size()), chunk, [&](Index begin, Index end) {
    for (Index t = begin; t < end; ++t) {
      reach.triangle[t] = hull(reach.edge[surface.triangle_edges[t][0]], reach.vertex[surface.triangles[t][2]]);
    }
  });
  double largest = 0;
  for (const Index v : surface.vertices) {
    largest = std::max(largest, reach.vertex[v].low.abs().max(reach.vertex[v].high.abs()).maxCoeff());
  }
  reach.rounding = 0x1p-48 * largest;
}

}  // namespace

void compute_reach(const CollisionSurface& surface, const StepMotion& motion, const DetectionOptions& options,
                   Reach& reach) {
  reach.vertex.resize(surface.vertex_object.size());
  reach.edge.resize(surface.edges.size());
  reach.triangle.resize(surface.triangles.size());
  reach.separation = options.separation;
  parallel_for(static_cast<Index>(surface.vertices.size()), chunk, [&](Index begin, Index end) {
    for (Index i = begin; i < end; ++i) {
      const Index v = surface.vertices[i];
      const Vec3 x0 = block(motion.x0, v);
      reach.vertex[v] = box_of_motion(x0, x0 + motion.dt * block(motion.v, v), options, surface.radius_of(v));
    }
  });
  reach_of_features(surface, reach);
}

void compute_reach(const CollisionSurface& surface, std::span<const Box> vertex_boxes, double separation,
                   Reach& reach) {
  reach.vertex.assign(vertex_boxes.begin(), vertex_boxes.end());
  reach.edge.resize(surface.edges.size());
  reach.triangle.resize(surface.triangles.size());
  reach.separation = separation;
  reach_of_features(surface, reach);
}

void extend_reach(const CollisionSurface& surface, std::span<const Index> vertices, const VecX& x0, const VecX& x1,
                  const DetectionOptions& options, Reach& reach) {
  for (const Index v : vertices) {
    if (contains(reach.vertex[v], block(x1, v), surface.radius_of(v))) continue;
    const Box wider = box_of_motion(block(x0, v), block(x1, v), options, surface.radius_of(v));
    reach.vertex[v] = hull(reach.vertex[v], wider);
    reach.rounding = std::max(reach.rounding, 0x1p-48 * wider.low.abs().max(wider.high.abs()).maxCoeff());
    for (const Index e : surface.vertex_edges.of(v)) reach.edge[e] = hull(reach.edge[e], reach.vertex[v]);
    for (const Index t : surface.vertex_triangles.of(v)) reach.triangle[t] = hull(reach.triangle[t], reach.vertex[v]);
  }
}

void widen_rounding(const Vec3& x, Reach& reach) {
  reach.rounding = std::max(reach.rounding, 0x1p-48 * x.cwiseAbs().maxCoeff());
}

bool contains(const Box& box, const Vec3& x, double radius) {
  const Lanes p = padded(x), r(radius, radius, radius, 0.0);
  return x.allFinite() && (p - r >= box.low).all() && (p + r <= box.high).all();
}

bool vertex_face_kept_apart(const Reach& reach, Index vertex, const Triangle& corners) {
  const Quartet q =
      quartet(reach.vertex[vertex], reach.vertex[corners[0]], reach.vertex[corners[1]], reach.vertex[corners[2]]);
  const double distance = reach.separation + reach.rounding;
  const Vec3 a = corner(q, 1), ab = corner(q, 2) - a, ac = corner(q, 3) - a;
  const Vec3 n = ab.cross(ac);
  if (one_from_three(cast(q, n, distance))) return true;
  // In the plane of the face, across each of its edges.
  return one_from_three(cast(q, ab.cross(n), distance)) || one_from_three(cast(q, ac.cross(n), distance)) ||
         one_from_three(cast(q, (ac - ab).cross(n), distance));
}

bool edge_edge_kept_apart(const Reach& reach, const Edge& a_ends, const Edge& b_ends) {
  const Quartet q =
      quartet(reach.vertex[a_ends[0]], reach.vertex[a_ends[1]], reach.vertex[b_ends[0]], reach.vertex[b_ends[1]]);
  const double distance = reach.separation + reach.rounding;
  const Vec3 a0 = corner(q, 0), a1 = corner(q, 1), b0 = corner(q, 2), b1 = corner(q, 3);
  const Vec3 u = a1 - a0, v = b1 - b0;
  if (two_from_two(cast(q, u.cross(v), distance))) return true;
  // From middle to middle, across the one edge and across the other.
  const Vec3 d = b0 + b1 - a0 - a1;
  if (two_from_two(cast(q, u.dot(u) * d - u.dot(d) * u, distance))) return true;
  return two_from_two(cast(q, v.dot(v) * d - v.dot(d) * v, distance));
}

}  // namespace sim
