#include "linear/preconditioner.hpp"

#include <Eigen/LU>

#include "math/parallel.hpp"

namespace sim {

namespace {
constexpr Index blocks_a_chunk = 2048;
}

void invert_diagonal(const BlockMatrix& A, BlockDiagonal& P) {
  P.block.resize(static_cast<std::size_t>(A.rows()));
  parallel_for(A.rows(), blocks_a_chunk, [&](Index begin, Index end) {
    for (Index row = begin; row < end; ++row)
      P.block[static_cast<std::size_t>(row)] = A.at(A.find(row, row)).inverse();
  });
}

void multiply(const BlockDiagonal& P, const VecX& x, VecX& y) {
  parallel_for(static_cast<Index>(P.block.size()), blocks_a_chunk, [&](Index begin, Index end) {
    for (Index i = begin; i < end; ++i) block(y, i).noalias() = P.block[static_cast<std::size_t>(i)] * block(x, i);
  });
}

}  // namespace sim
