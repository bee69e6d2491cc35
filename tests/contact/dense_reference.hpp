// The exact answer of small problems, by other means than the library's: the dense Delassus operator and projected
// steps with an exact cone (De Saxce & Feng 1998),
//
//     W = L A^-1 L^T,   r <- P_mu(r - rho (u + mu |u_t| n)),   u = W r + L A^-1 b - c,   r = (lambda, -gamma)
//
// with P_mu the projection onto the friction cone, repeated until r stands still.
#pragma once

#include "contact/problem.hpp"

namespace sim::test {

struct Reference {
  VecX v;
  VecX r;             // a 3-block a contact
  double change = 0;  // of r in the last step, relative
};

Eigen::MatrixXd dense(const BlockMatrix& A, Eigen::Index columns);

Reference dense_reference(const ContactProblem& problem);

}  // namespace sim::test
