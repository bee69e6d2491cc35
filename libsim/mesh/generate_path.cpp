#include <cmath>

#include "math/error.hpp"
#include "mesh/generate.hpp"
#include "mesh/lattice.hpp"

namespace sim {

namespace {

// Points at equal distances along the line, both ends among them.
std::vector<Vec3> along(const std::vector<Vec3>& points, Index segments, const char* shape) {
  std::vector<double> until{0};  // m, from the start to each point
  for (std::size_t i = 1; i < points.size(); ++i) until.push_back(until.back() + (points[i] - points[i - 1]).norm());
  if (!(until.back() > 0) || !std::isfinite(until.back()))
    throw InputError(std::string("points of the ") + shape + ": expected at least two, at different places");
  std::vector<Vec3> places;
  std::size_t next = 1;
  for (Index i = 0; i <= segments; ++i) {
    const double way = until.back() * i / segments;
    while (next + 1 < points.size() && until[next] < way) ++next;
    const double length = until[next] - until[next - 1];
    const double part = length > 0 ? std::min(1.0, (way - until[next - 1]) / length) : 0;
    places.push_back(i == segments ? points.back() : Vec3((1 - part) * points[next - 1] + part * points[next]));
  }
  return places;
}

}  // namespace

Mesh generate(const PathShape& shape) {
  expect_at_least("segments of the path", shape.segments, 1);
  expect_countable("the path", shape.segments);
  Mesh mesh;
  mesh.vertices = along(shape.points, shape.segments, "path");
  for (Index i = 0; i < shape.segments; ++i) mesh.triangles.push_back({i, i + 1, i + 1});
  return mesh;
}

Mesh generate(const RibbonShape& shape) {
  expect_at_least("segments of the ribbon", shape.segments, 1);
  expect_at_least("cells of the ribbon", shape.cells, 1);
  expect_positive("width of the ribbon", shape.width);
  expect_positive("length of the ribbon's direction across", shape.across.norm());
  expect_countable("the ribbon", 2.0 * shape.segments * shape.cells);
  const Vec3 half = 0.5 * shape.width * shape.across.normalized();
  const Index n = shape.cells;
  Mesh mesh;
  for (const Vec3& middle : along(shape.points, shape.segments, "ribbon")) {
    for (Index j = 0; j <= n; ++j) mesh.vertices.push_back(middle + (2.0 * j - n) / n * half);
  }
  for (Index i = 0; i < shape.segments; ++i) {
    for (Index j = 0; j < n; ++j) {
      const Index a = i * (n + 1) + j, b = a + n + 1, c = a + 1, d = b + 1;
      const bool rising = (i + j) % 2 == 0;
      mesh.triangles.push_back(rising ? Triangle{a, b, d} : Triangle{a, b, c});
      mesh.triangles.push_back(rising ? Triangle{a, d, c} : Triangle{b, d, c});
    }
  }
  return mesh;
}

}  // namespace sim
