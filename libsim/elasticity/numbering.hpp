// Elements of all kinds one after the other: tets first, then springs, membranes, hinges, bends. Their corners are
// numbered through, and so are the pairs of corners of one element, in the order of corner_pairs.
#pragma once

#include <span>
#include <vector>

#include "mesh/mesh.hpp"

namespace sim {

enum class ElementKind { tet, spring, membrane, hinge, bend };
inline constexpr std::size_t element_kinds = 5;

constexpr Index corners_of(ElementKind kind) {
  constexpr std::array<Index, element_kinds> count{4, 2, 3, 4, 3};
  return count[static_cast<std::size_t>(kind)];
}
constexpr Index pairs_of(ElementKind kind) {
  return corners_of(kind) * (corners_of(kind) - 1) / 2;
}

struct ElementNumbering {
  std::array<Index, element_kinds> count{};         // elements of a kind
  std::array<Index, element_kinds> first_corner{};  // of the first element of a kind
  std::array<Index, element_kinds> first_pair{};
  Index pairs = 0;            // of all elements
  std::vector<Index> vertex;  // of a corner

  // The corners of a vertex: corner[corner_begin[v]] to corner[corner_begin[v + 1]], ascending.
  std::vector<Index> corner_begin, corner;

  Index count_of(ElementKind kind) const { return count[static_cast<std::size_t>(kind)]; }
  Index corner_of(ElementKind kind, Index element) const {  // its first
    return first_corner[static_cast<std::size_t>(kind)] + corners_of(kind) * element;
  }
  Index pair_of(ElementKind kind, Index element) const {  // its first
    return first_pair[static_cast<std::size_t>(kind)] + pairs_of(kind) * element;
  }
  std::span<const Index> corners_at(Index vertex_index) const {
    return {corner.data() + corner_begin[vertex_index], corner.data() + corner_begin[vertex_index + 1]};
  }
};

// `corners`: the vertices of all corners, in the order of the numbering.
ElementNumbering number_elements(const std::array<Index, element_kinds>& count, std::vector<Index> corners,
                                 Index vertices);

// The element that a corner belongs to.
struct CornerPlace {
  Index first_corner = 0, first_pair = 0;  // of the element
  Index own = 0, corners = 0;              // which of its corners
};
CornerPlace place_of(const ElementNumbering& numbering, Index corner);

// Which of the pairs of an element's corners (a, b) is, a < b.
constexpr Index index_of_pair(Index corners, Index a, Index b) {
  return a * corners - a * (a + 1) / 2 + b - a - 1;
}

}  // namespace sim
