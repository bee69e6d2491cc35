#include "contact/cr_iteration.hpp"

#include <algorithm>
#include <cmath>

#include "math/parallel.hpp"

namespace sim {

namespace {

void multiply_with_B(CrIteration& it) {
  CrVectors& s = it.s;
  multiply(it.problem.A, s.zv, s.Azv);
  ++it.with_A;
  multiply(it.problem, it.system, s.Azv, s.zv, s.zc, s.Bzv, s.Bzc);
  it.rho = dot(s.zv, s.Bzv) + s.zc.dot(s.Bzc);
  it.gradient = std::sqrt(dot(s.Bzv, s.Bzv) + s.Bzc.squaredNorm());
}

// z . B z vanishes, although z does not, where only constraint rows are left (B is indefinite): conjugate residuals
// stand still. A step down the gradient of |r|, along p = C^-1 B z, gets them going again.
bool stands_still(const CrIteration& it) {
  const CrVectors& s = it.s;
  return std::abs(it.rho) <= 1e-14 * it.gradient * std::sqrt(dot(s.zv, s.zv) + s.zc.squaredNorm());
}

void descend(CrIteration& it) {
  CrVectors& s = it.s;
  precondition(it.problem, it.preconditioner, it.system, s.Bzv, s.Bzc, s.pv, s.pc);
  multiply(it.problem.A, s.pv, s.Apv);
  ++it.with_A;
  multiply(it.problem, it.system, s.Apv, s.pv, s.pc, s.Bpv, s.Bpc);
  it.rho = dot(s.Bpv, s.zv) + s.Bpc.dot(s.zc);
  ++it.products;
}

}  // namespace

void CrIteration::resize() {
  for (VecX* x : {&s.rv, &s.zv, &s.pv, &s.qv, &s.Av, &s.Azv, &s.Bzv, &s.Apv, &s.Bpv}) x->setZero(problem.b.size());
  for (VecX* x : {&s.rc, &s.zc, &s.pc, &s.qc, &s.Bzc, &s.Bpc}) x->setZero(problem.c.size());
}

void CrIteration::multiply_with_A() {
  multiply(problem.A, y.v, s.Av);
  ++with_A;
}

// Without a product with A: constraints change only the rest (section 3.5).
void CrIteration::compute_residual() {
  multiply(problem.L, y.v, s.rc);
  s.rv = problem.b - s.Av;
  VecX& force = system.work;
  reaction(y, force);
  for (Index i = 0; i < problem.contacts(); ++i) {
    const RowMask& rows = system.rows[i];
    Vec3 r = masked(rows, block(problem.c, i) - block(s.rc, i));
    if (rows.D_normal > 0) r[0] -= rows.D_normal * (y.lambda[i] - rows.lambda_there);
    if (rows.D > 0) r += rows.D * masked({rows.tangents, false, rows.direction, 0}, -block(force, i));
    block(s.rc, i) = r;
  }
  add_transposed(problem.L, force, s.rv);
  measure();
}

void CrIteration::measure() {
  squared_momentum = dot(s.rv, s.rv);
  size = std::sqrt(squared_momentum + s.rc.squaredNorm());
}

void CrIteration::reset() {
  compute_residual();
  largest = size;
  last_reset = products;
  precondition(problem, preconditioner, system, s.rv, s.rc, s.zv, s.zc);
  multiply_with_B(*this);
  s.pv = s.zv;
  s.pc = s.zc;
  s.Apv = s.Azv;
  s.Bpv = s.Bzv;
  s.Bpc = s.Bzc;
  still = false;
}

double CrIteration::advance() {
  still = stands_still(*this);
  if (still) descend(*this);
  ++products;
  precondition(problem, preconditioner, system, s.Bpv, s.Bpc, s.qv, s.qc);
  const double alpha = rho / (dot(s.Bpv, s.qv) + s.Bpc.dot(s.qc));
  if (!std::isfinite(alpha)) return alpha;
  add_scaled(y.v, alpha, s.pv);
  add_scaled(s.Av, alpha, s.Apv);
  for (Index i = 0; i < problem.contacts(); ++i) {
    y.lambda[i] -= alpha * s.pc[3 * i];
    y.gamma[i] += alpha * s.pc.segment<2>(3 * i + 1);
  }
  add_scaled(s.rv, -alpha, s.Bpv);
  s.rc -= alpha * s.Bpc;
  add_scaled(s.zv, -alpha, s.qv);
  s.zc -= alpha * s.qc;
  measure();
  largest = std::max(largest, size);
  return alpha;
}

void CrIteration::turn() {
  if (still) {
    reset();
    return;
  }
  const double before = rho;
  multiply_with_B(*this);
  const double beta = rho / before;
  scale_and_add(s.pv, beta, s.zv);
  s.pc = s.zc + beta * s.pc;
  scale_and_add(s.Apv, beta, s.Azv);
  scale_and_add(s.Bpv, beta, s.Bzv);
  s.Bpc = s.Bzc + beta * s.Bpc;
}

// Each for itself, but for contacts between rigid bodies: what their rows miss adds up to a motion of the whole body.
bool CrIteration::is_small(const ContactTolerance& tolerance) const {
  double missed = squared_momentum;
  for (Index i = 0; i < static_cast<Index>(problem.area.size()); ++i) {
    if (problem.area[i] > 0) missed += block(s.rc, i).squaredNorm();
  }
  return std::sqrt(missed) <= tolerance.momentum && worst_row() <= (1 - negligible_part) * tolerance.constraint;
}

bool CrIteration::at_local_minimum(double momentum) const {
  return gradient <= 1e-3 * std::min(size, momentum);
}

bool CrIteration::is_time(const CrIntervals& intervals, Index resets) const {
  const double growth = 1 + intervals.interval_growth * resets;
  return products - last_reset >= intervals.longest * growth ||
         size <= std::max(intervals.farthest, std::pow(intervals.fall, growth)) * largest;
}

TraceRow CrIteration::trace_row(bool changed) const {
  TraceRow row;
  row.residual = size;
  row.preconditioned_residual = std::sqrt(std::abs(dot(s.rv, s.zv) + s.rc.dot(s.zc)));
  row.constraint_residual = worst_row();
  row.mark = changed ? TraceMark::constraints_changed : TraceMark::none;
  return row;
}

}  // namespace sim
