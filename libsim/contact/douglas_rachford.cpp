#include "contact/douglas_rachford.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "contact/coulomb_contact.hpp"

namespace sim {

namespace {

constexpr Index first_newton = 3, most_newton = 12;  // steps of a try

struct Splitting {
  const DouglasRachfordOptions& options;
  const SolveLimits& limits;
  const Judge& error_in_tolerances;
  DouglasRachfordScratch& s;
  CoupledIsland& island;
  DouglasRachfordReport report{};
  double largest = 0, factored_for = 0;  // N: normal force, now and as the splitting's matrix was made
  double tried = -island.flops,
         least_steps = first_newton;  // of Newton's method: at so many flops; steps that are worth it

  Index contacts() const { return island.W.rows(); }
  double product_flops() const { return 18.0 * island.W.slots(); }

  // So that K is 1: W <- S^-1 W S^-1 and q <- S^-1 q with S = sqrt(K), and forces times S.
  void rescale() {
    s.scale.resize(contacts());
    s.diagonal.resize(static_cast<std::size_t>(contacts()));
    for (Index i = 0; i < contacts(); ++i) {
      s.diagonal[i] = island.W.find(i, i);
      const double own = island.W.at(s.diagonal[i]).trace() / 3;
      s.scale[i] = own > 0 ? std::sqrt(options.penalty * own) : 1;
    }
    for (Index i = 0; i < contacts(); ++i) {
      for (Index slot = island.W.row_begin[i]; slot < island.W.row_begin[i + 1]; ++slot)
        island.W.at(slot) /= s.scale[i] * s.scale[island.W.column[slot]];
    }
    s.q.resize(island.q.size());
    s.r.resize(island.q.size());
    for (Index i = 0; i < contacts(); ++i) {
      block(s.q, i) = block(island.q, i) / s.scale[i];
      block(s.r, i) = block(island.r, i) * s.scale[i];
    }
  }

  // Of two starts the one that comes nearer with W.
  void choose_start() {
    if (island.other.size() == 0) return;
    const auto error_from = [&](const VecX& r) {
      s.tried_u.resize(r.size());
      multiply(island.W, r, s.tried_u);
      s.tried_u += island.q;
      report.flops += product_flops();
      return error_in_tolerances(s.tried_u, r);
    };
    if (!(error_from(island.r) < error_from(island.other))) island.r.swap(island.other);
  }

  bool factor_shifted() {
    s.shifted = island.W;
    for (Index i = 0; i < contacts(); ++i) s.shifted.at(s.diagonal[i]).diagonal().array() += 1 + s.soft[i];
    factored_for = largest;
    s.F.pattern = std::make_shared<const CholeskyPattern>(analyse(s.shifted));
    s.rows.resize(static_cast<std::size_t>(contacts()));
    std::iota(s.rows.begin(), s.rows.end(), 0);
    report.flops += s.F.pattern->flops;
    ++report.factorisations;
    return report.definite = factor(s.shifted, s.rows, s.cholesky, s.F, limits.stop);
  }

  void pass() {
    for (Index i = 0; i < contacts(); ++i) {
      const Mat3 own = island.W.at(s.diagonal[i]);
      const Vec3 u = block(s.q, i) + multiply_slots(island.W, island.W.row_begin[i], island.W.row_begin[i + 1], s.r);
      block(s.r, i) = coulomb_contact(own, u - own * block(s.r, i), island.mu[i]);
    }
    ++report.passes;
    report.flops += product_flops();
  }

  void project() {
    for (Index i = 0; i < contacts(); ++i) block(s.z, i) = project_on_cone(block(s.s, i), island.mu[i]);
  }

  void soften() {
    largest = 0;
    for (Index i = 0; i < contacts(); ++i) largest = std::max(largest, s.z[3 * i] / s.scale[i]);
    s.soft.setZero(contacts());
    for (Index i = 0; largest > 0 && i < contacts(); ++i)
      s.soft[i] = options.soft * island.tolerance / (largest * s.scale[i] * s.scale[i]);
  }

  // The splitting's matrix, where forces have turned out to be larger than it was made for.
  bool soften_again() {
    soften();
    return largest <= 2 * factored_for || factor_shifted();
  }

  // From s, with as much work as all the rest since it was tried last, once that is worth a few steps, and each time
  // that it fails twice as many.
  bool try_newton() {
    const double cost = newton_step_flops(island.W, s.s);
    const double steps = (report.flops - tried) / cost;
    if (steps < least_steps) return false;
    s.r = s.s;
    bool done = false;
    Index n = 0;
    for (; n + 1 <= steps && n < most_newton && !done && !met(); ++n) {
      if (!newton_step(island.W, s.q, island.mu, s.soft, s.newton, s.r)) break;
      for (Index i = 0; i < contacts(); ++i) block(s.z, i) = project_on_cone(block(s.r, i), island.mu[i]);
      soften();
      ++report.iterations;
      done = error_of(s.z) <= island.finer;
    }
    report.flops += n * cost;
    tried = report.flops;
    least_steps *= 2;
    project();
    soften();
    return done;
  }

  // Of an answer x, in tolerances, to the softened problem; it is kept where it is the best so far of the problem
  // itself.
  double error_of(const VecX& x) {
    s.u.resize(x.size());
    multiply(island.W, x, s.u);
    s.u += s.q;
    report.flops += product_flops();
    s.tried_r.resize(x.size());
    s.tried_u.resize(x.size());
    for (Index i = 0; i < contacts(); ++i) {
      block(s.tried_r, i) = block(x, i) / s.scale[i];
      block(s.tried_u, i) = block(s.u, i) * s.scale[i];
    }
    const double error = error_in_tolerances(s.tried_u, s.tried_r);
    for (Index i = 0; i < contacts(); ++i) block(s.tried_u, i) += s.soft[i] * s.scale[i] * block(x, i);
    const double of_softened = error_in_tolerances(s.tried_u, s.tried_r);
    const bool is_answer = of_softened <= island.finer && error <= 1;
    if (error < report.error || is_answer) {
      report.error = error;
      std::swap(island.r, s.tried_r);
    }
    return of_softened;
  }

  bool begin() {
    s.z = s.r;
    soften();
    const double error = error_of(s.r);
    s.s = s.r - s.u;
    project();
    return error <= island.finer;
  }

  bool met() const { return limits.met(report.passes + report.iterations) || report.flops > island.most_flops; }

  void iterate() {
    s.anderson.begin(options.history, s.r.size());
    double before = std::numeric_limits<double>::infinity();
    Index last = limits.iterations;
    while (!met() && report.iterations < last) {
      ++report.iterations;
      project();
      if (error_of(s.z) <= island.finer || try_newton() || !soften_again()) return;
      if (report.error <= 1 && last == limits.iterations)
        last = std::min(last, options.times_as_long * report.iterations + options.and_more);
      s.r = 2 * s.z - s.s - s.q;
      solve_forwards(s.F, s.cholesky, s.r);
      solve_back(s.F, s.cholesky, s.r);
      s.f = options.relaxation * (s.r - s.z);
      report.flops += s.F.pattern->solve_flops;
      const double size = s.f.norm();
      if (!std::isfinite(size)) return;
      if (size > before) s.anderson.forget();
      before = size;
      s.anderson.advance(s.f, s.s);
      report.flops += 8.0 * s.anderson.kept() * static_cast<double>(s.f.size());
    }
  }
};

}  // namespace

DouglasRachfordReport douglas_rachford(const DouglasRachfordOptions& options, const SolveLimits& limits,
                                       const Judge& error_in_tolerances, DouglasRachfordScratch& scratch,
                                       CoupledIsland& island) {
  Splitting method{options, limits, error_in_tolerances, scratch, island};
  method.choose_start();
  method.rescale();
  while (method.report.passes < options.first_passes && !limits.met(method.report.passes)) method.pass();
  if (method.begin() || method.try_newton()) return method.report;
  if (method.factor_shifted()) method.iterate();
  return method.report;
}

}  // namespace sim
