#include "contact/ica.hpp"

#include <algorithm>
#include <cmath>

#include "contact/friction_states.hpp"
#include "math/format.hpp"
#include "math/parallel.hpp"
#include "math/stopwatch.hpp"

namespace sim {

namespace {

// x in tangents along the axis: (normal, along a, along a').
Mat3 alignment(const Vec2& axis) {
  Mat3 turn;
  turn << 1, 0, 0, 0, axis[0], axis[1], 0, -axis[1], axis[0];
  return turn;
}

struct ConstraintAnticipation {
  const ContactProblem& problem;
  const ContactTolerance& tolerance;
  const IcaOptions& options;
  IcaScratch& s;
  ContactSolution& y;
  SolveReport report;

  // One axis of each pyramid along the slip of the unconstrained velocity, s.w.
  void choose_axes() {
    slip(problem, s.w, s.s);
    const auto contacts = static_cast<std::size_t>(problem.contacts());
    s.law.axis.resize(contacts);
    s.aligned_law.axis.assign(contacts, Vec2(1, 0));
    for (Index i = 0; i < problem.contacts(); ++i) {
      const Vec2 slipped = s.s.segment<2>(3 * i + 1);
      const double size = slipped.norm();
      s.law.axis[i] = size > 0 ? Vec2(slipped / size) : Vec2(1, 0);
    }
  }

  void align() {
    s.L = problem.L;
    s.c.resize(problem.c.size());
    s.r.resize(problem.c.size());
    for (Index i = 0; i < problem.contacts(); ++i) {
      const Mat3 turn = alignment(s.law.axis[i]);
      for (Index slot = s.L.row_begin[i]; slot < s.L.row_begin[i + 1]; ++slot)
        s.L.at(slot) = (turn * problem.L.at(slot)).eval();
      block(s.c, i) = turn * block(problem.c, i);
      block(s.r, i) = turn * Vec3(y.lambda[i], -y.gamma[i][0], -y.gamma[i][1]);
    }
  }

  CgStatus solve_unconstrained(const SolveLimits& limits) {
    s.w = y.v;
    const CgOptions cg{
        .tolerance = 0, .absolute = tolerance.momentum, .max_iterations = limits.iterations, .stop = limits.stop};
    const CgReport found = conjugate_gradient(problem.A, problem.b, cg, s.cg, s.w);
    report.iterations = found.iterations;
    report.products = found.iterations + 2;  // the first residual and the last one
    s.lcp.passes = 0;
    return found.status;
  }

  void assemble_lcp() {
    Stopwatch watch;
    choose_axes();
    align();
    prepare(problem.A, s.relaxation);
    prepare(s.L, s.relaxation.D_inverse.block, s.lcp);
    s.lcp.mu = problem.mu;
    compliance(problem, s.k);
    report.construction_seconds = watch.lap();
  }

  // Without forces there is no response to them, v = v*; a warm start brings its velocity with it.
  void choose_start() {
    if (s.r.isZero(0)) y.v = s.w;
  }

  void anticipate(const Stop& stop) {
    jacobi(problem.b, s.relaxation, s.w);
    s.lcp.q.resize(s.c.size());
    multiply(s.L, s.w, s.lcp.q);
    s.lcp.q -= s.c;
    project(s.lcp, options.inner_fall, options.most_passes, tolerance.constraint, s.r, stop);
  }

  // Returns the residual: that of momentum and the slips are by-products.
  ContactResidual refine() {
    s.force = problem.b;
    add_transposed(s.L, s.r, s.force);
    const double momentum = sweep(problem.A, s.force, s.relaxation, y.v);
    s.s.resize(s.c.size());
    multiply(s.L, y.v, s.s);
    s.s -= s.c;
    set_reaction(s.r, s.aligned);
    ContactResidual residual = conditions_residual(problem.mu, s.k, s.s, s.aligned, s.aligned_law);
    residual.momentum = momentum;
    return residual;
  }

  // The solution as the caller gets it, with what is true of it.
  void finish() {
    for (Index i = 0; i < problem.contacts(); ++i) {
      const Vec3 r = alignment(s.law.axis[i]).transpose() * block(s.r, i);
      y.lambda[i] = r[0];
      y.gamma[i] = Vec2(0.0 - r[1], 0.0 - r[2]);
    }
    derive_states(problem, y, s.law);
    report.residual = contact_residual(problem, s.k, y, s.residual, s.law);
    report.cone_residual = contact_residual(problem, s.k, y, s.residual);
    report.products += 2;
    report.passes = s.lcp.passes;
  }

  SolveReport& give_up(SolveStatus status, const char* what) {
    finish();
    report.status = status;
    report.reason = format("iterative constraint anticipation %s after %d iterations (%d outer ones): ", what,
                           report.iterations, report.evaluations) +
                    describe(report.residual, tolerance);
    return report;
  }

  SolveReport& run(const SolveLimits& limits, Trace* trace) {
    const CgStatus unconstrained = solve_unconstrained(limits);
    assemble_lcp();
    if (unconstrained == CgStatus::breakdown)
      return give_up(SolveStatus::breakdown, "broke down (matrix not definite, or not a number)");
    if (unconstrained != CgStatus::converged)
      return give_up(SolveStatus::iteration_limit, "did not find the unconstrained velocity");
    choose_start();
    finish();
    if (within(report.residual, tolerance)) return report;
    multiply_parts(problem.A, y.v, s.relaxation);
    ++report.iterations;
    ++report.products;
    while (!limits.met(report.iterations)) {
      anticipate(limits.stop);
      const ContactResidual residual = refine();
      ++report.iterations;
      ++report.products;  // both halves together
      ++report.evaluations;
      if (trace != nullptr) trace->push_back({residual.momentum, 0, residual.constraint()});
      if (!std::isfinite(residual.momentum + residual.constraint()))
        return give_up(SolveStatus::breakdown, "broke down (not a number, or grew without bound)");
      if (!within(residual, tolerance)) continue;
      finish();
      if (within(report.residual, tolerance)) return report;
    }
    return give_up(SolveStatus::iteration_limit, "did not converge");
  }
};

}  // namespace

SolveReport solve_ica(const ContactProblem& problem, const ContactTolerance& tolerance, const SolveLimits& limits,
                      const IcaOptions& options, IcaScratch& scratch, ContactSolution& solution, Trace* trace) {
  ConstraintAnticipation method{problem, tolerance, options, scratch, solution, {}};
  return method.run(limits, trace);
}

}  // namespace sim
