#include "mesh/t_junctions.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace sim {

namespace {

// Of the edge's length, from its line and from its ends: what files in single precision round coordinates by.
constexpr double on_the_edge = 1e-5;

using Key = std::array<Index, 2>;

std::vector<Index> ends_by_x(const std::vector<Vec3>& vertices, std::span<const Key> edges) {
  std::vector<Index> ends;
  for (const Key& edge : edges) ends.insert(ends.end(), edge.begin(), edge.end());
  std::sort(ends.begin(), ends.end());
  ends.erase(std::unique(ends.begin(), ends.end()), ends.end());
  std::stable_sort(ends.begin(), ends.end(), [&](Index a, Index b) { return vertices[a].x() < vertices[b].x(); });
  return ends;
}

}  // namespace

std::vector<TJunction> find_t_junctions(const std::vector<Vec3>& x, std::span<const Key> open_edges) {
  const std::vector<Index> ends = ends_by_x(x, open_edges);
  std::vector<TJunction> junctions;
  std::vector<std::pair<double, Index>> found;  // along the edge
  for (std::size_t i = 0; i < open_edges.size(); ++i) {
    const auto [a, b] = open_edges[i];
    const Vec3 along = x[b] - x[a];
    const double square = along.squaredNorm(), near = on_the_edge * std::sqrt(square);
    const double low = std::min(x[a].x(), x[b].x()) - near, high = std::max(x[a].x(), x[b].x()) + near;
    found.clear();
    auto place = std::lower_bound(ends.begin(), ends.end(), low, [&](Index v, double to) { return x[v].x() < to; });
    for (; place != ends.end() && x[*place].x() <= high; ++place) {
      const Vec3 from_a = x[*place] - x[a];
      const double t = from_a.dot(along) / square;
      if (!(t > on_the_edge && t < 1 - on_the_edge) || (from_a - t * along).norm() > near) continue;
      found.emplace_back(t, *place);
    }
    if (found.empty()) continue;
    std::sort(found.begin(), found.end());
    junctions.push_back({static_cast<Index>(i), {}});
    for (const auto& [t, vertex] : found) junctions.back().vertices.push_back(vertex);
  }
  return junctions;
}

std::vector<char> explained_by(const std::vector<TJunction>& junctions, std::span<const Key> open_edges) {
  std::vector<Key> pieces;
  std::vector<char> explained(open_edges.size(), 0);
  for (const TJunction& junction : junctions) {
    explained[junction.edge] = 1;
    Index last = open_edges[junction.edge][0];
    for (const Index vertex : junction.vertices) pieces.push_back(ascending(std::exchange(last, vertex), vertex));
    pieces.push_back(ascending(last, open_edges[junction.edge][1]));
  }
  std::sort(pieces.begin(), pieces.end());
  for (std::size_t i = 0; i < open_edges.size(); ++i) {
    if (std::binary_search(pieces.begin(), pieces.end(), ascending(open_edges[i][0], open_edges[i][1])))
      explained[i] = 1;
  }
  return explained;
}

}  // namespace sim
