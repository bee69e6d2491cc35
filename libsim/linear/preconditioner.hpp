// Block Jacobi: the inverse of each 3x3 block on the diagonal.
#pragma once

#include "math/block_matrix.hpp"

namespace sim {

struct BlockDiagonal {
  std::vector<Mat3> block;
};

// Fills P with the inverses of A's diagonal blocks, which must be definite.
void invert_diagonal(const BlockMatrix& A, BlockDiagonal& P);
void multiply(const BlockDiagonal& P, const VecX& x, VecX& y);  // y = P x

}  // namespace sim
