#include <algorithm>
#include <cmath>

#include "mesh/check.hpp"
#include "mesh/generate.hpp"
#include "mesh/lattice.hpp"
#include "mesh/surface.hpp"

namespace sim {

namespace {

// The disc of radius 1: the centre, then rings from inside to outside.
struct Disc {
  std::vector<std::array<double, 2>> points;
  std::vector<Triangle> triangles;
  Index rings = 1;
};

// Both rings start at angle 0. The next triangle stands on the edge, of either ring, whose middle comes first.
void stitch(Index inner_begin, Index inner, Index outer_begin, Index outer, std::vector<Triangle>& triangles) {
  std::int64_t i = 0, o = 0;
  while (i < inner || o < outer) {
    const Index at_inner = inner_begin + static_cast<Index>(i % inner);
    const Index at_outer = outer_begin + static_cast<Index>(o % outer);
    if ((2 * o + 1) * inner <= (2 * i + 1) * outer) {
      ++o;
      triangles.push_back({at_inner, at_outer, outer_begin + static_cast<Index>(o % outer)});
    } else {
      ++i;
      triangles.push_back({at_inner, at_outer, inner_begin + static_cast<Index>(i % inner)});
    }
  }
}

// Six segments a ring make triangles that are nearly equilateral.
Disc disc(Index segments) {
  Disc result;
  result.rings = std::max<Index>(1, (segments + 3) / 6);
  const auto count = [&](std::int64_t ring) {
    return static_cast<Index>((2 * ring * segments + result.rings) / (2 * result.rings));
  };
  result.points.push_back({0, 0});
  Index inner_begin = 0;
  for (Index ring = 1; ring <= result.rings; ++ring) {
    const auto begin = static_cast<Index>(result.points.size());
    const double radius = static_cast<double>(ring) / result.rings;
    for (Index k = 0; k < count(ring); ++k) {
      const auto [c, s] = circle_point(k, count(ring));
      result.points.push_back({radius * c, radius * s});
    }
    if (ring == 1) {
      for (Index k = 0; k < count(1); ++k) result.triangles.push_back({0, begin + k, begin + (k + 1) % count(1)});
    } else {
      stitch(inner_begin, count(ring - 1), begin, count(ring), result.triangles);
    }
    inner_begin = begin;
  }
  return result;
}

}  // namespace

Mesh generate(const CylinderShape& shape) {
  expect_positive("radius of the cylinder", shape.radius);
  expect_positive("length of the cylinder", shape.length);
  expect_at_least("segments of the cylinder", shape.segments, 3);
  const double rings = std::floor((shape.segments + 3.0) / 6);
  const double wanted_layers = std::round(shape.length / shape.radius * std::max(1.0, rings));
  expect_countable("the cylinder", 3 * std::max(1.0, wanted_layers) * shape.segments * std::max(1.0, rings));

  const Disc flat = disc(shape.segments);
  const auto layers = static_cast<Index>(std::max(1.0, wanted_layers));
  const auto per_layer = static_cast<Index>(flat.points.size());
  Mesh mesh;
  for (Index k = 0; k <= layers; ++k) {
    const double z = shape.length * ((2.0 * k - layers) / (2.0 * layers));
    for (const auto& [x, y] : flat.points) mesh.vertices.emplace_back(shape.radius * x, shape.radius * y, z);
  }
  // Each wall of a prism is cut from its lower vertex below to its higher vertex above, so neighbours match.
  for (Index k = 0; k < layers; ++k) {
    for (Triangle t : flat.triangles) {
      std::sort(t.begin(), t.end());
      for (Index& v : t) v += k * per_layer;
      const auto& [a, b, c] = t;
      mesh.tets.push_back({a, b, c, c + per_layer});
      mesh.tets.push_back({a, b, b + per_layer, c + per_layer});
      mesh.tets.push_back({a, a + per_layer, b + per_layer, c + per_layer});
    }
  }
  orient_tets(mesh);
  mesh.triangles = extract_surface(mesh.tets);
  return mesh;
}

}  // namespace sim
