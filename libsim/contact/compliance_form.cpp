#include "contact/compliance_form.hpp"

#include <numeric>

namespace sim {

namespace {

bool has_pattern(const BlockMatrix& A, const BlockMatrix& B) {
  return A.row_begin == B.row_begin && A.column == B.column;
}

}  // namespace

ComplianceForm::ComplianceForm(const ContactProblem& problem, const BlockMatrix& W, const VecX& q, const VecX& scale,
                               const VecX& r, ComplianceFormScratch& scratch)
    : s(scratch) {
  const Index contacts = W.rows();
  if (s.F.pattern == nullptr || !has_pattern(W, s.W)) {
    s.F.pattern = std::make_shared<const CholeskyPattern>(analyse(W));
    s.rows.resize(static_cast<std::size_t>(contacts));
    std::iota(s.rows.begin(), s.rows.end(), 0);
  }
  s.W = W;
  s.H = W;
  s.L = problem.L;
  s.p.resize(r.size());
  u.resize(r.size());
  for (VecX* x : {&s.Wp, &du, &s.z}) x->resize(r.size());
  for (Index i = 0; i < contacts; ++i) {
    block(s.p, i) = scale[i] * block(r, i);
    for (Index slot = W.row_begin[i]; slot < W.row_begin[i + 1]; ++slot)
      s.W.at(slot) /= scale[i] * scale[W.column[slot]];
    for (Index slot = s.L.row_begin[i]; slot < s.L.row_begin[i + 1]; ++slot) s.L.at(slot) /= scale[i];
  }
  norms_of_rows(s.L, push);
  s.best = s.p;
  multiply(s.W, s.p, s.Wp);
  for (Index i = 0; i < contacts; ++i) block(u, i) = block(s.Wp, i) + block(q, i) / scale[i];
  s.unbalanced.resize(problem.b.size());
}

double ComplianceForm::unbalanced(const VecX& r) {
  s.missing = r - s.p;
  s.unbalanced.setZero();
  add_transposed(s.L, s.missing, s.unbalanced);
  return s.unbalanced.norm();
}

bool ComplianceForm::find_step(const VecX& r, const std::vector<Mat3>& root, const Stop& stop) {
  s.missing = r - s.p;
  multiply(s.W, s.missing, s.z);
  for (Index i = 0; i < s.W.rows(); ++i) {
    block(s.z, i) = root[i] * Vec3(block(s.z, i));
    for (Index slot = s.W.row_begin[i]; slot < s.W.row_begin[i + 1]; ++slot) {
      const Index other = s.W.column[slot];
      s.H.at(slot) = root[i] * s.W.at(slot) * root[other];
      if (other == i) s.H.at(slot) += Mat3::Identity();
    }
  }
  flops += s.F.pattern->flops + s.F.pattern->solve_flops + 36.0 * s.W.slots();
  ++factorisations;
  if (!factor(s.H, s.rows, s.cholesky, s.F, stop)) return false;
  solve_forwards(s.F, s.cholesky, s.z);
  solve_back(s.F, s.cholesky, s.z);
  s.step = s.missing;
  for (Index i = 0; i < s.W.rows(); ++i) block(s.step, i) -= root[i] * block(s.z, i);
  multiply(s.W, s.step, du);
  return true;
}

double ComplianceForm::slope() const {
  return s.step.dot(s.Wp);
}

double ComplianceForm::curvature() const {
  return s.step.dot(du);
}

void ComplianceForm::advance(double a) {
  s.p += a * s.step;
  s.Wp += a * du;
  u += a * du;
}

}  // namespace sim
