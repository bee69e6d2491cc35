#include "contact/coupled_contacts.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "contact/coulomb_contact.hpp"
#include "math/parallel.hpp"

namespace sim {

namespace {

constexpr Index contacts_a_part = 64;
constexpr double unmoved = 0.1;  // of the move that ends the passes: neighbours of what moves by less are not due
constexpr double weak = 0.5;     // what friction at its bound does to the normal, over what its normal force does

void find_columns(const BlockMatrix& L, std::size_t count, ContactsOfColumns& columns) {
  columns.begin.assign(count + 2, 0);
  for (const Index column : L.column) ++columns.begin[column + 2];
  for (std::size_t i = 2; i < columns.begin.size(); ++i) columns.begin[i] += columns.begin[i - 1];
  columns.visits.resize(L.column.size());
  for (Index i = 0; i < L.rows(); ++i) {
    for (Index slot = L.row_begin[i]; slot < L.row_begin[i + 1]; ++slot)
      columns.visits[columns.begin[L.column[slot] + 1]++] = {i, slot};
  }
}

// Small parts go together.
void find_parts(const BlockMatrix& L, const ContactsOfColumns& columns, UncoupledParts& parts) {
  parts.begin.assign(1, 0);
  parts.contacts.clear();
  std::vector<std::uint8_t> reached(static_cast<std::size_t>(L.rows()), 0), passed(columns.begin.size(), 0);
  for (Index first = 0; first < L.rows(); ++first) {
    if (reached[first] != 0) continue;
    const std::size_t begin = parts.contacts.size();
    reached[first] = 1;
    parts.contacts.push_back(first);
    for (std::size_t next = begin; next < parts.contacts.size(); ++next) {
      const Index contact = parts.contacts[next];
      for (Index slot = L.row_begin[contact]; slot < L.row_begin[contact + 1]; ++slot) {
        if (std::exchange(passed[L.column[slot]], std::uint8_t{1}) != 0) continue;
        for (const auto& beside : columns.of(L.column[slot])) {
          if (std::exchange(reached[beside.contact], std::uint8_t{1}) == 0) parts.contacts.push_back(beside.contact);
        }
      }
    }
    std::sort(parts.contacts.begin() + static_cast<std::ptrdiff_t>(begin), parts.contacts.end());
    const auto end = static_cast<Index>(parts.contacts.size());
    if (end - parts.begin.back() >= contacts_a_part || end == L.rows()) parts.begin.push_back(end);
  }
}

BlockMatrix coupling_pattern(const BlockMatrix& L, const ContactsOfColumns& columns) {
  std::vector<std::array<Index, 2>> pairs;
  for (Index column = 0; column + 2 < static_cast<Index>(columns.begin.size()); ++column) {
    const auto visits = columns.of(column);
    for (std::size_t i = 0; i < visits.size(); ++i) {
      for (std::size_t j = i + 1; j < visits.size(); ++j) pairs.push_back({visits[i].contact, visits[j].contact});
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

// One contact with the others held: the normal and the tangents, projected one after the other; for the cone exactly,
// where these are coupled so strongly that this need not converge. Returns the largest move of a row by its own
// change, max |B_aa (r_a - r_a before)|, in m.
double visit(CoupledContacts& lcp, Index i, VecX& r) {
  const BlockMatrix& L = *lcp.L;
  const Index begin = L.row_begin[i], end = L.row_begin[i + 1];
  Vec3 s = block(lcp.q, i) + multiply_slots(L, begin, end, lcp.w);
  const Mat3& own = lcp.own[i];
  const Vec3 before = block(r, i);
  Vec3 x = before;
  if (lcp.shape == FrictionShape::pyramid) {
    project_on_pyramid(own, lcp.inverse_diagonal[i], lcp.mu[i], x, s);
  } else if (lcp.mu[i] * own.block<2, 1>(1, 0).norm() <= weak * own(0, 0)) {
    project_on_disk(own, lcp.inverse_diagonal[i], lcp.mu[i], x, s);
  } else if (own(0, 0) > 0) {
    x = coulomb_contact(own, s - own * x, lcp.mu[i]);
  }
  const Vec3 change = x - before;
  if (change.isZero(0)) return 0;
  block(r, i) = x;
  for (Index slot = begin; slot < end; ++slot) block(lcp.w, L.column[slot]) += lcp.moves[slot] * change;
  return change.cwiseAbs().cwiseProduct(own.diagonal()).maxCoeff();
}

void moved_by_all(CoupledContacts& lcp, const VecX& r) {
  const BlockMatrix& L = *lcp.L;
  lcp.w.setZero();
  parallel_for(lcp.parts.count(), 1, [&](Index part, Index) {
    for (const Index i : lcp.parts.of(part)) {
      for (Index slot = L.row_begin[i]; slot < L.row_begin[i + 1]; ++slot)
        block(lcp.w, L.column[slot]) += lcp.moves[slot] * block(r, i);
    }
  });
}

// The contacts of a part that are due; those beside what moves by more than `little` are, then. The largest move, m.
double pass_over(CoupledContacts& lcp, std::span<const Index> part, double little, VecX& r) {
  const BlockMatrix& L = *lcp.L;
  double largest = 0;
  for (const Index i : part) {
    if (std::exchange(lcp.due[i], std::uint8_t{0}) == 0) continue;
    const double moved = visit(lcp, i, r);
    largest = std::max(largest, moved);
    if (!(moved > little)) continue;
    for (Index slot = L.row_begin[i]; slot < L.row_begin[i + 1]; ++slot) {
      for (const auto& beside : lcp.columns.of(L.column[slot])) lcp.due[beside.contact] = 1;
    }
  }
  return largest;
}

}  // namespace

void prepare(const BlockMatrix& L, const std::vector<Mat3>& D_inverse, CoupledContacts& lcp) {
  lcp.L = &L;
  find_columns(L, D_inverse.size(), lcp.columns);
  find_parts(L, lcp.columns, lcp.parts);
  lcp.w.resize(3 * static_cast<Eigen::Index>(D_inverse.size()));
  lcp.moves.resize(L.column.size());
  lcp.own.assign(static_cast<std::size_t>(L.rows()), Mat3::Zero());
  lcp.inverse_diagonal.resize(lcp.own.size());
  parallel_for(L.rows(), contacts_a_part, [&](Index begin, Index end) {
    for (Index i = begin; i < end; ++i) {
      for (Index slot = L.row_begin[i]; slot < L.row_begin[i + 1]; ++slot) {
        lcp.moves[slot] = D_inverse[L.column[slot]] * L.at(slot).transpose();
        lcp.own[i] += L.at(slot) * lcp.moves[slot];
      }
      const Vec3 diagonal = lcp.own[i].diagonal();
      for (int row = 0; row < 3; ++row) lcp.inverse_diagonal[i][row] = diagonal[row] > 0 ? 1 / diagonal[row] : 0;
    }
  });
}

void project(CoupledContacts& lcp, double fall, Index most, double least, VecX& r, const Stop& stop) {
  moved_by_all(lcp, r);
  lcp.due.assign(lcp.own.size(), 1);
  lcp.largest.assign(static_cast<std::size_t>(lcp.parts.count()), 0.0);
  double enough = 0;
  for (Index pass = 0; pass < most && !stop.asked(); ++pass) {
    ++lcp.passes;
    parallel_for(lcp.parts.count(), 1, [&](Index part, Index) {
      lcp.largest[part] = pass_over(lcp, lcp.parts.of(part), unmoved * enough, r);
    });
    double largest = 0;
    for (const double one : lcp.largest) largest = std::max(largest, one);
    if (pass == 0) enough = fall * std::max(largest, least);
    if (!(largest > enough)) break;
  }
}

BlockMatrix coupling(const BlockMatrix& L, const std::vector<Mat3>& D_inverse) {
  ContactsOfColumns columns;
  find_columns(L, D_inverse.size(), columns);
  BlockMatrix B = coupling_pattern(L, columns);
  for (Index column = 0; column < static_cast<Index>(D_inverse.size()); ++column) {
    for (const auto& one : columns.of(column)) {
      const Mat3 moved = L.at(one.slot) * D_inverse[column];
      for (const auto& other : columns.of(column))
        B.at(B.find(one.contact, other.contact)) += moved * L.at(other.slot).transpose();
    }
  }
  return B;
}

}  // namespace sim
