#include "contact/published/kkt_system.hpp"

#include <cmath>
#include <utility>

#include "math/parallel.hpp"

namespace sim::published {

Kkt::Kkt(const ContactProblem& problem_) : problem(problem_) {
  inverse_diagonal(problem, A_d_inverse);
  row_compliance(problem, A_d_inverse, compliance);
  S_d = compliance;
  for (Index i = 0; i < problem.contacts(); ++i) block(S_d, i) *= problem.Z[i];
  active.setZero(problem.c.size());
}

void Kkt::multiply(const VecX& Az, const Pair& z, Pair& Bz) const {
  Bz.v = Az;
  add_transposed(problem.L, z.x, Bz.v);
  Bz.x.resize(z.x.size());
  sim::multiply(problem.L, z.v, Bz.x);
  Bz.x = active.cwiseProduct(Bz.x);
}

void Kkt::precondition(Preconditioner kind, const Pair& r, Pair& z) const {
  z.v = A_d_inverse.cwiseProduct(r.v);
  if (kind == Preconditioner::diag) {
    z.x = r.x.cwiseQuotient(S_d);
    return;
  }
  // z_x = S_d^-1 (L A_d^-1 r_v - r_x),   z_v = A_d^-1 (r_v - L^T z_x)
  z.x.resize(r.x.size());
  sim::multiply(problem.L, z.v, z.x);
  z.x = active.cwiseProduct(z.x - r.x).cwiseQuotient(S_d);
  const VecX pushed = -z.x;
  VecX left = r.v;
  add_transposed(problem.L, pushed, left);
  z.v = A_d_inverse.cwiseProduct(left);
}

Pair Kkt::residual(const VecX& Av, const Pair& y) const {
  Pair r;
  const VecX pushed = -y.x;
  r.v = problem.b - Av;
  add_transposed(problem.L, pushed, r.v);
  r.x.resize(problem.c.size());
  sim::multiply(problem.L, y.v, r.x);
  r.x = active.cwiseProduct(problem.c - r.x);
  return r;
}

ConjugateResidual::ConjugateResidual(Kkt& system, Preconditioner kind_, Pair start)
    : B(system), kind(kind_), y(std::move(start)) {
  Av.resize(y.v.size());
  Az.resize(y.v.size());
  multiply(B.problem.A, y.v, Av);
  ++products;
}

void ConjugateResidual::restart() {
  r = B.residual(Av, y);
  B.precondition(kind, r, z);
  multiply(B.problem.A, z.v, Az);
  ++products;
  B.multiply(Az, z, Bz);
  rho = dot(z.v, Bz.v) + z.x.dot(Bz.x);
  p = z;
  Ap = Az;
  Bp = Bz;
}

double ConjugateResidual::advance() {
  B.precondition(kind, Bp, CBp);
  const double alpha = rho / (dot(Bp.v, CBp.v) + Bp.x.dot(CBp.x));
  if (!std::isfinite(alpha)) return alpha;  // y stays what it was
  add_scaled(y.v, alpha, p.v);
  y.x += alpha * p.x;
  add_scaled(Av, alpha, Ap);
  add_scaled(r.v, -alpha, Bp.v);
  r.x -= alpha * Bp.x;
  return alpha;
}

void ConjugateResidual::turn() {
  const double before = rho;
  B.precondition(kind, r, z);
  multiply(B.problem.A, z.v, Az);
  ++products;
  B.multiply(Az, z, Bz);
  rho = dot(z.v, Bz.v) + z.x.dot(Bz.x);
  const double beta = -rho / before;
  scale_and_add(p.v, -beta, z.v);
  p.x = z.x - beta * p.x;
  scale_and_add(Ap, -beta, Az);
  scale_and_add(Bp.v, -beta, Bz.v);
  Bp.x = Bz.x - beta * Bp.x;
}

double ConjugateResidual::size() const {
  return std::sqrt(dot(r.v, r.v) + r.x.squaredNorm());
}

double ConjugateResidual::worst_row() const {
  return r.x.size() > 0 ? r.x.cwiseAbs().maxCoeff() : 0.0;
}

double ConjugateResidual::gradient() const {
  return std::sqrt(dot(Bz.v, Bz.v) + Bz.x.squaredNorm());
}

VecX rows_of(const ContactSolution& solution) {
  VecX r;
  reaction(solution, r);
  return -r;
}

void set_forces(const VecX& x, ContactSolution& solution) {
  set_reaction(-x, solution);
}

}  // namespace sim::published
