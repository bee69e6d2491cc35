#include "geometry/motions.hpp"

#include <Eigen/Geometry>
#include <cmath>

namespace sim::reference {

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

// A small step of primitives that are near each other, as in a simulation.
MovingPoints small_step_motion(Random& random, bool edges) {
  MovingPoints m = uniform_motion(random);
  for (int k = 0; k < 4; ++k) m.x1[k] = m.x0[k] + random_point(random, 0.05);
  return with_meeting(m, random_weights(random, edges, -0.2, 1.2), random.uniform(-0.5, 1.5),
                      random_point(random, 0.01));
}

// Passes by the border of the face or the end of an edge at a distance of 1e-1 to 1e-12, on this side or on that.
MovingPoints near_miss_motion(Random& random, bool edges) {
  Weights w = random_weights(random, edges, 0.1, 0.45);
  const double beyond = std::pow(10.0, random.uniform(-12, -1)) * (random.next() % 2 ? 1 : -1);
  w = edges ? Weights{w[0], w[1], beyond, -1 - beyond} : Weights{1, w[1] + w[2] - beyond, beyond, w[3]};
  if (!edges) w[1] = -(1 + w[2] + w[3]);
  return with_meeting(uniform_motion(random), w, random.uniform(0.1, 0.9), Vec3::Zero());
}

// Slides along at a distance of 1e-1 to 1e-12: all relative motion is in the plane of face or edges, or nearly so.
MovingPoints grazing_motion(Random& random, bool edges) {
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

}  // namespace

const char* name_of(int kind) {
  constexpr const char* names[motion_kinds] = {"uniform",         "small steps",     "near miss", "grazing",
                                               "scale 1e-6..1e6", "1e6 from origin", "lattice",   "planar lattice"};
  return names[kind];
}

MovingPoints random_motion(Random& random, int kind, bool edges) {
  switch (kind) {
    case uniform:
      return uniform_motion(random);
    case small_steps:
      return small_step_motion(random, edges);
    case near_miss:
      return near_miss_motion(random, edges);
    case grazing:
      return grazing_motion(random, edges);
    case all_scales:
      return scaled(near_miss_motion(random, edges), std::pow(10.0, random.uniform(-6, 6)), Vec3::Zero());
    case far_from_origin:
      return scaled(near_miss_motion(random, edges), 1, random_point(random, 1e6));
    case lattice:
      return lattice_motion(random);
    default:
      return planar_lattice_motion(random);
  }
}

}  // namespace sim::reference
