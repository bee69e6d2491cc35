#include "benchmarks/ring_heap.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

#include "geometry/triangle_intersection.hpp"
#include "math/random.hpp"
#include "mesh/generate.hpp"

namespace sim::benchmark {

namespace {

constexpr double footprint = 0.22;  // m: ring centres are within +- this of the middle of the heap
constexpr double pitch = 0.66;      // m, from heap to heap
constexpr double step = 0.004;      // m
constexpr double ring_reach = 0.11;

struct Ring {
  Vec3 centre;
  std::vector<Vec3> vertices;  // relative to the centre
};

bool intersect(const Ring& a, const Ring& b, const std::vector<Triangle>& triangles) {
  if ((a.centre - b.centre).norm() > 2 * ring_reach) return false;
  for (const Triangle& s : triangles) {
    TriangleCorners p;
    for (int k = 0; k < 3; ++k) p[k] = a.centre + a.vertices[s[k]];
    const Vec3 low = p[0].cwiseMin(p[1]).cwiseMin(p[2]), high = p[0].cwiseMax(p[1]).cwiseMax(p[2]);
    if (((low - b.centre).array() > ring_reach).any() || ((b.centre - high).array() > ring_reach).any()) continue;
    for (const Triangle& t : triangles) {
      TriangleCorners q;
      for (int k = 0; k < 3; ++k) q[k] = b.centre + b.vertices[t[k]];
      const Vec3 q_low = q[0].cwiseMin(q[1]).cwiseMin(q[2]), q_high = q[0].cwiseMax(q[1]).cwiseMax(q[2]);
      if ((q_low.array() > high.array()).any() || (low.array() > q_high.array()).any()) continue;
      if (triangles_intersect(p, q) != TriangleMeeting::disjoint) return true;
    }
  }
  return false;
}

// Lowers the ring until the next 0.06 mm would make it touch the floor or another ring.
void drop(Ring& ring, const std::vector<Ring>& placed, const std::vector<Triangle>& triangles) {
  double lowest = 0;
  for (const Vec3& x : ring.vertices) lowest = std::min(lowest, x[2]);
  const auto blocked = [&] {
    if (ring.centre[2] + lowest < 0) return true;
    return std::any_of(placed.begin(), placed.end(), [&](const Ring& r) { return intersect(ring, r, triangles); });
  };
  double size = step;
  while (size > 5e-5) {
    ring.centre[2] -= size;
    if (!blocked()) continue;
    ring.centre[2] += size;
    size /= 2;
  }
}

Heap assemble(const Mesh& mesh, const std::vector<Ring>& placed, Index copies, Random& random) {
  const auto ring_size = static_cast<Index>(mesh.vertices.size());
  const auto side = static_cast<Index>(std::ceil(std::sqrt(copies)));
  std::vector<Triangle> triangles;
  std::vector<Index> object;
  Heap heap;
  heap.x.resize(3 * Eigen::Index{ring_size} * static_cast<Index>(placed.size()) * copies);
  heap.v.resize(heap.x.size());
  for (Index copy = 0; copy < copies; ++copy) {
    const Vec3 shift(pitch * (copy % side), pitch * (copy / side), 0);
    for (const Ring& ring : placed) {
      const auto first = static_cast<Index>(object.size());
      const Vec3 v = Vec3(random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1)).normalized();
      for (Index i = 0; i < ring_size; ++i) {
        block(heap.x, first + i) = ring.centre + ring.vertices[i] + shift;
        block(heap.v, first + i) = v;
        object.push_back(first / ring_size);
      }
      for (const Triangle& t : mesh.triangles) triangles.push_back({first + t[0], first + t[1], first + t[2]});
    }
  }
  heap.surface = make_surface(triangles, object, std::vector<std::uint8_t>(object.size(), 1));
  return heap;
}

}  // namespace

Heap ring_heap(Index rings, Index copies, std::uint64_t seed) {
  const Mesh mesh = generate(TorusShape{});
  Random random(seed);
  std::vector<Ring> placed;
  double top = 0;
  for (Index i = 0; i < rings; ++i) {
    const auto q = random_quaternion(random);
    const Eigen::Quaterniond turn(q[0], q[1], q[2], q[3]);
    const double x = random.uniform(-footprint, footprint), y = random.uniform(-footprint, footprint);
    Ring ring{{x, y, top + 2 * ring_reach}, {}};
    for (const Vec3& p : mesh.vertices) ring.vertices.push_back(turn * p);
    drop(ring, placed, mesh.triangles);
    top = std::max(top, ring.centre[2]);
    placed.push_back(ring);
  }

  return assemble(mesh, placed, copies, random);
}

Heap ring_stacks() {
  const Mesh mesh = generate(TorusShape{});
  Random random(1);
  std::vector<Ring> placed;
  for (Index i = 0; i < 120; ++i) {
    const Eigen::AngleAxisd turn(random.uniform(0, 6.28), Vec3::UnitZ());
    Ring ring{{0.25 * (i % 4), 0.25 * (i / 4 % 3), (0.04 + 1e-5) * (i / 12)}, {}};
    for (const Vec3& p : mesh.vertices) ring.vertices.push_back(turn * p);
    placed.push_back(ring);
  }
  return assemble(mesh, placed, 1, random);
}

}  // namespace sim::benchmark
