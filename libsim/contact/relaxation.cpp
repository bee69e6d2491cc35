#include "contact/relaxation.hpp"

#include <algorithm>
#include <cmath>

#include "math/parallel.hpp"

namespace sim {

namespace {

constexpr Index rows_a_chunk = 512;

void find_cuts(const BlockMatrix& A, std::vector<Index>& cut) {
  cut.assign(1, 0);
  Index last = -1;  // that the rows so far are coupled to
  for (Index row = 0; row < A.rows(); ++row) {
    last = std::max(last, A.column[A.row_begin[row + 1] - 1]);
    const bool is_large = row + 1 - cut.back() >= rows_a_chunk || row + 1 == A.rows();
    if (last == row && is_large) cut.push_back(row + 1);
  }
}

}  // namespace

void prepare(const BlockMatrix& A, Relaxation& relaxation) {
  relaxation.diagonal.resize(static_cast<std::size_t>(A.rows()));
  for (Index row = 0; row < A.rows(); ++row) relaxation.diagonal[row] = A.find(row, row);
  invert_diagonal(A, relaxation.D_inverse);
  find_cuts(A, relaxation.cut);
  relaxation.lower.resize(3 * Eigen::Index{A.rows()});
  relaxation.upper.resize(3 * Eigen::Index{A.rows()});
}

void multiply_parts(const BlockMatrix& A, const VecX& v, Relaxation& relaxation) {
  parallel_for(A.rows(), rows_a_chunk, [&](Index begin, Index end) {
    for (Index row = begin; row < end; ++row) {
      const Index diagonal = relaxation.diagonal[row];
      block(relaxation.lower, row) = -multiply_slots(A, A.row_begin[row], diagonal, v);
      block(relaxation.upper, row) = -multiply_slots(A, diagonal + 1, A.row_begin[row + 1], v);
    }
  });
}

double sweep(const BlockMatrix& A, const VecX& f, Relaxation& relaxation, VecX& v) {
  parallel_for(static_cast<Index>(relaxation.cut.size()) - 1, 1, [&](Index part, Index) {
    for (Index row = relaxation.cut[part]; row < relaxation.cut[part + 1]; ++row) {
      const Vec3 lower = -multiply_slots(A, A.row_begin[row], relaxation.diagonal[row], v);
      block(relaxation.lower, row) = lower;
      block(v, row) = relaxation.D_inverse.block[row] * (block(f, row) + lower + block(relaxation.upper, row));
    }
  });
  return std::sqrt(parallel_sum(A.rows(), rows_a_chunk, [&](Index begin, Index end) {
    double sum = 0;
    for (Index row = begin; row < end; ++row) {
      const Vec3 upper = -multiply_slots(A, relaxation.diagonal[row] + 1, A.row_begin[row + 1], v);
      sum += (upper - block(relaxation.upper, row)).squaredNorm();
      block(relaxation.upper, row) = upper;
    }
    return sum;
  }));
}

void jacobi(const VecX& f, const Relaxation& relaxation, VecX& v) {
  parallel_for(static_cast<Index>(relaxation.diagonal.size()), rows_a_chunk, [&](Index begin, Index end) {
    for (Index row = begin; row < end; ++row) {
      block(v, row) = relaxation.D_inverse.block[row] *
                      (block(f, row) + block(relaxation.lower, row) + block(relaxation.upper, row));
    }
  });
}

}  // namespace sim
