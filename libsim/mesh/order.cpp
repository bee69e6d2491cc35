#include "mesh/order.hpp"

#include <algorithm>
#include <cstdint>
#include <numeric>

namespace sim {

namespace {

// Spreads the low 16 bits so that two zeros follow each.
std::uint64_t spread(std::uint64_t x) {
  x = (x | x << 16U) & 0x0000'ff00'00ffULL;
  x = (x | x << 8U) & 0x00f0'0f00'f00fULL;
  x = (x | x << 4U) & 0x0c30'c30c'30c3ULL;
  return (x | x << 2U) & 0x2492'4924'9249ULL;
}

// The order along the curve of points in the cube at `low` whose edge is `edge`; ties keep their order.
std::vector<Index> curve_order(const std::vector<Vec3>& points, std::size_t first, const Vec3& low, double edge) {
  std::vector<std::uint64_t> code(points.size());
  for (std::size_t i = first; i < points.size(); ++i) {
    for (unsigned axis = 0; axis < 3; ++axis) {
      const double steps = edge > 0 ? (points[i][axis] - low[axis]) / edge * 65535.0 : 0.0;
      code[i] |= spread(static_cast<std::uint64_t>(steps)) << axis;
    }
  }
  std::vector<Index> order(points.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin() + static_cast<std::ptrdiff_t>(first), order.end(),
                   [&](Index a, Index b) { return code[a] < code[b]; });
  return order;
}

}  // namespace

void order_locally(Mesh& mesh, Index first) {
  if (mesh.vertices.empty()) return;
  Vec3 low = mesh.vertices[0], high = mesh.vertices[0];
  for (const Vec3& x : mesh.vertices) {
    low = low.cwiseMin(x);
    high = high.cwiseMax(x);
  }
  const double edge = (high - low).maxCoeff();

  const std::vector<Index> order = curve_order(mesh.vertices, static_cast<std::size_t>(first), low, edge);
  std::vector<Index> place(order.size());
  std::vector<Vec3> vertices(order.size());
  for (std::size_t i = 0; i < order.size(); ++i) {
    place[order[i]] = static_cast<Index>(i);
    vertices[i] = mesh.vertices[order[i]];
  }
  mesh.vertices = std::move(vertices);
  for (Tet& t : mesh.tets) {
    for (Index& v : t) v = place[v];
  }
  for (Triangle& t : mesh.triangles) {
    for (Index& v : t) v = place[v];
  }

  std::vector<Vec3> centres;
  centres.reserve(mesh.tets.size());
  for (const Tet& t : mesh.tets) {
    const auto& x = mesh.vertices;
    centres.push_back(((x[t[0]] + x[t[1]] + x[t[2]] + x[t[3]]) / 4).cwiseMax(low));
  }
  std::vector<Tet> tets;
  tets.reserve(mesh.tets.size());
  for (const Index i : curve_order(centres, 0, low, edge)) tets.push_back(mesh.tets[i]);
  mesh.tets = std::move(tets);
}

}  // namespace sim
