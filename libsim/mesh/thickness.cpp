#include "mesh/thickness.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "mesh/surface.hpp"

namespace sim {

namespace {

// Where `at` lies in ascending `places`: the place before it, and the part of the way to the next; no further than
// both ends.
struct Between {
  std::size_t low;
  double part;
};

Between between(std::span<const double> places, double at) {
  std::size_t low = 0;
  while (low + 2 < places.size() && at > places[low + 1]) ++low;
  return {low, std::clamp((at - places[low]) / (places[low + 1] - places[low]), 0.0, 1.0)};
}

// The middle one; changes their order.
double median(std::vector<double>& values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

// Of a box those of its faces: the normal of the largest triangle, and of the largest one across it.
Mat3 axes_of_faces(std::span<const Triangle> surface, std::span<const Vec3> vertices) {
  constexpr double across = 0.1;  // the most that the second normal has of the first
  Vec3 first = Vec3::Zero(), second = Vec3::Zero();
  for (const bool is_first : {true, false}) {
    Vec3& largest = is_first ? first : second;
    for (const Triangle& t : surface) {
      const Vec3 x = vertices[t[0]], area = (vertices[t[1]] - x).cross(vertices[t[2]] - x);
      const bool counts = is_first || std::abs(area.dot(first)) <= across * area.norm() * first.norm();
      if (counts && area.squaredNorm() > largest.squaredNorm() * (1 + 1e-9)) largest = area;
    }
  }
  if (second.isZero(0)) return Mat3::Identity();
  const Vec3 a = first.normalized(), b = (second - second.dot(a) * a).normalized();
  Mat3 axes;
  axes << a, b, a.cross(b);
  return axes;
}

}  // namespace

int cells_across(std::span<const Tet> tets) {
  Index count = 0;
  for (const Tet& tet : tets) count = std::max(count, *std::max_element(tet.begin(), tet.end()) + 1);
  std::vector<int> depth(static_cast<std::size_t>(count), -1);  // edges to the surface
  for (const Triangle& triangle : extract_surface(tets)) {
    for (const Index v : triangle) depth[v] = 0;
  }
  bool any_deeper = true;
  int deepest = 0;
  while (any_deeper) {
    any_deeper = false;
    for (const Tet& tet : tets) {
      if (std::none_of(tet.begin(), tet.end(), [&](Index v) { return depth[v] == deepest; })) continue;
      for (const Index v : tet) {
        if (depth[v] >= 0) continue;
        depth[v] = deepest + 1;
        any_deeper = true;
      }
    }
    deepest += any_deeper ? 1 : 0;
  }
  const bool is_odd = std::any_of(tets.begin(), tets.end(), [&](const Tet& tet) {
    return std::all_of(tet.begin(), tet.end(), [&](Index v) { return depth[v] == deepest; });
  });
  return 2 * deepest + (is_odd ? 1 : 0);
}

double cell_length(std::span<const Tet> tets, std::span<const Vec3> vertices) {
  std::vector<double> slenderness;  // longest edge over smallest height
  slenderness.reserve(tets.size());
  for (const Tet& tet : tets) {
    double edge = 0, face = 0;  // the largest squared, and twice an area squared
    for (int a = 0; a < 4; ++a) {
      const Vec3 x = vertices[tet[a]], y = vertices[tet[(a + 1) % 4]], z = vertices[tet[(a + 2) % 4]];
      edge = std::max({edge, (y - x).squaredNorm(), (z - x).squaredNorm()});
      face = std::max(face, (y - x).cross(z - x).squaredNorm());
    }
    const Vec3 x = vertices[tet[0]];
    const double volume =
        std::abs((vertices[tet[1]] - x).cross(vertices[tet[2]] - x).dot(vertices[tet[3]] - x));  // six of them
    slenderness.push_back(std::sqrt(edge * face) / volume);
  }
  if (slenderness.empty()) return 1;
  const double q = median(slenderness);
  return std::sqrt(std::max(1.0, q * q / 2 - 2));
}

BendingCells bending_cells(std::span<const Tet> tets, std::span<const Vec3> vertices) {
  constexpr double full = 0.7;            // of its box: straight; a round rod has 0.785
  constexpr double nearly_as_long = 0.5;  // of the longest axis
  const Mat3 axes = axes_of_faces(extract_surface(tets), vertices);
  const Vec3 none = Vec3::Constant(std::numeric_limits<double>::infinity());
  Vec3 low = none, high = -none;
  double volume = 0;
  std::array<std::vector<double>, 3> reach;  // of the tets along each axis
  for (const Tet& tet : tets) {
    Vec3 first = none, last = -none;
    for (const Index v : tet) {
      const Vec3 x = axes.transpose() * (vertices[v] - vertices[tets[0][0]]);
      first = first.cwiseMin(x);
      last = last.cwiseMax(x);
    }
    for (int k = 0; k < 3; ++k) reach[k].push_back(last[k] - first[k]);
    low = low.cwiseMin(first);
    high = high.cwiseMax(last);
    const Vec3 x = vertices[tet[0]];
    volume += (vertices[tet[1]] - x).cross(vertices[tet[2]] - x).dot(vertices[tet[3]] - x) / 6;
  }
  const Vec3 size = high - low;
  if (!(volume >= full * size.prod())) return {cells_across(tets), cell_length(tets, vertices), false};
  const Vec3 cell(median(reach[0]), median(reach[1]), median(reach[2]));
  std::array<int, 3> by_size = {0, 1, 2};
  std::sort(by_size.begin(), by_size.end(), [&](int a, int b) { return size[a] < size[b]; });
  const auto [thin, wide, long_one] = by_size;
  const double along =
      size[wide] >= nearly_as_long * size[long_one] ? std::min(cell[wide], cell[long_one]) : cell[long_one];
  return {std::max(1, static_cast<int>(std::lround(size[thin] / cell[thin]))), std::max(1.0, along / cell[thin]),
          true};
}

double bending_excess(int cells, double poisson, double length) {
  constexpr std::array<double, 9> poissons = {0.2, 0.3, 0.4, 0.45, 0.47, 0.48, 0.49, 0.495, 0.499};
  constexpr std::array<int, 6> measured_cells = {1, 2, 3, 4, 6, 8};
  constexpr double measured[6][9] = {{4.10, 4.52, 6.04, 8.99, 12.55, 16.50, 25.93, 38.14, 64.18},
                                     {1.84, 1.99, 2.46, 3.35, 4.47, 5.80, 9.44, 15.67, 41.83},
                                     {1.39, 1.47, 1.70, 2.14, 2.69, 3.34, 5.15, 8.46, 26.78},
                                     {1.23, 1.27, 1.42, 1.69, 2.02, 2.40, 3.49, 5.51, 18.10},
                                     {1.10, 1.13, 1.20, 1.34, 1.50, 1.69, 2.22, 3.20, 9.85},
                                     {1.06, 1.08, 1.13, 1.21, 1.30, 1.42, 1.74, 2.33, 6.38}};
  std::array<double, poissons.size()> stiffness;  // K over G, up to a factor
  for (std::size_t i = 0; i < poissons.size(); ++i) stiffness[i] = 1 / (1 - 2 * poissons[i]);
  const Between column = between(stiffness, poisson < 0.5 ? 1 / (1 - 2 * poisson) : stiffness.back());
  const auto excess = [&](std::size_t row) {
    return measured[row][column.low] + column.part * (measured[row][column.low + 1] - measured[row][column.low]);
  };
  std::size_t row = 0;
  while (row + 1 < measured_cells.size() && measured_cells[row + 1] <= cells) ++row;
  const auto fineness = [](int n) { return 1.0 / (n * n); };
  const double finer = row + 1 < measured_cells.size() ? fineness(measured_cells[row + 1]) : 0;
  const double at_finer = row + 1 < measured_cells.size() ? excess(row + 1) : 1;
  const double part = (fineness(cells) - finer) / (fineness(measured_cells[row]) - finer);
  const double of_cubes = at_finer + part * (excess(row) - at_finer);
  return of_cubes + 1.5 * (length * length - 1) / (cells * cells * (1 + poisson));
}

}  // namespace sim
