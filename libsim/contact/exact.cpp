#include "contact/exact.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "contact/friction_states.hpp"
#include "math/format.hpp"
#include "math/parallel.hpp"
#include "math/stopwatch.hpp"

namespace sim {

namespace {

constexpr double not_wanted = std::numeric_limits<double>::infinity();
constexpr double most_blocks = 2e7;  // of W
constexpr double reached = 0.5;      // solves that the rows of a contact cost on a body: few fronts are reached

double expected_for_velocities(const ContactProblem& problem, const ExactOptions& options, ExactScratch& s) {
  const CholeskyPattern& pattern = analyse_velocities(problem, s.velocities);
  if (8.0 * static_cast<double>(pattern.values + pattern.stack) > options.most_bytes) return not_wanted;
  return options.expected_steps * (pattern.flops + pattern.solve_flops);
}

// Of its bodies one by one, whose patterns are kept: contacts between them only add. The pattern of all of them
// together is a tenth of the time of a heap.
double least_for_velocities(const ContactProblem& problem, const ExactOptions& options, ExactScratch& s) {
  prepare(problem, s.bodies);
  double flops = 0;
  for (Index part = 0; part < s.bodies.parts.count(); ++part) {
    const CholeskyPattern& pattern = *body_of(s.bodies, part).C.pattern;
    flops += pattern.flops + pattern.solve_flops;
  }
  return options.expected_steps * flops;
}

// Where it is more than `enough`, W is not looked at.
double expected_for_compliances(const ContactProblem& problem, const ExactOptions& options, double enough,
                                ExactScratch& s) {
  prepare(problem, s.bodies);
  double flops = 0, blocks = 0, bytes = 0, most_on_a_body = 0;
  for (Index part = 0; part < s.bodies.parts.count(); ++part) {
    const CompliantBody& body = body_of(s.bodies, part);
    const CholeskyPattern& pattern = *body.C.pattern;
    const auto contacts = static_cast<double>(body.contacts.size());
    if (!is_factored(problem, s.bodies, part)) flops += pattern.flops;
    flops += pattern.solve_flops * (2 + reached * contacts);
    blocks += contacts * contacts;
    most_on_a_body = std::max(most_on_a_body, contacts);
    bytes += 8.0 * static_cast<double>(pattern.values) + 72 * contacts * contacts;
  }
  if (blocks > most_blocks || bytes > options.most_bytes) return not_wanted;
  // The contacts of a body are coupled each with each: less than this W and its factor cannot take.
  const double least = flops + 9 * std::pow(most_on_a_body, 3) + options.expected_splittings * 18.0 * blocks;
  if (least > enough) return least;
  coupling_pattern(problem, s.bodies, s.W);
  const CholeskyPattern F = analyse(s.W);
  return flops + F.flops + options.expected_splittings * (F.solve_flops + 18.0 * s.W.slots());
}

struct Exact {
  const ContactProblem& problem;
  const Precision& precision;
  const ExactOptions& options;
  const SolveLimits& limits;
  ExactScratch& s;
  const VecX* earlier;
  ContactSolution& y;
  SolveReport report;
  const ContactTolerance& tolerance = precision.tolerance;

  void judge() {
    derive_states(problem, y);
    ++report.products;
    report.residual = contact_residual(problem, s.k, y, s.residual);
    report.cone_residual = report.residual;
  }

  SolveReport& give_up(SolveStatus status, const char* what) {
    report.status = status;
    report.reason = format("the exact method %s after %d iterations: ", what, report.iterations) +
                    describe(report.residual, tolerance);
    return report;
  }

  // Returns whether all matrices were definite. The answer's forces are in s.r.
  bool solve(ConvexForm& form, FrictionBound bound, Index most_steps, double most_flops) {
    ConvexNewtonOptions bounded = options.newton;
    bounded.most_steps = most_steps;
    bounded.most_flops = most_flops;
    const auto error_in_tolerances = [&](const VecX& u, const VecX& r) {
      set_reaction(r, s.trial);
      return conditions_residual(problem.mu, s.k, u, s.trial).constraint() / tolerance.constraint;
    };
    s.trial = y;
    const SolveLimits left{limits.iterations - report.iterations, limits.stop};
    const ConvexNewtonReport one =
        convex_newton(problem.mu, bound, precision, bounded, left, error_in_tolerances, s.newton, form, s.r);
    report.iterations += one.iterations;
    report.flops += form.flops;
    report.factorisations += form.factorisations;
    report.products += form.products;
    return one.definite;
  }

  bool by_velocities(FrictionBound bound, Index most_steps) {
    VelocityForm form(problem, s.newton.scale, y.v, s.velocities);
    const bool definite = solve(form, bound, most_steps, options.newton.most_flops);
    y.v = s.velocities.best;
    set_reaction(s.r, y);
    judge();
    return definite;
  }

  // Factors that are not symmetric are worth their time where they are small: bodies that are all rigid.
  bool by_velocities() {
    const ConvexNewtonOptions& newton = options.newton;
    const bool turns = problem.A.slots() == problem.A.rows() || options.form == ExactForm::turning;
    const Index held = turns ? std::min(newton.most_steps, newton.most_before_turning) : newton.most_steps;
    if (options.form != ExactForm::turning && !by_velocities(FrictionBound::held, held)) return false;
    return !turns || is_done() || by_velocities(FrictionBound::turning, newton.most_turning_steps);
  }

  bool construct_compliances() {
    Stopwatch watch;
    prepare(problem, s.bodies);
    coupling_pattern(problem, s.bodies, s.W);
    const bool definite = factor_bodies(problem, s.bodies, report.flops, limits.stop);
    report.factorisations += static_cast<Index>(std::count(s.bodies.factored.begin(), s.bodies.factored.end(), 1));
    if (definite) {
      VecX v;
      free_velocity(s.bodies, v);
      slip(problem, v, s.q);
      report.flops += delassus(problem, s.bodies, s.W, limits.stop);
    }
    report.construction_seconds = watch.lap();
    return definite && !limits.stop.asked();
  }

  void solve_island(const Bodies& islands, Index which, double left, ExactScratch::Lane& lane) {
    const std::span<const Index> contacts = islands.rows_of(which);
    CoupledIsland& island = lane.island;
    take_rows(s.W, contacts, islands.place, island.W);
    take_rows(s.q, contacts, island.q);
    take_rows(s.r, contacts, island.r);
    if (earlier == nullptr)
      island.other.resize(0);
    else
      take_rows(*earlier, contacts, island.other);
    island.tolerance = tolerance.constraint;
    island.finer = precision.finer;
    const double share = static_cast<double>(contacts.size()) / s.W.rows();
    island.flops = share * report.flops;
    island.most_flops = share * left;
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
    const SolveLimits some{std::min(options.most_splittings, limits.iterations - report.iterations), limits.stop};
    s.reports[which] = douglas_rachford(options.splitting, some, error_in_tolerances, lane.splitting, island);
    put_rows(island.r, contacts, s.r);
  }

  bool solve_islands(double left) {
    const Bodies islands = find_bodies(s.W);
    s.reports.assign(static_cast<std::size_t>(islands.count()), {});
    const auto lanes = static_cast<Index>(s.lanes.size());
    parallel_for(lanes, 1, [&](Index lane, Index) {
      for (Index island = lane; island < islands.count() && !limits.stop.asked(); island += lanes)
        solve_island(islands, island, left, s.lanes[lane]);
    });
    Index most = 0, passes = 0;
    bool definite = true;
    for (const DouglasRachfordReport& one : s.reports) {
      most = std::max(most, one.passes + one.iterations);
      passes = std::max(passes, one.passes);
      report.factorisations += one.factorisations;
      report.flops += one.flops;
      definite = definite && one.definite;
    }
    report.iterations += most;
    report.passes += passes;
    return definite;
  }

  // Splitting is the cheaper one where friction couples many contacts, and may take for ever where A is stiff.
  bool by_compliances() {
    const double end = report.flops + options.newton.most_flops;
    if (!construct_compliances()) return false;
    if (!solve_islands(end - report.flops)) return false;
    set_reaction(s.r, y);
    solve_bodies(problem, s.r, s.bodies, y.v);
    judge();
    if (within(report.residual, tolerance) || limits.met(report.iterations) || report.flops > end) return true;
    ComplianceForm form(problem, s.W, s.q, s.newton.scale, s.r, s.compliances);
    const bool definite = solve(form, FrictionBound::held, options.newton.most_steps, end - report.flops);
    VecX& p = s.compliances.best;
    for (Index i = 0; i < problem.contacts(); ++i) block(p, i) /= s.newton.scale[i];
    solve_bodies(problem, p, s.bodies, y.v);
    set_reaction(s.r, y);
    return definite;
  }

  bool is_done() const { return within(report.residual, tolerance) || limits.met(report.iterations); }

  SolveReport& run() {
    compliance(problem, s.k);
    judge();
    if (within(report.residual, precision.target)) return report;
    const ExactCosts costs = expected_flops(problem, options, s);
    if (!std::isfinite(costs.least())) return give_up(SolveStatus::refused, "needs more memory than it may have");
    find_scale(s.k, s.newton.scale);
    reaction(y, s.r);
    bool definite = true;
    if (costs.velocities <= costs.compliances) definite = by_velocities();
    const bool affordable = std::isfinite(costs.compliances) && costs.compliances <= options.newton.most_flops;
    if (affordable && !is_done()) {
      definite = by_compliances();
      judge();
    }
    if (!definite || !std::isfinite(report.residual.momentum + report.residual.constraint()))
      return give_up(SolveStatus::breakdown, "broke down (matrix not definite, or not a number)");
    if (within(report.residual, tolerance)) return report;
    return give_up(SolveStatus::iteration_limit, "did not converge");
  }
};

}  // namespace

ExactCosts expected_flops(const ContactProblem& problem, const ExactOptions& options, ExactScratch& scratch) {
  ExactCosts costs{not_wanted, not_wanted};
  if (options.form == ExactForm::cheaper) {
    const double least = least_for_velocities(problem, options, scratch);
    costs.compliances = expected_for_compliances(problem, options, least, scratch);
    if (costs.compliances <= least) return costs;
  }
  if (options.form != ExactForm::compliances) costs.velocities = expected_for_velocities(problem, options, scratch);
  if (options.form != ExactForm::velocities && options.form != ExactForm::turning)
    costs.compliances = expected_for_compliances(problem, options, costs.velocities, scratch);
  return costs;
}

SolveReport solve_exact(const ContactProblem& problem, const Precision& precision, const SolveLimits& limits,
                        const ExactOptions& options, ExactScratch& scratch, ContactSolution& solution, Trace*,
                        const VecX* earlier) {
  Exact method{problem, precision, options, limits, scratch, earlier, solution, {}};
  return method.run();
}

}  // namespace sim
