// What the generators of shapes share: the circle, the cell of six tets, and the checks of parameters.
#pragma once

#include <cstdint>

#include "mesh/mesh.hpp"

namespace sim {

// (cos, sin) of 2 pi k / n. Reduced to an eighth of the circle in integers and summed as a power series, so that
// the bits do not depend on the machine's mathematics library, and multiples of a quarter are exact.
std::array<double, 2> circle_point(std::int64_t k, std::int64_t n);

// The six tets around the long diagonal of a hexahedron (Kuhn 1960, Freudenthal 1942). Corner b of the cell has the
// bits x + 2 y + 4 z, and x, y, z are right-handed. Every face is cut from its lowest corner to its highest, so that
// cells cut in the same sense match.
void add_kuhn_cell(const std::array<Index, 8>& corner, std::vector<Tet>& tets);

// Each throws InputError "<what> is <value>; expected ...".
void expect_positive(const char* what, double value);
void expect_at_least(const char* what, Index value, Index least);
void expect_countable(const char* shape, double tets);  // indices of 32 bits must do

}  // namespace sim
