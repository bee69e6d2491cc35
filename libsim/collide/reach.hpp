// Where everything may be during a step, as boxes, and which pairs cannot meet while all stay in theirs.
//
//     reach of a vertex = box around x0 and x0 + growth dt v, widened by `margin` and its radius on all sides
//
// (Verschoor & Jalba 2019, section 5.1: growth 3.) Motion is straight and a box is convex: a vertex whose end point
// is in its reach has been in it all the time. Reaches of edges and triangles are the boxes around those of their
// vertices. A pair that `cannot_meet` stays farther apart than `separation` wherever in their reaches its vertices
// go; that is a proof with rounding included. It depends on the reaches of the four vertices only.
#pragma once

#include "collide/surface.hpp"

namespace sim {

struct DetectionOptions {
  double growth = 3;           // times dt v, >= 1
  double margin = 1e-4;        // m: what a vertex may deviate without being looked up again
  double separation = 0;       // m: pairs that come this near are candidates; as in check_candidates
  double separation_part = 0;  // of eps2 of the pair: the separation of a pair, where that is smaller
  double rebuild_ratio = 1.5;  // the tree is built anew when it has become this much worse by refitting, > 1
};

struct StepMotion {
  const VecX& x0;  // m, all vertices
  const VecX& v;   // m/s, as foreseen: all vertices, also those that are prescribed
  double dt = 0;   // s
};

struct Box {
  Eigen::Array4d low, high;  // m; x, y, z and 0
};

inline Box hull(const Box& a, const Box& b) {
  return {a.low.min(b.low), a.high.max(b.high)};
}

struct Reach {
  std::vector<Box> vertex, edge, triangle;  // by id
  double separation = 0;                    // m
  double rounding = 0;  // m: how far coordinates of this size may be off after the few operations of cannot_meet
};

void compute_reach(const CollisionSurface& surface, const StepMotion& motion, const DetectionOptions& options,
                   Reach& reach);

// The same of given boxes, one a vertex of the model, which hold all of where it goes.
void compute_reach(const CollisionSurface& surface, std::span<const Box> vertex_boxes, double separation,
                   Reach& reach);

// Widens the reaches of those of these vertices that do not hold x1 so that they hold x0 + growth (x1 - x0), and
// those of their edges and triangles.
void extend_reach(const CollisionSurface& surface, std::span<const Index> vertices, const VecX& x0, const VecX& x1,
                  const DetectionOptions& options, Reach& reach);

// The reaches of what is at x, in a frame in which it is elsewhere.
void widen_rounding(const Vec3& x, Reach& reach);

// A ball about x; no box contains what is not finite.
bool contains(const Box& box, const Vec3& x, double radius = 0);

// The two tests: first the boxes of both sides, along the coordinate axes; then the shadows of the four reaches along
// other axes, made from the middles of the reaches. Vertex-face: the face's normal, and in its plane
// across each of its edges. Edge-edge: across both edges, and from middle to middle but across the one or the other.
bool vertex_face_kept_apart(const Reach& reach, Index vertex, const Triangle& corners);
bool edge_edge_kept_apart(const Reach& reach, const Edge& a_ends, const Edge& b_ends);

inline bool boxes_apart(const Box& a, const Box& b, double separation) {
  return (a.low - b.high).max(b.low - a.high).maxCoeff() > separation;
}
inline bool vertex_face_cannot_meet(const Reach& reach, Index vertex, Index triangle, const Triangle& corners) {
  return boxes_apart(reach.vertex[vertex], reach.triangle[triangle], reach.separation) ||
         vertex_face_kept_apart(reach, vertex, corners);
}
inline bool edge_edge_cannot_meet(const Reach& reach, Index a, const Edge& a_ends, Index b, const Edge& b_ends) {
  return boxes_apart(reach.edge[a], reach.edge[b], reach.separation) || edge_edge_kept_apart(reach, a_ends, b_ends);
}

}  // namespace sim
