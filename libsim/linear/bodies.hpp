// A x = b where A falls into parts that know nothing of each other: the bodies of a scene. Each is solved on its own,
// so that one which is done takes no more part, and small ones stay in the cache.
#pragma once

#include <array>
#include <span>

#include "linear/definite.hpp"

namespace sim {

struct Bodies {                       // the connected parts of a pattern
  std::vector<Index> of_row;          // counted from 0 in the order of their first rows
  std::vector<Index> place;           // of a row in its body
  std::vector<Index> begin{0}, rows;  // rows[begin[i]] to rows[begin[i + 1]], ascending, are those of body i

  Index count() const { return static_cast<Index>(begin.size()) - 1; }
  std::span<const Index> rows_of(Index body) const {
    return std::span(rows).subspan(begin[body], begin[body + 1] - begin[body]);
  }
};

Bodies find_bodies(const BlockMatrix& A);

// Of every body 3 / trace(1^T A 1): what a force of 1 spread over the body does to it as a whole, if it is rigid.
void mobility(const BlockMatrix& A, const Bodies& bodies, std::vector<double>& result);

// Whole bodies as a matrix of their own: `rows` of A, ascending, where row r becomes place[r].
void take_rows(const BlockMatrix& A, std::span<const Index> rows, std::span<const Index> place, BlockMatrix& part);
void take_rows(const VecX& x, std::span<const Index> rows, VecX& part);
void put_rows(const VecX& part, std::span<const Index> rows, VecX& x);

double dot_of_rows(const VecX& a, const VecX& b, std::span<const Index> rows);
double norm_of_rows(const VecX& x, std::span<const Index> rows);

struct BodiesScratch {
  struct Lane {  // a body on its way
    BlockMatrix A;
    VecX b, x;
    DefiniteScratch solving;
  };
  std::array<Lane, 8> lanes;
  CholeskyPatterns patterns;
  std::vector<std::shared_ptr<const CholeskyPattern>> pattern;  // of the chosen bodies that are not solved yet
  std::vector<CgReport> reports;                                // of the chosen bodies
};

// solve_definite() for each of the chosen bodies, to the tolerance that `options` give its own right-hand side: no
// body knows of the others. Without `factors` by conjugate gradients only. Other rows of x are left alone. The
// report's iterations are those of the body that needed most.
CgReport solve_definite(const BlockMatrix& A, const VecX& b, const Bodies& bodies, std::span<const Index> chosen,
                        const CgOptions& options, bool factors, BodiesScratch& scratch, VecX& x);

}  // namespace sim
