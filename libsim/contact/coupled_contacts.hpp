// Contacts that are coupled through a block-diagonal matrix only, solved one after the other (projected
// Gauss-Seidel):
//
//     s = B r + q,   B = L D^-1 L^T with D block diagonal,   r = (lambda, -gamma_1, -gamma_2) a contact
//     0 <= lambda,  s_n >= 0,  one of them an equality
//     pyramid   |gamma_a| <= mu lambda,  s_a = 0 where it is less, and of the sign of gamma_a else      (a = 1, 2)
//     cone      |gamma| <= mu lambda,    s_t = 0 where it is less, and along gamma else
//
// (The pyramid: Otaduy et al. 2009, equations 10 to 14; the tangents of L lie along its axes. The cone:
// contact/coulomb_contact.hpp.)
//
// B is not formed: w = D^-1 L^T r goes along with r, so that a visit costs the blocks of L of one contact, however
// many others move the same unknowns (hundreds, where a rigid body lies on a face).
#pragma once

#include "math/block_matrix.hpp"
#include "math/stop.hpp"

namespace sim {

enum class FrictionShape : std::uint8_t { pyramid, cone };

// The contacts of every column of L, in their order.
struct ContactsOfColumns {
  struct Visit {
    Index contact, slot;  // of L
  };
  std::vector<Index> begin;
  std::vector<Visit> visits;
  std::span<const Visit> of(Index column) const {
    return std::span(visits).subspan(begin[column], begin[column + 1] - begin[column]);
  }
};

// Contacts that B does not couple to those of other parts: one part beside the other, each contact after contact.
struct UncoupledParts {
  std::vector<Index> begin, contacts;  // contacts[begin[i]] to contacts[begin[i + 1]] are those of part i

  Index count() const { return static_cast<Index>(begin.size()) - 1; }
  std::span<const Index> of(Index part) const {
    return std::span(contacts).subspan(begin[part], begin[part + 1] - begin[part]);
  }
};

struct CoupledContacts {
  const BlockMatrix* L = nullptr;
  std::vector<Mat3> moves;             // a slot of L: D^-1 L^T, what 1 N moves
  std::vector<Mat3> own;               // a contact: its own block of B, m/N
  std::vector<Vec3> inverse_diagonal;  // N/m; 0 for a row that nothing moves
  ContactsOfColumns columns;
  UncoupledParts parts;
  VecX q;  // m
  VecX w;  // of all unknowns
  std::vector<double> mu;
  FrictionShape shape = FrictionShape::pyramid;
  std::vector<std::uint8_t> due;  // a contact: it, or one beside it, has moved
  std::vector<double> largest;    // m, a part: the largest move of a pass
  Index passes = 0;               // of project(), all calls
};

// All but q and mu. L has to stay.
void prepare(const BlockMatrix& L, const std::vector<Mat3>& D_inverse, CoupledContacts& lcp);

// Passes over the contacts that are due, until one moves by no more than `fall` of the first, or of `least` (m) where
// that is larger; at most `most`.
void project(CoupledContacts& lcp, double fall, Index most, double least, VecX& r, const Stop& stop);

// B by its blocks: one where two contacts share a block of unknowns.
BlockMatrix coupling(const BlockMatrix& L, const std::vector<Mat3>& D_inverse);

}  // namespace sim
