#include <algorithm>
#include <cmath>

#include "mesh/columns.hpp"
#include "mesh/embedding.hpp"
#include "mesh/lattice.hpp"

namespace sim {

namespace {

constexpr double columns_a_cell = 16;
constexpr double rounding = 1e-9;  // of a cell

struct Lattice {
  Vec3 low;
  double cell;
  std::array<Index, 3> count;
  std::vector<double> inside;  // m, a cell, x fastest: of all columns in it
  std::vector<std::uint8_t> used;

  std::size_t at(Index i, Index j, Index k) const {
    return static_cast<std::size_t>(i) +
           static_cast<std::size_t>(count[0]) *
               (static_cast<std::size_t>(j) + static_cast<std::size_t>(count[1]) * static_cast<std::size_t>(k));
  }
  Index index(double x, int axis) const {
    return std::clamp(static_cast<Index>(std::floor((x - low[axis]) / cell)), Index{0}, count[axis] - 1);
  }
};

Lattice lattice_about(const Mesh& surface, double cell) {
  Vec3 low = surface.vertices.front(), high = low;
  for (const Vec3& vertex : surface.vertices) {
    low = low.cwiseMin(vertex);
    high = high.cwiseMax(vertex);
  }
  const Vec3 cells = ((high - low) / cell).array() - 1e-6;
  expect_countable("the cage", 6 * (cells[0] + 1) * (cells[1] + 1) * (cells[2] + 1));
  Lattice lattice{low, cell, {}, {}, {}};
  for (int axis = 0; axis < 3; ++axis) {
    lattice.count[axis] = std::max(Index{1}, static_cast<Index>(std::ceil(cells[axis])));
    lattice.low[axis] = 0.5 * (low[axis] + high[axis]) - 0.5 * cell * lattice.count[axis];
  }
  lattice.inside.assign(lattice.at(0, 0, lattice.count[2]), 0.0);
  lattice.used.assign(lattice.inside.size(), 0);
  return lattice;
}

void use_what_is_inside(const Mesh& surface, Lattice& lattice) {
  const Columns columns = make_columns(surface, lattice.cell / columns_a_cell);
  for (Index b = 0; b < columns.count_y; ++b) {
    for (Index a = 0; a < columns.count_x; ++a) {
      const std::vector<double>& crossings = columns.at(a, b);
      const Index i = lattice.index(columns.x_of(a), 0), j = lattice.index(columns.y_of(b), 1);
      for (Index k = 0; k < lattice.count[2] && !crossings.empty(); ++k) {
        const double low = lattice.low[2] + lattice.cell * k;
        lattice.inside[lattice.at(i, j, k)] += inside(crossings, low, low + lattice.cell);
      }
    }
  }
  for (std::size_t i = 0; i < lattice.used.size(); ++i)
    lattice.used[i] = lattice.inside[i] > rounding * lattice.cell ? 1 : 0;
}

// Cells whose coordinate along an axis is that of the point: two of them where it lies between.
Range cells_at(const Lattice& lattice, double x, int axis) {
  const double more = rounding * lattice.cell;
  return {lattice.index(x - more, axis), lattice.index(x + more, axis) + 1};
}

// Every vertex is to be in a cell; one between several is in the one with most inside.
void use_where_vertices_are(const Mesh& surface, Lattice& lattice) {
  for (const Vec3& x : surface.vertices) {
    const Range in_x = cells_at(lattice, x[0], 0), in_y = cells_at(lattice, x[1], 1),
                in_z = cells_at(lattice, x[2], 2);
    std::size_t best = lattice.at(in_x.begin, in_y.begin, in_z.begin);
    for (Index k = in_z.begin; k < in_z.end; ++k) {
      for (Index j = in_y.begin; j < in_y.end; ++j) {
        for (Index i = in_x.begin; i < in_x.end; ++i) {
          if (lattice.inside[lattice.at(i, j, k)] > lattice.inside[best]) best = lattice.at(i, j, k);
        }
      }
    }
    lattice.used[best] = 1;
  }
}

}  // namespace

Mesh make_cage(const Mesh& surface, double cell) {
  expect_positive("cell of the cage", cell);
  Lattice lattice = lattice_about(surface, cell);
  use_what_is_inside(surface, lattice);
  use_where_vertices_are(surface, lattice);
  const auto [nx, ny, nz] = lattice.count;
  std::vector<Index> number(
      static_cast<std::size_t>(nx + 1) * static_cast<std::size_t>(ny + 1) * static_cast<std::size_t>(nz + 1), -1);
  Mesh cage;
  const auto vertex = [&](Index i, Index j, Index k) {
    Index& of = number[static_cast<std::size_t>(i) +
                       static_cast<std::size_t>(lattice.count[0] + 1) *
                           (static_cast<std::size_t>(j) +
                            static_cast<std::size_t>(lattice.count[1] + 1) * static_cast<std::size_t>(k))];
    if (of < 0) {
      of = static_cast<Index>(cage.vertices.size());
      cage.vertices.emplace_back(lattice.low + lattice.cell * Vec3(i, j, k));
    }
    return of;
  };
  for (Index k = 0; k < nz; ++k) {
    for (Index j = 0; j < ny; ++j) {
      for (Index i = 0; i < nx; ++i) {
        if (lattice.used[lattice.at(i, j, k)] == 0) continue;
        std::array<Index, 8> corner;
        // Neighbours mirror each other: with the long diagonals of all along (1, 1, 1) what bounces goes to a side.
        const Index mirrored = (i & 1) + 2 * (j & 1) + 4 * (k & 1);
        for (Index b = 0; b < 8; ++b) {
          const Index at = b ^ mirrored;
          corner[b] = vertex(i + (at & 1), j + (at >> 1 & 1), k + (at >> 2 & 1));
        }
        const std::size_t first = cage.tets.size();
        add_kuhn_cell(corner, cage.tets);
        if ((i + j + k) % 2 == 0) continue;
        for (std::size_t t = first; t < cage.tets.size(); ++t) std::swap(cage.tets[t][2], cage.tets[t][3]);
      }
    }
  }
  return cage;
}

}  // namespace sim
