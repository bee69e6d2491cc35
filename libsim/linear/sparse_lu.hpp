// Factors of a sparse matrix of 3x3 blocks that is not symmetric, with pivots, by Eigen's SparseLU. The pattern is
// symmetric; it is analysed once.
#pragma once

#include <memory>

#include "math/block_matrix.hpp"

namespace sim {

class SparseLu {
 public:
  SparseLu();
  SparseLu(SparseLu&&) noexcept;
  SparseLu& operator=(SparseLu&&) noexcept;
  ~SparseLu();

  bool factor(const BlockMatrix& A);  // false where it is singular, or not a number
  void solve(VecX& x);                // x <- A^-1 x

 private:
  struct Factors;
  std::unique_ptr<Factors> factors_;
};

}  // namespace sim
