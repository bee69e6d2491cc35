// Small dense kernels of the sparse Cholesky factor. Matrices are column by column; one product does nearly all work:
//
//     C -= X Z^T,     C_rc -= sum over k < depth of X_rk Z_ck
//
// Rows of C and X come in eights: up to seven rows beyond the last one are read, and of C written, so that columns
// of C must be that far apart or not matter, and what follows the last column must be there.
#pragma once

#include <cstddef>

#include "math/stop.hpp"
#include "math/types.hpp"

namespace sim {

inline constexpr Index row_lanes = 8;

constexpr Index whole_lanes(Index rows) {
  return (rows + row_lanes - 1) / row_lanes * row_lanes;
}

struct ConstPanel {  // entry (row, column) at data[row + column * stride]
  const double* data;
  std::size_t stride;
};
struct Panel {
  double* data;
  std::size_t stride;
};

// `columns` is a multiple of three.
void subtract_product(Panel C, ConstPanel X, ConstPanel Z, Index rows, Index columns, Index depth);

// The first `columns` columns of a symmetric matrix, of which there are `rows` rows, become those of its Cholesky
// factor; of the square on top the lower triangle counts. False where a pivot is not positive,
// and where it was stopped. The stride is a
// multiple of row_lanes, `columns` of three.
bool factor_columns(Panel matrix, Index rows, Index columns, const Stop& stop = {});

// X <- X C^-T with C lower triangular: the rows of X are right-hand sides.
void solve_rows(Panel X, ConstPanel C, Index rows, Index columns);

}  // namespace sim
