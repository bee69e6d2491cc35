#include "contact/relaxation.hpp"

#include <cmath>

#include "math/parallel.hpp"

namespace sim {

namespace {

constexpr Index rows_a_chunk = 512;

// The sum of -A_s v over the slots [begin, end).
Vec3 minus_product(const BlockMatrix& A, Index begin, Index end, const VecX& v) {
  Vec3 first = Vec3::Zero(), second = Vec3::Zero(), third = Vec3::Zero();  // need not wait for each other
  for (Index slot = begin; slot < end; ++slot) {
    const auto block_of_A = A.at(slot);
    const double* x = v.data() + 3 * Eigen::Index{A.column[slot]};
    first += block_of_A.col(0) * x[0];
    second += block_of_A.col(1) * x[1];
    third += block_of_A.col(2) * x[2];
  }
  return -(first + second + third);
}

}  // namespace

void prepare(const BlockMatrix& A, Relaxation& relaxation) {
  relaxation.diagonal.resize(static_cast<std::size_t>(A.rows()));
  for (Index row = 0; row < A.rows(); ++row) relaxation.diagonal[row] = A.find(row, row);
  invert_diagonal(A, relaxation.D_inverse);
  relaxation.lower.resize(3 * Eigen::Index{A.rows()});
  relaxation.upper.resize(3 * Eigen::Index{A.rows()});
}

void multiply_parts(const BlockMatrix& A, const VecX& v, Relaxation& relaxation) {
  parallel_for(A.rows(), rows_a_chunk, [&](Index begin, Index end) {
    for (Index row = begin; row < end; ++row) {
      const Index diagonal = relaxation.diagonal[row];
      block(relaxation.lower, row) = minus_product(A, A.row_begin[row], diagonal, v);
      block(relaxation.upper, row) = minus_product(A, diagonal + 1, A.row_begin[row + 1], v);
    }
  });
}

double sweep(const BlockMatrix& A, const VecX& f, Relaxation& relaxation, VecX& v) {
  for (Index row = 0; row < A.rows(); ++row) {
    const Vec3 lower = minus_product(A, A.row_begin[row], relaxation.diagonal[row], v);
    block(relaxation.lower, row) = lower;
    block(v, row) = relaxation.D_inverse.block[row] * (block(f, row) + lower + block(relaxation.upper, row));
  }
  return std::sqrt(parallel_sum(A.rows(), rows_a_chunk, [&](Index begin, Index end) {
    double sum = 0;
    for (Index row = begin; row < end; ++row) {
      const Vec3 upper = minus_product(A, relaxation.diagonal[row] + 1, A.row_begin[row + 1], v);
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
