#include "contact/published/raghupathi_faure.hpp"

#include <algorithm>
#include <cmath>

#include "contact/published/ending.hpp"
#include "math/parallel.hpp"

namespace sim::published {

namespace {

constexpr double perturbation = 1e-3;  // l, 1/kg
constexpr Index repeated = 4;          // toggles; the paper has no number

enum class Set : std::uint8_t { active, inactive, removed };

struct QpCollide {
  const ContactProblem& problem;
  const ContactTolerance& tolerance;
  const SolveLimits& limits;
  VecX v, p;     // m/s; N s a contact
  double h = 1;  // s: the length of the step
  std::vector<Set> set;
  std::vector<Index> toggles;
  SolveReport report;
  VecX rv, rp, qv, qp, dv, dp;  // residual, product, direction of conjugate gradients

  explicit QpCollide(const ContactProblem& problem_, const ContactTolerance& tolerance_, const SolveLimits& limits_,
                     const ContactSolution& start)
      : problem(problem_), tolerance(tolerance_), limits(limits_), v(start.v) {
    // The rows of a contact are a frame times h times a weight, 1 at the heaviest vertex.
    double largest = 0;
    for (Index slot = 0; slot < problem.L.slots(); ++slot)
      largest = std::max(largest, problem.L.at(slot).row(0).norm());
    if (largest > 0) h = largest;
    const auto contacts = static_cast<std::size_t>(problem.contacts());
    p.setZero(problem.contacts());
    for (std::size_t i = 0; i < contacts; ++i) p[static_cast<Eigen::Index>(i)] = h * start.lambda[i];
    set.assign(contacts, Set::inactive);
    toggles.assign(contacts, 0);
  }

  bool is_active(Index i) const { return set[i] == Set::active; }

  // J v and J^T p of the active rows.
  void multiply_rows(const VecX& x, VecX& y) const {
    VecX all(problem.c.size());
    multiply(problem.L, x, all);
    for (Index i = 0; i < problem.contacts(); ++i) y[i] = is_active(i) ? all[3 * i] / h : 0;
  }

  void subtract_pushed(const VecX& impulses, VecX& y) const {
    VecX all = VecX::Zero(problem.c.size());
    for (Index i = 0; i < problem.contacts(); ++i) all[3 * i] = is_active(i) ? -impulses[i] / h : 0;
    add_transposed(problem.L, all, y);
  }

  // Equations 18, 19 and 24.
  void multiply_composite(const VecX& xv, const VecX& xp, VecX& yv, VecX& yp) {
    multiply(problem.A, xv, yv);
    ++report.products;
    subtract_pushed(xp, yv);
    multiply_rows(xv, yp);
    for (Index i = 0; i < problem.contacts(); ++i) yp[i] = is_active(i) ? -yp[i] - perturbation * xp[i] : 0;
  }

  bool is_small() const {
    return norm(rv) < tolerance.momentum && (rp.size() == 0 || h * rp.cwiseAbs().maxCoeff() < tolerance.constraint);
  }

  // Line 12 (and with no row active line 1): conjugate gradients from v and p as they stand.
  Ending solve_composite(Trace* trace) {
    for (Index i = 0; i < problem.contacts(); ++i) p[i] = is_active(i) ? p[i] : 0;
    for (VecX* x : {&rv, &qv}) x->resize(problem.b.size());
    for (VecX* x : {&rp, &qp}) x->resize(problem.contacts());
    multiply_composite(v, p, rv, rp);
    rv = problem.b - rv;
    for (Index i = 0; i < problem.contacts(); ++i) rp[i] = is_active(i) ? -problem.c[3 * i] / h - rp[i] : 0;
    dv = rv;
    dp = rp;
    double rr = dot(rv, rv) + rp.squaredNorm();
    while (!is_small()) {
      if (limits.met(report.iterations)) return Ending::iteration_limit;
      multiply_composite(dv, dp, qv, qp);
      const double alpha = rr / (dot(dv, qv) + dp.dot(qp));
      ++report.iterations;
      if (!std::isfinite(alpha)) return Ending::breakdown;
      add_scaled(v, alpha, dv);
      p += alpha * dp;
      add_scaled(rv, -alpha, qv);
      rp -= alpha * qp;
      const double before = rr;
      rr = dot(rv, rv) + rp.squaredNorm();
      scale_and_add(dv, rr / before, rv);
      dp = rp + rr / before * dp;
      if (trace != nullptr) trace->push_back({std::sqrt(rr), 0, h * rp.cwiseAbs().maxCoeff()});
    }
    return Ending::by_rule;
  }

  void move(Index i, Set to) {
    set[i] = ++toggles[i] > repeated ? Set::removed : to;
    if (!is_active(i)) p[i] = 0;
  }

  // Lines 13 to 24.
  bool change_sets() {
    ++report.evaluations;
    VecX s;
    slip(problem, v, s);
    bool changed = false;
    for (Index i = 0; i < problem.contacts(); ++i) {
      if (set[i] == Set::active && p[i] < 0) {
        move(i, Set::inactive);
      } else if (set[i] == Set::inactive && s[3 * i] < 0) {
        move(i, Set::active);
      } else {
        continue;
      }
      changed = true;
    }
    report.resets += changed ? 1 : 0;
    return changed;
  }

  Ending run(Trace* trace) {
    Ending end = solve_composite(trace);
    if (end != Ending::by_rule) return end;
    VecX s;
    slip(problem, v, s);
    for (Index i = 0; i < problem.contacts(); ++i) set[i] = s[3 * i] < 0 ? Set::active : Set::inactive;
    const Index most = 3 * problem.A.rows() + problem.contacts();
    for (Index k = 0; k <= most; ++k) {
      ++report.rounds;
      end = solve_composite(trace);
      if (end != Ending::by_rule || !change_sets()) return end;
    }
    return Ending::iteration_limit;
  }

  void give(ContactSolution& solution) const {
    solution.v = v;
    VecX s;
    slip(problem, v, s);
    for (Index i = 0; i < problem.contacts(); ++i) {
      const Vec2 slipped = s.segment<2>(3 * i + 1);
      solution.lambda[i] = p[i] / h;
      solution.gamma[i].setZero();
      solution.state[i] = is_active(i) ? FrictionState::sliding : FrictionState::open;
      solution.delta[i] = !is_active(i) ? Vec2(0, 0) : slipped.norm() > 0 ? Vec2(slipped.normalized()) : Vec2(1, 0);
    }
  }
};

}  // namespace

SolveReport solve_raghupathi_faure(const ContactProblem& problem, const ContactTolerance& tolerance,
                                   const SolveLimits& limits, ContactSolution& solution, Trace* trace) {
  QpCollide method(problem, tolerance, limits, solution);
  const Ending ending = method.run(trace);
  method.give(solution);
  method.report.cone_residual = contact_residual(problem, solution);
  ContactProblem frictionless = problem;
  std::fill(frictionless.mu.begin(), frictionless.mu.end(), 0.0);
  judge_with(contact_residual(frictionless, solution), tolerance, {"QP-Collide as published", ending}, method.report);
  return method.report;
}

}  // namespace sim::published
