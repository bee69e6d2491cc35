#include "contact/constraint_anticipation.hpp"

#include <cmath>

#include "contact/coulomb_contact.hpp"
#include "contact/delassus.hpp"
#include "contact/friction_states.hpp"
#include "math/format.hpp"
#include "math/stopwatch.hpp"

namespace sim {

namespace {

constexpr int most_without_progress = 20;  // times that rounding keeps the true residual above the tolerance

struct GaussSeidel {
  const ContactProblem& problem;
  const ContactTolerance& tolerance;
  const ConstraintAnticipationOptions& options;
  ContactSolution& y;
  SolveReport report;
  FactoredMatrix A;
  Eigen::MatrixXd W;
  VecX q, r, u, work;
  std::vector<double> k;
  ResidualScratch scratch;

  bool construct(const Stop& stop) {
    Stopwatch watch;
    A = factor(problem.A, options.exploit_blocks, stop);
    report.factorisations = A.bodies.count();
    if (A.definite) {
      W = delassus(problem, A, stop);
      VecX v;
      sim::solve(A, problem.b, v);
      slip(problem, v, q);
    }
    report.construction_seconds = watch.lap();
    return A.definite && !stop.asked();
  }

  // One pass; u is kept up with r.
  void visit_all(const Stop& stop) {
    for (Index i = 0; i < problem.contacts() && !stop.asked(); ++i) {
      const Mat3 own = W.block<3, 3>(3 * Eigen::Index{i}, 3 * Eigen::Index{i});
      const Vec3 before = block(r, i), alone = block(u, i) - own * before;
      const Vec3 change = coulomb_contact(own, alone, problem.mu[i]) - before;
      if (change.isZero(0)) continue;
      block(r, i) += change;
      u.noalias() += W.middleCols<3>(3 * Eigen::Index{i}) * change;
    }
    set_reaction(r, y);
  }

  void compute_velocity() {
    work = problem.b;
    add_transposed(problem.L, r, work);
    sim::solve(A, work, y.v);
  }

  void judge() {
    derive_states(problem, y);
    ++report.products;
    report.passes = report.iterations;
    report.residual = contact_residual(problem, k, y, scratch);
    report.cone_residual = report.residual;
  }

  SolveReport& give_up(SolveStatus status, const char* what) {
    judge();
    report.status = status;
    report.reason = format("constraint anticipation %s after %d iterations: ", what, report.iterations) +
                    describe(report.residual, tolerance);
    return report;
  }

  SolveReport& refuse() {
    judge();
    report.status = SolveStatus::refused;
    report.reason = format(
        "constraint anticipation refuses this problem: the dense matrix of its %d contacts needs %.3g GiB, "
        "more than the %.3g GiB that are allowed",
        problem.contacts(), delassus_bytes(problem) / 1073741824, options.most_bytes / 1073741824);
    return report;
  }

  SolveReport& run(const SolveLimits& limits, Trace* trace) {
    compliance(problem, k);
    judge();
    if (within(report.residual, tolerance)) return report;
    if (delassus_bytes(problem) > options.most_bytes) return refuse();
    if (!construct(limits.stop))
      return give_up(SolveStatus::breakdown, "broke down (matrix not definite, or not a number)");
    reaction(y, r);
    u = q;
    u.noalias() += W * r;
    for (int checks = 0; checks < most_without_progress;) {
      const ContactResidual found = conditions_residual(problem.mu, k, u, y);
      if (trace != nullptr && report.iterations > 0) trace->push_back({found.constraint(), 0, found.constraint()});
      if (!std::isfinite(found.constraint())) return give_up(SolveStatus::breakdown, "broke down (not a number)");
      const bool is_last = limits.met(report.iterations);
      if (found.constraint() <= tolerance.constraint || is_last) {
        compute_velocity();
        judge();
        if (within(report.residual, tolerance)) return report;
        if (is_last) break;
        ++checks;
        u = q;
        u.noalias() += W * r;
      }
      visit_all(limits.stop);
      ++report.iterations;
      ++report.evaluations;
    }
    return give_up(SolveStatus::iteration_limit, "did not converge");
  }
};

}  // namespace

SolveReport solve_constraint_anticipation(const ContactProblem& problem, const ContactTolerance& tolerance,
                                          const SolveLimits& limits, const ConstraintAnticipationOptions& options,
                                          ContactSolution& solution, Trace* trace) {
  GaussSeidel method{problem, tolerance, options, solution, {}, {}, {}, {}, {}, {}, {}, {}, {}};
  return method.run(limits, trace);
}

}  // namespace sim
