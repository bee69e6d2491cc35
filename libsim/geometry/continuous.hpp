// Continuous collision tests that err on the safe side only.
//
// Four points move on straight lines, x_k(t) = (1 - t) x0_k + t x1_k for t in [0, 1]. Does the distance between the
// vertex and the face (or between the two edges) ever become <= separation? Not "hit" is a proof, valid for the real
// numbers and not only for the rounded ones; what cannot be proven free is reported as a hit. With separation 0,
// touching in a single point counts.
//
// Method: the differences between the points of the one and of the other, d_k = x_i - x_j, move on straight lines
// too, and their hull is the set of all differences. If a direction n(t), linear in t, keeps n(t) . d_k(t) >
// separation |n| for all k at the three Bernstein coefficients of that quadratic, then the interval is free. The
// march goes from t = 0 upwards with the direction of the nearest points as n: conservative advancement, at most
// max_samples long. A free pair needs one or two samples of the distance, an exact touch about ten.
//
// Rounding: with u = 2^-53 and M the largest coordinate of any difference d_k, a d_k(t) is computed to 10 u M and
// n . d_k to 25 u M; the tests ask for 64 u M. Coordinates far from the origin therefore cost nothing, and pairs are
// told apart down to distances of about 1e-14 M (1e-11 M between nearly parallel edges).
#pragma once

#include "math/types.hpp"

namespace sim {

// Vertex-face: the vertex, then the face's three. Edge-edge: the one edge's two, then the other's two.
struct MovingPoints {
  std::array<Vec3, 4> x0;  // at t = 0
  std::array<Vec3, 4> x1;  // at t = 1
};

struct ContinuousResult {
  bool hit = false;
  double time = 1;  // the distance is above the separation all through [0, time); 1 when there is no hit.
                    // 0 when the motion starts at or within the separation, or with a number that is not finite.
  int samples = 0;  // distances looked at; max_samples means that the budget ended the search
};

inline constexpr int max_samples = 96;

ContinuousResult vertex_face_collision(const MovingPoints& points, double separation = 0);
ContinuousResult edge_edge_collision(const MovingPoints& points, double separation = 0);

}  // namespace sim
