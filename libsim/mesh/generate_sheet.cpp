#include <algorithm>

#include "mesh/generate.hpp"
#include "mesh/lattice.hpp"

namespace sim {

namespace {

// (2 i - n) / (2 n): opposite sides lie at exactly opposite coordinates. Halves of cells are whole numbers of
// `twice`.
double coordinate(double size, Index twice, Index cells) {
  return size * ((1.0 * twice - cells) / (2.0 * cells));
}

void add_grid_vertices(const SheetShape& shape, Mesh& mesh) {
  const auto [nx, ny] = shape.cells;
  for (Index j = 0; j <= ny; ++j) {
    for (Index i = 0; i <= nx; ++i)
      mesh.vertices.emplace_back(coordinate(shape.size[0], 2 * i, nx), coordinate(shape.size[1], 2 * j, ny), 0);
  }
}

void add_halves(Index a, Index b, Index c, Index d, bool rising, Mesh& mesh) {  // a b below, c d above them
  if (rising) {
    mesh.triangles.push_back({a, b, d});
    mesh.triangles.push_back({a, d, c});
  } else {
    mesh.triangles.push_back({a, b, c});
    mesh.triangles.push_back({b, d, c});
  }
}

Mesh grid(const SheetShape& shape) {
  Mesh mesh;
  add_grid_vertices(shape, mesh);
  const auto [nx, ny] = shape.cells;
  for (Index j = 0; j < ny; ++j) {
    for (Index i = 0; i < nx; ++i) {
      const Index a = i + (nx + 1) * j, c = a + nx + 1;
      add_halves(a, a + 1, c, c + 1, (i + j) % 2 == 0, mesh);
    }
  }
  return mesh;
}

Mesh cross(const SheetShape& shape) {
  Mesh mesh;
  add_grid_vertices(shape, mesh);
  const auto [nx, ny] = shape.cells;
  for (Index j = 0; j < ny; ++j) {
    for (Index i = 0; i < nx; ++i) {
      const Index a = i + (nx + 1) * j, b = a + 1, c = a + nx + 1, d = c + 1;
      const auto middle = static_cast<Index>(mesh.vertices.size());
      mesh.vertices.emplace_back(coordinate(shape.size[0], 2 * i + 1, nx), coordinate(shape.size[1], 2 * j + 1, ny),
                                 0);
      for (const auto& [from, to] : {std::array{a, b}, {b, d}, {d, c}, {c, a}})
        mesh.triangles.push_back({from, to, middle});
    }
  }
  return mesh;
}

// Even rows of vertices have nx + 1, odd ones are shifted by half a cell and have both ends besides: nx + 2.
Mesh equilateral(const SheetShape& shape) {
  Mesh mesh;
  const auto [nx, ny] = shape.cells;
  std::vector<Index> row_begin;
  for (Index j = 0; j <= ny; ++j) {
    row_begin.push_back(static_cast<Index>(mesh.vertices.size()));
    const double y = coordinate(shape.size[1], 2 * j, ny);
    for (Index i = 0; i <= nx + j % 2; ++i) {
      const Index twice = j % 2 == 0 ? 2 * i : std::min(std::max(2 * i - 1, 0), 2 * nx);
      mesh.vertices.emplace_back(coordinate(shape.size[0], twice, nx), y, 0);
    }
  }
  for (Index j = 0; j < ny; ++j) {
    const Index below = row_begin[j], above = row_begin[j + 1];
    const bool wide_above = j % 2 == 0;
    const Index wide = wide_above ? above : below, narrow = wide_above ? below : above;
    const auto add = [&](Index a, Index b, Index c) {  // counter-clockwise where the wide row is above
      mesh.triangles.push_back(wide_above ? Triangle{a, b, c} : Triangle{a, c, b});
    };
    for (Index i = 0; i <= nx; ++i) {
      add(narrow + i, wide + i + 1, wide + i);
      if (i < nx) add(narrow + i, narrow + i + 1, wide + i + 1);
    }
  }
  return mesh;
}

}  // namespace

Mesh generate(const SheetShape& shape) {
  constexpr const char* size_names[] = {"size[0] of the sheet", "size[1] of the sheet"};
  constexpr const char* cells_names[] = {"cells[0] of the sheet", "cells[1] of the sheet"};
  for (unsigned axis = 0; axis < 2; ++axis) {
    expect_positive(size_names[axis], shape.size[axis]);
    expect_at_least(cells_names[axis], shape.cells[axis], 1);
  }
  expect_countable("the sheet", 4.0 * (shape.cells[0] + 1.0) * (shape.cells[1] + 1.0));
  switch (shape.pattern) {
    case SheetPattern::grid:
      return grid(shape);
    case SheetPattern::cross:
      return cross(shape);
    case SheetPattern::equilateral:
      break;
  }
  return equilateral(shape);
}

}  // namespace sim
