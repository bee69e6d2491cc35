#include "contact/published/constraint_anticipation.hpp"

#include <algorithm>
#include <utility>

#include "contact/delassus.hpp"
#include "contact/friction_states.hpp"
#include "contact/published/ending.hpp"
#include "contact/published/one_sided_pyramid.hpp"
#include "math/format.hpp"
#include "math/stopwatch.hpp"

namespace sim::published {

namespace {

constexpr double most_bytes = 4.0 * 1073741824;  // of W

struct Anticipation {
  const ContactProblem& problem;
  const FactoredMatrix& A;
  const VecX& unconstrained;
  AlignedProblem rows{problem, unconstrained};
  Eigen::MatrixXd W;
  VecX r, s;
  std::vector<double> k;

  void construct(const Stop& stop) {
    W = delassus(problem, A, stop);
    for (Index i = 0; i < problem.contacts(); ++i) {
      W.middleRows<3>(3 * Eigen::Index{i}) = (rows.turn[i] * W.middleRows<3>(3 * Eigen::Index{i})).eval();
    }
    for (Index i = 0; i < problem.contacts(); ++i) {
      W.middleCols<3>(3 * Eigen::Index{i}) = (W.middleCols<3>(3 * Eigen::Index{i}) * rows.turn[i].transpose()).eval();
    }
    compliance(problem, k);
    s = rows.slip(unconstrained);
    s.noalias() += W * r;
  }

  void pass() {
    for (Index i = 0; i < problem.contacts(); ++i) {
      const Mat3 own = W.block<3, 3>(3 * Eigen::Index{i}, 3 * Eigen::Index{i});
      Vec3 r_i = block(r, i), s_i = block(s, i);
      const Vec3 change = project_contact(own, problem.mu[i], 1, r_i, s_i);
      if (change.isZero(0)) continue;
      block(r, i) = r_i;
      s.noalias() += W.middleCols<3>(3 * Eigen::Index{i}) * change;
    }
  }

  double error() const {
    const OneSidedResidual found = one_sided_residual(problem.mu, k, s, r);
    return std::max(found.normal, found.tangential);
  }

  VecX velocity() const {
    VecX pushed = problem.b, v;
    add_transposed(rows.L, r, pushed);
    sim::solve(A, pushed, v);
    return v;
  }
};

SolveReport refused(const ContactProblem& problem, const ContactTolerance& tolerance,
                    const ContactSolution& solution) {
  SolveReport report;
  judge(problem, tolerance, {"constraint anticipation as published", Ending::iteration_limit}, solution, report);
  report.status = SolveStatus::refused;
  report.reason = format(
      "constraint anticipation refuses this problem: the dense matrix of its %d contacts needs "
      "%.3g GiB, more than the %.3g GiB that are allowed",
      problem.contacts(), delassus_bytes(problem) / 1073741824, most_bytes / 1073741824);
  return report;
}

// The factors of before with those that are missing: lent by what keeps them, and given back.
struct Factors {
  FactoredMatrix A;
  Index made = 0;

  Factors(const ContactProblem& problem, KeptFactors& kept, const Stop& stop) {
    A.bodies = find_bodies(problem.A);
    places = kept_of_parts(problem, A.bodies, kept);
    A.factors.resize(static_cast<std::size_t>(A.bodies.count()));
    for (std::size_t part = 0; part < places.size(); ++part) {
      if (places[part]->has_value()) A.factors[part] = *std::exchange(*places[part], std::nullopt);
    }
    made = factor_missing(problem.A, A, stop);
  }

  void give_back() {
    for (std::size_t part = 0; part < places.size(); ++part) *places[part] = std::move(A.factors[part]);
  }

 private:
  std::vector<std::optional<CholeskyFactor>*> places;
};

}  // namespace

SolveReport solve_constraint_anticipation(const ContactProblem& problem, const ContactTolerance& tolerance,
                                          const SolveLimits& limits, KeptFactors& kept, ContactSolution& solution,
                                          Trace* trace) {
  if (delassus_bytes(problem) > most_bytes) return refused(problem, tolerance, solution);
  SolveReport report;
  Stopwatch watch;
  Factors factors(problem, kept, limits.stop);
  const FactoredMatrix& A = factors.A;
  report.factorisations = factors.made;
  if (!A.definite) {
    judge(problem, tolerance, {"constraint anticipation as published", Ending::breakdown}, solution, report);
    return report;
  }
  VecX unconstrained;
  sim::solve(A, problem.b, unconstrained);
  Anticipation method{problem, A, unconstrained};
  method.r = method.rows.forces_of(solution);
  method.construct(limits.stop);
  report.construction_seconds = watch.lap();

  Ending ending = Ending::iteration_limit;
  while (!limits.met(report.iterations)) {
    method.pass();
    ++report.iterations;
    ++report.passes;
    ++report.evaluations;
    const double error = method.error();
    if (trace != nullptr) trace->push_back({error, 0, error});
    if (error <= tolerance.constraint) ending = Ending::by_rule;
    if (!method.r.allFinite()) ending = Ending::breakdown;
    if (ending != Ending::iteration_limit) break;
  }
  solution.v = method.velocity();
  factors.give_back();
  method.rows.give(method.r, solution);
  derive_states(problem, solution);
  report.cone_residual = contact_residual(problem, solution);
  judge_with(judged(problem, method.rows, solution.v, method.r), tolerance,
             {"constraint anticipation as published", ending}, report);
  return report;
}

}  // namespace sim::published
