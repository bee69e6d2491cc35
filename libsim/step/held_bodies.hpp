// What a body whose vertices are held in part may do as a whole: one in plane strain goes along its plane and turns
// in it, one behind a symmetry plane along that, a hinged one about its hinge. Held along one direction only it is as
// free along the others as if nothing held it; 3 / trace(1^T A 1) would take it for clamped.
//
// With R the motions of a rigid body about its centre, of unit mass each, P what is not held (model/guides.hpp) and Z
// those of P R that move anything,
//
//     mobility = Z (Z^T A Z)^-1 Z^T          of R; a bound of what the body does, as it need not stay rigid
//     stays    = 1 / least(Z^T A Z), <= 1    of a momentum along the freest of them: the part that stays as motion
//
// What carries it along is the motion of what holds it, in the step before, as that of a rigid body:
//
//     c = least of sum |H (v - c)|^2, a translation; then q = least of sum |H (v - c - R q)|^2      H = 1 - P, held
//
// over its held vertices, R about their middle. c comes first: so a velocity that everything has in common is in it
// to the last bits, whatever q makes of the rest.
#pragma once

#include <limits>
#include <vector>

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

struct CarriedInput {
  const Model& model;
  const Guides& guides;
  const VecX& x0;                               // m, all vertices
  const VecX& v0;                               // m/s, all vertices, of the step before
  std::span<const std::vector<Index>> holders;  // a body: its held vertices
};
// m/s: P of what carries the body along, into its rows. False where what holds it stood: then they are left alone.
bool carry_along(const CarriedInput& input, Index body, std::span<const Index> rows, VecX& carried);

}  // namespace sim
