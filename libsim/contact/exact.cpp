#include "contact/exact.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "contact/friction_states.hpp"
#include "math/format.hpp"
#include "math/parallel.hpp"
#include "math/stopwatch.hpp"

namespace sim {

namespace {

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
    s.reports[which] = douglas_rachford(options.splitting, limits, error_in_tolerances, lane.splitting, island);
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

  SolveReport& run(const ContactTolerance& wish) {
    compliance(problem, s.k);
    judge();
    if (within(report.residual, wish)) return report;
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
};

}  // namespace

SolveReport solve_exact(const ContactProblem& problem, const Precision& precision, const SolveLimits& limits,
                        const ExactOptions& options, ExactScratch& scratch, ContactSolution& solution, Trace*) {
  Exact method{problem, precision.tolerance, options, limits, scratch, solution, {}};
  return method.run(precision.wish);
}

}  // namespace sim
