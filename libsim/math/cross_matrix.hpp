// The matrix of a cross product.
#pragma once

#include "math/types.hpp"

namespace sim {

inline Mat3 cross_matrix(const Vec3& a) {  // [a]x y = a x y
  Mat3 matrix;
  matrix << 0, -a[2], a[1], a[2], 0, -a[0], -a[1], a[0], 0;
  return matrix;
}

}  // namespace sim
