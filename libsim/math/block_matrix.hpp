// A sparse matrix of 3x3 blocks in compressed rows. The pattern is built once; the numbers are refilled every step.
//
//     y_r = sum over slots s in [row_begin[r], row_begin[r+1]) of  B_s x_{column[s]}
//
// Columns ascend within a row. A block is stored column by column, nine doubles at values[9 s]; one spare double at
// the end lets the product read four at a time.
#pragma once

#include <span>
#include <vector>

#include "math/types.hpp"

namespace sim {

struct BlockMatrix {
  std::vector<Index> row_begin{0};
  std::vector<Index> column;
  std::vector<double> values;

  Index rows() const { return static_cast<Index>(row_begin.size()) - 1; }
  Index slots() const { return static_cast<Index>(column.size()); }
  Eigen::Map<Mat3> at(Index slot) { return Eigen::Map<Mat3>(&values[9 * static_cast<std::size_t>(slot)]); }
  Eigen::Map<const Mat3> at(Index slot) const {
    return Eigen::Map<const Mat3>(&values[9 * static_cast<std::size_t>(slot)]);
  }
  // The slot of block (row, col), or -1 where the pattern has none.
  Index find(Index row, Index col) const;
};

// A square pattern from undirected pairs of blocks (i != j; repeats allowed): both (i, j) and (j, i), and the
// diagonal.
BlockMatrix make_pattern(Index rows, std::span<const std::array<Index, 2>> pairs);

void set_zero(BlockMatrix& A);
void multiply(const BlockMatrix& A, const VecX& x, VecX& y);  // y = A x; y must have the right size and not be x
Vec3 multiply_slots(const BlockMatrix& A, Index begin, Index end, const VecX& x);  // the sum of some slots of a row
void add_transposed(const BlockMatrix& A, const VecX& x, VecX& y);                 // y += A^T x, on one thread

}  // namespace sim
