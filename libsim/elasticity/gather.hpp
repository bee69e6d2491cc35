// Forces on the corners of elements, three numbers each, gathered by vertex.
#pragma once

#include "elasticity/numbering.hpp"

namespace sim {

// Corner 0 of a tet takes the opposite of what the others take.
inline void balance_first_corner(double* forces) {
  const Eigen::Map<const Mat3> F(forces + 3);
  Eigen::Map<Vec3>{forces} = -(F.col(0) + F.col(1) + F.col(2));
}

// In the order of the corners of each vertex, whatever the threads.
void gather_forces(const ElementNumbering& numbering, const std::vector<double>& of_corners, Eigen::Index size,
                   VecX& force);

}  // namespace sim
