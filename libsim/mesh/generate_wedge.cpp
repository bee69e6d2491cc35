#include <sstream>

#include "math/error.hpp"
#include "mesh/generate.hpp"
#include "mesh/lattice.hpp"
#include "mesh/surface.hpp"

namespace sim {

namespace {

// Four tets at every other corner of the cell and one between them. Corner b has the bits x + 2 y + 4 z; neighbours
// are cut the other way round, so that the diagonals of their faces are the same.
void add_five_tets(const std::array<Index, 8>& c, bool odd, std::vector<Tet>& tets) {
  constexpr std::array<std::array<std::size_t, 4>, 5> even_cell{
      {{0, 1, 2, 4}, {3, 2, 1, 7}, {5, 4, 7, 1}, {6, 7, 4, 2}, {1, 2, 4, 7}}};
  constexpr std::array<std::array<std::size_t, 4>, 5> odd_cell{
      {{1, 3, 0, 5}, {2, 0, 3, 6}, {4, 6, 5, 0}, {7, 5, 6, 3}, {0, 5, 3, 6}}};
  for (const auto& t : odd ? odd_cell : even_cell) tets.push_back({c[t[0]], c[t[1]], c[t[2]], c[t[3]]});
}

// Degrees as a whole number of parts of a turn keep the bits independent of the machine's mathematics library.
constexpr std::int64_t parts_a_degree = 1'000'000;

}  // namespace

Mesh generate(const WedgeShape& shape) {
  constexpr const char* cells_names[] = {"cells[0] of the wedge", "cells[1] of the wedge", "cells[2] of the wedge"};
  for (unsigned axis = 0; axis < 3; ++axis) expect_at_least(cells_names[axis], shape.cells[axis], 1);
  expect_positive("radii[0] of the wedge", shape.radii[0]);
  expect_positive("depth of the wedge", shape.depth);
  expect_positive("degrees of the wedge", shape.degrees);
  if (!(shape.radii[1] > shape.radii[0]) || !(shape.degrees <= 180)) {
    std::ostringstream message;
    message << "radii of the wedge are " << shape.radii[0] << " and " << shape.radii[1] << ", and its degrees "
            << shape.degrees << "; expected a larger outer one, and 180 at most";
    throw InputError(message.str());
  }
  const auto [nr, na, nz] = shape.cells;
  expect_countable("the wedge", 5.0 * nr * na * nz);
  const auto parts = static_cast<std::int64_t>(shape.degrees * parts_a_degree + 0.5);
  const auto id = [&, nr = nr, na = na](Index i, Index j, Index k) { return i + (nr + 1) * (j + (na + 1) * k); };
  Mesh mesh;
  for (Index k = 0; k <= nz; ++k) {
    const double z = shape.depth * ((2.0 * k - nz) / (2.0 * nz));
    for (Index j = 0; j <= na; ++j) {
      const std::int64_t whole = 360 * parts_a_degree * 2 * na, at = (2 * std::int64_t{j} - na) * parts;
      const auto [c, s] = circle_point(at, whole);
      for (Index i = 0; i <= nr; ++i) {
        const double r = shape.radii[0] + (shape.radii[1] - shape.radii[0]) * (static_cast<double>(i) / nr);
        mesh.vertices.emplace_back(r * c, r * s, z);
      }
    }
  }
  for (Index k = 0; k < nz; ++k) {
    for (Index j = 0; j < na; ++j) {
      for (Index i = 0; i < nr; ++i) {
        std::array<Index, 8> corner;
        for (Index b = 0; b < 8; ++b) corner[b] = id(i + (b & 1), j + (b >> 1 & 1), k + (b >> 2 & 1));
        add_five_tets(corner, (i + j + k) % 2 != 0, mesh.tets);
      }
    }
  }
  mesh.triangles = extract_surface(mesh.tets);
  return mesh;
}

}  // namespace sim
