#include "mesh/check.hpp"

#include <algorithm>

namespace sim {

Index orient_tets(Mesh& mesh) {
  const auto count = static_cast<Index>(mesh.vertices.size());
  Index turned = 0;
  for (Tet& t : mesh.tets) {
    if (std::any_of(t.begin(), t.end(), [&](Index v) { return v < 0 || v >= count; })) continue;
    const auto& x = mesh.vertices;
    if (six_volume(x[t[0]], x[t[1]], x[t[2]], x[t[3]]) < 0) {
      std::swap(t[2], t[3]);
      ++turned;
    }
  }
  return turned;
}

}  // namespace sim
