#include "math/block_matrix.hpp"

#include <gtest/gtest.h>

#include "math/parallel.hpp"
#include "math/random.hpp"

namespace sim {
namespace block_matrix_test {

BlockMatrix random_matrix(Index rows, Index pair_count, std::uint64_t seed) {
  Random random(seed);
  std::vector<std::array<Index, 2>> pairs;
  while (static_cast<Index>(pairs.size()) < pair_count) {
    const auto i = static_cast<Index>(random.uniform(0, rows));
    const auto j = static_cast<Index>(random.uniform(0, rows));
    if (i != j) pairs.push_back({i, j});
  }
  BlockMatrix A = make_pattern(rows, pairs);
  for (std::size_t k = 0; k + 1 < A.values.size(); ++k) A.values[k] = random.uniform(-1, 1);
  return A;
}

VecX random_vector(Index size, std::uint64_t seed) {
  Random random(seed);
  VecX x(size);
  for (Index i = 0; i < size; ++i) x[i] = random.uniform(-1, 1);
  return x;
}

TEST(BlockMatrix, PatternIsSymmetricSortedAndHasTheDiagonal) {
  const BlockMatrix A = make_pattern(4, std::vector<std::array<Index, 2>>{{2, 0}, {0, 2}, {3, 1}});
  EXPECT_EQ(A.row_begin, (std::vector<Index>{0, 2, 4, 6, 8}));
  EXPECT_EQ(A.column, (std::vector<Index>{0, 2, 1, 3, 0, 2, 1, 3}));
  EXPECT_EQ(A.find(0, 2), 1);
  EXPECT_EQ(A.find(0, 1), -1);
}

TEST(BlockMatrix, ProductEqualsTheDenseOne) {
  const BlockMatrix A = random_matrix(37, 120, 5);
  Eigen::MatrixXd dense = Eigen::MatrixXd::Zero(3 * 37, 3 * 37);
  for (Index r = 0; r < A.rows(); ++r) {
    for (Index s = A.row_begin[r]; s < A.row_begin[r + 1]; ++s) dense.block<3, 3>(3 * r, 3 * A.column[s]) = A.at(s);
  }
  const VecX x = random_vector(3 * 37, 6);
  VecX y(3 * 37);
  multiply(A, x, y);
  EXPECT_LT((y - dense * x).norm(), 1e-13 * (dense * x).norm());
}

TEST(BlockMatrix, EmptyMatrixMultipliesToNothing) {
  const BlockMatrix A = make_pattern(0, {});
  VecX x(0), y(0);
  multiply(A, x, y);
  EXPECT_EQ(y.size(), 0);
}

TEST(BlockMatrix, ProductHasTheSameBitsForAnyNumberOfThreads) {
  const BlockMatrix A = random_matrix(5000, 20000, 7);
  const VecX x = random_vector(15000, 8);
  VecX one(15000), two(15000);
  set_thread_count(1);
  multiply(A, x, one);
  set_thread_count(3);
  multiply(A, x, two);
  set_thread_count(1);
  EXPECT_EQ((one.array() != two.array()).count(), 0);
}

}  // namespace block_matrix_test
}  // namespace sim
