#include "linear/sparse_lu.hpp"

#include <Eigen/SparseLU>

namespace sim {

struct SparseLu::Factors {
  std::vector<Index> row_begin, column;    // of the pattern
  Eigen::SparseMatrix<double> transposed;  // rows of A are columns of its transpose
  Eigen::SparseLU<Eigen::SparseMatrix<double>> lu;

  void analyse(const BlockMatrix& A);
  void take(const BlockMatrix& A);
};

// Three rows of scalars a row of blocks.
void SparseLu::Factors::analyse(const BlockMatrix& A) {
  row_begin = A.row_begin;
  column = A.column;
  const auto size = 3 * Eigen::Index{A.rows()};
  transposed.resize(size, size);
  transposed.resizeNonZeros(9 * Eigen::Index{A.slots()});
  int* begin = transposed.outerIndexPtr();
  int* inner = transposed.innerIndexPtr();
  *begin = 0;
  for (Index row = 0; row < A.rows(); ++row) {
    const Index slots = A.row_begin[row + 1] - A.row_begin[row];
    for (int k = 0; k < 3; ++k, ++begin) {
      begin[1] = begin[0] + 3 * slots;
      for (Index slot = A.row_begin[row]; slot < A.row_begin[row + 1]; ++slot) {
        for (int j = 0; j < 3; ++j) *inner++ = 3 * A.column[slot] + j;
      }
    }
  }
  lu.analyzePattern(transposed);
}

void SparseLu::Factors::take(const BlockMatrix& A) {
  double* value = transposed.valuePtr();
  for (Index row = 0; row < A.rows(); ++row) {
    for (int k = 0; k < 3; ++k) {
      for (Index slot = A.row_begin[row]; slot < A.row_begin[row + 1]; ++slot) {
        for (int j = 0; j < 3; ++j) *value++ = A.at(slot)(k, j);
      }
    }
  }
}

SparseLu::SparseLu() = default;
SparseLu::SparseLu(SparseLu&&) noexcept = default;
SparseLu& SparseLu::operator=(SparseLu&&) noexcept = default;
SparseLu::~SparseLu() = default;

bool SparseLu::factor(const BlockMatrix& A) {
  if (factors_ == nullptr) factors_ = std::make_unique<Factors>();
  Factors& of = *factors_;
  if (A.row_begin != of.row_begin || A.column != of.column) of.analyse(A);
  of.take(A);
  of.lu.factorize(of.transposed);
  return of.lu.info() == Eigen::Success;
}

void SparseLu::solve(VecX& x) {
  const VecX b = x;
  x = factors_->lu.transpose().solve(b);
}

}  // namespace sim
