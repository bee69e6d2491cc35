// The inside of a closed surface along columns parallel to z: on each the places where it goes in and out. Private to
// the room.
#pragma once

#include "mesh/mesh.hpp"

namespace sim {

struct Columns {
  double x = 0, y = 0, spacing = 0;  // m: of the first column, and from one to the next
  Index count_x = 0, count_y = 0;
  std::vector<std::vector<double>> crossings;  // m, a column, x fastest: ascending z, in and out in turn

  double x_of(Index i) const { return x + spacing * i; }
  double y_of(Index j) const { return y + spacing * j; }
  const std::vector<double>& at(Index i, Index j) const {
    return crossings[static_cast<std::size_t>(i) + static_cast<std::size_t>(count_x) * static_cast<std::size_t>(j)];
  }
  // Columns i with x_of(i) in [low, high], and so for y.
  Range range_x(double low, double high) const;
  Range range_y(double low, double high) const;
};
Columns make_columns(const Mesh& surface, double spacing);

double inside(const std::vector<double>& crossings, double low, double high);  // m, of [low, high]

}  // namespace sim
