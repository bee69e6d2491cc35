#include "local/inside.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "geometry/closest_points.hpp"

namespace sim {

namespace {

using Cell = std::array<std::int64_t, 3>;

Cell cell_of(const Vec3& point, double size) {
  constexpr double farthest = 1e12;  // cells: what flies off still has one
  Cell cell;
  for (int k = 0; k < 3; ++k)
    cell[k] = static_cast<std::int64_t>(std::clamp(std::floor(point[k] / size), -farthest, farthest));
  return cell;
}

std::size_t hash(const Cell& cell, std::size_t size) {  // the numbers of the paper
  const auto mixed = (static_cast<std::uint64_t>(cell[0]) * 73856093U) ^
                     (static_cast<std::uint64_t>(cell[1]) * 19349663U) ^
                     (static_cast<std::uint64_t>(cell[2]) * 83492791U);
  return static_cast<std::size_t>(mixed % size);
}

struct TetBox {
  Vec3 low, high;
};

TetBox box_of(const Tet& tet, const VecX& x) {
  TetBox box{block(x, tet[0]), block(x, tet[0])};
  for (int k = 1; k < 4; ++k) {
    const Vec3 corner = block(x, tet[k]);
    box.low = box.low.cwiseMin(corner);
    box.high = box.high.cwiseMax(corner);
  }
  return box;
}

double mean_size(const Model& model, const VecX& x) {
  double sum = 0;
  std::size_t count = 0;
  for (const Object& object : model.objects) {
    if (object.type != ObjectType::deformable) continue;
    for (Index t = object.tets.begin; t < object.tets.end; ++t, ++count) {
      const TetBox box = box_of(model.mesh.tets[t], x);
      sum += (box.high - box.low).maxCoeff();
    }
  }
  return count > 0 && sum > 0 ? sum / static_cast<double>(count) : 1;
}

void fill(const Model& model, const VecX& x, HashTable& table) {
  table.cell = mean_size(model, x);
  const std::size_t vertices = model.mesh.vertices.size(), size = vertices + 1;
  const auto place = [&](Index i) { return hash(cell_of(block(x, i), table.cell), size); };
  table.begin.assign(size + 1, 0);
  table.vertices.resize(vertices);
  for (Index i = 0; i < static_cast<Index>(vertices); ++i) ++table.begin[place(i) + 1];
  for (std::size_t k = 0; k < size; ++k) table.begin[k + 1] += table.begin[k];
  std::vector<Index> next(table.begin.begin(), table.begin.end() - 1);
  for (Index i = 0; i < static_cast<Index>(vertices); ++i) table.vertices[next[place(i)]++] = i;
}

bool is_in_tet(const Vec3& p, const Tet& tet, const VecX& x) {
  const Vec3 a = block(x, tet[0]), b = block(x, tet[1]), c = block(x, tet[2]), d = block(x, tet[3]);
  const double whole = six_volume(a, b, c, d);
  if (whole == 0) return false;
  const double sign = whole > 0 ? 1 : -1;
  return sign * six_volume(p, b, c, d) >= 0 && sign * six_volume(a, p, c, d) >= 0 &&
         sign * six_volume(a, b, p, d) >= 0 && sign * six_volume(a, b, c, p) >= 0;
}

// visit(vertex) for all that may be in the box, some of them more than once.
template <class Visit>
void visit_near(const HashTable& table, const TetBox& box, const Visit& visit) {
  const Cell low = cell_of(box.low, table.cell), high = cell_of(box.high, table.cell);
  double cells = 1;
  for (int k = 0; k < 3; ++k) cells *= static_cast<double>(high[k] - low[k] + 1);
  if (cells > static_cast<double>(table.vertices.size())) {
    for (const Index vertex : table.vertices) visit(vertex);
    return;
  }
  const std::size_t size = table.begin.size() - 1;
  for (std::int64_t i = low[0]; i <= high[0]; ++i) {
    for (std::int64_t j = low[1]; j <= high[1]; ++j) {
      for (std::int64_t k = low[2]; k <= high[2]; ++k) {
        const std::size_t at = hash({i, j, k}, size);
        for (Index n = table.begin[at]; n < table.begin[at + 1]; ++n) visit(table.vertices[n]);
      }
    }
  }
}

}  // namespace

void find_inside(const Model& model, const VecX& x, HashTable& table, std::vector<Inside>& inside) {
  inside.clear();
  fill(model, x, table);
  const auto moves = [&](Index object) { return model.objects[object].type == ObjectType::deformable; };
  for (Index object = 0; object < static_cast<Index>(model.objects.size()); ++object) {
    const Range& tets = model.objects[object].tets;
    for (Index t = tets.begin; t < tets.end; ++t) {
      const Tet& tet = model.mesh.tets[t];
      const TetBox box = box_of(tet, x);
      visit_near(table, box, [&](Index vertex) {
        const Vec3 p = block(x, vertex);
        if ((p.array() < box.low.array()).any() || (p.array() > box.high.array()).any()) return;
        const Index own = model.surface.vertex_object[vertex];
        if (own == object || !(moves(own) || moves(object)) || model.surface.groups.never_touch(own, object)) return;
        if (is_in_tet(p, tet, x)) inside.push_back({vertex, object});
      });
    }
  }
  std::sort(inside.begin(), inside.end());
  inside.erase(std::unique(inside.begin(), inside.end()), inside.end());
}

double deepest(const Model& model, const VecX& x, const std::vector<Inside>& inside) {
  double most = 0;
  for (const Inside& one : inside) {
    const Range& triangles = model.objects[one.object].triangles;
    double nearest = std::numeric_limits<double>::infinity();
    for (Index t = triangles.begin; t < triangles.end; ++t) {
      const Triangle& T = model.mesh.triangles[t];
      nearest = std::min(
          nearest,
          closest_point_triangle(block(x, one.vertex), block(x, T[0]), block(x, T[1]), block(x, T[2])).distance);
    }
    most = std::max(most, nearest);
  }
  return most;
}

}  // namespace sim
