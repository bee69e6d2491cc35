// Factors of a sparse matrix of 3x3 blocks that is not symmetric, with pivots, by Eigen's SparseLU. The pattern is
// symmetric; it is analysed once.
#pragma once

#include <Eigen/SparseLU>

#include "math/block_matrix.hpp"

namespace sim {

struct SparseLu {
  BlockMatrix pattern;  // without values
  Eigen::SparseMatrix<double> transposed;
  Eigen::SparseLU<Eigen::SparseMatrix<double>> factors;
};

bool factor(const BlockMatrix& A, SparseLu& lu);  // false where it is singular, or not a number
void solve(SparseLu& lu, VecX& x);                // x <- A^-1 x

}  // namespace sim
