// A x = b with A symmetric positive definite, by conjugate gradients or a factor, whichever is cheaper:
//
//     n = flops of the factor / flops of an iteration
//     conjugate gradients for n / 4 iterations, and on to n if they have come a quarter of the way
//     else, and where n were not enough, the factor
//
// So it costs little more than twice the cheaper one. Flops are counted from the patterns, never measured: bits do
// not depend on the machine. A flop of a dense front counts for a part of one of a sparse product.
#pragma once

#include "linear/block_cholesky.hpp"
#include "linear/conjugate_gradient.hpp"

namespace sim {

constexpr double dense_flop = 0.5;  // of a flop of a sparse product

struct DefiniteScratch {
  CgScratch cg;
  CholeskyFactor C;
  CholeskyScratch cholesky;
  std::vector<Index> rows;
};

// `pattern` is that of A; none: conjugate gradients only. x holds the initial guess and receives the solution.
CgReport solve_definite(const BlockMatrix& A, const VecX& b, const std::shared_ptr<const CholeskyPattern>& pattern,
                        const CgOptions& options, DefiniteScratch& scratch, VecX& x);

}  // namespace sim
