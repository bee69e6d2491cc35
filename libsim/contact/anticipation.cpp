#include "contact/anticipation.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "contact/friction_states.hpp"
#include "math/parallel.hpp"

namespace sim {

namespace {

constexpr Index most_passes = 40;   // of projected Gauss-Seidel in a sweep
constexpr double inner_fall = 0.1;  // of the moves of a pass
constexpr double slow = 0.8;        // residual after a sweep over that before
constexpr Index first_judged = 64;  // sweeps; and whenever there are twice as many

// Sweeps that are left until the residual, in tolerances, is within them, if it goes on falling as in the last ones.
double sweeps_left(double then, double now, Index sweeps) {
  return now < then ? std::log(now) / std::log(then / now) * sweeps : std::numeric_limits<double>::infinity();
}

void solve_for_forces(const ContactProblem& problem, const ContactTolerance& tolerance, const Stop& stop,
                      Anticipation& s) {
  jacobi(problem.b, s.relaxation, s.w);
  slip(problem, s.w, s.lcp.q);
  project(s.lcp, inner_fall, most_passes, tolerance.constraint, s.r, stop);
}

}  // namespace

Index anticipate(const ContactProblem& problem, const std::vector<double>& k, const ContactTolerance& tolerance,
                 const SweepLimits& limits, Anticipation& s, ContactSolution& y, Trace* trace) {
  if (!s.prepared) {
    prepare(problem.A, s.relaxation);
    prepare(problem.L, s.relaxation.D_inverse.block, s.lcp);
    s.lcp.mu = problem.mu;
    s.lcp.shape = FrictionShape::cone;
    s.w.resize(problem.b.size());
    s.prepared = true;
  }
  if (limits.most <= 1) return 0;
  reaction(y, s.r);
  multiply_parts(problem.A, y.v, s.relaxation);
  double before = std::numeric_limits<double>::infinity(), at_half = before;
  Index products = 1, slow_ones = 0, next_judged = first_judged / 2;
  if (trace != nullptr) trace->push_back(trace->empty() ? TraceRow{} : trace->back());
  while (products < limits.most && slow_ones < limits.most_slow && !limits.stop.asked()) {
    solve_for_forces(problem, tolerance, limits.stop, s);
    s.force = problem.b;
    add_transposed(problem.L, s.r, s.force);
    const double momentum = sweep(problem.A, s.force, s.relaxation, y.v);
    ++products;
    set_reaction(s.r, y);
    slip(problem, y.v, s.s);
    ContactResidual residual = conditions_residual(problem.mu, k, s.s, y);
    residual.momentum = momentum;
    if (trace != nullptr)
      trace->push_back(
          {.residual = momentum, .constraint_residual = residual.constraint(), .mark = TraceMark::swept});
    if (within(residual, tolerance)) break;
    const double now = in_tolerances(momentum, residual.constraint(), tolerance);
    if (!std::isfinite(now)) break;
    if (products == next_judged) {
      if (products >= first_judged && sweeps_left(at_half, now, products / 2) > limits.most - products) break;
      at_half = now;
      next_judged *= 2;
    }
    slow_ones = now > slow * before ? slow_ones + 1 : 0;
    before = now;
  }
  derive_states(problem, y);
  return products;
}

}  // namespace sim
