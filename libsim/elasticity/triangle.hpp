// A triangle of thin elements, as its edges 01 and 02.
#pragma once

#include "elasticity/thin.hpp"

namespace sim {

using Mat32 = Eigen::Matrix<double, 3, 2>;

inline Mat32 edges(const Corners<3>& x) {
  Mat32 E;
  E << x[1] - x[0], x[2] - x[0];
  return E;
}

}  // namespace sim
