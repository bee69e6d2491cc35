// Contacts that are coupled through a block-diagonal matrix only, solved one after the other (projected
// Gauss-Seidel):
//
//     s = B r + q,   B = L D^-1 L^T with D block diagonal,   r = (lambda, -gamma_1, -gamma_2) a contact
//     0 <= lambda,  s_n >= 0,  one of them an equality
//     pyramid   |gamma_a| <= mu lambda,  s_a = 0 where it is less, and of the sign of gamma_a else      (a = 1, 2)
//     cone      |gamma| <= mu lambda,    s_t = 0 where it is less, and along gamma else
//
// (The pyramid: Otaduy et al. 2009, equations 10 to 14; the tangents of L lie along its axes. The cone:
// contact/coulomb_contact.hpp.) B has a block where two contacts share a block of unknowns.
#pragma once

#include "math/block_matrix.hpp"
#include "math/stop.hpp"

namespace sim {

enum class FrictionShape : std::uint8_t { pyramid, cone };

struct CoupledContacts {
  BlockMatrix B;                       // m/N
  std::vector<Index> diagonal;         // a contact: the slot of its own block of B
  std::vector<Vec3> inverse_diagonal;  // N/m; 0 for a row that nothing moves
  VecX q;                              // m
  std::vector<double> mu;
  FrictionShape shape = FrictionShape::pyramid;
  std::vector<std::uint8_t> due;  // a contact: it, or one beside it, has moved
  Index passes = 0;               // of project(), all calls
};

// B and its diagonal.
void assemble(const BlockMatrix& L, const std::vector<Mat3>& D_inverse, CoupledContacts& lcp);

// Passes over the contacts that are due, until one moves by no more than `fall` of the first, or of `least` (m) where
// that is larger; at most `most`.
void project(CoupledContacts& lcp, double fall, Index most, double least, VecX& r, const Stop& stop);

}  // namespace sim
