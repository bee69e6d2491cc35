// The common points of two triangles are a polytope in the six weights of their corners,
//     sum_i alpha_i a_i = sum_j beta_j b_j,   sum alpha = sum beta = 1,   alpha, beta >= 0.
// Its corners are the solutions whose positive weights belong to linearly independent columns: try all sets of
// columns. An inside meets the other's inside where all six weights can be positive at once, so where each is in some
// corner.
#include <gmpxx.h>

#include <optional>

#include "geometry/rational_reference.hpp"

namespace sim::reference {

namespace {

using Rational = mpq_class;
using Row = std::vector<Rational>;
using Point = std::array<Rational, 3>;

Point exact(const Vec3& p) {
  return {Rational(p[0]), Rational(p[1]), Rational(p[2])};
}

// The only solution of the system [columns | right side], or nothing where there is none or more than one.
std::optional<Row> solve(std::vector<Row> rows, int unknowns) {
  int done = 0;
  for (int c = 0; c < unknowns; ++c) {
    int pivot = done;
    while (pivot < static_cast<int>(rows.size()) && rows[pivot][c] == 0) ++pivot;
    if (pivot == static_cast<int>(rows.size())) return {};
    std::swap(rows[pivot], rows[done]);
    for (int r = 0; r < static_cast<int>(rows.size()); ++r) {
      if (r == done || rows[r][c] == 0) continue;
      const Rational factor = rows[r][c] / rows[done][c];
      for (int k = c; k <= unknowns; ++k) rows[r][k] -= factor * rows[done][k];
    }
    ++done;
  }
  for (int r = done; r < static_cast<int>(rows.size()); ++r) {
    if (rows[r][unknowns] != 0) return {};
  }
  Row x(unknowns);
  for (int c = 0; c < unknowns; ++c) x[c] = rows[c][unknowns] / rows[c][c];
  return x;
}

// The corners of { x >= 0 : A x = right side } for A given by columns.
std::vector<Row> corners(const std::vector<Row>& columns, const Row& right) {
  std::vector<Row> result;
  const int n = static_cast<int>(columns.size());
  for (unsigned set = 1; set < (1U << n); ++set) {
    std::vector<int> chosen;
    for (int c = 0; c < n; ++c) {
      if ((set >> c) & 1U) chosen.push_back(c);
    }
    std::vector<Row> rows(right.size());
    for (std::size_t r = 0; r < right.size(); ++r) {
      for (const int c : chosen) rows[r].push_back(columns[c][r]);
      rows[r].push_back(right[r]);
    }
    const std::optional<Row> x = solve(std::move(rows), static_cast<int>(chosen.size()));
    if (!x) continue;
    Row full(n, 0);
    bool feasible = true;
    for (std::size_t k = 0; k < chosen.size(); ++k) {
      full[chosen[k]] = (*x)[k];
      feasible = feasible && (*x)[k] >= 0;
    }
    if (feasible) result.push_back(std::move(full));
  }
  return result;
}

bool in_hull(const Point& p, const std::vector<Point>& hull) {
  std::vector<Row> columns;
  for (const Point& h : hull) columns.push_back({h[0], h[1], h[2], 1});
  return !hull.empty() && !corners(columns, {p[0], p[1], p[2], 1}).empty();
}

}  // namespace

TriangleMeeting triangles(const TriangleCorners& a, const TriangleCorners& b, const std::vector<int>& shared) {
  std::vector<Row> columns;
  for (const Vec3& x : a) columns.push_back({x[0], x[1], x[2], 1, 0});
  for (const Vec3& x : b) columns.push_back({-x[0], -x[1], -x[2], 0, 1});
  std::vector<Point> hull;
  for (const int k : shared) hull.push_back(exact(a[k]));

  std::array<bool, 6> positive{};
  bool any = false;
  for (const Row& weights : corners(columns, {0, 0, 0, 1, 1})) {
    Point p;
    for (int k = 0; k < 6; ++k) {
      positive[k] = positive[k] || weights[k] > 0;
      for (int c = 0; c < 3 && k < 3; ++c) p[c] += weights[k] * columns[k][c];
    }
    any = any || !in_hull(p, hull);
  }
  if (!any) return TriangleMeeting::disjoint;
  for (const bool inside : positive) {
    if (!inside) return TriangleMeeting::touching;
  }
  std::array<Vec3, 6> all{a[0], a[1], a[2], b[0], b[1], b[2]};
  for (int i = 0; i < 6; ++i) {
    for (int j = i + 1; j < 6; ++j) {
      for (int k = j + 1; k < 6; ++k) {
        for (int m = k + 1; m < 6; ++m) {
          if (orientation(all[i], all[j], all[k], all[m]) != 0) return TriangleMeeting::crossing;
        }
      }
    }
  }
  return TriangleMeeting::overlapping;
}

}  // namespace sim::reference
