#include "contact/row_similarity.hpp"

#include <algorithm>
#include <cmath>

namespace sim {

namespace {

struct Weight {
  Index contact;
  double w;
};

std::vector<double> slot_weights(const BlockMatrix& L) {
  std::vector<double> w(static_cast<std::size_t>(L.slots()));
  double largest = 0;
  for (Index slot = 0; slot < L.slots(); ++slot) {
    w[slot] = L.at(slot).norm();
    largest = std::max(largest, w[slot]);
  }
  if (largest > 0) {
    for (double& weight : w) weight /= largest;
  }
  return w;
}

// The contacts of every column, in their order.
struct Columns {
  std::vector<Index> begin;
  std::vector<Weight> weights;
};

Columns columns_of(const BlockMatrix& L, const std::vector<double>& w) {
  Columns columns;
  const Index count = L.slots() == 0 ? 0 : *std::max_element(L.column.begin(), L.column.end()) + 1;
  columns.begin.assign(static_cast<std::size_t>(count) + 2, 0);
  for (Index slot = 0; slot < L.slots(); ++slot) columns.begin[L.column[slot] + 2] += w[slot] > 0 ? 1 : 0;
  for (std::size_t i = 2; i < columns.begin.size(); ++i) columns.begin[i] += columns.begin[i - 1];
  columns.weights.resize(static_cast<std::size_t>(columns.begin.back()));
  for (Index a = 0; a < L.rows(); ++a) {
    for (Index slot = L.row_begin[a]; slot < L.row_begin[a + 1]; ++slot) {
      if (w[slot] > 0) columns.weights[columns.begin[L.column[slot] + 1]++] = {a, w[slot]};
    }
  }
  return columns;
}

}  // namespace

std::vector<double> row_similarity(const BlockMatrix& L) {
  const std::vector<double> w = slot_weights(L);
  const Columns columns = columns_of(L, w);
  std::vector<double> Z(static_cast<std::size_t>(L.rows()), 1.0), product(Z.size());
  std::vector<Index> met_by(Z.size(), -1), met;
  for (Index a = 0; a < L.rows(); ++a) {
    met.clear();
    for (Index slot = L.row_begin[a]; slot < L.row_begin[a + 1]; ++slot) {
      if (w[slot] == 0) continue;
      const Index column = L.column[slot];
      for (Index place = columns.begin[column]; place < columns.begin[column + 1]; ++place) {
        const Weight& other = columns.weights[place];
        if (other.contact == a) continue;
        if (met_by[other.contact] != a) {
          met_by[other.contact] = a;
          met.push_back(other.contact);
          product[other.contact] = 1;
        }
        product[other.contact] *= 1 - std::abs(w[slot] - other.w);
      }
    }
    for (const Index b : met) Z[a] += product[b];
  }
  return Z;
}

}  // namespace sim
