// Random motions against the rational reference: no contact is missed, none is dated too late, false alarms are rare.
#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <iostream>

#include "geometry/rational_reference.hpp"
#include "math/random.hpp"

namespace sim {
namespace {

Vec3 random_point(Random& random, double size = 1) {
  return size * Vec3(random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1));
}

MovingPoints uniform_motion(Random& random) {
  MovingPoints m;
  for (Vec3& x : m.x0) x = random_point(random);
  for (Vec3& x : m.x1) x = random_point(random);
  return m;
}

// Whole coordinates from -2 to 2: full of coplanar, parallel, touching and motionless cases.
MovingPoints lattice_motion(Random& random) {
  MovingPoints m;
  const auto whole = [&random] { return static_cast<double>(random.next() % 5) - 2; };
  for (Vec3& x : m.x0) x = Vec3(whole(), whole(), whole());
  for (Vec3& x : m.x1) x = Vec3(whole(), whole(), whole());
  return m;
}

// The same with everything in the plane z = 0.
MovingPoints planar_lattice_motion(Random& random) {
  MovingPoints m = lattice_motion(random);
  for (Vec3& x : m.x0) x[2] = 0;
  for (Vec3& x : m.x1) x[2] = 0;
  return m;
}

// Small steps of large primitives, as in a simulation.
MovingPoints small_motion(Random& random) {
  MovingPoints m = uniform_motion(random);
  for (int k = 0; k < 4; ++k) m.x1[k] = m.x0[k] + random_point(random, 0.05);
  return m;
}

// The weights w of a point of the face (or of both edges) times the points: the difference that must vanish in a
// contact.
using Weights = std::array<double, 4>;
Weights random_weights(Random& random, bool edges, double low, double high) {
  const double s = random.uniform(low, high), t = random.uniform(low, high);
  if (edges) return {1 - s, s, t - 1, -t};
  return {1, -(1 - s - t), -s, -t};
}

// Moves point 0's path so that at a time inside (0, 1) the points with these weights are `offset` apart.
MovingPoints with_meeting(MovingPoints m, const Weights& w, double time, const Vec3& offset) {
  Vec3 difference = Vec3::Zero();
  for (int k = 0; k < 4; ++k) difference += w[k] * ((1 - time) * m.x0[k] + time * m.x1[k]);
  const Vec3 shift = (offset - difference) / w[0];
  m.x0[0] += shift;
  m.x1[0] += shift;
  return m;
}

// Passes by the border of the face or the end of an edge at a distance of 1e-1 to 1e-12, on this side or on that.
MovingPoints near_miss(Random& random, bool edges) {
  Weights w = random_weights(random, edges, 0.1, 0.45);
  const double beyond = std::pow(10.0, random.uniform(-12, -1)) * (random.next() % 2 ? 1 : -1);
  w = edges ? Weights{w[0], w[1], beyond, -1 - beyond} : Weights{1, w[1] + w[2] - beyond, beyond, w[3]};
  if (!edges) w[1] = -(1 + w[2] + w[3]);
  return with_meeting(uniform_motion(random), w, random.uniform(0.1, 0.9), Vec3::Zero());
}

// Slides along at a distance of 1e-1 to 1e-12: all relative motion is in the plane of face or edges, or nearly so.
MovingPoints grazing(Random& random, bool edges) {
  MovingPoints m = uniform_motion(random);
  const Vec3 n = (edges ? (m.x0[1] - m.x0[0]).cross(m.x0[3] - m.x0[2]) : (m.x0[2] - m.x0[1]).cross(m.x0[3] - m.x0[1]))
                     .normalized();
  const Vec3 common = random_point(random);
  for (int k = 0; k < 4; ++k) {
    const Vec3 step = random_point(random);
    m.x1[k] = m.x0[k] + common + step - n * n.dot(step) + n * random.uniform(-1e-9, 1e-9);
  }
  const Vec3 offset = n * std::pow(10.0, random.uniform(-12, -1));
  return with_meeting(m, random_weights(random, edges, 0.1, 0.45), random.uniform(0.1, 0.9), offset);
}

MovingPoints scaled(MovingPoints m, double factor, const Vec3& shift) {
  for (Vec3& x : m.x0) x = factor * x + shift;
  for (Vec3& x : m.x1) x = factor * x + shift;
  return m;
}

constexpr int kinds = 8;
const char* const kind_names[kinds] = {"uniform",         "small steps",     "near miss", "grazing",
                                       "scale 1e-6..1e6", "1e6 from origin", "lattice",   "planar lattice"};

MovingPoints motion(Random& random, int kind, bool edges) {
  switch (kind) {
    case 0:
      return uniform_motion(random);
    case 1:
      return small_motion(random);
    case 2:
      return near_miss(random, edges);
    case 3:
      return grazing(random, edges);
    case 4:
      return scaled(near_miss(random, edges), std::pow(10.0, random.uniform(-6, 6)), Vec3::Zero());
    case 5:
      return scaled(near_miss(random, edges), 1, random_point(random, 1e6));
    case 6:
      return lattice_motion(random);
    default:
      return planar_lattice_motion(random);
  }
}

void compare(bool edges) {
  constexpr int each = 10000;
  for (int kind = 0; kind < kinds; ++kind) {
    Random random(100 + kind);
    int free = 0, alarms = 0, longest = 0, late = 0, far_early = 0;
    for (int i = 0; i < each; ++i) {
      const MovingPoints m = motion(random, kind, edges);
      const reference::FirstContact truth = edges ? reference::edge_edge(m) : reference::vertex_face(m);
      const ContinuousResult result = edges ? edge_edge_collision(m) : vertex_face_collision(m);
      longest = std::max(longest, result.samples);
      if (truth.hit) {
        ASSERT_TRUE(result.hit) << kind_names[kind] << " " << i;
        late += result.time > truth.not_after;
        far_early += result.time < truth.not_before - 1e-4;
      } else {
        ++free;
        alarms += result.hit;
      }
    }
    std::cout << kind_names[kind] << ": " << each - free << " hits, " << free << " free, " << alarms
              << " false alarms, " << far_early << " dated early, longest search " << longest << " samples\n";
    EXPECT_EQ(late, 0) << kind_names[kind];
    EXPECT_GT(each - free, each / 100) << kind_names[kind] << ": too few contacts to say anything";
    EXPECT_LE(alarms, 0.02 * free) << kind_names[kind];
    EXPECT_LE(far_early, 0.01 * each) << kind_names[kind];
  }
}

TEST(ContinuousSoup, VertexFaceMissesNothing) {
  compare(false);
}

TEST(ContinuousSoup, EdgeEdgeMissesNothing) {
  compare(true);
}

}  // namespace
}  // namespace sim
