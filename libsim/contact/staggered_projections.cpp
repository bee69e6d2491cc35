#include "contact/staggered_projections.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "math/format.hpp"
#include "math/parallel.hpp"

namespace sim {

namespace {

// The mean factor between the changes of friction in the last rounds.
struct Contraction {
  static constexpr Index most = 6;
  double changes[most] = {};
  Index count = 0;

  void add(double change) { changes[count++ % most] = change; }
  double factor() const {
    const Index steps = std::min(count, most) - 1;
    if (steps < 1) return 0;
    const double last = changes[(count - 1) % most], first = changes[(count - 1 - steps) % most];
    return first > 0 ? std::pow(last / first, 1.0 / steps) : 0;
  }
};

struct StaggeredProjections {
  const ContactProblem& problem;
  const ContactTolerance& tolerance;
  const SpOptions& options;
  SpScratch& s;
  ContactSolution& y;
  const SolveLimits& limits;
  Trace* trace;
  FrictionLaw law;
  CrIteration it{problem, s.system, s.vectors, y, CrPreconditioner::diag};
  SolveReport report;
  Contraction contraction;
  double best = std::numeric_limits<double>::infinity();  // residual, in tolerances
  Index best_round = 0;
  int without_products = 0;

  bool leads(Index i) const { return s.constraints.leader[i] == i; }

  void bound_normals() {
    s.normals.low.resize(problem.c.size());
    s.normals.high.resize(problem.c.size());
    for (Index i = 0; i < problem.contacts(); ++i) {
      block(s.normals.low, i) << (leads(i) ? -std::numeric_limits<double>::infinity() : 0.0), y.gamma[i];
      block(s.normals.high, i) << 0.0, y.gamma[i];
    }
  }

  Vec2 friction_bound(Index i) const {
    return leads(i) ? Vec2::Constant(problem.mu[i] * std::max(0.0, y.lambda[i])) : Vec2::Zero();
  }

  // A contact that begins to push begins as a sticking one.
  void bound_friction() {
    for (Index i = 0; i < problem.contacts(); ++i) {
      if (s.friction.high[3 * i + 1] == 0) s.friction.state[3 * i + 1] = s.friction.state[3 * i + 2] = RowState::free;
      block(s.friction.low, i) << -y.lambda[i], -friction_bound(i);
      block(s.friction.high, i) << -y.lambda[i], friction_bound(i);
    }
  }

  void begin_qps() {
    bound_normals();
    states_from_forces(y, s.normals);
    s.friction.low.setZero(problem.c.size());
    s.friction.high.setZero(problem.c.size());
    s.friction.state.assign(static_cast<std::size_t>(problem.c.size()), RowState::free);
    bound_friction();
    states_from_forces(y, s.friction);
    for (Index i = 0; i < problem.contacts(); ++i) {
      if (y.state[i] != FrictionState::sticking) continue;
      s.friction.state[3 * i + 1] = s.friction.state[3 * i + 2] = RowState::free;
    }
  }

  // Of the whole problem, as it stands: with A v from the recurrence and the force of duplicates on their leaders.
  ContactResidual residual() {
    it.compute_residual();
    slip(problem, y.v, s.residual.slip);
    ContactResidual residual = conditions_residual(problem.mu, s.constraints.k, s.residual.slip, y, law);
    residual.momentum = norm(s.vectors.rv);
    return residual;
  }

  QpEnd solve_qp(double residual_before, BoxQp& qp) {
    const double part = std::max(options.tightest, options.inexact * residual_before);
    const ContactTolerance asked{part * tolerance.momentum, part * tolerance.constraint};
    const BoxQpReport solved = solve_box_qp(it, s.constraints.k, asked, options.qp, limits, qp, trace);
    report.resets += solved.resets;
    report.evaluations += solved.evaluations;
    return solved.end;
  }

  void derive_states() {
    for (Index i = 0; i < problem.contacts(); ++i) {
      const Vec2 gamma = y.gamma[i], s_t = s.residual.slip.segment<2>(3 * i + 1);
      const bool pushes = s.normals.state[3 * i] == RowState::free;
      const bool sticks = pushes && problem.mu[i] > 0 && s.friction.state[3 * i + 1] == RowState::free &&
                          s.friction.state[3 * i + 2] == RowState::free;
      y.state[i] = !pushes ? FrictionState::open : sticks ? FrictionState::sticking : FrictionState::sliding;
      const Vec2 towards = s.constraints.k[i] * gamma + s_t;
      y.delta[i] = !pushes || sticks ? Vec2::Zero() : towards.norm() > 0 ? Vec2(towards.normalized()) : Vec2(1, 0);
    }
  }

  // The solution as the caller gets it.
  void finish() {
    report.iterations = it.products;
    it.with_A += 2;  // of the residuals
    report.products = it.with_A;
    report.contraction = contraction.factor();
    share_among_duplicates(s.constraints, y);
    report.residual = contact_residual(problem, s.constraints.k, y, s.residual, law);
    report.cone_residual = contact_residual(problem, s.constraints.k, y, s.residual);
  }

  bool solved() {
    derive_states();
    finish();
    if (within(report.residual, tolerance)) return true;
    gather_from_duplicates(s.constraints, y);
    it.multiply_with_A();
    return false;
  }

  SolveReport& give_up(SolveStatus status, const char* what) {
    derive_states();
    finish();
    report.status = status;
    report.reason =
        format(
            "staggered projections %s after %d iterations in %d rounds, of which the last ones changed friction "
            "%.3g times as much as the one before (they contract below 1): ",
            what, report.iterations, report.rounds, report.contraction) +
        describe(report.residual, tolerance);
    return report;
  }

  SolveReport& give_up(QpEnd end) {
    if (end == QpEnd::breakdown)
      return give_up(SolveStatus::breakdown, "broke down (matrix not definite, or not a number)");
    if (end == QpEnd::over_constrained)
      return give_up(SolveStatus::stalled,
                     "have a QP that does not get nearer, its rows being dependent or contradicting each other");
    if (end == QpEnd::cycling)
      return give_up(SolveStatus::stalled, "have a QP whose active set cycles, its rows being dependent: stopped");
    return give_up(SolveStatus::iteration_limit, "did not converge");
  }

  void watch_friction() {
    double change = 0;
    for (Index i = 0; i < problem.contacts(); ++i) change += (y.gamma[i] - s.gamma_before[i]).squaredNorm();
    contraction.add(std::sqrt(change));
  }

  bool makes_progress(double residual) {
    if (residual < 0.99 * best) {
      best = residual;
      best_round = report.rounds;
    }
    return report.rounds - best_round < options.most_without_progress;
  }

  SolveReport& run() {
    it.resize();
    prepare(problem, s.system);
    prepare(problem, s.system, s.constraints);
    begin(problem, s.constraints, y, s.system);
    law.axis.assign(static_cast<std::size_t>(problem.contacts()), Vec2(1, 0));
    finish();
    if (within(report.residual, tolerance)) return report;
    gather_from_duplicates(s.constraints, y);
    it.multiply_with_A();
    begin_qps();
    while (true) {
      ++report.rounds;
      const Index products = it.products;
      ContactResidual now = residual();
      bound_normals();
      QpEnd end = solve_qp(in_tolerances(now.momentum, now.normal, tolerance), s.normals);
      if (end != QpEnd::solved) return give_up(end);
      now = residual();
      if (within(now, tolerance) && solved()) return report;

      bound_friction();
      s.gamma_before = y.gamma;
      end = solve_qp(in_tolerances(now.momentum, now.tangential, tolerance), s.friction);
      if (end != QpEnd::solved) return give_up(end);
      watch_friction();
      now = residual();
      if (within(now, tolerance) && solved()) return report;

      if (!makes_progress(in_tolerances(now.momentum, now.constraint(), tolerance)))
        return give_up(SolveStatus::stalled, "stagnate: their friction does not settle");
      // Rounding keeps the true residual above the tolerance, which the recurrence is within.
      without_products = it.products == products ? without_products + 1 : 0;
      if (without_products == 3) return give_up(SolveStatus::stalled, "do not get nearer");
    }
  }
};

}  // namespace

SolveReport solve_sp(const ContactProblem& problem, const ContactTolerance& tolerance, const SolveLimits& limits,
                     const SpOptions& options, SpScratch& scratch, ContactSolution& solution, Trace* trace) {
  StaggeredProjections method{problem, tolerance, options, scratch, solution, limits, trace};
  return method.run();
}

}  // namespace sim
