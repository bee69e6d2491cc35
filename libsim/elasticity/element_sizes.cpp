#include "elasticity/element_sizes.hpp"

#include <algorithm>

namespace sim {

double shrunk(const Sizes& sizes, const Sizes& rest) {
  constexpr double flattest = 1.0 / 16;
  double least = 1;
  for (std::size_t k = 0; k < sizes.size(); ++k) least = std::min(least, sizes[k] / rest[k]);
  return std::max(least, flattest);
}

namespace element_sizes {

Sizes of_tet(const Corners<4>& x) {
  const double six_volumes = std::abs((x[1] - x[0]).cross(x[2] - x[0]).dot(x[3] - x[0]));
  const auto twice_area = [&](int a, int b, int c) { return (x[b] - x[a]).cross(x[c] - x[a]).norm(); };
  return {six_volumes / twice_area(1, 2, 3), six_volumes / twice_area(0, 2, 3), six_volumes / twice_area(0, 1, 3),
          six_volumes / twice_area(0, 1, 2)};
}

Sizes of_membrane(const Corners<3>& x) {
  const double twice_area = (x[1] - x[0]).cross(x[2] - x[0]).norm();
  return {twice_area / (x[2] - x[1]).norm(), twice_area / (x[2] - x[0]).norm(), twice_area / (x[1] - x[0]).norm(), 1};
}

Sizes of_hinge(const Corners<4>& x) {
  const Vec3 edge = x[1] - x[0];
  const double length = edge.norm();
  return {length, edge.cross(x[2] - x[0]).norm() / length, edge.cross(x[3] - x[0]).norm() / length, 1};
}

Sizes of_bend(const Corners<3>& x) {
  return {(x[1] - x[0]).norm(), (x[2] - x[1]).norm(), 1, 1};
}

}  // namespace element_sizes
}  // namespace sim
