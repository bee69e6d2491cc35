#include "mesh/generate.hpp"

#include <cmath>
#include <sstream>

#include "math/error.hpp"
#include "mesh/lattice.hpp"
#include "mesh/surface.hpp"

namespace sim {

Mesh generate(const BoxShape& shape) {
  constexpr const char* size_names[] = {"size[0] of the box", "size[1] of the box", "size[2] of the box"};
  constexpr const char* cells_names[] = {"cells[0] of the box", "cells[1] of the box", "cells[2] of the box"};
  for (int axis = 0; axis < 3; ++axis) {
    expect_positive(size_names[axis], shape.size[axis]);
    expect_at_least(cells_names[axis], shape.cells[axis], 1);
  }
  const auto [nx, ny, nz] = shape.cells;
  expect_countable("the box", 6.0 * nx * ny * nz);

  // (2 i - n) / (2 n): opposite faces lie at exactly opposite coordinates.
  const auto coordinate = [&](Index i, unsigned axis) {
    const Index n = shape.cells[axis];
    return shape.size[axis] * ((2.0 * i - n) / (2.0 * n));
  };
  const auto id = [nx = nx, ny = ny](Index i, Index j, Index k) { return i + (nx + 1) * (j + (ny + 1) * k); };
  Mesh mesh;
  for (Index k = 0; k <= nz; ++k) {
    for (Index j = 0; j <= ny; ++j) {
      for (Index i = 0; i <= nx; ++i)
        mesh.vertices.emplace_back(coordinate(i, 0), coordinate(j, 1), coordinate(k, 2));
    }
  }
  for (Index k = 0; k < nz; ++k) {
    for (Index j = 0; j < ny; ++j) {
      for (Index i = 0; i < nx; ++i) {
        std::array<Index, 8> corner;
        for (Index b = 0; b < 8; ++b) corner[b] = id(i + (b & 1), j + (b >> 1 & 1), k + (b >> 2 & 1));
        add_kuhn_cell(corner, mesh.tets);
      }
    }
  }
  mesh.triangles = extract_surface(mesh.tets);
  return mesh;
}

Mesh generate(const SlabShape& shape) {
  constexpr const char* size_names[] = {"size[0] of the slab", "size[1] of the slab"};
  constexpr const char* cells_names[] = {"cells[0] of the slab", "cells[1] of the slab"};
  for (unsigned axis = 0; axis < 2; ++axis) {
    expect_positive(size_names[axis], shape.size[axis]);
    expect_at_least(cells_names[axis], shape.cells[axis], 1);
  }
  expect_positive("thickness of the slab", shape.thickness);
  expect_countable("the slab", 6.0 * shape.cells[0] * shape.cells[1]);
  return generate(BoxShape{{shape.size[0], shape.size[1], shape.thickness}, {shape.cells[0], shape.cells[1], 1}});
}

Mesh generate(const TorusShape& shape) {
  expect_at_least("segments of the torus", shape.segments, 3);
  expect_positive("major_radius of the torus", shape.major_radius);
  expect_positive("side of the torus", shape.side);
  expect_at_least("across of the torus", shape.across, 1);
  expect_countable("the torus", 6.0 * shape.segments * shape.across * shape.across);
  if (!(shape.side / 2 < shape.major_radius)) {
    std::ostringstream message;
    message << "side of the torus is " << shape.side << "; expected less than twice its major_radius ("
            << shape.major_radius << "), or the ring has no hole";
    throw InputError(message.str());
  }

  const Index n = shape.across;
  const auto from_middle = [&](Index i) { return shape.side * ((2.0 * i - n) / (2.0 * n)); };
  Mesh mesh;
  for (Index s = 0; s < shape.segments; ++s) {
    const auto [c, sn] = circle_point(s, shape.segments);
    for (Index k = 0; k <= n; ++k) {
      for (Index i = 0; i <= n; ++i) {
        const double r = shape.major_radius + from_middle(i);
        mesh.vertices.emplace_back(r * c, r * sn, from_middle(k));
      }
    }
  }
  // Local axes: i outward, s round the ring, k up.
  const auto id = [&](Index i, Index s, Index k) { return i + (n + 1) * (k + (n + 1) * (s % shape.segments)); };
  for (Index s = 0; s < shape.segments; ++s) {
    for (Index k = 0; k < n; ++k) {
      for (Index i = 0; i < n; ++i) {
        std::array<Index, 8> corner;
        for (Index b = 0; b < 8; ++b) corner[b] = id(i + (b & 1), s + (b >> 1 & 1), k + (b >> 2));
        add_kuhn_cell(corner, mesh.tets);
      }
    }
  }
  mesh.triangles = extract_surface(mesh.tets);
  return mesh;
}

Mesh generate(const HalfSpaceShape&) {
  const double side = std::sqrt(3.0);
  Mesh mesh;
  mesh.vertices = {{-side, -1, 0}, {side, -1, 0}, {0, 2, 0}};
  mesh.triangles = {{0, 1, 2}};
  return mesh;
}

Mesh generate(const SegmentsShape& shape) {
  Mesh mesh;
  mesh.vertices = shape.points;
  for (const auto& [a, b] : shape.segments) mesh.triangles.push_back({a, b, b});
  const auto count = static_cast<Index>(shape.points.size());
  for (Index i = 0; shape.segments.empty() && i + 1 < count; ++i) mesh.triangles.push_back({i, i + 1, i + 1});
  return mesh;
}

Mesh generate(const PointsShape& shape) {
  Mesh mesh;
  mesh.vertices = shape.points;
  for (Index i = 0; i < static_cast<Index>(shape.points.size()); ++i) mesh.triangles.push_back({i, i, i});
  return mesh;
}

}  // namespace sim
