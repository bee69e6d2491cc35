// The Cholesky factor of a sparse symmetric positive definite matrix of 3x3 blocks, P A P^T = C C^T, front by front
// (multifrontal, Duff & Reid 1983; linear/cholesky_pattern.hpp has P and the fronts), and solves with it.
#pragma once

#include "linear/cholesky_pattern.hpp"
#include "math/stop.hpp"

namespace sim {

struct CholeskyFactor {
  std::shared_ptr<const CholeskyPattern> pattern;
  std::vector<double> values;  // panels of the fronts; square and rows below, column by column
};

struct CholeskyScratch {
  std::vector<double> stack, work;
  VecX turned;
};

// Of some rows of A, in the order of the pattern's own. False where they are not definite, or not numbers, and where
// it was stopped.
bool factor(const BlockMatrix& A, std::span<const Index> rows, CholeskyScratch& scratch, CholeskyFactor& C,
            const Stop& stop = {});

// x <- C^-1 P x and x <- P^T C^-T x, with three entries a row of the pattern; in the order of elimination between
// them.
void solve_forwards(const CholeskyFactor& C, CholeskyScratch& scratch, VecX& x);
void solve_back(const CholeskyFactor& C, CholeskyScratch& scratch, VecX& x);

// X = C^-1 P B of some right-hand sides, most of whose rows are zero: X has the rows of the fronts that are reached,
// those of the rows that are not zero and all their ancestors.
struct ForwardPanel {
  Index columns = 0;               // right-hand sides
  Index width = 0;                 // doubles from row to row of `values`
  std::vector<Index> fronts;       // ascending
  std::vector<std::size_t> begin;  // of each of them in `values`, and the end
  std::vector<double> values;      // row by row of the solution
};
struct SparseRow {  // three rows of B: block (row, column)
  Index row, column;
  Mat3 block;
};
struct PanelScratch {
  std::vector<Index> where;    // a front: its place among those that are reached, or -1
  std::vector<double> passed;  // to the rows below
};
// Returns the flops. Where it was stopped, X is no solution.
double solve_forwards(const CholeskyFactor& C, std::span<const SparseRow> B, Index columns, PanelScratch& scratch,
                      ForwardPanel& X, const Stop& stop = {});

// W = X^T Y, column by column, X.width doubles from one to the next. Of the same factor. Returns the flops.
double multiply_transposed(const ForwardPanel& X, const ForwardPanel& Y, std::vector<double>& W);

}  // namespace sim
