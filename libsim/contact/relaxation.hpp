// Block relaxation of A v = f with the splitting A = D - L_A - U_A in 3x3 blocks (Otaduy et al. 2009, section 5.2):
//
//     Gauss-Seidel   (D - L_A) v(i) = U_A v(i-1) + f
//     Jacobi               D v(i) = (L_A + U_A) v(i-1) + f
//
// L_A v is a by-product of a sweep of Gauss-Seidel, and U_A v is what the next one begins with. With the two kept, a
// sweep, a step of Jacobi from where it led, and the residual there cost one product with A, all together.
#pragma once

#include "linear/preconditioner.hpp"

namespace sim {

struct Relaxation {
  std::vector<Index> diagonal;  // a row: the slot of its block of D
  std::vector<Index> cut;  // between two of these lie rows that no entry of A couples to others, some bodies' say
  BlockDiagonal D_inverse;
  VecX lower, upper;  // L_A v and U_A v
};

void prepare(const BlockMatrix& A, Relaxation& relaxation);

void multiply_parts(const BlockMatrix& A, const VecX& v, Relaxation& relaxation);  // lower and upper, of this v

// One sweep of Gauss-Seidel, from the upper part of v; leaves both parts of the new one. Returns |f - A v|, which is
// |U_A v(i-1) - U_A v(i)|. Row after row within a body, bodies beside each other.
double sweep(const BlockMatrix& A, const VecX& f, Relaxation& relaxation, VecX& v);

// One step of Jacobi from the v of the two parts.
void jacobi(const VecX& f, const Relaxation& relaxation, VecX& v);

}  // namespace sim
