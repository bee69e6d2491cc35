// An element of a body at the positions x of all vertices.
#pragma once

#include "elasticity/assembly.hpp"
#include "elasticity/element.hpp"

namespace sim {

// F where x are positions, its rate where they are velocities.
inline Mat3 gradient_at(const ElasticBodies& bodies, const VecX& x, Index tet) {
  const auto [a, b, c, d] = bodies.tets[tet];
  const Vec3 x0 = block(x, a);
  Mat3 shape;
  shape << block(x, b) - x0, block(x, c) - x0, block(x, d) - x0;
  return shape * bodies.inverse_shape[tet];
}

inline Element element_at(const ElasticBodies& bodies, const VecX& x, Index tet) {
  return {bodies.laws[bodies.material[tet]], bodies.inverse_shape[tet], bodies.rest_volume[tet],
          gradient_at(bodies, x, tet)};
}

}  // namespace sim
