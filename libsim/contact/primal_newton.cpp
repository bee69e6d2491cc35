#include "contact/primal_newton.hpp"

#include <algorithm>
#include <cmath>
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

// The nearest point of the cone, and D = how it turns with x.
Vec3 project(const Vec3& x, double mu, Mat3& D) {
  const double size = x.tail<2>().norm();
  if (size <= mu * x[0]) {
    D.setIdentity();
    return x;
  }
  D.setZero();
  if (x[0] + mu * size <= 0) return Vec3::Zero();
  const double normal = (x[0] + mu * size) / (1 + mu * mu);
  const Vec2 e = size > 0 ? Vec2(x.tail<2>() / size) : Vec2(1, 0);
  const Vec3 edge(1, mu * e[0], mu * e[1]), across(0, -e[1], e[0]);
  D = edge * edge.transpose() / (1 + mu * mu);
  if (size > 0) D += mu * normal / size * across * across.transpose();
  return normal * edge;
}

struct PrimalNewton {
  const ContactProblem& problem;
  const std::vector<double>& k;
  const ContactTolerance& tolerance;
  const PrimalNewtonOptions& options;
  const SolveLimits& limits;
  const Judge& error_in_tolerances;
  PrimalNewtonScratch& s;
  ContactSolution& y;
  PrimalNewtonReport report{};
  double momentum = 0, conditions = 0;  // errors in tolerances, of the softened problem

  Index contacts() const { return problem.contacts(); }

  void begin() {
    s.L = problem.L;
    s.scale.resize(contacts());
    s.c.resize(problem.c.size());
    reaction(y, s.r0);
    for (Index i = 0; i < contacts(); ++i) {
      const double scale = s.scale[i] = std::sqrt(options.penalty * k[i]);
      for (Index slot = s.L.row_begin[i]; slot < s.L.row_begin[i + 1]; ++slot) s.L.at(slot) /= scale;
      block(s.c, i) = block(problem.c, i) / scale;
      block(s.r0, i) *= scale;
    }
    for (VecX* x : {&s.x, &s.r, &s.u, &s.L_step, &s.physical_r, &s.physical_u}) x->setZero(s.c.size());
    for (VecX* x : {&s.soft, &s.s, &s.missing_s}) x->setZero(contacts());
    s.D.resize(static_cast<std::size_t>(contacts()));
    s.v = y.v;
    s.Av.resize(s.v.size());
    s.A_step.resize(s.v.size());
    multiply(problem.A, s.v, s.Av);
    multiply(s.L, s.v, s.u);
    s.u -= s.c;
    for (Index i = 0; i < contacts(); ++i) s.s[i] = wanted_shift(i);
    s.anderson.begin(5, contacts());
    soften();
  }

  double wanted_shift(Index i) const { return problem.mu[i] * s.u.segment<2>(3 * i + 1).norm(); }

  void soften() {
    double largest = 0;
    for (Index i = 0; i < contacts(); ++i) largest = std::max(largest, s.r0[3 * i] / s.scale[i]);
    if (largest <= 0) return;
    for (Index i = 0; i < contacts(); ++i)
      s.soft[i] = options.soft * tolerance.constraint / (largest * s.scale[i] * s.scale[i]);
  }

  // The forces and shifts that the contacts have now.
  void follow() {
    s.r0 = s.r;
    soften();
    for (Index i = 0; i < contacts(); ++i) s.missing_s[i] = wanted_shift(i) - s.s[i];
    s.anderson.advance(s.missing_s, s.s);
    s.s = s.s.cwiseMax(0.0);
  }

  Vec3 force(Index i, const Vec3& u, Mat3& D) const {
    Vec3 x = block(s.r0, i) - u;
    x[0] -= s.s[i];
    return project(x / (1 + s.soft[i]), problem.mu[i], D);
  }

  void evaluate() {
    for (Index i = 0; i < contacts(); ++i) {
      block(s.r, i) = force(i, block(s.u, i), s.D[i]);
      s.D[i] /= 1 + s.soft[i];
    }
    s.gradient = s.Av - problem.b;
    s.x = -s.r;
    add_transposed(s.L, s.x, s.gradient);
    judge();
  }

  void judge() {
    for (Index i = 0; i < contacts(); ++i) {
      block(s.physical_r, i) = block(s.r, i) / s.scale[i];
      block(s.physical_u, i) = block(s.u, i) * s.scale[i];
    }
    momentum = s.gradient.norm() / tolerance.momentum;
    const double error = std::max(momentum, error_in_tolerances(s.physical_u, s.physical_r));
    for (Index i = 0; i < contacts(); ++i) block(s.physical_u, i) += s.soft[i] * s.scale[i] * block(s.r, i);
    conditions = error_in_tolerances(s.physical_u, s.physical_r);
    if (!(error < report.error || (is_done() && error <= 1))) return;
    report.error = error;
    set_reaction(s.physical_r, y);
    y.v = s.v;
  }

  bool is_done() const { return std::max(momentum, conditions) <= options.finer; }

  void add_contact(Index i) {
    for (Index a = s.L.row_begin[i]; a < s.L.row_begin[i + 1]; ++a) {
      const Mat3 left = s.L.at(a).transpose() * s.D[i];
      for (Index b = s.L.row_begin[i]; b < s.L.row_begin[i + 1]; ++b)
        s.H.at(s.H.find(s.L.column[a], s.L.column[b])) += left * s.L.at(b);
    }
  }

  bool factor_hessian() {
    set_zero(s.H);
    const BlockMatrix& A = problem.A;
    for (Index row = 0; row < A.rows(); ++row) {
      Index slot = s.H.row_begin[row];
      for (Index from = A.row_begin[row]; from < A.row_begin[row + 1]; ++from) {
        while (s.H.column[slot] != A.column[from]) ++slot;
        s.H.at(slot) = A.at(from);
      }
    }
    for (Index i = 0; i < contacts(); ++i) {
      if (s.D[i](0, 0) != 0) add_contact(i);
    }
    report.flops += s.F.pattern->flops + s.F.pattern->solve_flops;
    return factor(s.H, s.rows, s.cholesky, s.F, limits.stop);
  }

  // Of the convex function, at v + a step.
  double slope(double a) const {
    double sum = s.step.dot(s.Av - problem.b) + a * s.step.dot(s.A_step);
    Mat3 D;
    for (Index i = 0; i < contacts(); ++i)
      sum -= block(s.L_step, i).dot(force(i, block(s.u, i) + a * block(s.L_step, i), D));
    return sum;
  }

  // Near the smallest value along the step: the slope is a tenth of the first one.
  double length_of_step() const {
    double low = 0, high = 1, at_low = slope(0), at_high = slope(1);
    const double enough = -0.1 * at_low;
    if (at_high <= enough) return 1;
    double a = 1;
    for (int i = 0; i < 30; ++i) {
      a = low + (high - low) * std::clamp(at_low / (at_low - at_high), 0.1, 0.9);
      const double now = slope(a);
      if (std::abs(now) <= enough) break;
      (now < 0 ? low : high) = a;
      (now < 0 ? at_low : at_high) = now;
    }
    return a;
  }

  void advance() {
    s.step = -s.gradient;
    solve_forwards(s.F, s.cholesky, s.step);
    solve_back(s.F, s.cholesky, s.step);
    multiply(problem.A, s.step, s.A_step);
    multiply(s.L, s.step, s.L_step);
    const double a = length_of_step();
    s.v += a * s.step;
    s.Av += a * s.A_step;
    s.u += a * s.L_step;
  }

  void run() {
    begin();
    evaluate();
    while (!is_done() && !limits.met(report.iterations) && report.flops < options.most_flops) {
      ++report.iterations;
      if (momentum <= std::max(options.finer, 0.1 * conditions)) {
        follow();
      } else {
        if (!factor_hessian()) {
          report.definite = false;
          return;
        }
        advance();
      }
      evaluate();
      if (!std::isfinite(momentum + conditions)) return;
    }
  }
};

}  // namespace

const CholeskyPattern& analyse_velocities(const ContactProblem& problem, PrimalNewtonScratch& s) {
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

PrimalNewtonReport primal_newton(const ContactProblem& problem, const std::vector<double>& k,
                                 const ContactTolerance& tolerance, const PrimalNewtonOptions& options,
                                 const SolveLimits& limits, const Judge& error_in_tolerances,
                                 PrimalNewtonScratch& scratch, ContactSolution& y) {
  PrimalNewton method{problem, k, tolerance, options, limits, error_in_tolerances, scratch, y};
  method.run();
  return method.report;
}

}  // namespace sim
