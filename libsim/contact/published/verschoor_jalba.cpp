#include "contact/published/verschoor_jalba.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "contact/published/ending.hpp"
#include "contact/published/kkt_system.hpp"

namespace sim::published {

namespace {

constexpr double angle = 1.2 * std::numbers::pi / 180;  // eps_theta
constexpr double alpha_theta = 0.01;

// A contact: constraint k of the paper. Of a contact with static friction gamma is a multiplier, of one with kinetic
// friction it is gamma' = mu lambda' delta and stands on the right-hand side.
struct Constraint {
  FrictionState state = FrictionState::open;
  double lambda = 0;
  Vec2 gamma{0, 0};
  Vec2 delta{0, 0};
  double lambda_before = 0;  // the other one of the two values of the moving average
};

Vec2 direction(const Vec2& s) {
  const double size = s.norm();
  return size > 0 ? Vec2(s / size) : Vec2(1, 0);
}

struct VerschoorJalba {
  const ContactProblem& problem;
  double eps1, eps2;
  Kkt B{problem};
  ConjugateResidual cr;
  std::vector<Constraint> constraints;
  VecX s;  // m, L v - c
  SolveReport report;

  VerschoorJalba(const ContactProblem& problem_, const ContactTolerance& tolerance, Preconditioner kind,
                 const ContactSolution& start)
      : problem(problem_),
        eps1(tolerance.momentum),
        eps2(tolerance.constraint),
        cr(B, kind, {start.v, rows_of(start)}),
        constraints(start.lambda.size()) {
    slip(problem, cr.y.v, s);
    for (Index k = 0; k < problem.contacts(); ++k) {
      Constraint& one = constraints[k];
      one = {start.state[k], start.lambda[k], start.gamma[k], start.delta[k], start.lambda[k]};
      if (one.state == FrictionState::open) one = {};
      if (one.state == FrictionState::sliding && one.delta.isZero(0)) one.delta = direction(tangential(k));
      write(k);
    }
  }

  Vec2 tangential(Index k) const { return s.segment<2>(3 * k + 1); }

  Constraint read(Index k) const {
    Constraint now = constraints[k];
    now.lambda = -cr.y.x[3 * k];
    now.gamma = cr.y.x.segment<2>(3 * k + 1);
    return now;
  }

  void write(Index k) {
    const Constraint& one = constraints[k];
    const double normal = one.state == FrictionState::open ? 0 : 1;
    const double tangents = one.state == FrictionState::sticking ? 1 : 0;
    block(B.active, k) << normal, tangents, tangents;
    block(cr.y.x, k) << 0.0 - one.lambda, one.gamma;
  }

  // Algorithm 3.
  void update_kinetic_friction(Index k, Constraint& one) const {
    const double mu = problem.mu[k], size = tangential(k).norm();
    double lambda_held = one.lambda;
    if (one.gamma != mu * one.lambda * one.delta) {
      lambda_held = 0.5 * (one.lambda_before + one.lambda);
      one.lambda_before = one.lambda;
    }
    const Vec2 sliding = direction(tangential(k));
    const double cosine = one.delta.dot(sliding);
    if (size > eps2 && cosine > 0 && cosine < std::cos(angle))
      one.delta = (one.delta + alpha_theta * (sliding - one.delta)).normalized();
    one.gamma = mu * lambda_held * one.delta;
  }

  // Algorithm 2, lines 5 to 18, of constraint k. `effect`: m, the distance of a row that begins to take part.
  Constraint evaluated(Index k, double& effect) const {
    Constraint one = read(k);
    const double normal = s[3 * k];
    if (one.state != FrictionState::open) {
      if (normal >= 0 && one.lambda <= 0) return {};
    } else if (normal <= 0) {
      one = {FrictionState::sliding, 0, Vec2(0, 0), direction(tangential(k)), 0};
      effect = std::abs(normal);
    }
    if (one.state == FrictionState::sticking) {
      if (one.gamma.norm() > problem.mu[k] * one.lambda && tangential(k).dot(one.gamma) > 0) {
        one.state = FrictionState::sliding;
        one.delta = direction(one.gamma);
        // lambda', with which the moving average begins
        one.lambda_before = problem.mu[k] > 0 ? one.gamma.norm() / problem.mu[k] : one.lambda;
      }
    } else if (one.state == FrictionState::sliding && tangential(k).dot(one.delta) <= 0) {
      one.state = FrictionState::sticking;
      effect = std::max(effect, tangential(k).norm());
    }
    if (one.state == FrictionState::sliding) update_kinetic_friction(k, one);
    return one;
  }

  // Line 19: |Z^-1 S_d (delta lambda, delta gamma + delta gamma')|, m.
  double change_in_distance(Index k, const Constraint& from, const Constraint& to) const {
    const Vec3 forces(to.lambda - from.lambda, to.gamma[0] - from.gamma[0], to.gamma[1] - from.gamma[1]);
    return block(B.compliance, k).cwiseProduct(forces).norm();
  }

  // Algorithm 2. True where a constraint has changed.
  bool evaluate_constraints(Index i) {
    const double interval = std::max(1.0, std::log2(cr.size() / eps1) / 3);
    if (i % static_cast<Index>(interval) != 0) return false;
    ++report.evaluations;
    slip(problem, cr.y.v, s);
    bool changed = false;
    for (Index k = 0; k < problem.contacts(); ++k) {
      double effect = 0;
      const Constraint from = read(k), to = evaluated(k, effect);
      if (std::max(effect, change_in_distance(k, from, to)) <= eps2) continue;
      constraints[k] = to;
      write(k);
      changed = true;
    }
    report.resets += changed ? 1 : 0;
    return changed;
  }

  bool is_small() const { return (cr.size() < eps1 && cr.worst_row() < eps2) || cr.gradient() < eps1; }

  void trace_row(bool changed, Trace* trace) const {
    if (trace == nullptr) return;
    trace->push_back({cr.size(), std::sqrt(std::abs(cr.r.v.dot(cr.z.v) + cr.r.x.dot(cr.z.x))), cr.worst_row(),
                      changed ? TraceMark::constraints_changed : TraceMark::none});
  }

  // Algorithm 1, lines 7 to 32; what comes after line 24 is the step's.
  Ending run(const SolveLimits& limits, Trace* trace) {
    cr.restart();
    if (cr.size() == 0) return Ending::by_rule;  // nothing to divide by
    for (Index j = 0; !limits.met(report.iterations); ++j) {
      const double alpha = cr.advance();
      ++report.iterations;
      if (!std::isfinite(alpha)) return Ending::breakdown;
      const bool changed = alpha > 0 && evaluate_constraints(j);
      if (changed) {
        cr.restart();
      } else {
        cr.turn();
      }
      trace_row(changed, trace);
      if (!is_small()) continue;
      if (!evaluate_constraints(0)) return Ending::by_rule;
      cr.restart();
      if (cr.size() == 0) return Ending::by_rule;
    }
    return Ending::iteration_limit;
  }

  void give(ContactSolution& solution) {
    solution.v = cr.y.v;
    set_forces(cr.y.x, solution);
    for (Index k = 0; k < problem.contacts(); ++k) {
      solution.state[k] = constraints[k].state;
      solution.delta[k] = constraints[k].state == FrictionState::sliding ? constraints[k].delta : Vec2(0, 0);
    }
    report.products = cr.products;
  }
};

SolveReport solve(const ContactProblem& problem, const ContactTolerance& tolerance, Preconditioner kind,
                  const SolveLimits& limits, ContactSolution& solution, Trace* trace) {
  VerschoorJalba method{problem, tolerance, kind, solution};
  const Ending ending = method.run(limits, trace);
  method.give(solution);
  judge(problem, tolerance, {"conjugate residuals as published", ending}, solution, method.report);
  return method.report;
}

}  // namespace

SolveReport solve_verschoor_jalba_full(const ContactProblem& problem, const ContactTolerance& tolerance,
                                       const SolveLimits& limits, ContactSolution& solution, Trace* trace) {
  return solve(problem, tolerance, Preconditioner::full, limits, solution, trace);
}

SolveReport solve_verschoor_jalba_diag(const ContactProblem& problem, const ContactTolerance& tolerance,
                                       const SolveLimits& limits, ContactSolution& solution, Trace* trace) {
  return solve(problem, tolerance, Preconditioner::diag, limits, solution, trace);
}

}  // namespace sim::published
