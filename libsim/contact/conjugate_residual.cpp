#include "contact/conjugate_residual.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>

#include "math/parallel.hpp"

namespace sim {

namespace {

constexpr int most_without_progress = 20;  // times that rounding keeps the true residual above the tolerance

struct ConjugateResiduals {
  const ContactProblem& problem;
  const ContactTolerance& tolerance;
  const CrOptions& options;
  CrScratch& s;
  ContactSolution& y;
  CrRules rules{options.as_published, tolerance.constraint};
  CrPreconditioner preconditioner = options.preconditioner;
  SolveReport report;
  double size = 0;      // |r|
  double largest = 0;   // of |r| since the last reset
  double rho = 0;       // z . B z
  double gradient = 0;  // |B z|
  Index resets_since_start = 0, most_resets = options.most_resets;
  Index last_reset = 0;  // the iteration

  void resize() {
    for (VecX* x : {&s.rv, &s.zv, &s.pv, &s.qv, &s.Av, &s.Azv, &s.Bzv, &s.Apv, &s.Bpv}) x->setZero(problem.b.size());
    for (VecX* x : {&s.rc, &s.zc, &s.pc, &s.qc, &s.Bzc, &s.Bpc}) x->setZero(problem.c.size());
  }

  double residual_norm() const { return std::sqrt(dot(s.rv, s.rv) + s.rc.squaredNorm()); }

  // r = d - B y. Without a product with A: it keeps A v, and constraints change only the rest (section 3.5).
  void compute_residual() {
    multiply(problem.L, y.v, s.rc);
    s.rv = problem.b - s.Av;
    VecX& force = s.system.work;
    reaction(y, force);
    for (Index i = 0; i < problem.contacts(); ++i) {
      const RowMask& rows = s.system.rows[i];
      Vec3 r = masked(rows, block(problem.c, i) - block(s.rc, i));
      if (rows.D > 0) r += rows.D * masked({rows.tangents, false, rows.direction, 0}, -block(force, i));
      block(s.rc, i) = r;
    }
    add_transposed(problem.L, force, s.rv);
    size = residual_norm();
  }

  // Lines 19 to 21: a new direction from the residual.
  void reset() {
    compute_residual();
    largest = size;
    last_reset = report.iterations;
    precondition(problem, preconditioner, s.system, s.rv, s.rc, s.zv, s.zc);
    multiply_with_B();
    s.pv = s.zv;
    s.pc = s.zc;
    s.Apv = s.Azv;
    s.Bpv = s.Bzv;
    s.Bpc = s.Bzc;
  }

  void multiply_with_B() {
    multiply(problem.A, s.zv, s.Azv);
    multiply(problem, s.system, s.Azv, s.zv, s.zc, s.Bzv, s.Bzc);
    rho = dot(s.zv, s.Bzv) + s.zc.dot(s.Bzc);
    gradient = std::sqrt(dot(s.Bzv, s.Bzv) + s.Bzc.squaredNorm());
  }

  // Lines 9 to 11; returns alpha.
  double advance() {
    precondition(problem, preconditioner, s.system, s.Bpv, s.Bpc, s.qv, s.qc);
    const double alpha = rho / (dot(s.Bpv, s.qv) + s.Bpc.dot(s.qc));
    if (!std::isfinite(alpha)) return alpha;
    add_scaled(y.v, alpha, s.pv);
    add_scaled(s.Av, alpha, s.Apv);
    for (Index i = 0; i < problem.contacts(); ++i) {
      y.lambda[i] -= alpha * s.pc[3 * i];
      y.gamma[i] += alpha * s.pc.segment<2>(3 * i + 1);
    }
    add_scaled(s.rv, -alpha, s.Bpv);
    s.rc -= alpha * s.Bpc;
    add_scaled(s.zv, -alpha, s.qv);
    s.zc -= alpha * s.qc;
    size = residual_norm();
    largest = std::max(largest, size);
    return alpha;
  }

  // z . B z vanishes, although z does not, where only constraint rows are left (B is indefinite): conjugate residuals
  // stand still. A step down the gradient of |r|, along p = C^-1 B z, gets them going again.
  bool stands_still() const {
    return std::abs(rho) <= 1e-14 * gradient * std::sqrt(dot(s.zv, s.zv) + s.zc.squaredNorm());
  }
  void descend() {
    precondition(problem, preconditioner, s.system, s.Bzv, s.Bzc, s.pv, s.pc);
    multiply(problem.A, s.pv, s.Apv);
    multiply(problem, s.system, s.Apv, s.pv, s.pc, s.Bpv, s.Bpc);
    rho = dot(s.Bpv, s.zv) + s.Bpc.dot(s.zc);
    ++report.iterations;  // for the second product
  }

  // Lines 15 to 17.
  void turn() {
    const double before = rho;
    multiply_with_B();
    const double beta = rho / before;
    scale_and_add(s.pv, beta, s.zv);
    s.pc = s.zc + beta * s.pc;
    scale_and_add(s.Apv, beta, s.Azv);
    scale_and_add(s.Bpv, beta, s.Bzv);
    s.Bpc = s.Bzc + beta * s.Bpc;
  }

  bool is_time() const {
    if (options.as_published) {
      const double interval = std::max(1.0, std::log2(size / tolerance.momentum) / 3);
      return report.iterations % static_cast<Index>(interval) == 0;
    }
    if (report.iterations - last_reset >= options.longest * (1 + options.patience * resets_since_start)) return true;
    return size <=
           std::max(options.farthest, std::pow(options.fall, 1 + options.patience * resets_since_start)) * largest;
  }

  bool constraints_change(bool at_convergence = false) {
    ++report.evaluations;
    rules.at_convergence = at_convergence;
    if (!evaluate(problem, rules, s.constraints, y, s.system)) return false;
    ++report.resets;
    ++resets_since_start;
    return true;
  }

  // From the solution as it stands.
  void start() {
    multiply(problem.A, y.v, s.Av);
    preconditioner = options.preconditioner;
    constraints_change();
    resets_since_start = 0;
    reset();
  }
  void start_anew() {
    start_cold(problem, y);
    begin(problem, s.constraints, y, s.system);
    most_resets = std::numeric_limits<Index>::max();
    start();
  }

  bool is_small() const {
    const double worst = s.rc.size() > 0 ? s.rc.cwiseAbs().maxCoeff() : 0.0;
    return size <= tolerance.momentum && worst <= (1 - negligible_part) * tolerance.constraint;
  }

  // |B C^-1 r| vanishes where r does not: contacts that contradict each other (section 4.3).
  bool at_local_minimum() const { return gradient <= 1e-3 * std::min(size, tolerance.momentum); }

  // The solution as the caller gets it.
  void finish() {
    share_among_duplicates(s.constraints, y);
    report.residual = contact_residual(problem, s.constraints.k, y, s.residual);
    report.cone_residual = report.residual;
  }

  bool solved() {
    finish();
    const ContactResidual& r = report.residual;
    if (r.momentum <= tolerance.momentum && r.constraint() <= tolerance.constraint) return true;
    gather_from_duplicates(s.constraints, y);
    return false;
  }

  void record(Trace* trace, bool changed) const {
    if (trace == nullptr) return;
    TraceRow row;
    row.residual = size;
    row.preconditioned_residual = std::sqrt(std::abs(dot(s.rv, s.zv) + s.rc.dot(s.zc)));
    row.constraint_residual = s.rc.size() > 0 ? s.rc.cwiseAbs().maxCoeff() : 0.0;
    row.mark = changed ? TraceMark::constraints_changed : TraceMark::none;
    trace->push_back(row);
  }

  SolveReport& give_up(SolveStatus status) {
    finish();
    report.status = status;
    char text[300];
    std::snprintf(text, sizeof text,
                  "conjugate residuals %s after %d iterations and %d changes of constraints: momentum %.3g kg m/s of "
                  "%.3g, contacts %.3g m of %.3g",
                  status == SolveStatus::breakdown          ? "broke down (matrix not definite, or not a number)"
                  : status == SolveStatus::over_constrained ? "found contacts that contradict each other"
                                                            : "did not converge",
                  report.iterations, report.resets, report.residual.momentum, tolerance.momentum,
                  report.residual.constraint(), tolerance.constraint);
    report.reason = text;
    return report;
  }

  SolveReport& run(Index max_iterations, Trace* trace) {
    resize();
    prepare(problem, s.system);
    begin(problem, s.constraints, y, s.system);
    if (solved()) return report;
    start();
    report.resets = 0;
    int without_progress = 0;
    while (report.iterations < max_iterations) {
      bool still = false;
      if (!is_small()) {
        still = stands_still();
        if (still) descend();
        const double alpha = advance();
        ++report.iterations;
        if (!std::isfinite(alpha)) {
          // The indefinite preconditioner has met a direction in which it sees nothing: go round it with the other.
          if (preconditioner == CrPreconditioner::diag) return give_up(SolveStatus::breakdown);
          preconditioner = CrPreconditioner::diag;
          multiply(problem.A, y.v, s.Av);
          reset();
          continue;
        }
        const bool changed = alpha > 0 && is_time() && constraints_change();
        record(trace, changed);
        if (resets_since_start >= most_resets) {
          start_anew();
          continue;
        }
        if (changed) {
          preconditioner = options.preconditioner;
          reset();
          continue;
        }
      }
      const bool stuck = at_local_minimum();
      if (is_small() || stuck) {
        if (constraints_change(true)) {
          reset();
          continue;
        }
        if (solved()) return report;
        if (stuck && !is_small()) return give_up(SolveStatus::over_constrained);
        if (++without_progress == most_without_progress) return give_up(SolveStatus::iteration_limit);
        multiply(problem.A, y.v, s.Av);
        reset();
        continue;
      }
      if (still) {
        reset();
      } else {
        turn();
      }
    }
    return give_up(SolveStatus::iteration_limit);
  }
};

}  // namespace

SolveReport solve_cr(const ContactProblem& problem, const ContactTolerance& tolerance, Index max_iterations,
                     const CrOptions& options, CrScratch& scratch, ContactSolution& solution, Trace* trace) {
  ConjugateResiduals method{problem, tolerance, options, scratch, solution};
  return method.run(max_iterations, trace);
}

}  // namespace sim
