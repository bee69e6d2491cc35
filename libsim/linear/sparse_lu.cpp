#include "linear/sparse_lu.hpp"

namespace sim {

namespace {

// Three rows of scalars a row of blocks: rows of A are columns of its transpose.
void analyse(const BlockMatrix& A, SparseLu& lu) {
  lu.pattern.row_begin = A.row_begin;
  lu.pattern.column = A.column;
  const auto size = 3 * Eigen::Index{A.rows()};
  lu.transposed.resize(size, size);
  lu.transposed.resizeNonZeros(9 * Eigen::Index{A.slots()});
  int* outer = lu.transposed.outerIndexPtr();
  int* inner = lu.transposed.innerIndexPtr();
  *outer = 0;
  for (Index row = 0; row < A.rows(); ++row) {
    for (int k = 0; k < 3; ++k) {
      for (Index slot = A.row_begin[row]; slot < A.row_begin[row + 1]; ++slot) {
        for (int j = 0; j < 3; ++j) *inner++ = 3 * A.column[slot] + j;
      }
      outer[1] = outer[0] + 3 * (A.row_begin[row + 1] - A.row_begin[row]);
      ++outer;
    }
  }
  lu.factors.analyzePattern(lu.transposed);
}

}  // namespace

bool factor(const BlockMatrix& A, SparseLu& lu) {
  if (A.row_begin != lu.pattern.row_begin || A.column != lu.pattern.column) analyse(A, lu);
  double* value = lu.transposed.valuePtr();
  for (Index row = 0; row < A.rows(); ++row) {
    for (int k = 0; k < 3; ++k) {
      for (Index slot = A.row_begin[row]; slot < A.row_begin[row + 1]; ++slot) {
        for (int j = 0; j < 3; ++j) *value++ = A.at(slot)(k, j);
      }
    }
  }
  lu.factors.factorize(lu.transposed);
  return lu.factors.info() == Eigen::Success;
}

void solve(SparseLu& lu, VecX& x) {
  const VecX b = x;
  x = lu.factors.transpose().solve(b);
}

}  // namespace sim
