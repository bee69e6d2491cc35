#include "contact/delassus.hpp"

#include <Eigen/OrderingMethods>
#include <algorithm>
#include <cmath>
#include <numeric>
#include <span>
#include <utility>

#include "linear/bodies.hpp"
#include "math/parallel.hpp"

namespace sim {

namespace {

using SparseMatrix = Eigen::SparseMatrix<double>;
using Panel = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;  // right-hand sides as columns

constexpr Index contacts_a_panel = 8;

Bodies one_body(Index rows) {
  Bodies whole;
  whole.of_row.assign(static_cast<std::size_t>(rows), 0);
  whole.rows.resize(whole.of_row.size());
  std::iota(whole.rows.begin(), whole.rows.end(), 0);
  whole.place = whole.rows;
  whole.begin.push_back(rows);
  return whole;
}

// `position` of the rows is that within the set.
std::vector<Index> minimum_degree(const BlockMatrix& A, std::span<const Index> rows,
                                  const std::vector<Index>& position) {
  const auto count = static_cast<Index>(rows.size());
  SparseMatrix pattern(count, count);
  for (Index i = 0; i < count; ++i) {
    pattern.startVec(i);
    for (Index slot = A.row_begin[rows[i]]; slot < A.row_begin[rows[i] + 1]; ++slot)
      pattern.insertBack(position[A.column[slot]], i) = 1;
  }
  pattern.finalize();
  Eigen::PermutationMatrix<Eigen::Dynamic, Eigen::Dynamic, int> found;
  Eigen::AMDOrdering<int>()(pattern, found);
  std::vector<Index> order(rows.size());
  for (Index i = 0; i < count; ++i) order[i] = rows[found.indices()[i]];
  return order;
}

// The lower triangle of the rows in their order. A is symmetric: what stands in its rows are its columns.
SparseMatrix permuted(const BlockMatrix& A, const std::vector<Index>& order, const std::vector<Index>& position) {
  const auto count = static_cast<Index>(order.size());
  SparseMatrix lower(3 * Eigen::Index{count}, 3 * Eigen::Index{count});
  std::vector<std::array<Index, 2>> below;  // position, slot
  for (Index j = 0; j < count; ++j) {
    below.clear();
    for (Index slot = A.row_begin[order[j]]; slot < A.row_begin[order[j] + 1]; ++slot) {
      if (position[A.column[slot]] >= j) below.push_back({position[A.column[slot]], slot});
    }
    std::sort(below.begin(), below.end());
    for (int column = 0; column < 3; ++column) {
      lower.startVec(3 * j + column);
      for (const auto& [i, slot] : below) {
        for (int row = i == j ? column : 0; row < 3; ++row) {
          lower.insertBack(3 * Eigen::Index{i} + row, 3 * j + column) = A.at(slot)(column, row);
        }
      }
    }
  }
  lower.finalize();
  return lower;
}

// The elimination tree, and C with its columns as long as they will be (Liu 1990).
std::vector<int> find_columns(const SparseMatrix& upper, SparseMatrix& C) {
  const auto rows = static_cast<int>(upper.cols());
  std::vector<int> parent(static_cast<std::size_t>(rows), -1), seen(parent), count(parent.size(), 1);
  for (int k = 0; k < rows; ++k) {
    seen[k] = k;
    for (SparseMatrix::InnerIterator it(upper, k); it; ++it) {
      for (int i = static_cast<int>(it.row()); i < k && seen[i] != k; i = parent[i]) {
        if (parent[i] < 0) parent[i] = k;
        ++count[i];
        seen[i] = k;
      }
    }
  }
  C.resize(rows, rows);
  int* begin = C.outerIndexPtr();
  begin[0] = 0;
  for (int k = 0; k < rows; ++k) begin[k + 1] = begin[k] + count[k];
  C.resizeNonZeros(begin[rows]);
  return parent;
}

// A = C C^T row by row (up-looking: Davis 2006, section 4.7) from the upper triangle of A. False where A is not
// definite, and where it was stopped.
bool find_factor(const SparseMatrix& upper, const Stop& stop, SparseMatrix& C) {
  const std::vector<int> parent = find_columns(upper, C);
  const auto rows = static_cast<int>(upper.cols());
  const int* begin = C.outerIndexPtr();
  int* row = C.innerIndexPtr();
  double* value = C.valuePtr();
  std::vector<int> end(begin, begin + rows), seen(parent.size(), -1), reach(parent.size()), path(parent.size());
  std::vector<double> y(parent.size(), 0.0);
  for (int k = 0; k < rows; ++k) {
    if (stop.asked()) return false;
    int top = rows;  // of `reach`: the columns with an entry in row k, children before parents
    seen[k] = k;
    for (SparseMatrix::InnerIterator it(upper, k); it; ++it) {
      int length = 0;
      y[it.row()] += it.value();
      for (int i = static_cast<int>(it.row()); seen[i] != k; i = parent[i]) {
        path[length++] = i;
        seen[i] = k;
      }
      while (length > 0) reach[--top] = path[--length];
    }
    double pivot = std::exchange(y[k], 0.0);
    for (; top < rows; ++top) {
      const int i = reach[top];
      const double c = std::exchange(y[i], 0.0) / value[begin[i]];
      for (int place = begin[i] + 1; place < end[i]; ++place) y[row[place]] -= value[place] * c;
      pivot -= c * c;
      row[end[i]] = k;
      value[end[i]++] = c;
    }
    if (!(pivot > 0) || !std::isfinite(pivot)) return false;
    row[end[k]] = k;
    value[end[k]++] = std::sqrt(pivot);
  }
  return true;
}

// X <- (C C^T)^-1 X where rows of X above `first` are zero.
void solve_in_place(const Factor& factor, Index first, Panel& X) {
  const SparseMatrix& C = factor.C;
  const int* begin = C.outerIndexPtr();
  const int* row = C.innerIndexPtr();
  const double* value = C.valuePtr();
  for (Index j = first; j < C.cols(); ++j) {  // the diagonal comes first in a column
    X.row(j) /= value[begin[j]];
    for (int place = begin[j] + 1; place < begin[j + 1]; ++place) X.row(row[place]) -= value[place] * X.row(j);
  }
  for (auto j = static_cast<Index>(C.cols()) - 1; j >= 0; --j) {
    for (int place = begin[j] + 1; place < begin[j + 1]; ++place) X.row(j) -= value[place] * X.row(row[place]);
    X.row(j) /= value[begin[j]];
  }
}

// The contacts that move rows of each factor, in their order.
std::vector<std::vector<Index>> contacts_of_factors(const ContactProblem& problem, const FactoredMatrix& A) {
  std::vector<std::vector<Index>> contacts(A.factors.size());
  for (Index i = 0; i < problem.contacts(); ++i) {
    for (Index slot = problem.L.row_begin[i]; slot < problem.L.row_begin[i + 1]; ++slot) {
      auto& of_factor = contacts[A.factor_of[problem.L.column[slot]]];
      if (of_factor.empty() || of_factor.back() != i) of_factor.push_back(i);
    }
  }
  return contacts;
}

// One panel of contacts: the columns of W that are theirs get the part of one factor.
void add_panel(const ContactProblem& problem, const FactoredMatrix& A, Index f, const std::vector<Index>& contacts,
               Range panel, Eigen::MatrixXd& W) {
  const BlockMatrix& L = problem.L;
  const auto rows = static_cast<Index>(A.factors[f].order.size());
  Panel X = Panel::Zero(3 * Eigen::Index{rows}, 3 * Eigen::Index{panel.size()});
  Index first = rows;
  for (Index c = panel.begin; c < panel.end; ++c) {
    for (Index slot = L.row_begin[contacts[c]]; slot < L.row_begin[contacts[c] + 1]; ++slot) {
      if (A.factor_of[L.column[slot]] != f) continue;
      const Index position = A.position_of[L.column[slot]];
      first = std::min(first, position);
      X.block<3, 3>(3 * Eigen::Index{position}, 3 * Eigen::Index{c - panel.begin}) = L.at(slot).transpose();
    }
  }
  solve_in_place(A.factors[f], 3 * first, X);
  for (const Index i : contacts) {
    for (Index slot = L.row_begin[i]; slot < L.row_begin[i + 1]; ++slot) {
      if (A.factor_of[L.column[slot]] != f) continue;
      const auto moved = X.middleRows<3>(3 * Eigen::Index{A.position_of[L.column[slot]]});
      for (Index c = panel.begin; c < panel.end; ++c) {
        W.block<3, 3>(3 * Eigen::Index{i}, 3 * Eigen::Index{contacts[c]}) +=
            L.at(slot) * moved.middleCols<3>(3 * Eigen::Index{c - panel.begin});
      }
    }
  }
}

}  // namespace

FactoredMatrix factor(const BlockMatrix& A, bool exploit_blocks, const Stop& stop) {
  Bodies bodies = exploit_blocks ? find_bodies(A) : one_body(A.rows());
  FactoredMatrix factored;
  factored.factors = std::vector<Factor>(static_cast<std::size_t>(bodies.count()));
  factored.factor_of = std::move(bodies.of_row);
  factored.position_of = std::move(bodies.place);
  std::vector<std::uint8_t> definite(factored.factors.size());
  parallel_for(bodies.count(), 1, [&](Index begin, Index end) {
    for (Index f = begin; f < end && !stop.asked(); ++f) {
      Factor& one = factored.factors[f];
      auto& position = factored.position_of;
      one.order = minimum_degree(A, bodies.rows_of(f), position);
      for (Index i = 0; i < static_cast<Index>(one.order.size()); ++i) position[one.order[i]] = i;
      definite[f] = find_factor(permuted(A, one.order, position).transpose(), stop, one.C) ? 1 : 0;
    }
  });
  factored.definite = std::find(definite.begin(), definite.end(), 0) == definite.end();
  return factored;
}

void solve(const FactoredMatrix& A, const VecX& b, VecX& x) {
  x.resize(b.size());
  parallel_for(static_cast<Index>(A.factors.size()), 1, [&](Index begin, Index end) {
    for (Index f = begin; f < end; ++f) {
      const std::vector<Index>& order = A.factors[f].order;
      Panel X(3 * static_cast<Eigen::Index>(order.size()), 1);
      for (std::size_t i = 0; i < order.size(); ++i)
        X.middleRows<3>(3 * static_cast<Eigen::Index>(i)) = block(b, order[i]);
      solve_in_place(A.factors[f], 0, X);
      for (std::size_t i = 0; i < order.size(); ++i)
        block(x, order[i]) = X.middleRows<3>(3 * static_cast<Eigen::Index>(i));
    }
  });
}

double delassus_bytes(const ContactProblem& problem) {
  const double rows = 3.0 * problem.contacts();
  return rows * rows * sizeof(double);
}

Eigen::MatrixXd delassus(const ContactProblem& problem, const FactoredMatrix& A, const Stop& stop) {
  const Eigen::Index size = 3 * Eigen::Index{problem.contacts()};
  Eigen::MatrixXd W = Eigen::MatrixXd::Zero(size, size);
  const std::vector<std::vector<Index>> contacts = contacts_of_factors(problem, A);
  // Panels of one factor write different columns; factors come one after the other.
  for (Index f = 0; f < static_cast<Index>(A.factors.size()); ++f) {
    parallel_for(static_cast<Index>(contacts[f].size()), contacts_a_panel, [&](Index begin, Index end) {
      if (!stop.asked()) add_panel(problem, A, f, contacts[f], {begin, end}, W);
    });
  }
  return W;
}

}  // namespace sim
