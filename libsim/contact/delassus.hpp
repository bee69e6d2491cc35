// The Delassus operator W = L A^-1 L^T, dense, by sparse Cholesky factors of A:
//
//     W = Y^T Y,     Y = C^-1 P L^T,     P A P^T = C C^T
//
// by forward solves only, of the rows that a row of L reaches (linear/block_cholesky.hpp). A of several objects that
// nothing but contacts couples is block diagonal: `exploit_blocks` factors each block by itself (Daviet et al. 2011),
// else A is one block. Blocks are found from the pattern of A. contact/body_compliance.hpp has W as a sparse matrix,
// with what is kept from one solve to the next.
#pragma once

#include <vector>

#include "contact/problem.hpp"
#include "linear/block_cholesky.hpp"
#include "linear/bodies.hpp"
#include "math/stop.hpp"

namespace sim {

struct FactoredMatrix {
  Bodies bodies;                        // the blocks of A
  std::vector<CholeskyFactor> factors;  // one each
  bool definite = true;
};

// Factors of the blocks that have none yet; returns how many. Not definite where it was stopped.
Index factor_missing(const BlockMatrix& A, FactoredMatrix& factored, const Stop& stop);
FactoredMatrix factor(const BlockMatrix& A, bool exploit_blocks, const Stop& stop = {});
void solve(const FactoredMatrix& A, const VecX& b, VecX& x);  // x = A^-1 b

double delassus_bytes(const ContactProblem& problem);  // what W needs

// W from a matrix that is definite. The same bits for any number of threads. Not all of it where it
// was stopped.
Eigen::MatrixXd delassus(const ContactProblem& problem, const FactoredMatrix& A, const Stop& stop = {});

}  // namespace sim
