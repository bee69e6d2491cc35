// The Delassus operator W = L A^-1 L^T, dense, by sparse Cholesky factors of A and a solve for each row of L.
//
// A of several objects that nothing but contacts couples is block diagonal. `exploit_blocks` factors each block by
// itself and solves for a row of L only in the blocks that it touches, one or two of them (Daviet et al. 2011). Else
// A is one block, and every row costs a solve with all of it. Blocks are found from the pattern of A.
#pragma once

#include <Eigen/SparseCore>
#include <vector>

#include "contact/problem.hpp"
#include "math/stop.hpp"

namespace sim {

// A = P^T C C^T P of some rows of A that know of no others; the order by approximate minimum degree of 3x3 blocks.
struct Factor {
  std::vector<Index> order;       // rows of A, in the order of elimination
  Eigen::SparseMatrix<double> C;  // by columns, the diagonal first
};

struct FactoredMatrix {
  std::vector<Factor> factors;
  std::vector<Index> factor_of;    // a row of A
  std::vector<Index> position_of;  // a row of A, in the order of its factor
  bool definite = true;
};

// Not definite where it was stopped.
FactoredMatrix factor(const BlockMatrix& A, bool exploit_blocks, const Stop& stop = {});
void solve(const FactoredMatrix& A, const VecX& b, VecX& x);  // x = A^-1 b

double delassus_bytes(const ContactProblem& problem);  // what W needs

// W from a matrix that is definite. The same bits for any number of threads. Not all of it where it
// was stopped.
Eigen::MatrixXd delassus(const ContactProblem& problem, const FactoredMatrix& A, const Stop& stop = {});

}  // namespace sim
