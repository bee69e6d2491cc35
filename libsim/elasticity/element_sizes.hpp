// How much smaller an element is than at rest, in the direction in which it has shrunk most: its highest frequency
// grows as its heights fall. A number of geometry, some ten nanoseconds an element, where eigenvalues take a thousand
// times as long (elasticity/element_frequency.hpp).
//
//     tet, membrane   its heights over the sides opposite to its corners
//     hinge           its edge, and the heights of both apexes over it
//     bend            its two edges
//     spring          nothing: its stiffness along itself stays
#pragma once

#include "elasticity/assembly.hpp"
#include "elasticity/element_at.hpp"

namespace sim {

using Sizes = std::array<double, 4>;  // m; those that an element has not are 1

template <class Kind>
Sizes sizes_of(const ElasticBodies& bodies, const VecX& x, Kind kind, Index i);

// The least of size / rest size, at most 1, and no less than a sixteenth: what is flatter is on its way through flat.
double shrunk(const Sizes& sizes, const Sizes& rest);

// ---- templates only from here

namespace element_sizes {
Sizes of_tet(const Corners<4>& x);
Sizes of_membrane(const Corners<3>& x);
Sizes of_hinge(const Corners<4>& x);
Sizes of_bend(const Corners<3>& x);
}  // namespace element_sizes

template <class Kind>
Sizes sizes_of(const ElasticBodies& bodies, const VecX& x, Kind kind, Index i) {
  if constexpr (kind.value == ElementKind::tet) {
    const auto [a, b, c, d] = bodies.tets[i];
    return element_sizes::of_tet({block(x, a), block(x, b), block(x, c), block(x, d)});
  } else if constexpr (kind.value == ElementKind::membrane) {
    return element_sizes::of_membrane(corners_at(bodies.membranes[i], x));
  } else if constexpr (kind.value == ElementKind::hinge) {
    return element_sizes::of_hinge(corners_at(bodies.hinges[i], x));
  } else if constexpr (kind.value == ElementKind::bend) {
    return element_sizes::of_bend(corners_at(bodies.bends[i], x));
  } else {
    return {1, 1, 1, 1};
  }
}

}  // namespace sim
