#include "contact/delassus.hpp"

#include <algorithm>
#include <numeric>
#include <span>

#include "math/parallel.hpp"

namespace sim {

namespace {

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

// The contacts that move rows of each body, in the order of the first of these rows to be eliminated.
std::vector<std::vector<Index>> contacts_of_bodies(const ContactProblem& problem, const FactoredMatrix& A) {
  std::vector<std::vector<std::pair<Index, Index>>> found(A.factors.size());  // turn, contact
  for (Index i = 0; i < problem.contacts(); ++i) {
    for (Index slot = problem.L.row_begin[i]; slot < problem.L.row_begin[i + 1]; ++slot) {
      const Index row = problem.L.column[slot], body = A.bodies.of_row[row];
      const Index turn = A.factors[body].pattern->turn[A.bodies.place[row]];
      if (found[body].empty() || found[body].back().second != i) found[body].emplace_back(turn, i);
      found[body].back().first = std::min(found[body].back().first, turn);
    }
  }
  std::vector<std::vector<Index>> contacts(found.size());
  for (std::size_t body = 0; body < found.size(); ++body) {
    std::sort(found[body].begin(), found[body].end());
    for (const auto& [turn, i] : found[body]) contacts[body].push_back(i);
  }
  return contacts;
}

// C^-1 P L^T of some contacts, of one body.
ForwardPanel panel_of(const ContactProblem& problem, const FactoredMatrix& A, Index body,
                      std::span<const Index> contacts, const Stop& stop) {
  const BlockMatrix& L = problem.L;
  std::vector<SparseRow> entries;
  for (Index c = 0; c < static_cast<Index>(contacts.size()); ++c) {
    for (Index slot = L.row_begin[contacts[c]]; slot < L.row_begin[contacts[c] + 1]; ++slot) {
      const Index row = L.column[slot];
      if (A.bodies.of_row[row] == body) entries.push_back({A.bodies.place[row], c, L.at(slot).transpose()});
    }
  }
  PanelScratch scratch;
  ForwardPanel X;
  solve_forwards(A.factors[body], entries, 3 * static_cast<Index>(contacts.size()), scratch, X, stop);
  return X;
}

// The blocks of W between the contacts of two panels; those of one panel with itself are symmetric.
void add_product(const ForwardPanel& X, std::span<const Index> rows, const ForwardPanel& Y,
                 std::span<const Index> columns, std::vector<double>& product, Eigen::MatrixXd& W) {
  multiply_transposed(X, Y, product);
  const Eigen::Map<const Eigen::MatrixXd, 0, Eigen::OuterStride<>> P(product.data(), X.columns, Y.columns,
                                                                     Eigen::OuterStride<>(X.width));
  for (Index j = 0; j < static_cast<Index>(columns.size()); ++j) {
    for (Index i = 0; i < static_cast<Index>(rows.size()); ++i) {
      const Mat3 block = P.block<3, 3>(3 * i, 3 * j);
      W.block<3, 3>(3 * Eigen::Index{rows[i]}, 3 * Eigen::Index{columns[j]}) += block;
      if (&X != &Y) W.block<3, 3>(3 * Eigen::Index{columns[j]}, 3 * Eigen::Index{rows[i]}) += block.transpose();
    }
  }
}

}  // namespace

Index factor_missing(const BlockMatrix& A, FactoredMatrix& factored, const Stop& stop) {
  const Bodies& bodies = factored.bodies;
  factored.factors.resize(static_cast<std::size_t>(bodies.count()));
  CholeskyPatterns patterns;
  std::vector<Index> missing;
  for (Index f = 0; f < bodies.count(); ++f) {
    if (factored.factors[f].pattern) continue;
    factored.factors[f].pattern = patterns.find(A, bodies.rows_of(f), bodies.place);
    missing.push_back(f);
  }
  const auto count = static_cast<Index>(missing.size());
  std::vector<std::uint8_t> definite(missing.size());
  parallel_for(count, 1, [&](Index begin, Index end) {
    CholeskyScratch scratch;
    for (Index i = begin; i < end && !stop.asked(); ++i)
      definite[i] = factor(A, bodies.rows_of(missing[i]), scratch, factored.factors[missing[i]], stop) ? 1 : 0;
  });
  factored.definite = std::find(definite.begin(), definite.end(), 0) == definite.end();
  return count;
}

FactoredMatrix factor(const BlockMatrix& A, bool exploit_blocks, const Stop& stop) {
  FactoredMatrix factored;
  factored.bodies = exploit_blocks ? find_bodies(A) : one_body(A.rows());
  factor_missing(A, factored, stop);
  return factored;
}

void solve(const FactoredMatrix& A, const VecX& b, VecX& x) {
  x.resize(b.size());
  parallel_for(A.bodies.count(), 1, [&](Index begin, Index end) {
    CholeskyScratch scratch;
    VecX part;
    for (Index f = begin; f < end; ++f) {
      take_rows(b, A.bodies.rows_of(f), part);
      solve_forwards(A.factors[f], scratch, part);
      solve_back(A.factors[f], scratch, part);
      put_rows(part, A.bodies.rows_of(f), x);
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
  const std::vector<std::vector<Index>> contacts = contacts_of_bodies(problem, A);
  // Panels of one body write different blocks; bodies come one after the other.
  for (Index f = 0; f < A.bodies.count(); ++f) {
    const auto count = static_cast<Index>(contacts[f].size());
    const auto of_panel = [&](Index panel) {
      return std::span(contacts[f])
          .subspan(panel * contacts_a_panel, std::min(contacts_a_panel, count - panel * contacts_a_panel));
    };
    std::vector<ForwardPanel> panels((count + contacts_a_panel - 1) / contacts_a_panel);
    const auto panel_count = static_cast<Index>(panels.size());
    parallel_for(panel_count, 1, [&](Index begin, Index end) {
      for (Index i = begin; i < end && !stop.asked(); ++i) panels[i] = panel_of(problem, A, f, of_panel(i), stop);
    });
    parallel_for(panel_count, 1, [&](Index begin, Index end) {
      std::vector<double> product;
      for (Index i = begin; i < end; ++i) {
        for (Index j = 0; j <= i && !stop.asked(); ++j)
          add_product(panels[i], of_panel(i), panels[j], of_panel(j), product, W);
      }
    });
  }
  return W;
}

}  // namespace sim
