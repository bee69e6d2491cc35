// What part of a solid each node of its cage carries: mass sits at nodes, and these lie outside of the solid, too.
//
//     sum V_k = V        sum V_k x_k = V c        sum V_k (x_k - c)(x_k - c)^T = S
//
// V, c and S of the solid: then a cage that moves as a rigid body has the momentum, angular momentum and energy of
// the solid, however coarse it is.
#pragma once

#include <span>

#include "mesh/mesh.hpp"

namespace sim {

struct SolidMoments {
  double volume = 0;           // m^3
  Vec3 center{0, 0, 0};        // m
  Mat3 second = Mat3::Zero();  // m^5, about it: integral of (x - c)(x - c)^T
};
// Of what a closed surface encloses.
SolidMoments moments_of(std::span<const Vec3> vertices, std::span<const Triangle> triangles);

// The volumes nearest to these positive ones that have the moments of the solid, by sum (V_k - v_k)^2 / v_k, and are
// at least a part of them: a half, or half as much until it can be, down to `least_filled`. Where that cannot be
// either (all nodes at the corners of one cube are as far from the middle), second moments are as near as they come.
void fit_moments(const SolidMoments& solid, std::span<const Vec3> nodes, std::vector<double>& volumes);

// m^3, what each of these vertices carries, of an object whose surface is embedded in its tets: from a quarter of
// each tet's filled volume to each of its corners. A cage that is solid whole keeps these, as any mesh of tets has
// them.
struct Embedded {
  Range vertices, tets, triangles;
};
std::vector<double> node_volumes(const Mesh& mesh, const Embedded& object);

}  // namespace sim
