// What the Cholesky factor of a sparse matrix of 3x3 blocks looks like, from its pattern alone:
//
//     P A P^T = C C^T
//
// P is a fill-reducing order (approximate minimum degree, Amestoy et al. 1996). Columns of C with nearly the same
// rows are a front: a dense panel that holds the square of its columns and the rows below. The rows below belong to
// fronts that follow; the one with the first of them is the parent, and the fronts are a forest in postorder (Liu
// 1992). Fronts are joined, with zeros stored, where that costs less than it saves by the counts of front_cost().
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "math/block_matrix.hpp"

namespace sim {

struct CholeskyPattern {
  struct Front {
    Index first = 0, columns = 0;        // blocks, in the order of elimination
    Index rows_begin = 0, rows_end = 0;  // of `rows`: below the square
    Index parent = -1;
    Index stride = 0;       // doubles from column to column of its panel
    std::size_t begin = 0;  // of its panel in the values
    Index below() const { return rows_end - rows_begin; }
  };
  std::vector<Front> fronts;
  std::vector<Index> rows;       // of all fronts, ascending in each
  std::vector<Index> in_parent;  // of each of these: its place in the parent, whose columns come first
  std::vector<Index> front_of;   // a block column
  std::vector<Index> order;      // row of the matrix by its turn
  std::vector<Index> turn;       // the other way round
  std::vector<std::size_t>
      target;  // a slot of the matrix: where its block goes, transposed, in the values; or `upper`
  static constexpr std::size_t upper = static_cast<std::size_t>(-1);
  std::size_t values = 0;  // doubles that the factor needs
  std::size_t stack = 0;   // doubles that factoring needs besides
  double flops = 0;        // of factoring
  double solve_flops = 0;  // of one right-hand side, forwards and back

  Index blocks() const { return static_cast<Index>(order.size()); }
};

// Of a symmetric pattern with its diagonal; the values do not matter.
CholeskyPattern analyse(const BlockMatrix& A);

// Patterns that have been met, so that copies of a mesh share theirs.
class CholeskyPatterns {
 public:
  // Of the rows of a body of A (linear/bodies.hpp), ascending, row r being the body's place[r].
  std::shared_ptr<const CholeskyPattern> find(const BlockMatrix& A, std::span<const Index> rows,
                                              std::span<const Index> place);

 private:
  struct Known {
    std::size_t hash;
    std::vector<Index> row_begin, column;
    std::shared_ptr<const CholeskyPattern> pattern;
  };
  std::vector<Known> known_;
};

}  // namespace sim
