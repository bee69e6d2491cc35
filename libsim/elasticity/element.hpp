// One linear tetrahedron: forces on its corners and its stiffness, from the deformation gradient.
//
// With Dm = [X1-X0, X2-X0, X3-X0] and Ds the same of the positions, F = Ds Dm^-1. The rows of Dm^-1 are the gradients
// b_1, b_2, b_3 of the corners' shape functions, and b_0 = -(b_1 + b_2 + b_3). Then with the rest volume W
//
//     f_i = -W P(F) b_i          K_ij = -d f_i / d x_j = W (dP/dF) contracted with b_i and b_j
//
// and for Stiffness::rotated_linear, g_i = R b_i,  K_ij = W [mu (g_i.g_j) I + mu g_j g_i^T + lambda g_i g_j^T]: the
// matrix R K_0 R^T of Mueller & Gross. Their force R K_0 R^T (x - R X) is the corotational f_i above, because R^T F
// is symmetric. (Elements with a volume energy, elasticity/volume_energy.hpp, have the exact K, made semi-definite.)
//
// Stiffness damping is that of rates of strain: its matrix D is K less what K makes of a turn of the element as it is
// now (rotation_free_factors() of elasticity/principal.hpp). K itself is not blind to turns: those of a stressed
// element change its forces. So D (w x x + u) = 0 for any w and u in any state, D is semi-definite, and K and D are
// the same where nothing is strained.
#pragma once

#include "elasticity/material.hpp"

namespace sim {

constexpr std::array<std::array<int, 2>, 6> corner_pairs{{{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}}};

struct Element {
  const ElasticLaw& law;
  const Mat3& inverse_shape;
  double rest_volume;
  Mat3 F;
};

void element_forces(const Element& element, double* forces);  // 9: of corners 1, 2, 3

struct ElementScale {
  double whole = 1;    // of both matrices
  double damping = 0;  // of D among them
};
// The forces, and whole * (K + damping D)_ij for the six pairs i < j above (54 numbers, a block column by column).
// Blocks ji are their transposes, and ii the opposite of the sum over its row. Both are positive semi-definite.
void element_forces_and_stiffness(const Element& element, const ElementScale& scale, double* forces, double* blocks);

// v . D v of a motion that changes F at the rate dF: never negative, and zero for turns.
double strain_rate_product(const Element& element, const Mat3& dF);
// Adds scale times the forces -D v of that motion on corners 1, 2, 3.
void add_strain_rate_forces(const Element& element, const Mat3& dF, double scale, double* forces);

}  // namespace sim
