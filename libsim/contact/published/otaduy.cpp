#include "contact/published/otaduy.hpp"

#include <algorithm>
#include <cmath>

#include "contact/coupled_contacts.hpp"
#include "contact/friction_states.hpp"
#include "contact/published/ending.hpp"
#include "contact/published/one_sided_pyramid.hpp"
#include "contact/relaxation.hpp"
#include "math/parallel.hpp"
#include "math/stopwatch.hpp"

namespace sim::published {

namespace {

constexpr double small_change = 0.05;  // of the residuals, between two passes of the inner loop
constexpr int times_a_contact = 3;
constexpr double lower = 0.1;        // the tolerance of v*, of eps1
constexpr Index most_passes = 1000;  // not the paper's: where residuals never change by less

struct Otaduy {
  const ContactProblem& problem;
  const ContactTolerance& tolerance;
  const VecX& unconstrained;  // v*
  AlignedProblem rows{problem, unconstrained};
  BlockMatrix B;
  std::vector<Index> diagonal;  // a contact: the slot of its own block
  VecX q;                       // m
  Relaxation relaxation;
  std::vector<double> inner_k, k;
  VecX dv, r, s;
  double left = 0;  // |b - A v*|, kg m/s
  SolveReport report;

  // 1 and 2.
  void formulate(const ContactSolution& start) {
    Stopwatch watch;
    dv = start.v - unconstrained;
    r = rows.forces_of(start);
    if (r.isZero(0)) dv.setZero();  // without forces nothing answers to them
    prepare(problem.A, relaxation);
    B = coupling(rows.L, relaxation.D_inverse.block);
    for (Index i = 0; i < problem.contacts(); ++i) {
      diagonal.push_back(B.find(i, i));
      inner_k.push_back(B.at(diagonal[i]).trace() / 3);
    }
    compliance(problem, k);
    VecX missing(problem.b.size());
    multiply(problem.A, unconstrained, missing);
    left = (problem.b - missing).norm();
    multiply_parts(problem.A, dv, relaxation);
    report.products += 2;
    report.construction_seconds = watch.lap();
  }

  // 3.1
  void anticipate() {
    VecX w(dv.size());
    jacobi(VecX::Zero(dv.size()), relaxation, w);
    w += unconstrained;
    q = rows.slip(w);
  }

  void pass() {
    for (Index j = 0; j < problem.contacts(); ++j) {
      Vec3 s_j = block(q, j), r_j = block(r, j);
      for (Index slot = B.row_begin[j]; slot < B.row_begin[j + 1]; ++slot)
        s_j += B.at(slot) * block(r, B.column[slot]);
      project_contact(B.at(diagonal[j]), problem.mu[j], times_a_contact, r_j, s_j);
      block(r, j) = r_j;
    }
    ++report.passes;
  }

  OneSidedResidual inner_residual() {
    s.resize(r.size());
    multiply(B, r, s);
    s += q;
    return one_sided_residual(problem.mu, inner_k, s, r);
  }

  // 3.2
  void iterate_lcps(const Stop& stop) {
    // What is within eps2 does not count as a change: a residual that falls by a tenth a pass would never change by
    // less.
    const auto changes_little = [&](double now, double before) {
      return std::abs(now - before) <= small_change * std::max(before, tolerance.constraint);
    };
    OneSidedResidual before = inner_residual();
    for (Index j = 0; j < most_passes && !stop.asked(); ++j) {
      pass();
      const OneSidedResidual now = inner_residual();
      if (!std::isfinite(now.normals + now.tangentials)) return;
      if (changes_little(now.normals, before.normals) && changes_little(now.tangentials, before.tangentials) &&
          now.nearest > -0.5 * tolerance.constraint)
        return;
      before = now;
    }
  }

  // 3.3; true within the tolerances.
  bool refine(Trace* trace) {
    VecX pushed = VecX::Zero(problem.b.size());
    add_transposed(rows.L, r, pushed);
    const double missing = sweep(problem.A, pushed, relaxation, dv) + left;
    ++report.products;
    s = rows.slip(unconstrained + dv);
    const OneSidedResidual found = one_sided_residual(problem.mu, k, s, r);
    const double worst = std::max(found.normal, found.tangential);
    if (trace != nullptr) trace->push_back({missing, 0, worst});
    return missing <= tolerance.momentum && worst <= tolerance.constraint;
  }

  Ending run(const SolveLimits& limits, Trace* trace) {
    while (!limits.met(report.iterations)) {
      anticipate();
      iterate_lcps(limits.stop);
      const bool near = refine(trace);
      ++report.iterations;
      ++report.evaluations;
      if (!r.allFinite() || !dv.allFinite()) return Ending::breakdown;
      if (near) return Ending::by_rule;
    }
    return Ending::iteration_limit;
  }
};

}  // namespace

SolveReport solve_otaduy(const ContactProblem& problem, const ContactTolerance& tolerance, const SolveLimits& limits,
                         Unconstrained& kept, ContactSolution& solution, Trace* trace) {
  VecX unconstrained = solution.v;
  const FreeFlight flight = fly_freely(problem, lower * tolerance.momentum, limits, kept, unconstrained);
  Otaduy method{problem, tolerance, unconstrained};
  method.report.iterations = flight.iterations;
  method.report.products = flight.products;
  method.formulate(solution);
  const Ending ending = flight.status == CgStatus::converged   ? method.run(limits, trace)
                        : flight.status == CgStatus::breakdown ? Ending::breakdown
                                                               : Ending::iteration_limit;
  solution.v = unconstrained + method.dv;
  method.rows.give(method.r, solution);
  derive_states(problem, solution);
  method.report.cone_residual = contact_residual(problem, solution);
  judge_with(judged(problem, method.rows, solution.v, method.r), tolerance,
             {"iterative constraint anticipation as published", ending}, method.report);
  return method.report;
}

}  // namespace sim::published
