#include "elasticity/numbering.hpp"

#include <algorithm>
#include <cassert>
#include <utility>

namespace sim {

ElementNumbering number_elements(const std::array<Index, element_kinds>& count, std::vector<Index> corners,
                                 Index vertices) {
  ElementNumbering numbering;
  numbering.count = count;
  Index corner = 0;
  for (std::size_t k = 0; k < element_kinds; ++k) {
    const auto kind = static_cast<ElementKind>(k);
    numbering.first_corner[k] = corner;
    numbering.first_pair[k] = numbering.pairs;
    corner += count[k] * corners_of(kind);
    numbering.pairs += count[k] * pairs_of(kind);
  }
  assert(static_cast<std::size_t>(corner) == corners.size());
  numbering.vertex = std::move(corners);
  numbering.corner_begin.assign(static_cast<std::size_t>(vertices) + 1, 0);
  for (const Index v : numbering.vertex) ++numbering.corner_begin[v + 1];
  for (Index v = 0; v < vertices; ++v) numbering.corner_begin[v + 1] += numbering.corner_begin[v];
  numbering.corner.resize(numbering.vertex.size());
  std::vector<Index> next(numbering.corner_begin.begin(), numbering.corner_begin.end() - 1);
  for (Index c = 0; c < corner; ++c) numbering.corner[next[numbering.vertex[c]]++] = c;
  return numbering;
}

CornerPlace place_of(const ElementNumbering& numbering, Index corner) {
  std::size_t k = element_kinds - 1;
  while (corner < numbering.first_corner[k]) --k;
  const auto kind = static_cast<ElementKind>(k);
  const Index corners = corners_of(kind), element = (corner - numbering.first_corner[k]) / corners;
  const Index first = numbering.first_corner[k] + element * corners;
  return {first, numbering.first_pair[k] + element * pairs_of(kind), corner - first, corners};
}

}  // namespace sim
