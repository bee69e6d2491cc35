#include "contact/published/raghupathi_faure.hpp"

#include <algorithm>
#include <cmath>

#include "contact/published/ending.hpp"
#include "math/parallel.hpp"

namespace sim::published {

namespace {

constexpr double perturbation = 1e-3;  // l, 1/kg
constexpr Index repeated = 4;          // toggles; the paper has no number

using Set = QpCollideProgress::Set;

struct QpCollide {
  const ContactProblem& problem;
  const ContactTolerance& tolerance;
  const SolveLimits& limits;
  VecX v, p;     // m/s; N s a contact
  double h = 1;  // s: the length of the step
  std::vector<QpCollideProgress::Row> rows;
  SolveReport report;
  VecX rv, rp, qv, qp, dv, dp;  // residual, product, direction of conjugate gradients

  explicit QpCollide(const ContactProblem& problem_, const ContactTolerance& tolerance_, const SolveLimits& limits_,
                     const ContactSolution& start)
      : problem(problem_), tolerance(tolerance_), limits(limits_), v(start.v) {
    // Where nobody says what the step is: rows are a frame times h times a weight, and that of a vertex that meets a
    // face is 1.
    double largest = 0;
    for (Index slot = 0; slot < problem.L.slots(); ++slot)
      largest = std::max(largest, problem.L.at(slot).row(0).norm());
    h = problem.dt > 0 ? problem.dt : largest > 0 ? largest : 1;
    const auto contacts = static_cast<std::size_t>(problem.contacts());
    p.setZero(problem.contacts());
    for (std::size_t i = 0; i < contacts; ++i) p[static_cast<Eigen::Index>(i)] = h * start.lambda[i];
    rows.resize(contacts);
  }

  bool is_active(Index i) const { return rows[i].set == Set::active; }

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
    rows[i].set = ++rows[i].toggles > repeated ? Set::removed : to;
    if (!is_active(i)) p[i] = 0;
  }

  // Lines 13 to 24.
  bool change_sets() {
    ++report.evaluations;
    VecX s;
    slip(problem, v, s);
    bool changed = false;
    for (Index i = 0; i < problem.contacts(); ++i) {
      if (rows[i].set == Set::active && p[i] < 0) {
        move(i, Set::inactive);
      } else if (rows[i].set == Set::inactive && s[3 * i] < 0) {
        move(i, Set::active);
      } else {
        continue;
      }
      changed = true;
    }
    report.resets += changed ? 1 : 0;
    return changed;
  }

  // Lines 3 to 9: the rows that are new, by the solution of before.
  void add_rows() {
    VecX s;
    slip(problem, v, s);
    for (Index i = 0; i < problem.contacts(); ++i) {
      if (rows[i].set == Set::unseen) rows[i].set = s[3 * i] < 0 ? Set::active : Set::inactive;
    }
  }

  Index most() const { return 3 * problem.A.rows() + problem.contacts(); }

  Ending run(Trace* trace) {
    Ending end = solve_composite(trace);
    if (end != Ending::by_rule) return end;
    add_rows();
    for (Index k = 0; k <= most(); ++k) {
      ++report.rounds;
      end = solve_composite(trace);
      if (end != Ending::by_rule || !change_sets()) return end;
    }
    return Ending::iteration_limit;
  }

  // The same up to where collisions are to be detected: then `unsettled`.
  Ending run_once(bool begins, Index& k, bool& unsettled, Trace* trace) {
    if (!begins) {
      add_rows();
      ++report.rounds;
    }
    const Ending end = solve_composite(trace);
    if (end != Ending::by_rule) return end;
    if (!begins && !change_sets()) return end;
    if (!begins && ++k > most()) return Ending::iteration_limit;
    unsettled = true;
    return end;
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

SolveReport judged(QpCollide& method, Ending ending, const ContactSolution& solution) {
  method.report.cone_residual = contact_residual(method.problem, solution);
  ContactProblem frictionless = method.problem;
  std::fill(frictionless.mu.begin(), frictionless.mu.end(), 0.0);
  judge_with(contact_residual(frictionless, solution), method.tolerance, {"QP-Collide as published", ending},
             method.report);
  if (method.report.status == SolveStatus::converged) tell_ignored_friction(method.problem, method.report);
  return method.report;
}

// Rows that are re-linearised after the last QP are other rows: the active set stays, what was counted does not.
void begin_again(QpCollideProgress& progress) {
  progress.k = 0;
  for (auto& [id, row] : progress.rows) {
    row.toggles = 0;
    if (row.set == Set::removed) row.set = Set::unseen;
  }
}

}  // namespace

SolveReport solve_raghupathi_faure(const ContactProblem& problem, const ContactTolerance& tolerance,
                                   const SolveLimits& limits, ContactSolution& solution, Trace* trace) {
  QpCollide method(problem, tolerance, limits, solution);
  const Ending ending = method.run(trace);
  method.give(solution);
  return judged(method, ending, solution);
}

SolveReport solve_raghupathi_faure_once(const ContactProblem& problem, const ContactTolerance& tolerance,
                                        const SolveLimits& limits, QpCollideProgress& progress,
                                        ContactSolution& solution, Trace* trace) {
  QpCollide method(problem, tolerance, limits, solution);
  const bool begins = problem.version != progress.version;
  if (begins) progress = {.version = problem.version, .k = 0, .settled = false, .rows = {}};
  if (progress.settled) begin_again(progress);
  for (Index i = 0; i < problem.contacts(); ++i) method.rows[i] = progress.rows[problem.id[i]];
  bool unsettled = false;
  const Ending ending = method.run_once(begins, progress.k, unsettled, trace);
  for (Index i = 0; i < problem.contacts(); ++i) progress.rows[problem.id[i]] = method.rows[i];
  method.give(solution);
  progress.settled = !unsettled;
  if (!unsettled) return judged(method, ending, solution);
  method.report.status = SolveStatus::unsettled;
  method.report.reason = "QP-Collide has not looked for collisions since its active set changed";
  return method.report;
}

}  // namespace sim::published
