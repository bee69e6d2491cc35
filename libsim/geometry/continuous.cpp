#include "geometry/continuous.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <limits>
#include <tuple>

#include "geometry/closest_points.hpp"

namespace sim {

namespace {

using Lanes = Eigen::Array4d;  // one number for each of the four differences

// The differences d_k at one time; a vertex and a face have three, the last one is repeated.
struct Differences {
  Lanes x, y, z;

  Vec3 at(int k) const { return {x[k], y[k], z[k]}; }
  Lanes along(const Vec3& n) const { return n[0] * x + n[1] * y + n[2] * z; }
};

struct Problem {
  bool edges = false;  // edge-edge: d = (a0 - b0, a0 - b1, a1 - b0, a1 - b1); vertex-face: p - (a, b, c, c)
  Differences begin, end;
  double threshold = 0;  // n . d_k > threshold proves distance > separation (|n| <= 1)
  double rounding = 0;   // the part of the threshold that covers rounding
};

// The distance at time t and the direction of the nearest points, of length 1, or 0 where there is none.
struct Sample {
  double t = 0;
  Differences d;
  Vec3 axis;
  double distance = 0;
  double approach = 0;  // how fast the nearest points close in
  Lanes along;          // axis . d
};

// Squared lengths below this have lost digits to underflow; what is that short counts as touching.
constexpr double smallest_square = 1e-280;

Vec3 normalized_or_zero(const Vec3& v) {
  const double square = v.squaredNorm();
  return square > smallest_square ? Vec3(v / std::sqrt(square)) : Vec3(Vec3::Zero());
}

// The direction from an edge's line to the origin's nearest point v on it. v has lost digits when it is short; what
// it has along the edge is known to be zero and taken out, so that both ends of the edge see the same distance.
Vec3 across_edge(const Vec3& v, const Vec3& edge) {
  const Vec3 n = normalized_or_zero(v);
  const double length2 = edge.dot(edge);
  return length2 > 0 ? normalized_or_zero(n - edge * (n.dot(edge) / length2)) : n;
}

// A plane's normal, turned to the side that the differences lie on.
Vec3 across_plane(const Vec3& normal, const Differences& d) {
  const Vec3 n = normalized_or_zero(normal);
  return d.along(n).sum() < 0 ? Vec3(-n) : n;
}

struct Nearest {
  Vec3 axis;
  double distance;
  Lanes weights;  // nearest point of the hull of the d_k: sum of weights[k] d_k
};

Nearest nearest_vertex_face(const Differences& d) {
  const Vec3 a = d.at(0), b = d.at(1), c = d.at(2);
  const PointTriangle near = closest_point_triangle(Vec3::Zero(), a, b, c);
  const auto& w = near.weights;
  const Vec3 v = w[0] * a + w[1] * b + w[2] * c;
  Vec3 axis;
  switch (near.feature) {
    case TriangleFeature::face:
      axis = across_plane((b - a).cross(c - a), d);
      break;
    case TriangleFeature::edge_ab:
      axis = across_edge(v, b - a);
      break;
    case TriangleFeature::edge_bc:
      axis = across_edge(v, c - b);
      break;
    case TriangleFeature::edge_ca:
      axis = across_edge(v, a - c);
      break;
    default:
      axis = normalized_or_zero(v);
  }
  return {axis, near.distance, {w[0], w[1], w[2], 0.0}};
}

Nearest nearest_edge_edge(const Differences& d) {
  // The origin's view: the one edge runs from d00 to d10, the other from 0 to d00 - d01.
  const Vec3 d00 = d.at(0), d01 = d.at(1), d10 = d.at(2);
  const Vec3 u = d10 - d00, v = d00 - d01;
  const SegmentSegment near = closest_segment_segment(d00, d10, Vec3::Zero(), v);
  const double s = near.s, t = near.t;
  const Lanes weights((1 - s) * (1 - t), (1 - s) * t, s * (1 - t), s * t);
  const Vec3 point((d.x * weights).sum(), (d.y * weights).sum(), (d.z * weights).sum());
  const bool inside_u = s > 0 && s<1, inside_v = t> 0 && t < 1;
  Vec3 axis;
  if (inside_u && inside_v) {
    axis = across_plane(u.cross(v), d);
  } else if (inside_u) {
    axis = across_edge(point, u);
  } else if (inside_v) {
    axis = across_edge(point, v);
  } else {
    axis = normalized_or_zero(point);
  }
  return {axis, near.distance, weights};
}

Differences at_time(const Problem& problem, double t) {
  const auto& [d0, d1] = std::tie(problem.begin, problem.end);
  return {(1 - t) * d0.x + t * d1.x, (1 - t) * d0.y + t * d1.y, (1 - t) * d0.z + t * d1.z};
}

// Perpendicular to both edges, or to the face.
Vec3 across_both(bool edges, const Differences& d) {
  return edges ? across_plane((d.at(2) - d.at(0)).cross(d.at(0) - d.at(1)), d)
               : across_plane((d.at(1) - d.at(0)).cross(d.at(2) - d.at(0)), d);
}

// Which corner, edge or face is the nearest is a rounded decision. Where the axis therefore leans the wrong way, so
// that some corner seems nearer than the nearest point, it is put across both edges or the face, as if the nearest
// points were inside; else across the edge to that corner, and across the face if there is another one. A short edge
// that ends 1e-10 m beside a long one, 1e-6 m above it, leans over its whole length.
void straighten(bool edges, Nearest& near, const Differences& d, double threshold) {
  int nearest = 0, first = 0, second = 0;
  if (const Vec3 both = across_both(edges, d); d.along(both).minCoeff() > threshold) {
    near.axis = both;
    return;
  }
  near.weights.maxCoeff(&nearest);
  if (d.along(near.axis).minCoeff(&first) > threshold || first == nearest) return;
  const Vec3 edge = d.at(first) - d.at(nearest);
  near.axis = across_edge(near.axis, edge);
  if (d.along(near.axis).minCoeff(&second) > threshold || second == nearest || second == first) return;
  near.axis = across_plane(edge.cross(d.at(second) - d.at(nearest)), d);
}

Sample sample(const Problem& problem, double t) {
  Sample result;
  result.t = t;
  result.d = at_time(problem, t);
  Nearest near = problem.edges ? nearest_edge_edge(result.d) : nearest_vertex_face(result.d);
  result.along = result.d.along(near.axis);
  if (near.distance > problem.threshold && !(result.along.minCoeff() > problem.threshold)) {
    straighten(problem.edges, near, result.d, problem.threshold);
    result.along = result.d.along(near.axis);
  }
  result.axis = near.axis;
  result.distance = near.distance;
  const Lanes change = problem.end.along(near.axis) - problem.begin.along(near.axis);
  result.approach = -(change * near.weights).sum();
  return result;
}

bool apart(const Problem& problem, const Sample& s) {
  return s.along.minCoeff() > problem.threshold;
}

// Is [a.t, b.t] free? Tried with a's axis, with b's, and with one that turns from a's to b's.
bool proven_free(const Problem& problem, const Sample& a, const Sample& b) {
  const Lanes a_at_b = b.d.along(a.axis), b_at_a = a.d.along(b.axis);
  const auto above = [&](const Lanes& q) { return q.minCoeff() > problem.threshold; };
  if (above(a.along.min(a_at_b)) || above(b.along.min(b_at_a))) return true;
  return above(a.along.min(b.along).min(0.5 * (a_at_b + b_at_a)));
}

// How far a's axis alone proves the motion free: to the time when the first difference crosses the threshold.
double reach_of_axis(const Problem& problem, const Sample& a) {
  const Lanes at_end = problem.end.along(a.axis);
  const double spare = problem.threshold + problem.rounding;  // so that rounding does not spoil the proof below
  double fraction = 1;
  for (int k = 0; k < 4; ++k) {
    if (at_end[k] > problem.threshold) continue;
    fraction = std::min(fraction, (a.along[k] - spare) / (a.along[k] - at_end[k]));
  }
  if (!(fraction > 0)) return a.t;
  const double t = std::min(1.0, a.t + fraction * (1 - a.t));
  return at_time(problem, t).along(a.axis).minCoeff() > problem.threshold ? t : a.t;
}

// The next step to try: most of the way to where the nearest points would meet, or all the way when they part.
double trial_step(const Problem& problem, const Sample& a) {
  constexpr double most = 0.9375;
  const double rest = 1 - a.t;
  if (!(a.approach * rest > 0)) return rest;
  return std::min(rest, most * (a.distance - problem.threshold) / a.approach);
}

ContinuousResult march(const Problem& problem) {
  Sample a = sample(problem, 0);
  if (!apart(problem, a)) return {true, 0, 1};
  if (problem.end.along(a.axis).minCoeff() > problem.threshold) return {false, 1, 1};
  Sample b = sample(problem, 1);
  if (proven_free(problem, a, b)) return {false, 1, 2};

  const double touching = problem.threshold + 2 * problem.rounding;
  double step = trial_step(problem, a);
  for (int samples = 2; samples < max_samples; ++samples) {
    if (!(a.along.minCoeff() > touching) || !(a.t + step > a.t)) return {true, a.t, samples};
    b = sample(problem, std::min(1.0, a.t + step));
    if (!proven_free(problem, a, b)) {
      const double reach = reach_of_axis(problem, a);
      if (reach - a.t < 0.25 * step) {
        step *= 0.25;
        continue;
      }
      b = sample(problem, reach);
    }
    if (b.t >= 1) return {false, 1, samples + 1};
    if (!apart(problem, b)) return {true, b.t, samples + 1};
    a = b;
    step = trial_step(problem, a);
  }
  return {true, a.t, max_samples};
}

// Differences of numbers, rounded, keep their order against the separation, so this test needs no error bound.
bool boxes_apart(const Problem& problem, double separation) {
  const auto& [d0, d1] = std::tie(problem.begin, problem.end);
  const auto beyond = [&](const Lanes& p, const Lanes& q) {
    return p.min(q).minCoeff() > separation || p.max(q).maxCoeff() < -separation;
  };
  return beyond(d0.x, d1.x) || beyond(d0.y, d1.y) || beyond(d0.z, d1.z);
}

ContinuousResult solve(Problem& problem, double separation) {
  const auto& [d0, d1] = std::tie(problem.begin, problem.end);
  // NaN may hide in a comparison but not in a sum.
  const double sum = (d0.x + d0.y + d0.z + d1.x + d1.y + d1.z).sum() + separation;
  if (!(std::abs(sum) < std::numeric_limits<double>::max())) return {true, 0, 0};
  separation = std::max(separation, 0.0);
  if (boxes_apart(problem, separation)) return {};
  const auto size = [](const Differences& d) { return d.x.abs().max(d.y.abs()).max(d.z.abs()); };
  const double largest = size(d0).max(size(d1)).maxCoeff();
  problem.rounding = 0x1p-47 * largest + 1e-300;
  problem.threshold = separation * (1 + 0x1p-48) + problem.rounding;
  return march(problem);
}

Differences vertex_face_differences(const std::array<Vec3, 4>& x) {
  const auto lanes = [&x](int c) -> Lanes { return x[0][c] - Lanes(x[1][c], x[2][c], x[3][c], x[3][c]); };
  return {lanes(0), lanes(1), lanes(2)};
}

Differences edge_edge_differences(const std::array<Vec3, 4>& x) {
  const auto lanes = [&x](int c) -> Lanes {
    return Lanes(x[0][c], x[0][c], x[1][c], x[1][c]) - Lanes(x[2][c], x[3][c], x[2][c], x[3][c]);
  };
  return {lanes(0), lanes(1), lanes(2)};
}

}  // namespace

ContinuousResult vertex_face_collision(const MovingPoints& points, double separation) {
  Problem problem;
  problem.begin = vertex_face_differences(points.x0);
  problem.end = vertex_face_differences(points.x1);
  return solve(problem, separation);
}

ContinuousResult edge_edge_collision(const MovingPoints& points, double separation) {
  Problem problem;
  problem.edges = true;
  problem.begin = edge_edge_differences(points.x0);
  problem.end = edge_edge_differences(points.x1);
  return solve(problem, separation);
}

}  // namespace sim
