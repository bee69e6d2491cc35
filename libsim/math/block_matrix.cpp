#include "math/block_matrix.hpp"

#include <algorithm>
#include <cassert>
#include <cstring>

#include "math/parallel.hpp"

namespace sim {

namespace {

constexpr Index rows_a_chunk = 512;

using Lanes = double __attribute__((vector_size(32)));

Lanes load(const double* p) {
  Lanes lanes;
  std::memcpy(&lanes, p, sizeof lanes);
  return lanes;
}

// Three columns at a time, each in lanes of its own so that the additions need not wait for each other.
inline Lanes sum_of_slots(const double* values, const Index* column, Index begin, Index end, const double* x) {
  Lanes sum0{}, sum1{}, sum2{};
  for (Index slot = begin; slot < end; ++slot) {
    const double* block = values + 9 * static_cast<std::size_t>(slot);
    const double* v = x + 3 * static_cast<std::size_t>(column[slot]);
    sum0 += load(block) * v[0];
    sum1 += load(block + 3) * v[1];
    sum2 += load(block + 6) * v[2];
  }
  return sum0 + sum1 + sum2;
}

}  // namespace

Index BlockMatrix::find(Index row, Index col) const {
  const auto first = column.begin() + row_begin[static_cast<std::size_t>(row)];
  const auto last = column.begin() + row_begin[static_cast<std::size_t>(row) + 1];
  const auto found = std::lower_bound(first, last, col);
  return found != last && *found == col ? static_cast<Index>(found - column.begin()) : -1;
}

BlockMatrix make_pattern(Index rows, std::span<const std::array<Index, 2>> pairs) {
  std::vector<std::array<Index, 2>> entries;
  entries.reserve(2 * pairs.size() + static_cast<std::size_t>(rows));
  for (Index r = 0; r < rows; ++r) entries.push_back({r, r});
  for (const auto& [i, j] : pairs) {
    assert(i != j && i >= 0 && j >= 0 && i < rows && j < rows);
    entries.push_back({i, j});
    entries.push_back({j, i});
  }
  std::sort(entries.begin(), entries.end());
  entries.erase(std::unique(entries.begin(), entries.end()), entries.end());

  BlockMatrix A;
  A.row_begin.assign(static_cast<std::size_t>(rows) + 1, 0);
  A.column.reserve(entries.size());
  for (const auto& [row, col] : entries) {
    ++A.row_begin[static_cast<std::size_t>(row) + 1];
    A.column.push_back(col);
  }
  for (std::size_t r = 1; r < A.row_begin.size(); ++r) A.row_begin[r] += A.row_begin[r - 1];
  A.values.assign(9 * entries.size() + 1, 0.0);
  return A;
}

void set_zero(BlockMatrix& A) {
  std::fill(A.values.begin(), A.values.end(), 0.0);
}

void multiply(const BlockMatrix& A, const VecX& x, VecX& y) {
  assert(y.size() == 3 * Eigen::Index{A.rows()} && &x != &y);
  const double* values = A.values.data();
  const double* in = x.data();
  double* out = y.data();
  parallel_for(A.rows(), rows_a_chunk, [&](Index begin, Index end) {
    for (Index row = begin; row < end; ++row) {
      const Lanes sum = sum_of_slots(values, A.column.data(), A.row_begin[row], A.row_begin[row + 1], in);
      double* result = out + 3 * static_cast<std::size_t>(row);
      result[0] = sum[0];
      result[1] = sum[1];
      result[2] = sum[2];
    }
  });
}

Vec3 multiply_slots(const BlockMatrix& A, Index begin, Index end, const VecX& x) {
  const Lanes sum = sum_of_slots(A.values.data(), A.column.data(), begin, end, x.data());
  return {sum[0], sum[1], sum[2]};
}

void add_transposed(const BlockMatrix& A, const VecX& x, VecX& y) {
  for (Index row = 0; row < A.rows(); ++row) {
    const Vec3 f = block(x, row);
    if (f.isZero(0)) continue;
    for (Index slot = A.row_begin[row]; slot < A.row_begin[row + 1]; ++slot) {
      block(y, A.column[slot]) += A.at(slot).transpose() * f;
    }
  }
}

}  // namespace sim
