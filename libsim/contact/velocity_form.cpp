#include "contact/velocity_form.hpp"

#include <algorithm>
#include <numeric>

namespace sim {

namespace {

// The contacts that move each row of A.
void contacts_of_rows(const BlockMatrix& L, Index rows, std::vector<Index>& begin, std::vector<Index>& contacts) {
  begin.assign(static_cast<std::size_t>(rows) + 1, 0);
  for (const Index column : L.column) ++begin[column + 1];
  std::partial_sum(begin.begin(), begin.end(), begin.begin());
  contacts.resize(L.column.size());
  std::vector<Index> next(begin.begin(), begin.end() - 1);
  for (Index i = 0; i < L.rows(); ++i) {
    for (Index slot = L.row_begin[i]; slot < L.row_begin[i + 1]; ++slot) contacts[next[L.column[slot]]++] = i;
  }
}

void take_A(const BlockMatrix& A, BlockMatrix& H) {
  set_zero(H);
  for (Index row = 0; row < A.rows(); ++row) {
    Index slot = H.row_begin[row];
    for (Index from = A.row_begin[row]; from < A.row_begin[row + 1]; ++from) {
      while (H.column[slot] != A.column[from]) ++slot;
      H.at(slot) = A.at(from);
    }
  }
}

void add_contact(const BlockMatrix& L, Index i, const Mat3& D, BlockMatrix& H) {
  if (D.isZero(0)) return;
  for (Index a = L.row_begin[i]; a < L.row_begin[i + 1]; ++a) {
    const Mat3 left = L.at(a).transpose() * D;
    for (Index b = L.row_begin[i]; b < L.row_begin[i + 1]; ++b)
      H.at(H.find(L.column[a], L.column[b])) += left * L.at(b);
  }
}

}  // namespace

const CholeskyPattern& analyse_velocities(const ContactProblem& problem, VelocityFormScratch& s) {
  const BlockMatrix &A = problem.A, &L = problem.L;
  contacts_of_rows(L, A.rows(), s.begin, s.contacts);
  std::vector<Index> seen(static_cast<std::size_t>(A.rows()), -1), column, row_begin(1, 0);
  const auto add = [&](Index row, Index other) {
    if (seen[other] == row) return;
    seen[other] = row;
    column.push_back(other);
  };
  for (Index row = 0; row < A.rows(); ++row) {
    for (Index slot = A.row_begin[row]; slot < A.row_begin[row + 1]; ++slot) add(row, A.column[slot]);
    for (Index i = s.begin[row]; i < s.begin[row + 1]; ++i) {
      const Index contact = s.contacts[i];
      for (Index slot = L.row_begin[contact]; slot < L.row_begin[contact + 1]; ++slot) add(row, L.column[slot]);
    }
    std::sort(column.begin() + row_begin.back(), column.end());
    row_begin.push_back(static_cast<Index>(column.size()));
  }
  if (s.F.pattern != nullptr && row_begin == s.H.row_begin && column == s.H.column) return *s.F.pattern;
  s.H.row_begin = std::move(row_begin);
  s.H.column = std::move(column);
  s.H.values.assign(9 * s.H.column.size() + 1, 0.0);
  s.F.pattern = std::make_shared<const CholeskyPattern>(analyse(s.H));
  s.rows.resize(static_cast<std::size_t>(A.rows()));
  std::iota(s.rows.begin(), s.rows.end(), 0);
  return *s.F.pattern;
}

VelocityForm::VelocityForm(const ContactProblem& of, const VecX& scale, const VecX& v, VelocityFormScratch& scratch)
    : problem(of), s(scratch) {
  s.L = problem.L;
  for (Index i = 0; i < s.L.rows(); ++i) {
    for (Index slot = s.L.row_begin[i]; slot < s.L.row_begin[i + 1]; ++slot) s.L.at(slot) /= scale[i];
  }
  norms_of_rows(s.L, push);
  s.v = s.best = v;
  for (VecX* x : {&s.Av, &s.A_step, &s.gradient}) x->resize(v.size());
  for (VecX* x : {&u, &du, &s.x}) x->resize(problem.c.size());
  multiply(problem.A, s.v, s.Av);
  ++products;
  multiply(s.L, s.v, u);
  for (Index i = 0; i < s.L.rows(); ++i) block(u, i) -= block(problem.c, i) / scale[i];
}

double VelocityForm::unbalanced(const VecX& r) {
  s.gradient = s.Av - problem.b;
  s.x = -r;
  add_transposed(s.L, s.x, s.gradient);
  return s.gradient.norm();
}

// H = A + L^T D L.
template <class BlockOfContact>
void VelocityForm::assemble(const BlockOfContact& D) {
  take_A(problem.A, s.H);
  for (Index i = 0; i < s.L.rows(); ++i) add_contact(s.L, i, D(i), s.H);
}

bool VelocityForm::find_step(const VecX&, const std::vector<Mat3>& root, const Stop& stop) {
  assemble([&](Index i) { return Mat3(root[i] * root[i]); });
  flops += s.F.pattern->flops + s.F.pattern->solve_flops;
  ++factorisations;
  if (!factor(s.H, s.rows, s.cholesky, s.F, stop)) return false;
  s.step = -s.gradient;
  solve_forwards(s.F, s.cholesky, s.step);
  solve_back(s.F, s.cholesky, s.step);
  follow_step();
  return true;
}

// A factor that is not symmetric costs twice as much, and about as much again for its pivots.
bool VelocityForm::find_turning_step(const std::vector<Mat3>& D) {
  assemble([&](Index i) { return D[i]; });
  flops += 4 * s.F.pattern->flops + 2 * s.F.pattern->solve_flops;
  ++factorisations;
  if (!s.lu.factor(s.H)) return false;
  s.step = -s.gradient;
  s.lu.solve(s.step);
  follow_step();
  return s.step.allFinite();
}

void VelocityForm::follow_step() {
  multiply(problem.A, s.step, s.A_step);
  ++products;
  multiply(s.L, s.step, du);
}

double VelocityForm::slope() const {
  return s.step.dot(s.Av - problem.b);
}

double VelocityForm::curvature() const {
  return s.step.dot(s.A_step);
}

void VelocityForm::advance(double a) {
  s.v += a * s.step;
  s.Av += a * s.A_step;
  u += a * du;
}

}  // namespace sim
