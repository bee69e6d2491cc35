#include "linear/sparse_lu.hpp"

#include <gtest/gtest.h>

#include <Eigen/LU>
#include <limits>

#include "math/random.hpp"

namespace sim {
namespace sparse_lu_test {

// Blocks without any symmetry on a random pattern; nothing makes the diagonal large.
BlockMatrix random_matrix(Random& random, Index rows) {
  std::vector<std::array<Index, 2>> pairs;
  for (Index i = 0; i + 1 < rows; ++i) pairs.push_back({i, i + 1});
  for (Index n = 0; n < rows; ++n) {
    const auto a = static_cast<Index>(random.uniform(0, rows)), b = static_cast<Index>(random.uniform(0, rows));
    if (a != b) pairs.push_back({a, b});
  }
  BlockMatrix A = make_pattern(rows, pairs);
  for (double& value : A.values) value = random.uniform(-1, 1);
  return A;
}

Eigen::MatrixXd dense(const BlockMatrix& A) {
  Eigen::MatrixXd D = Eigen::MatrixXd::Zero(3 * A.rows(), 3 * A.rows());
  for (Index row = 0; row < A.rows(); ++row) {
    for (Index slot = A.row_begin[row]; slot < A.row_begin[row + 1]; ++slot)
      D.block<3, 3>(3 * row, 3 * A.column[slot]) = A.at(slot);
  }
  return D;
}

TEST(SparseLu, SolvesAsDenseFactorsDo) {
  Random random(3);
  SparseLu lu;
  for (const Index rows : {1, 2, 7, 40, 40, 25}) {
    SCOPED_TRACE(rows);
    const BlockMatrix A = random_matrix(random, rows);
    VecX x(3 * rows);
    for (double& value : x) value = random.uniform(-1, 1);
    const VecX expected = dense(A).fullPivLu().solve(x);
    ASSERT_TRUE(lu.factor(A));
    lu.solve(x);
    EXPECT_LT((x - expected).norm(), 1e-9 * expected.norm());
  }
}

TEST(SparseLu, OfOtherNumbersOnTheSamePattern) {
  Random random(4);
  SparseLu lu;
  BlockMatrix A = random_matrix(random, 12);
  ASSERT_TRUE(lu.factor(A));
  for (double& value : A.values) value = random.uniform(-1, 1);
  VecX x = VecX::Ones(36);
  ASSERT_TRUE(lu.factor(A));
  lu.solve(x);
  EXPECT_LT((dense(A) * x - VecX::Ones(36)).norm(), 1e-9 * x.norm());
}

TEST(SparseLu, SingularMatricesAreTold) {
  Random random(5);
  SparseLu lu;
  BlockMatrix A = random_matrix(random, 6);
  for (Index slot = A.row_begin[3]; slot < A.row_begin[4]; ++slot) A.at(slot).row(1).setZero();
  EXPECT_FALSE(lu.factor(A));
  EXPECT_TRUE(lu.factor(random_matrix(random, 6)));
}

}  // namespace sparse_lu_test
}  // namespace sim
