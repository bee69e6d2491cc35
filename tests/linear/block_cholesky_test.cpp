#include "linear/block_cholesky.hpp"

#include <gtest/gtest.h>

#include <Eigen/SparseCholesky>
#include <limits>
#include <numeric>

#include "linear/bodies.hpp"
#include "linear/dense_kernels.hpp"
#include "math/random.hpp"
#include "support/counted_stop.hpp"

namespace sim {
namespace block_cholesky_test {

using Dense = Eigen::MatrixXd;

// Random springs with random directions on a pattern, and a mass at each node.
BlockMatrix random_matrix(Random& random, Index rows, const std::vector<std::array<Index, 2>>& pairs) {
  BlockMatrix A = make_pattern(rows, pairs);
  for (Index row = 0; row < rows; ++row) A.at(A.find(row, row)) += random.uniform(0.1, 1) * Mat3::Identity();
  for (const auto& [i, j] : pairs) {
    const Vec3 along(random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1));
    const Mat3 spring = along * along.transpose();
    Mat3 turn = Mat3::Identity();  // so that no block is symmetric
    turn(0, 1) = random.uniform(-1, 1);
    A.at(A.find(i, i)) += spring;
    A.at(A.find(i, j)) -= spring * turn;
    A.at(A.find(j, i)) -= (spring * turn).transpose();
    A.at(A.find(j, j)) += turn.transpose() * spring * turn;
  }
  return A;
}

BlockMatrix random_graph(Random& random, Index rows, Index pairs) {
  std::vector<std::array<Index, 2>> all;
  for (Index i = 0; i < pairs; ++i) {
    const auto a = static_cast<Index>(random.uniform(0, rows)), b = static_cast<Index>(random.uniform(0, rows));
    if (a != b) all.push_back({a, b});
  }
  return random_matrix(random, rows, all);
}

// Neighbours of a box of nodes, along edges and one diagonal of faces: like a mesh of tets.
BlockMatrix box_of_nodes(Random& random, Index nx, Index ny, Index nz) {
  std::vector<std::array<Index, 2>> pairs;
  const auto node = [&](Index x, Index y, Index z) { return (z * ny + y) * nx + x; };
  for (Index z = 0; z < nz; ++z) {
    for (Index y = 0; y < ny; ++y) {
      for (Index x = 0; x < nx; ++x) {
        for (const auto& [dx, dy, dz] : std::vector<std::array<Index, 3>>{
                 {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1, 1, 0}, {0, 1, 1}, {1, 0, 1}, {1, 1, 1}}) {
          if (x + dx < nx && y + dy < ny && z + dz < nz)
            pairs.push_back({node(x, y, z), node(x + dx, y + dy, z + dz)});
        }
      }
    }
  }
  return random_matrix(random, nx * ny * nz, pairs);
}

std::vector<Index> all_rows(const BlockMatrix& A) {
  std::vector<Index> rows(static_cast<std::size_t>(A.rows()));
  std::iota(rows.begin(), rows.end(), 0);
  return rows;
}

Dense dense(const BlockMatrix& A) {
  Dense D = Dense::Zero(3 * A.rows(), 3 * A.rows());
  for (Index row = 0; row < A.rows(); ++row) {
    for (Index slot = A.row_begin[row]; slot < A.row_begin[row + 1]; ++slot)
      D.block<3, 3>(3 * row, 3 * A.column[slot]) = A.at(slot);
  }
  return D;
}

CholeskyFactor factor_of(const BlockMatrix& A, bool& definite) {
  CholeskyFactor C;
  C.pattern = std::make_shared<const CholeskyPattern>(analyse(A));
  CholeskyScratch scratch;
  definite = factor(A, all_rows(A), scratch, C);
  return C;
}

CholeskyFactor factor_of(const BlockMatrix& A) {
  bool definite = false;
  CholeskyFactor C = factor_of(A, definite);
  EXPECT_TRUE(definite);
  return C;
}

VecX solved(const CholeskyFactor& C, const VecX& b) {
  CholeskyScratch scratch;
  VecX x = b;
  solve_forwards(C, scratch, x);
  solve_back(C, scratch, x);
  return x;
}

VecX random_vector(Random& random, Eigen::Index size) {
  VecX x(size);
  for (double& value : x) value = random.uniform(-1, 1);
  return x;
}

// C as the fronts have it, below the diagonal.
Dense unpacked(const CholeskyFactor& C) {
  const CholeskyPattern& p = *C.pattern;
  Dense D = Dense::Zero(3 * p.blocks(), 3 * p.blocks());
  for (const CholeskyPattern::Front& front : p.fronts) {
    for (Index column = 0; column < 3 * front.columns; ++column) {
      const double* values =
          &C.values[front.begin + static_cast<std::size_t>(front.stride) * static_cast<std::size_t>(column)];
      for (Index row = column; row < 3 * front.columns; ++row)
        D(3 * front.first + row, 3 * front.first + column) = values[row];
      for (Index i = 0; i < 3 * front.below(); ++i)
        D(3 * p.rows[front.rows_begin + i / 3] + i % 3, 3 * front.first + column) = values[3 * front.columns + i];
    }
  }
  return D;
}

TEST(DenseKernels, TheProductIsSubtractedWhateverItsSizes) {
  Random random(3);
  for (const Index rows : {1, 3, 8, 15, 24, 33, 500}) {
    for (const Index columns : {3, 6, 9, 15}) {
      for (const Index depth : {0, 1, 7}) {
        const Index stride = whole_lanes(rows);
        const auto matrix = [&](Index r, Index c) {
          return Dense(Dense::NullaryExpr(r, c, [&] { return random.uniform(-1, 1); }));
        };
        Dense C = matrix(stride, columns);
        const Dense X = matrix(stride, depth + 1), Z = matrix(columns, depth + 1), before = C;
        subtract_product({C.data(), static_cast<std::size_t>(stride)}, {X.data(), static_cast<std::size_t>(stride)},
                         {Z.data(), static_cast<std::size_t>(columns)}, rows, columns, depth);
        const Dense expected = before - X.leftCols(depth) * Z.leftCols(depth).transpose();
        EXPECT_LT((C - expected).topRows(rows).norm(), 1e-13 * (1 + depth) * std::sqrt(rows * columns));
      }
    }
  }
}

TEST(BlockCholesky, TheFactorTimesItsTransposeIsTheMatrixInItsOrder) {
  Random random(1);
  for (const BlockMatrix& A :
       {random_graph(random, 1, 0), random_graph(random, 60, 90), random_graph(random, 80, 2000),
        box_of_nodes(random, 7, 6, 5), box_of_nodes(random, 40, 1, 2)}) {
    const CholeskyFactor C = factor_of(A);
    const Dense factor = unpacked(C), D = dense(A);
    Dense left = factor * factor.transpose();
    for (Index i = 0; i < A.rows(); ++i) {
      for (Index j = 0; j < A.rows(); ++j)
        left.block<3, 3>(3 * i, 3 * j) -= D.block<3, 3>(3 * C.pattern->order[i], 3 * C.pattern->order[j]);
    }
    EXPECT_LT(left.norm(), 1e-13 * D.norm());
  }
}

TEST(BlockCholesky, SolvesAsEigenDoes) {
  Random random(2);
  for (const BlockMatrix& A :
       {random_graph(random, 300, 900), box_of_nodes(random, 12, 11, 10), box_of_nodes(random, 60, 25, 2)}) {
    std::vector<Eigen::Triplet<double>> entries;
    for (Index row = 0; row < A.rows(); ++row) {
      for (Index slot = A.row_begin[row]; slot < A.row_begin[row + 1]; ++slot) {
        for (int i = 0; i < 9; ++i)
          entries.emplace_back(3 * row + i % 3, 3 * A.column[slot] + i / 3, A.at(slot)(i % 3, i / 3));
      }
    }
    Eigen::SparseMatrix<double> sparse(3 * A.rows(), 3 * A.rows());
    sparse.setFromTriplets(entries.begin(), entries.end());
    const VecX b = random_vector(random, 3 * A.rows());
    const VecX expected = Eigen::SimplicialLDLT<Eigen::SparseMatrix<double>>(sparse).solve(b);
    const VecX x = solved(factor_of(A), b);
    EXPECT_LT((x - expected).norm(), 1e-10 * expected.norm());
    EXPECT_LT((sparse * x - b).norm(), 1e-12 * b.norm());
  }
}

TEST(BlockCholesky, PanelsAreTheSolutionsForTheirRowsAndZeroElsewhere) {
  Random random(4);
  const BlockMatrix A = box_of_nodes(random, 9, 8, 4);
  const CholeskyFactor C = factor_of(A);
  const CholeskyPattern& p = *C.pattern;
  std::vector<SparseRow> entries[2];
  Dense B = Dense::Zero(3 * A.rows(), 3 * 11);
  const Index columns[] = {3 * 4, 3 * 7};
  for (int part = 0; part < 2; ++part) {
    for (Index column = 0; column < columns[part] / 3; ++column) {
      for (int i = 0; i < 3; ++i) {
        const auto row = static_cast<Index>(random.uniform(0, A.rows()));
        const Mat3 block = Mat3::NullaryExpr([&] { return random.uniform(-1, 1); });
        entries[part].push_back({row, column, block});
        B.block<3, 3>(3 * row, 12 * part + 3 * column) += block;
      }
    }
  }
  PanelScratch scratch;
  ForwardPanel X[2];
  for (int part = 0; part < 2; ++part)
    EXPECT_GT(solve_forwards(C, entries[part], columns[part], scratch, X[part]), 0);
  Dense whole(B.rows(), B.cols());
  CholeskyScratch solving;
  for (Index column = 0; column < B.cols(); ++column) {
    VecX x = B.col(column);
    solve_forwards(C, solving, x);
    whole.col(column) = x;
  }
  for (int part = 0; part < 2; ++part) {
    Dense left = whole.middleCols(12 * part, columns[part]);
    EXPECT_LT(X[part].fronts.size(), p.fronts.size());
    for (std::size_t i = 0; i < X[part].fronts.size(); ++i) {
      const CholeskyPattern::Front& front = p.fronts[X[part].fronts[i]];
      for (Index row = 0; row < 3 * front.columns; ++row) {
        const double* values = &X[part].values[X[part].begin[i] + static_cast<std::size_t>(row * X[part].width)];
        for (Index column = 0; column < columns[part]; ++column)
          left(3 * front.first + row, column) -= values[column];
      }
    }
    EXPECT_LT(left.norm(), 1e-12 * whole.norm());
  }
  const Dense inverse = dense(A).inverse();
  for (int a = 0; a < 2; ++a) {
    for (int b = 0; b < 2; ++b) {
      std::vector<double> W;
      multiply_transposed(X[a], X[b], W);
      const Dense expected =
          B.middleCols(12 * a, columns[a]).transpose() * inverse * B.middleCols(12 * b, columns[b]);
      const Eigen::Map<const Dense> all(W.data(), X[a].width, columns[b]);
      EXPECT_LT((all.topRows(columns[a]) - expected).norm(), 1e-10 * expected.norm());
    }
  }
}

TEST(BlockCholesky, SaysWhenAMatrixIsNotDefiniteOrNotANumber) {
  Random random(6);
  BlockMatrix A = box_of_nodes(random, 5, 5, 3);
  bool definite = true;
  const Index slot = A.find(40, 40);
  const Mat3 block = A.at(slot);
  A.at(slot)(1, 1) = -1e-3;
  factor_of(A, definite);
  EXPECT_FALSE(definite);
  A.at(slot) = block;
  A.at(slot)(2, 1) = A.at(slot)(1, 2) = std::numeric_limits<double>::quiet_NaN();
  factor_of(A, definite);
  EXPECT_FALSE(definite);
  A.at(slot) = block;
  factor_of(A, definite);
  EXPECT_TRUE(definite);
}

// Within a front, too: that of a body without structure is all there is.
TEST(BlockCholesky, LooksWhetherItIsToStopOnceEveryFewColumns) {
  std::vector<std::array<Index, 2>> all;
  for (Index i = 0; i < 60; ++i) {
    for (Index j = i + 1; j < 60; ++j) all.push_back({i, j});
  }
  Random random(3);
  for (const BlockMatrix& A : {random_matrix(random, 60, all), box_of_nodes(random, 6, 6, 6)}) {
    CholeskyFactor C;
    C.pattern = std::make_shared<const CholeskyPattern>(analyse(A));
    CholeskyScratch scratch;
    const test::CountedStop never;
    ASSERT_TRUE(factor(A, all_rows(A), scratch, C, never.token()));
    EXPECT_GE(never.looks, 3 * A.rows() / 6);
    for (long look = 1; look <= never.looks; look += 7) {
      const test::CountedStop stop{.asks_at = look};
      EXPECT_FALSE(factor(A, all_rows(A), scratch, C, stop.token()));
      EXPECT_EQ(stop.looks, look);
    }
  }
}

TEST(CholeskyPattern, IsSharedByBodiesThatLookAlike) {
  Random random(7);
  // Two boxes, the nodes of both in turn, and one that is different.
  std::vector<std::array<Index, 2>> pairs;
  const BlockMatrix box = box_of_nodes(random, 4, 3, 2);
  for (Index row = 0; row < box.rows(); ++row) {
    for (Index slot = box.row_begin[row]; slot < box.row_begin[row + 1]; ++slot) {
      if (box.column[slot] <= row) continue;
      pairs.push_back({2 * row, 2 * box.column[slot]});
      pairs.push_back({2 * row + 1, 2 * box.column[slot] + 1});
    }
  }
  for (Index row = 48; row + 1 < 72; ++row) pairs.push_back({row, row + 1});
  const BlockMatrix A = random_matrix(random, 72, pairs);
  const Bodies bodies = find_bodies(A);
  ASSERT_EQ(bodies.count(), 3);
  CholeskyPatterns patterns;
  std::vector<CholeskyFactor> factors(3);
  for (Index body = 0; body < 3; ++body) factors[body].pattern = patterns.find(A, bodies.rows_of(body), bodies.place);
  EXPECT_EQ(factors[0].pattern, factors[1].pattern);
  EXPECT_NE(factors[0].pattern, factors[2].pattern);
  const VecX b = random_vector(random, 3 * A.rows());
  VecX x(b.size()), part, product(b.size());
  CholeskyScratch scratch;
  for (Index body = 0; body < 3; ++body) {
    ASSERT_TRUE(factor(A, bodies.rows_of(body), scratch, factors[body]));
    take_rows(b, bodies.rows_of(body), part);
    put_rows(solved(factors[body], part), bodies.rows_of(body), x);
  }
  multiply(A, x, product);
  EXPECT_LT((product - b).norm(), 1e-12 * b.norm());
}

// One dense front of n scalars takes n^3 / 3 flops, a link of a chain of blocks at least 3^3 (1/3 + 1 + 1).
TEST(CholeskyPattern, CountsFlops) {
  std::vector<std::array<Index, 2>> all, chain;
  for (Index i = 0; i < 30; ++i) {
    for (Index j = i + 1; j < 30; ++j) all.push_back({i, j});
  }
  const CholeskyPattern dense_one = analyse(make_pattern(30, all));
  EXPECT_EQ(dense_one.fronts.size(), 1U);
  EXPECT_DOUBLE_EQ(dense_one.flops, 90.0 * 90 * 90 / 3);
  for (Index i = 0; i + 1 < 2000; ++i) chain.push_back({i, i + 1});
  const CholeskyPattern long_one = analyse(make_pattern(2000, chain));
  EXPECT_GE(long_one.flops, 1999 * 27 * (1.0 / 3 + 2));
  EXPECT_LT(long_one.flops, 1e-3 * 6000.0 * 6000 * 6000 / 3);
}

}  // namespace block_cholesky_test
}  // namespace sim
