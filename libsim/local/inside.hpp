// Which vertices lie inside tetrahedra of other objects as they stand, by spatial hashing (Teschner, Heidelberger,
// Mueller, Pomerantes & Gross 2003: cells as large as the mean tetrahedron). In double precision; nothing but frames
// that may overlap rests on it.
#pragma once

#include <vector>

#include "model/model.hpp"

namespace sim {

struct Inside {
  Index vertex = 0;
  Index object = 0;  // in which it lies
  auto operator<=>(const Inside&) const = default;
};

struct HashTable {
  std::vector<Index> begin, vertices;  // of cell k: vertices[begin[k]] to vertices[begin[k + 1]]
  double cell = 0;                     // m
};

// Ascending, no two alike. Pairs of objects that nothing moves, or that never touch, are left out.
void find_inside(const Model& model, const VecX& x, HashTable& table, std::vector<Inside>& inside);

// m: the largest distance of these vertices from the surfaces of the objects that they lie in; 0 where there are
// none.
double deepest(const Model& model, const VecX& x, const std::vector<Inside>& inside);

}  // namespace sim
