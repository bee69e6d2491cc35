// What a body whose vertices are held in part may do as a whole: one in plane strain goes along its plane and turns
// in it, one behind a symmetry plane along that, a hinged one about its hinge. Held along one direction only it is as
// free along the others as if nothing held it; 3 / trace(1^T A 1) would take it for clamped.
//
// With R the motions of a rigid body about its centre, of unit mass each, P what is not held (model/guides.hpp) and Z
// those of P R that move anything,
//
//     mobility = Z (Z^T A Z)^-1 Z^T          of R; a bound of what the body does, as it need not stay rigid
//     stays    = 1 / least(Z^T A Z), <= 1    of a momentum along the freest of them: the part that stays as motion
#pragma once

#include <limits>

#include "contact/problem.hpp"
#include "model/guides.hpp"

namespace sim {

struct HeldInput {
  const Model& model;
  const Guides& guides;
  const BlockMatrix& A;                                   // of the part
  const VecX& x0;                                         // m, all vertices
  double most = std::numeric_limits<double>::infinity();  // of Z^T A Z to minus one
};
HeldBody held_body(const HeldInput& input, Index body, std::span<const Index> rows);

}  // namespace sim
