#include "contact/exact.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "contact/friction_states.hpp"
#include "math/format.hpp"
#include "math/parallel.hpp"
#include "math/stopwatch.hpp"

namespace sim {

namespace {

constexpr double most_blocks = 2e7;  // of W

// Where it is more than `enough`, W is not looked at.
double expected_for_compliances(const ContactProblem& problem, const ExactOptions& options, double enough,
                                ExactScratch& s) {
  prepare(problem, s.bodies);
  double flops = 0, blocks = 0, bytes = 0;
  for (Index part = 0; part < s.bodies.parts.count(); ++part) {
    const CompliantBody& body = s.bodies.bodies[s.bodies.body_of_part[part]];
    const CholeskyPattern& pattern = *body.C.pattern;
    const double contacts = static_cast<double>(body.contacts.size()), rows = 3.0 * pattern.blocks();
    if (!(problem.version != 0 && body.version == problem.version && body.definite)) flops += pattern.flops;
    flops += pattern.solve_flops * (2 + 1.5 * contacts) + 9 * contacts * contacts * rows;
    blocks += contacts * contacts;
    bytes += 8.0 * static_cast<double>(pattern.values) + 72 * contacts * contacts;
  }
  if (blocks > most_blocks || bytes > options.most_bytes) return std::numeric_limits<double>::infinity();
  if (flops > enough) return flops;
  coupling_pattern(problem, s.bodies, s.W);
  const CholeskyPattern F = analyse(s.W);
  return flops + F.flops + options.splittings * (F.solve_flops + 18.0 * s.W.slots());
}

double expected_for_velocities(const ContactProblem& problem, const ExactOptions& options, ExactScratch& s) {
  const CholeskyPattern& pattern = analyse_velocities(problem, s.newton);
  if (8.0 * static_cast<double>(pattern.values) > options.most_bytes) return std::numeric_limits<double>::infinity();
  return options.newton_steps * (pattern.flops + pattern.solve_flops);
}

struct Exact {
  const ContactProblem& problem;
  const ContactTolerance& tolerance;
  const ExactOptions& options;
  const SolveLimits& limits;
  ExactScratch& s;
  ContactSolution& y;
  SolveReport report;

  void judge() {
    derive_states(problem, y);
    report.residual = contact_residual(problem, s.k, y, s.residual);
    report.cone_residual = report.residual;
  }

  SolveReport& give_up(SolveStatus status, const char* what) {
    judge();
    report.status = status;
    report.reason = format("the exact method %s after %d iterations: ", what, report.iterations) +
                    describe(report.residual, tolerance);
    return report;
  }

  bool construct() {
    Stopwatch watch;
    const bool definite = factor_bodies(problem, s.bodies, report.flops, limits.stop);
    if (definite) {
      free_velocity(s.bodies, s.q);
      const VecX v = s.q;
      slip(problem, v, s.q);
      report.flops += delassus(problem, s.bodies, s.W, limits.stop);
    }
    report.construction_seconds = watch.lap();
    return definite && !limits.stop.asked();
  }

  void solve_island(const Bodies& islands, Index which, ExactScratch::Lane& lane) {
    const std::span<const Index> contacts = islands.rows_of(which);
    CoupledIsland& island = lane.island;
    take_rows(s.W, contacts, islands.place, island.W);
    take_rows(s.q, contacts, island.q);
    take_rows(s.r, contacts, island.r);
    island.tolerance = tolerance.constraint;
    island.flops = report.flops * static_cast<double>(contacts.size()) / s.W.rows();
    island.mu.clear();
    lane.k.clear();
    for (const Index i : contacts) {
      island.mu.push_back(problem.mu[i]);
      lane.k.push_back(s.k[i]);
    }
    const auto error_in_tolerances = [&](const VecX& u, const VecX& r) {
      set_reaction(r, lane.y);
      return conditions_residual(island.mu, lane.k, u, lane.y).constraint() / tolerance.constraint;
    };
    const SolveLimits left{limits.iterations - report.iterations, limits.stop};
    s.reports[which] = douglas_rachford(options.splitting, left, error_in_tolerances, lane.splitting, island);
    put_rows(island.r, contacts, s.r);
  }

  bool solve_islands() {
    const Bodies islands = find_bodies(s.W);
    s.reports.assign(static_cast<std::size_t>(islands.count()), {});
    const auto lanes = static_cast<Index>(s.lanes.size());
    parallel_for(lanes, 1, [&](Index lane, Index) {
      for (Index island = lane; island < islands.count() && !limits.stop.asked(); island += lanes)
        solve_island(islands, island, s.lanes[lane]);
    });
    Index most = 0;
    bool definite = true;
    for (const DouglasRachfordReport& one : s.reports) {
      most = std::max(most, one.passes + one.iterations);
      report.flops += one.flops;
      definite = definite && one.definite;
    }
    report.iterations += most;
    return definite;
  }

  void by_velocities(double most_flops) {
    PrimalNewtonOptions newton = options.newton;
    newton.most_flops = most_flops;
    const auto error_in_tolerances = [&](const VecX& u, const VecX& r) {
      set_reaction(r, s.trial);
      return conditions_residual(problem.mu, s.k, u, s.trial).constraint() / tolerance.constraint;
    };
    s.trial = y;
    const PrimalNewtonReport one =
        primal_newton(problem, s.k, tolerance, newton, limits, error_in_tolerances, s.newton, y);
    report.iterations += one.iterations;
    report.flops += one.flops;
    judge();
  }

  SolveReport& by_compliances() {
    prepare(problem, s.bodies);
    coupling_pattern(problem, s.bodies, s.W);
    if (!construct()) return give_up(SolveStatus::breakdown, "broke down (matrix not definite, or not a number)");
    reaction(y, s.r);
    const bool definite = solve_islands();
    set_reaction(s.r, y);
    solve_bodies(problem, s.r, s.bodies, y.v);
    judge();
    if (!definite || !std::isfinite(report.residual.momentum + report.residual.constraint()))
      return give_up(SolveStatus::breakdown, "broke down (not a number)");
    if (within(report.residual, tolerance)) return report;
    return give_up(SolveStatus::iteration_limit, "did not converge");
  }

  SolveReport& run(const ContactTolerance& wish) {
    compliance(problem, s.k);
    judge();
    if (within(report.residual, wish)) return report;
    const ExactCosts costs = expected_flops(problem, options, s);
    if (!std::isfinite(costs.least())) return give_up(SolveStatus::refused, "needs more memory than it may have");
    if (costs.velocities < costs.compliances) {
      by_velocities(std::max(2 * costs.velocities, costs.compliances));
      if (within(report.residual, tolerance)) return report;
    }
    if (!std::isfinite(costs.compliances) || limits.met(report.iterations))
      return give_up(SolveStatus::iteration_limit, "did not converge");
    return by_compliances();
  }
};

}  // namespace

ExactCosts expected_flops(const ContactProblem& problem, const ExactOptions& options, ExactScratch& scratch) {
  constexpr double not_wanted = std::numeric_limits<double>::infinity();
  ExactCosts costs{not_wanted, not_wanted};
  if (options.form != ExactForm::compliances) costs.velocities = expected_for_velocities(problem, options, scratch);
  if (options.form != ExactForm::velocities)
    costs.compliances = expected_for_compliances(problem, options, costs.velocities, scratch);
  return costs;
}

SolveReport solve_exact(const ContactProblem& problem, const Precision& precision, const SolveLimits& limits,
                        const ExactOptions& options, ExactScratch& scratch, ContactSolution& solution, Trace*) {
  Exact method{problem, precision.tolerance, options, limits, scratch, solution, {}};
  return method.run(precision.wish);
}

}  // namespace sim
