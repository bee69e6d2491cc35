#include "mesh/columns.hpp"

#include <algorithm>
#include <cmath>

namespace sim {

namespace {

constexpr double shift_x = 0.47, shift_y = 0.53;  // of the spacing: clear of edges along the axes and diagonals
constexpr double most_columns = 4e6;

Range range(double first, double spacing, Index count, double low, double high) {
  const auto index = [&](double value) { return std::clamp(value, 0.0, static_cast<double>(count)); };
  return {static_cast<Index>(index(std::ceil((low - first) / spacing))),
          static_cast<Index>(index(std::floor((high - first) / spacing) + 1))};
}

// Which side of the edge the column is on; the same answer for both triangles of the edge, with the other sign.
bool is_left(const Mesh& mesh, Index from, Index to, double x, double y) {
  const bool turned = from > to;
  if (turned) std::swap(from, to);
  const Vec3 &a = mesh.vertices[from], &b = mesh.vertices[to];
  const bool left = (b[0] - a[0]) * (y - a[1]) - (b[1] - a[1]) * (x - a[0]) > 0;
  return turned ? !left : left;
}

void add_crossings(const Mesh& surface, const Triangle& t, Columns& columns) {
  const Vec3 &a = surface.vertices[t[0]], &b = surface.vertices[t[1]], &c = surface.vertices[t[2]];
  const Vec3 low = a.cwiseMin(b).cwiseMin(c), high = a.cwiseMax(b).cwiseMax(c);
  const Vec3 normal = (b - a).cross(c - a);
  if (normal[2] == 0) return;
  const Range in_x = columns.range_x(low[0], high[0]), in_y = columns.range_y(low[1], high[1]);
  for (Index j = in_y.begin; j < in_y.end; ++j) {
    for (Index i = in_x.begin; i < in_x.end; ++i) {
      const double x = columns.x_of(i), y = columns.y_of(j);
      const bool first = is_left(surface, t[0], t[1], x, y);
      if (first != is_left(surface, t[1], t[2], x, y) || first != is_left(surface, t[2], t[0], x, y)) continue;
      const double z = a[2] - (normal[0] * (x - a[0]) + normal[1] * (y - a[1])) / normal[2];
      const auto column =
          static_cast<std::size_t>(i) + static_cast<std::size_t>(columns.count_x) * static_cast<std::size_t>(j);
      columns.crossings[column].push_back(std::clamp(z, low[2], high[2]));
    }
  }
}

}  // namespace

Range Columns::range_x(double low, double high) const {
  return range(x, spacing, count_x, low, high);
}

Range Columns::range_y(double low, double high) const {
  return range(y, spacing, count_y, low, high);
}

Columns make_columns(const Mesh& surface, double spacing) {
  Vec3 low = surface.vertices.front(), high = low;
  for (const Vec3& vertex : surface.vertices) {
    low = low.cwiseMin(vertex);
    high = high.cwiseMax(vertex);
  }
  const Vec3 size = high - low;
  spacing = std::max(spacing, std::sqrt(size[0] * size[1] / most_columns));
  Columns columns{low[0] + shift_x * spacing,
                  low[1] + shift_y * spacing,
                  spacing,
                  static_cast<Index>(size[0] / spacing) + 1,
                  static_cast<Index>(size[1] / spacing) + 1,
                  {}};
  columns.crossings.resize(static_cast<std::size_t>(columns.count_x) * static_cast<std::size_t>(columns.count_y));
  for (const Triangle& t : surface.triangles) add_crossings(surface, t, columns);
  for (std::vector<double>& one : columns.crossings) std::sort(one.begin(), one.end());
  return columns;
}

double inside(const std::vector<double>& crossings, double low, double high) {
  double sum = 0;
  for (std::size_t k = 0; k + 1 < crossings.size(); k += 2)
    sum += std::max(0.0, std::min(crossings[k + 1], high) - std::max(crossings[k], low));
  return sum;
}

}  // namespace sim
