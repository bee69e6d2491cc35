#include "contact/conjugate_residual.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>

#include "math/parallel.hpp"

namespace sim {

namespace {

constexpr double degree = 3.14159265358979323846 / 180;

struct Solver {
  const ContactProblem& P;
  const ContactTolerance& tolerance;
  const CrOptions& options;
  CrScratch& s;
  ContactSolution& y;
  SolveReport report;
  bool sweep_all = false;
  double damp = 0.5;

  bool active(Index i) const { return y.state[i] != FrictionState::open; }

  // Masks the rows of contact i.
  Vec3 mask(Index i, const Vec3& x) const {
    switch (y.state[i]) {
      case FrictionState::open:
        return Vec3::Zero();
      case FrictionState::sticking:
        return x;
      case FrictionState::sliding: {
        if (s.contacts[i].D <= 0) return Vec3(x[0], 0, 0);
        const Vec2 across(-y.delta[i][1], y.delta[i][0]);
        const double a = across.dot(x.tail<2>());
        return Vec3(x[0], a * across[0], a * across[1]);
      }
    }
    return x;
  }

  void mask_all(VecX& x) const {
    for (Index i = 0; i < P.contacts(); ++i) block(x, i) = mask(i, block(x, i));
  }

  // out = C^-1 (rv, rc)
  void precondition(const VecX& rv, const VecX& rc, VecX& zv, VecX& zc) {
    if (options.preconditioner == CrPreconditioner::diag) {
      zv = s.inverse_diagonal.cwiseProduct(rv);
      for (Index i = 0; i < P.contacts(); ++i) {
        const CrContact& c = s.contacts[i];
        const double st = c.s_t + (y.state[i] == FrictionState::sliding ? c.D : 0.0);
        block(zc, i) = mask(i, block(rc, i)).cwiseQuotient(Vec3(c.s_n, st, st));
      }
      return;
    }
    s.t = s.inverse_diagonal.cwiseProduct(rv);
    multiply(P.L, s.t, zc);
    for (Index i = 0; i < P.contacts(); ++i) {
      const CrContact& c = s.contacts[i];
      const double st = c.s_t + (y.state[i] == FrictionState::sliding ? c.D : 0.0);
      block(zc, i) = mask(i, block(zc, i) - block(rc, i)).cwiseQuotient(Vec3(c.s_n, st, st));
    }
    s.w = -zc;
    zv = rv;
    add_transposed(P.L, s.w, zv);
    zv = s.inverse_diagonal.cwiseProduct(zv);
  }

  // B z with A z known.
  void finish_product(const VecX& Azv, const VecX& zv, const VecX& zc, VecX& Bzv, VecX& Bzc) {
    Bzv = Azv;
    add_transposed(P.L, zc, Bzv);
    multiply(P.L, zv, Bzc);
    for (Index i = 0; i < P.contacts(); ++i) {
      Vec3 m = mask(i, block(Bzc, i));
      if (y.state[i] == FrictionState::sliding && s.contacts[i].D > 0) {
        m.tail<2>() -= s.contacts[i].D * block(zc, i).tail<2>();
      }
      block(Bzc, i) = m;
    }
  }

  void write_force() {
    for (Index i = 0; i < P.contacts(); ++i) block(s.force, i) << -y.lambda[i], y.gamma[i][0], y.gamma[i][1];
  }

  void residual_from_products() {
    write_force();
    multiply(P.L, y.v, s.Lv);
    s.rv = P.b - s.Av;
    s.w = -s.force;
    add_transposed(P.L, s.w, s.rv);
    for (Index i = 0; i < P.contacts(); ++i) {
      Vec3 m = mask(i, block(P.c, i) - block(s.Lv, i));
      const CrContact& c = s.contacts[i];
      if (y.state[i] == FrictionState::sliding && c.D > 0) {
        const Vec2 across(-y.delta[i][1], y.delta[i][0]);
        m.tail<2>() += c.D * across.dot(y.gamma[i]) * across;
      }
      block(s.rc, i) = m;
    }
  }

  void restart() {
    residual_from_products();
    precondition(s.rv, s.rc, s.zv, s.zc);
    multiply(P.A, s.zv, s.Azv);
    finish_product(s.Azv, s.zv, s.zc, s.Bzv, s.Bzc);
    s.pv = s.zv;
    s.pc = s.zc;
    s.Apv = s.Azv;
    s.Bpv = s.Bzv;
    s.Bpc = s.Bzc;
    ++report.resets;
  }

  double kinetic_lambda(Index i) {
    CrContact& c = s.contacts[i];
    const double average = 0.5 * (c.lambda_before + y.lambda[i]);
    c.lambda_before = y.lambda[i];
    return std::max(0.0, average);
  }

  // Friction of a sliding contact along delta with magnitude from lambda'; returns the size of the change, in N.
  void set_kinetic(Index i, const Vec2& delta, double lambda, const Vec2& slip) {
    CrContact& c = s.contacts[i];
    y.delta[i] = delta;
    c.lambda_used = lambda;
    const double bound = P.mu[i] * lambda;
    y.gamma[i] = bound * delta;
    const double speed = std::max(slip.dot(delta), 0.0);
    c.D = bound > 0 ? std::max(speed, 1e-3 * tolerance.constraint) / bound : 0;
  }

  bool evaluate() {
    ++report.evaluations;
    bool changed = false;
    multiply(P.L, y.v, s.Lv);
    for (Index i = 0; i < P.contacts(); ++i) {
      CrContact& c = s.contacts[i];
      const double tol = options.gate * tolerance.constraint;
      const double k = s.k[i];
      const double normal = s.Lv[3 * i] - P.c[3 * i];
      const Vec2 slip = s.Lv.segment<2>(3 * i + 1) - P.c.segment<2>(3 * i + 1);
      if (!active(i)) {
        if (normal < -tol) {
          y.state[i] = FrictionState::sliding;
          y.lambda[i] = 0;
          y.gamma[i].setZero();
          c.lambda_before = 0;
          c.lambda_used = 0;
          c.D = 0;
          y.delta[i] = slip.norm() > 0 ? Vec2(slip.normalized()) : Vec2(1, 0);
          changed = true;
          ++c.toggles;
        }
        continue;
      }
      if (normal >= 0 && y.lambda[i] <= 0) {
        if (-k * y.lambda[i] > tol) {
          y.state[i] = FrictionState::open;
          y.lambda[i] = 0;
          y.gamma[i].setZero();
          c.D = 0;
          changed = true;
          ++c.toggles;
        }
        continue;
      }
      const double bound = P.mu[i] * std::max(0.0, y.lambda[i]);
      if (y.state[i] == FrictionState::sticking) {
        const double size = y.gamma[i].norm();
        if (size > bound && slip.dot(y.gamma[i]) > 0 && k * (size - bound) > tol) {
          y.state[i] = FrictionState::sliding;
          const Vec2 direction = y.gamma[i] / size;
          c.lambda_before = y.lambda[i];
          set_kinetic(i, direction, std::max(0.0, y.lambda[i]), slip);
          changed = true;
          ++c.toggles;
        }
        continue;
      }
      // sliding
      if (slip.dot(y.delta[i]) < -tol ||
          (slip.dot(y.delta[i]) <= 0 && y.gamma[i].norm() * k > tol && options.variant == 2)) {
        y.state[i] = FrictionState::sticking;
        c.D = 0;
        changed = true;
        ++c.toggles;
        continue;
      }
      Vec2 delta = y.delta[i];
      const Vec2 across(-delta[1], delta[0]);
      const Vec2 asked = (options.variant >= 1 && c.D > 0) ? Vec2(y.gamma[i] + slip / k) : slip;
      if (options.variant >= 1) {
        // gamma has a part across delta, from the compliant row: follow the slip.
        if (slip.norm() > tol)
          delta = slip.normalized();
        else if (y.gamma[i].norm() > 0)
          delta = y.gamma[i].normalized();
      } else if (slip.norm() > tolerance.constraint) {
        const double cosine = slip.normalized().dot(delta);
        if (cosine > 0 && cosine < std::cos(1.2 * degree)) {
          delta = (delta + 0.01 * (slip.normalized() - delta)).normalized();
        }
      }
      (void)asked;
      const double lambda = 0.5 * (c.lambda_before + y.lambda[i]);
      const Vec2 next = P.mu[i] * std::max(0.0, lambda) * delta;
      c.lambda_before = y.lambda[i];
      if (k * (next - y.gamma[i]).norm() > tol) {
        set_kinetic(i, delta, std::max(0.0, lambda), slip);
        if (options.variant == 0) c.D = 0;
        changed = true;
      }
    }
    return changed;
  }

  double residual_norm() const { return std::sqrt(dot(s.rv, s.rv) + s.rc.squaredNorm()); }

  SolveReport run(Index max_iterations, Trace* trace) {
    const Index m = P.contacts();
    s.inverse_diagonal.resize(P.b.size());
    for (Index row = 0; row < P.A.rows(); ++row)
      block(s.inverse_diagonal, row) = P.A.at(P.A.find(row, row)).diagonal().cwiseInverse();
    compliance(P, s.k);
    s.contacts.assign(m, {});
    for (Index i = 0; i < m; ++i) {
      double n = 0, t = 0;
      for (Index slot = P.L.row_begin[i]; slot < P.L.row_begin[i + 1]; ++slot) {
        const Mat3 W = P.L.at(slot).cwiseAbs2();
        const Vec3 d = W * block(s.inverse_diagonal, P.L.column[slot]);
        n += d[0];
        t += 0.5 * (d[1] + d[2]);
      }
      s.contacts[i].s_n = P.Z[i] * n;
      s.contacts[i].s_t = P.Z[i] * t;
    }
    for (VecX* x : {&s.Av, &s.rv, &s.zv, &s.pv, &s.qv, &s.Azv, &s.Bzv, &s.Apv, &s.Bpv, &s.t}) x->setZero(P.b.size());
    for (VecX* x : {&s.Lv, &s.force, &s.rc, &s.zc, &s.pc, &s.qc, &s.Bzc, &s.Bpc, &s.w}) x->setZero(P.c.size());
    multiply(P.A, y.v, s.Av);
    restart();
    report.resets = 0;
    double rho = dot(s.zv, s.Bzv) + s.zc.dot(s.Bzc);
    Index since = 0;
    double reset_norm = residual_norm();
    for (Index j = 1; j <= max_iterations; ++j) {
      report.iterations = j;
      precondition(s.Bpv, s.Bpc, s.qv, s.qc);
      const double denominator = dot(s.Bpv, s.qv) + s.Bpc.dot(s.qc);
      const double alpha = rho / denominator;
      add_scaled(y.v, alpha, s.pv);
      add_scaled(s.Av, alpha, s.Apv);
      for (Index i = 0; i < m; ++i) {
        const Vec3 d = alpha * s.pc.segment<3>(3 * i);
        y.lambda[i] -= d[0];
        y.gamma[i] += d.tail<2>();
      }
      add_scaled(s.rv, -alpha, s.Bpv);
      s.rc -= alpha * s.Bpc;
      add_scaled(s.zv, -alpha, s.qv);
      s.zc -= alpha * s.qc;
      ++since;
      double size = residual_norm();
      if (trace)
        trace->push_back({size, std::sqrt(std::abs(dot(s.rv, s.zv) + s.rc.dot(s.zc))),
                          s.rc.size() ? s.rc.cwiseAbs().maxCoeff() : 0, TraceMark::none});
      const double interval = std::max(1.0, std::log2(size / tolerance.momentum) / options.interval);
      bool changed = false;
      bool ready = alpha > 0 && j % static_cast<Index>(interval) == 0;
      if (options.growth > 0) ready = alpha > 0 && (size < options.growth * reset_norm || since > 50);
      if (ready) changed = evaluate();
      if (!changed && size < tolerance.momentum &&
          (m == 0 || s.rc.cwiseAbs().maxCoeff() < (1 - options.gate) * tolerance.constraint)) {
        changed = evaluate();
        if (!changed) {
          report.residual = contact_residual(P, s.k, y, s.residual);
          if (report.residual.momentum <= tolerance.momentum && report.residual.constraint() <= tolerance.constraint)
            return report;
          if (getenv("CR_VERBOSE"))
            std::printf("it %d: not done: momentum %g normal %g tangential %g\n", j, report.residual.momentum,
                        report.residual.normal, report.residual.tangential);
          multiply(P.A, y.v, s.Av);
          changed = true;
        }
      }
      if (changed) {
        restart();
        since = 0;
        reset_norm = residual_norm();
        rho = dot(s.zv, s.Bzv) + s.zc.dot(s.Bzc);
        if (trace) trace->back().mark = TraceMark::constraints_changed;
        continue;
      }
      multiply(P.A, s.zv, s.Azv);
      finish_product(s.Azv, s.zv, s.zc, s.Bzv, s.Bzc);
      const double next = dot(s.zv, s.Bzv) + s.zc.dot(s.Bzc);
      const double beta = next / rho;
      scale_and_add(s.pv, beta, s.zv);
      s.pc = s.zc + beta * s.pc;
      scale_and_add(s.Apv, beta, s.Azv);
      scale_and_add(s.Bpv, beta, s.Bzv);
      s.Bpc = s.Bzc + beta * s.Bpc;
      rho = next;
      if (!std::isfinite(rho)) {
        report.status = SolveStatus::breakdown;
        break;
      }
    }
    report.residual = contact_residual(P, s.k, y, s.residual);
    if (report.status == SolveStatus::converged) report.status = SolveStatus::iteration_limit;
    return report;
  }
};

}  // namespace

SolveReport solve_cr(const ContactProblem& problem, const ContactTolerance& tolerance, Index max_iterations,
                     const CrOptions& options, CrScratch& scratch, ContactSolution& solution, Trace* trace) {
  Solver solver{problem, tolerance, options, scratch, solution, {}};
  return solver.run(max_iterations, trace);
}

}  // namespace sim
