#include "contact/coupled_contacts.hpp"

#include <algorithm>
#include <cmath>

#include "contact/coulomb_contact.hpp"

namespace sim {

namespace {

constexpr double unmoved = 0.1;  // of the move that ends the passes: neighbours of what moves by less are not due
constexpr double weak = 0.5;     // what friction at its bound does to the normal, over what its normal force does

struct Visit {  // of a column of L by a contact
  Index contact, slot;
};

// The contacts of every column of L, in their order.
struct Columns {
  std::vector<Index> begin;
  std::vector<Visit> visits;
};

Columns columns_of(const BlockMatrix& L, std::size_t count) {
  Columns columns;
  columns.begin.assign(count + 2, 0);
  for (const Index column : L.column) ++columns.begin[column + 2];
  for (std::size_t i = 2; i < columns.begin.size(); ++i) columns.begin[i] += columns.begin[i - 1];
  columns.visits.resize(L.column.size());
  for (Index i = 0; i < L.rows(); ++i) {
    for (Index slot = L.row_begin[i]; slot < L.row_begin[i + 1]; ++slot) {
      columns.visits[columns.begin[L.column[slot] + 1]++] = {i, slot};
    }
  }
  return columns;
}

BlockMatrix coupling_pattern(const BlockMatrix& L, const Columns& columns) {
  std::vector<std::array<Index, 2>> pairs;
  for (std::size_t column = 0; column + 2 < columns.begin.size(); ++column) {
    for (Index i = columns.begin[column]; i < columns.begin[column + 1]; ++i) {
      for (Index j = i + 1; j < columns.begin[column + 1]; ++j) {
        pairs.push_back({columns.visits[i].contact, columns.visits[j].contact});
      }
    }
  }
  return make_pattern(L.rows(), pairs);
}

// The normal, then the tangents within the bound that it gives; s follows x.
void project_on_disk(const Mat3& own, const Vec3& inverse, double mu, Vec3& x, Vec3& s) {
  const double lambda = std::max(0.0, x[0] - s[0] * inverse[0]), bound = mu * lambda;
  s += own.col(0) * (lambda - x[0]);
  // Both tangents at once, with the smaller step: else the disk would have corners.
  Vec2 t = x.tail<2>() - std::min(inverse[1], inverse[2]) * s.tail<2>();
  if (t.norm() > bound) t *= bound / t.norm();
  x = {lambda, t[0], t[1]};
}

void project_on_pyramid(const Mat3& own, const Vec3& inverse, double mu, Vec3& x, Vec3& s) {
  for (int row = 0; row < 3; ++row) {
    const double free = x[row] - s[row] * inverse[row], bound = mu * x[0];
    const double next = row == 0 ? std::max(0.0, free) : std::clamp(free, -bound, bound);
    s += own.col(row) * (next - x[row]);
    x[row] = next;
  }
}

}  // namespace

void assemble(const BlockMatrix& L, const std::vector<Mat3>& D_inverse, CoupledContacts& lcp) {
  const Columns columns = columns_of(L, D_inverse.size());
  lcp.B = coupling_pattern(L, columns);
  for (std::size_t column = 0; column < D_inverse.size(); ++column) {
    for (Index i = columns.begin[column]; i < columns.begin[column + 1]; ++i) {
      const Mat3 moved = L.at(columns.visits[i].slot) * D_inverse[column];
      for (Index j = columns.begin[column]; j < columns.begin[column + 1]; ++j) {
        const Index slot = lcp.B.find(columns.visits[i].contact, columns.visits[j].contact);
        lcp.B.at(slot) += moved * L.at(columns.visits[j].slot).transpose();
      }
    }
  }
  lcp.diagonal.resize(static_cast<std::size_t>(L.rows()));
  lcp.inverse_diagonal.resize(lcp.diagonal.size());
  for (Index i = 0; i < L.rows(); ++i) {
    lcp.diagonal[i] = lcp.B.find(i, i);
    const Vec3 diagonal = lcp.B.at(lcp.diagonal[i]).diagonal();
    for (int row = 0; row < 3; ++row) lcp.inverse_diagonal[i][row] = diagonal[row] > 0 ? 1 / diagonal[row] : 0;
  }
}

namespace {

// One contact with the others held: the normal and the tangents, projected one after the other; for the cone exactly,
// where these are coupled so strongly that this need not converge. Returns the largest move of a row by its own
// change, max |B_aa (r_a - r_a before)|, in m.
double visit(CoupledContacts& lcp, Index i, VecX& r) {
  const BlockMatrix& B = lcp.B;
  Vec3 s = block(lcp.q, i) + multiply_slots(B, B.row_begin[i], B.row_begin[i + 1], r);
  const Mat3 own = B.at(lcp.diagonal[i]);
  const Vec3 before = block(r, i);
  Vec3 x = before;
  if (lcp.shape == FrictionShape::pyramid) {
    project_on_pyramid(own, lcp.inverse_diagonal[i], lcp.mu[i], x, s);
  } else if (lcp.mu[i] * own.block<2, 1>(1, 0).norm() <= weak * own(0, 0)) {
    project_on_disk(own, lcp.inverse_diagonal[i], lcp.mu[i], x, s);
  } else if (own(0, 0) > 0) {
    x = coulomb_contact(own, s - own * x, lcp.mu[i]);
  }
  block(r, i) = x;
  return (x - before).cwiseAbs().cwiseProduct(own.diagonal()).maxCoeff();
}

}  // namespace

void project(CoupledContacts& lcp, double fall, Index most, double least, VecX& r, const Stop& stop) {
  const BlockMatrix& B = lcp.B;
  lcp.due.assign(static_cast<std::size_t>(B.rows()), 1);
  double enough = 0;
  for (Index pass = 0; pass < most && !stop.asked(); ++pass) {
    ++lcp.passes;
    double largest = 0;
    for (Index i = 0; i < B.rows(); ++i) {
      if (lcp.due[i] == 0) continue;
      lcp.due[i] = 0;
      const double moved = visit(lcp, i, r);
      largest = std::max(largest, moved);
      if (!(moved > unmoved * enough)) continue;
      for (Index slot = B.row_begin[i]; slot < B.row_begin[i + 1]; ++slot) lcp.due[B.column[slot]] = 1;
    }
    if (pass == 0) enough = fall * std::max(largest, least);
    if (!(largest > enough)) break;
  }
}

}  // namespace sim
