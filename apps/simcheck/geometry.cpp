#include "geometry.hpp"

#include <algorithm>

#include "collide/distance.hpp"
#include "collide/intersections.hpp"
#include "mesh/mesh.hpp"

namespace simcheck {

namespace {

constexpr std::size_t most_triangles_kept = 5;  // of a pair of objects in a frame

double six_volume(const sim::Tet& tet, const auto& position) {
  return sim::six_volume(position(tet[0]), position(tet[1]), position(tet[2]), position(tet[3]));
}

sim::Vec3 weighted(const sim::EmbeddedVertex& point, const std::array<sim::Vec3, 4>& corners) {
  sim::Vec3 sum = sim::Vec3::Zero();
  for (std::size_t k = 0; k < 4; ++k) sum += point.weights[k] * corners[k];
  return sum;
}

std::array<sim::Vec3, 4> at_corners(const sim::EmbeddedVertex& point, const sim::VecX& values) {
  std::array<sim::Vec3, 4> all;
  for (std::size_t k = 0; k < 4; ++k) all[k] = sim::block(values, point.corners[k]);
  return all;
}

}  // namespace

double misplacement(const sim::EmbeddedVertex& point, const std::array<sim::Vec3, 4>& corners,
                    const sim::Vec3& place) {
  double longest = 0;
  for (std::size_t k = 0; k < 4; ++k) {
    for (std::size_t l = 0; l < k; ++l) longest = std::max(longest, (corners[k] - corners[l]).norm());
  }
  return relative((place - weighted(point, corners)).norm(), longest);
}

Overlaps overlaps_of(const Subject& subject, const sim::VecX& x) {
  Overlaps finding;
  const auto pairs = sim::find_overlaps(subject.surface, x);
  const sim::ObjectIntersections* between_two = nullptr;
  for (const sim::ObjectIntersections& pair : pairs) {
    ObjectPairFinding found{pair.object_a,
                            pair.object_b,
                            pair.inner,
                            static_cast<std::int64_t>(pair.triangles.size()),
                            pair.depth,
                            pair.only_in_one_plane() ? 0 : pair.way_out.norm(),
                            {}};
    if (pair.object_a == pair.object_b) found.way_out = unknown;
    for (std::size_t i = 0; i < std::min(pair.triangles.size(), most_triangles_kept); ++i)
      found.triangles.push_back({pair.triangles[i].a, pair.triangles[i].b});
    finding.intersections += found.count;
    finding.objects.push_back(std::move(found));
    if (pair.object_a != pair.object_b && between_two == nullptr) between_two = &pair;
  }
  if (between_two != nullptr) {
    finding.distance = 0;
    finding.nearest_a = between_two->object_a;
    finding.nearest_b = between_two->object_b;
    return finding;
  }
  const sim::SurfaceDistance nearest = sim::smallest_distance(subject.surface, x);
  if (nearest.a < 0) return finding;
  finding.distance = nearest.distance;
  finding.nearest_a = subject.surface.object_of_triangle(nearest.a);
  finding.nearest_b = subject.surface.object_of_triangle(nearest.b);
  return finding;
}

// Not of tets that have no volume at rest: a run refuses them.
Volumes volumes_of(const Subject& subject, const sim::VecX& x) {
  Volumes found;
  for (std::size_t k = 0; k < subject.objects.size(); ++k) {
    const sim::ResultObject& object = subject.objects[k];
    if (object.type != "deformable") continue;
    for (sim::Index t = object.tets.begin; t < object.tets.end; ++t) {
      const sim::Tet& tet = subject.rest.tets[t];
      const double rest = six_volume(tet, [&](sim::Index v) { return subject.rest.vertices[v]; });
      if (!(rest > 0)) continue;
      const double ratio = six_volume(tet, [&](sim::Index v) -> sim::Vec3 { return sim::block(x, v); }) / rest;
      found.inverted += ratio > 0 ? 0 : 1;
      if (ratio >= found.smallest) continue;
      found.smallest = ratio;
      found.object = static_cast<sim::Index>(k);
      found.tet = t - object.tets.begin;
    }
  }
  return found;
}

Misplaced misplaced_of(const Subject& subject, const Frame& frame) {
  Misplaced worst;
  for (const sim::EmbeddedVertex& point : subject.rest.embedded) {
    double off = misplacement(point, at_corners(point, frame.x), sim::block(frame.x, point.vertex));
    if (frame.v.size() > 0) {
      const auto corners = at_corners(point, frame.v);
      double fastest = 0;
      for (const sim::Vec3& v : corners) fastest = std::max(fastest, v.norm());
      off = std::max(off, relative((sim::block(frame.v, point.vertex) - weighted(point, corners)).norm(), fastest));
    }
    if (worst.vertex < 0 || off > worst.relative) worst = {off, point.vertex};
  }
  return worst;
}

}  // namespace simcheck
