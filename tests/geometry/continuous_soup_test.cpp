// Random motions against the rational reference: no contact is missed, none is dated too late, false alarms are rare.
#include <gtest/gtest.h>

#include <iostream>

#include "geometry/closest_points.hpp"
#include "geometry/motions.hpp"
#include "geometry/rational_reference.hpp"

namespace sim {
namespace continuous_soup_test {

using reference::name_of;
using reference::random_motion;

// The distance at time t, from the differences of coordinates so that their size costs no digits.
double distance_at(const MovingPoints& m, bool edges, double t) {
  const auto from_first = [&](int k) -> Vec3 { return (1 - t) * (m.x0[k] - m.x0[0]) + t * (m.x1[k] - m.x1[0]); };
  const Vec3 p = Vec3::Zero(), q = from_first(1), r = from_first(2), s = from_first(3);
  return edges ? closest_segment_segment(p, q, r, s).distance : closest_point_triangle(p, q, r, s).distance;
}

double size_of(const MovingPoints& m) {
  double size = 0;
  for (int k = 1; k < 4; ++k) size = std::max({size, (m.x0[k] - m.x0[0]).norm(), (m.x1[k] - m.x1[0]).norm()});
  return size;
}

struct Tally {
  int hits = 0, free = 0, missed = 0, late = 0, false_alarms = 0, not_near = 0, given_up = 0;
};

void judge(const MovingPoints& m, bool edges, Tally& tally) {
  const reference::FirstContact truth = edges ? reference::edge_edge(m) : reference::vertex_face(m);
  const ContinuousResult result = edges ? edge_edge_collision(m) : vertex_face_collision(m);
  tally.hits += truth.hit;
  tally.free += !truth.hit;
  tally.missed += truth.hit && !result.hit;
  tally.late += truth.hit && result.time > truth.not_after;
  tally.false_alarms += !truth.hit && result.hit;
  const bool given_up = result.samples == max_samples;
  tally.given_up += given_up;
  tally.not_near += result.hit && !given_up && distance_at(m, edges, result.time) > 1e-12 * size_of(m);
}

void compare(bool edges) {
  constexpr int each = 1250;  // 10,000 in all
  for (int kind = 0; kind < reference::motion_kinds; ++kind) {
    Random random(100 + kind);
    Tally tally;
    for (int i = 0; i < each; ++i) judge(random_motion(random, kind, edges), edges, tally);
    std::cout << name_of(kind) << ": " << tally.hits << " hits (" << tally.missed << " missed, " << tally.late
              << " late), " << tally.free << " free, " << tally.false_alarms << " false alarms, " << tally.given_up
              << " given up\n";
    EXPECT_EQ(tally.missed, 0) << name_of(kind);
    EXPECT_EQ(tally.late, 0) << name_of(kind);
    EXPECT_LE(tally.false_alarms, 0.02 * tally.free) << name_of(kind);
    EXPECT_LE(tally.not_near, 0.002 * each) << name_of(kind);
    EXPECT_LE(tally.given_up, 0.005 * each) << name_of(kind);
    EXPECT_GT(tally.hits, each / 50) << name_of(kind) << ": too few contacts to say anything";
    EXPECT_GT(tally.free, each / 50) << name_of(kind) << ": too few free motions to say anything";
  }
}

TEST(ContinuousSoup, VertexFaceMissesNothing) {
  compare(false);
}

TEST(ContinuousSoup, EdgeEdgeMissesNothing) {
  compare(true);
}

// With a separation: all times before the reported one are free, and the reported one is a contact.
void compare_with_separation(bool edges) {
  Random random(7);
  int hits = 0, free = 0;
  for (int i = 0; i < 4000; ++i) {
    const MovingPoints m = random_motion(random, i % 4, edges);
    const double separation = std::pow(10.0, random.uniform(-6, -0.5));
    const ContinuousResult result = edges ? edge_edge_collision(m, separation) : vertex_face_collision(m, separation);
    (result.hit ? hits : free) += 1;
    constexpr int times = 100;
    for (int k = 0; k < times; ++k) {
      const double t = result.time * k / times;
      EXPECT_TRUE(t >= result.time || distance_at(m, edges, t) > separation * (1 - 1e-12)) << i << " t " << t;
    }
    const bool near = distance_at(m, edges, result.time) <= separation * (1 + 1e-12) + 1e-13 * size_of(m);
    EXPECT_TRUE(!result.hit || near || result.samples == max_samples) << i;
  }
  EXPECT_GT(hits, 500);
  EXPECT_GT(free, 500);
}

TEST(ContinuousSoup, VertexFaceKeepsTheSeparation) {
  compare_with_separation(false);
}

TEST(ContinuousSoup, EdgeEdgeKeepsTheSeparation) {
  compare_with_separation(true);
}

MovingPoints reordered(const MovingPoints& m, const std::array<int, 4>& order) {
  MovingPoints result;
  for (int k = 0; k < 4; ++k) {
    result.x0[k] = m.x0[order[k]];
    result.x1[k] = m.x1[order[k]];
  }
  return result;
}

TEST(ContinuousSoup, OrderOfPointsDoesNotMatter) {
  Random random(5);
  for (int i = 0; i < 4000; ++i) {
    const MovingPoints m = random_motion(random, i % 2 == 0 ? reference::uniform : reference::lattice, i % 4 < 2);
    const bool edges_hit = edge_edge_collision(m).hit, face_hit = vertex_face_collision(m).hit;
    EXPECT_EQ(edge_edge_collision(reordered(m, {2, 3, 0, 1})).hit, edges_hit);
    EXPECT_EQ(edge_edge_collision(reordered(m, {1, 0, 2, 3})).hit, edges_hit);
    EXPECT_EQ(vertex_face_collision(reordered(m, {0, 2, 1, 3})).hit, face_hit);
    EXPECT_EQ(vertex_face_collision(reordered(m, {0, 3, 1, 2})).hit, face_hit);
  }
}

}  // namespace continuous_soup_test
}  // namespace sim
