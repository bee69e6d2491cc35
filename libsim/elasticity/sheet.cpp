#include "elasticity/sheet.hpp"

#include <algorithm>

namespace sim {

namespace {

struct Side {  // of a triangle: the edge, the corner opposite of it, and whether the edge is against the order
  std::array<Index, 2> edge;
  Index apex;
  bool left;
};

std::vector<Side> sorted_sides(std::span<const Triangle> triangles) {
  std::vector<Side> sides;
  sides.reserve(3 * triangles.size());
  for (const Triangle& t : triangles) {
    for (std::size_t k = 0; k < 3; ++k) {
      const Index a = t[k], b = t[(k + 1) % 3], apex = t[(k + 2) % 3];
      sides.push_back({ascending(a, b), apex, a < b});
    }
  }
  std::stable_sort(sides.begin(), sides.end(), [](const Side& x, const Side& y) { return x.edge < y.edge; });
  return sides;
}

// visit(first, last) for the sides of every edge.
template <class Visit>
void for_each_edge(const std::vector<Side>& sides, const Visit& visit) {
  for (std::size_t i = 0; i < sides.size();) {
    std::size_t end = i + 1;
    while (end < sides.size() && sides[end].edge == sides[i].edge) ++end;
    visit(std::span(sides).subspan(i, end - i));
    i = end;
  }
}

struct Maker {
  std::span<const Vec3> rest;
  const Sheet& sheet;
  ThinParts& parts;

  void spring(Index a, Index b, double stiffness) const {
    if (stiffness > 0) parts.springs.push_back(make_spring({a, b}, {rest[a], rest[b]}, stiffness, sheet.material));
  }

  void limited_spring(Index a, Index b, double stiffness, const std::array<double, 2>& limit) const {
    spring(a, b, stiffness);
    if (!(stiffness > 0)) return;
    const auto number = static_cast<Index>(parts.springs.size()) - 1;
    add_limit(limit_length({a, b}, number, (rest[b] - rest[a]).norm(), limit), parts.limits);
  }

  void hinge(std::span<const Side> sides, double bend) const {
    if (sides.size() != 2 || sides[0].left == sides[1].left || !(bend > 0)) return;
    const Side &left = sides[0].left ? sides[0] : sides[1], &right = sides[0].left ? sides[1] : sides[0];
    const std::array<Index, 4> v{left.edge[0], left.edge[1], left.apex, right.apex};
    parts.hinges.push_back(make_hinge(v, {rest[v[0]], rest[v[1]], rest[v[2]], rest[v[3]]}, bend, sheet.material));
  }

  void grid(const Material& material) const {
    const auto [nx, ny] = sheet.grid;
    const auto at = [&, width = nx + 1](Index i, Index j) { return sheet.first_vertex + i + width * j; };
    const auto structural = [&](bool border) { return border ? 0.5 * material.stretch : material.stretch; };
    const double shear = shear_stiffness(material);
    for (Index j = 0; j <= ny; ++j) {
      for (Index i = 0; i <= nx; ++i) {
        if (i < nx) limited_spring(at(i, j), at(i + 1, j), structural(j == 0 || j == ny), material.strain_limit);
        if (j < ny) limited_spring(at(i, j), at(i, j + 1), structural(i == 0 || i == nx), material.strain_limit);
        if (i < nx && j < ny) limited_spring(at(i, j), at(i + 1, j + 1), shear, material.strain_limit);
        if (i < nx && j < ny) limited_spring(at(i + 1, j), at(i, j + 1), shear, material.strain_limit);
        if (i + 1 < nx) spring(at(i, j), at(i + 2, j), material.flexion);
        if (j + 1 < ny) spring(at(i, j), at(i, j + 2), material.flexion);
      }
    }
  }
};

}  // namespace

double shear_stiffness(const Material& material) {
  return material.shear.value_or(0.5 * material.stretch);
}

double bending_stiffness(const Material& m) {
  if (m.model != MaterialModel::shell) return m.bend;
  return m.young * m.thickness * m.thickness * m.thickness / (72 * (1 - m.poisson * m.poisson));
}

void add_sheet(std::span<const Vec3> rest, const Sheet& sheet, const Material& material, ThinParts& parts) {
  const Maker make{rest, sheet, parts};
  const double bend = bending_stiffness(material);
  if (material.model == MaterialModel::grid_springs) make.grid(material);
  for_each_edge(sorted_sides(sheet.triangles), [&](std::span<const Side> sides) {
    if (material.model == MaterialModel::edge_springs)
      make.limited_spring(sides[0].edge[0], sides[0].edge[1], material.stretch, material.strain_limit);
    make.hinge(sides, bend);
  });
  for (const Triangle& t : sheet.triangles) {
    const Membrane membrane = make_membrane(t, {rest[t[0]], rest[t[1]], rest[t[2]]},
                                            {material.young, material.poisson, material.thickness}, sheet.material);
    if (material.model == MaterialModel::shell) parts.membranes.push_back(membrane);
    const double third = material.density * material.thickness * membrane.rest_area / 3;
    for (const Index vertex : t) parts.masses.push_back({vertex, sheet.material, third});
  }
}

}  // namespace sim
