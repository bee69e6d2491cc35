#include "contact/automatic.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "linear/definite.hpp"

namespace sim {

namespace {

// How often the exact method takes the next solves at once, and for how many more: the most that a contact remembers.
// Or that it took all it was given, and conjugate residuals got there.
struct Memory {
  int level = 0, solves = 0;
  bool by_cr = false;
};
constexpr int level_unit = 32, level_by_cr = 7;
constexpr double unbounded = std::numeric_limits<double>::infinity();

Memory recall(const ContactSolution& y) {
  const auto most = std::max_element(y.for_exact.begin(), y.for_exact.end());
  if (most == y.for_exact.end()) return {};
  const int level = *most / level_unit;
  return level == level_by_cr ? Memory{0, 0, true} : Memory{level, *most % level_unit};
}

void remember(const Memory& memory, ContactSolution& y) {
  const int level = memory.by_cr ? level_by_cr : memory.level;
  y.for_exact.assign(y.state.size(), static_cast<std::uint8_t>(level_unit * level + memory.solves));
}

}  // namespace

double iteration_flops(const ContactProblem& problem) {
  // A product with A, four with L, and some 25 passes over the unknowns.
  return 18.0 * problem.A.slots() + 72.0 * problem.L.slots() + 150.0 * problem.A.rows();
}

namespace {

struct Automatic {
  const ContactProblem& problem;
  const Precision& precision;
  const SolveLimits& limits;
  const AutoOptions& options;
  CrScratch& cr;
  ExactScratch& exact;
  ContactSolution& y;
  Trace* trace;
  const Index most = limits.iterations;
  const double iteration = iteration_flops(problem);

  SolveReport by_cr(const ContactTolerance& wanted, Index iterations) {
    return solve_cr(problem, wanted, {iterations, limits.stop}, options.cr, cr, y, trace);
  }
  // Each of its forms may cost as much as these.
  SolveReport by_exact(double iterations, const VecX* earlier = nullptr) {
    ExactOptions bounded = options.exact;
    bounded.newton.most_flops = iterations * iteration / dense_flop;
    SolveReport report = solve_exact(problem, precision, limits, bounded, exact, y, trace, earlier);
    report.by_exact = report.status == SolveStatus::converged ? 1 : 0;
    return report;
  }
  // n
  double expected_cost() { return dense_flop * expected_flops(problem, options.exact, exact).least() / iteration; }
  static double error(const ContactResidual& residual, const ContactTolerance& tolerance) {
    return in_tolerances(residual.momentum, residual.constraint(), tolerance);
  }

  SolveReport run() {
    const Memory memory = recall(y);
    remember({}, y);
    const double n = memory.level > 0 && options.for_a_target > 0 ? expected_cost() : unbounded;
    const bool is_cheap = n <= options.few;
    const Index few = is_cheap ? options.few >> memory.level : options.few;
    if (!is_cheap || memory.solves == 0) return in_turns(memory, few);
    const ContactSolution start = y;
    const SolveReport at_once = by_exact(options.times_more * n);
    if (at_once.by_exact != 0) remember({memory.level, memory.solves - 1}, y);
    if (at_once.by_exact != 0 || limits.stop.asked()) return at_once;
    y = start;
    return one_after_the_other(at_once, in_turns(memory, few));
  }

  // Few iterations need no look at the costs.
  SolveReport in_turns(const Memory& memory, Index few) {
    compliance(problem, exact.k);
    VecX forces;
    reaction(y, forces);
    const double first = error(contact_residual(problem, exact.k, y, exact.residual), precision.target);
    SolveReport report = by_cr(precision.target, std::min(few, most));
    ++report.products;  // of that residual
    if (report.status == SolveStatus::converged || limits.met(few)) return report;
    const double n = expected_cost();
    const bool beyond = within(report.residual, precision.tolerance);
    if (beyond && n > options.for_a_target) return report;
    const auto go_on_to = [&](double iterations) {
      const Index more = static_cast<Index>(std::min<double>(iterations, most)) - report.iterations;
      if (report.status == SolveStatus::converged || more <= 0 || limits.stop.asked()) return;
      report = one_after_the_other(report, by_cr(precision.target, more));
    };
    const auto expected = [&] {  // iterations in all, as far as they have come
      const double orders_come = std::log(first / error(report.residual, precision.target));
      return orders_come > 0 ? std::log(first) / orders_come * report.iterations : unbounded;
    };
    if (expected() > n) go_on_to(options.share * n);
    if (expected() <= n) go_on_to(n);
    if (memory.by_cr) go_on_to(2 * options.times_more * n);
    if (memory.by_cr && report.status == SolveStatus::converged) remember(memory, y);
    if (report.status == SolveStatus::converged || n >= most || limits.stop.asked()) return report;
    // Both counts are guesses: neither method may run away on a wrong one.
    for (const double iterations : {n * std::clamp(expected() / n, 1.0, options.times_more), unbounded}) {
      const ContactSolution best = y;
      const SolveReport last = report;
      const SolveReport after = by_exact(iterations, &forces);
      report = one_after_the_other(report, after);
      if (after.by_exact != 0) {
        const int level = std::min(memory.level + 1, options.most_doublings);
        remember({level, 1 << level}, y);
        return report;
      }
      const double now = error(report.residual, precision.tolerance);
      if (!(now < error(last.residual, precision.tolerance))) {
        y = best;
        report.residual = last.residual;
      }
      if (within(report.residual, precision.tolerance) || limits.stop.asked()) return report;
      report = one_after_the_other(
          report, by_cr(precision.tolerance, static_cast<Index>(std::min<double>(2 * iterations, most))));
      if (report.status == SolveStatus::converged) remember({0, 0, true}, y);
      if (report.status == SolveStatus::converged || iterations >= most) return report;
    }
    return report;
  }
};

}  // namespace

SolveReport solve_auto(const ContactProblem& problem, const Precision& precision, const SolveLimits& limits,
                       const AutoOptions& options, CrScratch& cr, ExactScratch& exact, ContactSolution& y,
                       Trace* trace) {
  Automatic method{problem, precision, limits, options, cr, exact, y, trace};
  return method.run();
}

}  // namespace sim
