#include "contact/solve.hpp"

#include <cmath>

#include "contact/published/verschoor_jalba.hpp"
#include "math/error.hpp"
#include "math/format.hpp"

namespace sim {

std::span<const SolverName> known_solvers() {
  static const SolverName solvers[] = {
      {"auto", "cr-full, and exact where that is expected to cost less; the default", AutoOptions{}},
      {"cr-full", "conjugate residuals, Full preconditioner (Verschoor & Jalba 2019)",
       CrOptions{.preconditioner = CrPreconditioner::full}},
      {"cr-diag", "conjugate residuals, Diag preconditioner (Verschoor & Jalba 2019)",
       CrOptions{.preconditioner = CrPreconditioner::diag}},
      {"exact", "the contact problem with true compliances, from sparse factors of A", ExactOptions{}},
      {"ica", "iterative constraint anticipation (Otaduy et al. 2009)", IcaOptions{}},
      {"sp-active-set", "staggered projections, active-set QP (Kaufman et al. 2008)",
       SpOptions{.qp = {.switching = QpSwitching::at_convergence}}},
      {"sp-cr", "staggered projections, QPs by conjugate residuals",
       SpOptions{.qp = {.switching = QpSwitching::on_the_way}}},
      {"qp-active-set", "active-set QP, frictionless (Raghupathi & Faure 2006)", QpActiveSetOptions{}},
      {"constraint-anticipation", "Delassus operator and projected Gauss-Seidel (Baraff 1996)",
       ConstraintAnticipationOptions{}},
  };
  return solvers;
}

Method method_by_name(const std::string& name) {
  std::string available;
  for (const SolverName& solver : known_solvers()) {
    if (name == solver.name) return solver.method;
    available += (available.empty() ? "" : ", ") + std::string(solver.name);
  }
  throw InputError("there is no solver \"" + name + "\"; available: " + available);
}

std::optional<Method> published_form(const std::string& name) {
  using namespace published;
  if (name == "auto" || name == "cr-full") return PlainMethod{solve_verschoor_jalba_full};
  if (name == "cr-diag") return PlainMethod{solve_verschoor_jalba_diag};
  if (name == "ica") return PublishedIca{};
  if (name == "sp-active-set") return PublishedSp{.changes_on_the_way = false};
  if (name == "sp-cr") return PublishedSp{.changes_on_the_way = true};
  if (name == "qp-active-set") return PublishedQpCollide{};
  if (name == "constraint-anticipation") return PublishedAnticipation{};
  return std::nullopt;
}

bool comes_nearer(const Method& method) {
  return std::holds_alternative<AutoOptions>(method) || std::holds_alternative<ExactOptions>(method);
}

bool asks_for_more_of_elastic(const Method& method) {
  return !std::holds_alternative<SpOptions>(method);
}

bool has_exact_cone(const Method& method) {
  if (const auto* plain = std::get_if<PlainMethod>(&method)) return plain->exact_cone;
  return std::holds_alternative<CrOptions>(method) || std::holds_alternative<AutoOptions>(method) ||
         std::holds_alternative<ExactOptions>(method) ||
         std::holds_alternative<ConstraintAnticipationOptions>(method);
}

bool counts_free_flight(const Method& method) {
  return !std::holds_alternative<PublishedAnticipation>(method) && !std::holds_alternative<PublishedSp>(method);
}

namespace {

struct Solve {
  const ContactProblem& problem;
  const SolveOptions& options;
  SolveScratch& scratch;
  ContactSolution& solution;
  Trace* trace;
  SolveLimits limits{options.max_iterations, options.stop};

  Precision precision() const {
    return {options.tolerance, options.target.value_or(options.tolerance), options.finer};
  }

  SolveReport operator()(const CrOptions& method) const {
    return solve_cr(problem, options.tolerance, limits, method, scratch.cr, solution, trace);
  }
  SolveReport operator()(const AutoOptions& method) const {
    return solve_auto(problem, precision(), limits, method, scratch.cr, scratch.exact, solution, trace);
  }
  SolveReport operator()(const ExactOptions& method) const {
    return solve_exact(problem, precision(), limits, method, scratch.exact, solution, trace);
  }
  SolveReport operator()(const IcaOptions& method) const {
    return solve_ica(problem, options.tolerance, limits, method, scratch.ica, solution, trace);
  }
  SolveReport operator()(const SpOptions& method) const {
    return solve_sp(problem, options.tolerance, limits, method, scratch.sp, solution, trace);
  }
  SolveReport operator()(const QpActiveSetOptions& method) const {
    return solve_qp_active_set(problem, options.tolerance, limits, method, scratch.qp_active_set, solution, trace);
  }
  SolveReport operator()(const ConstraintAnticipationOptions& method) const {
    return solve_constraint_anticipation(problem, options.tolerance, limits, method, solution, trace);
  }
  SolveReport operator()(const PublishedIca& /*method*/) const {
    return published::solve_otaduy(problem, options.tolerance, limits, scratch.unconstrained, solution, trace);
  }
  SolveReport operator()(const PublishedAnticipation& /*method*/) const {
    return published::solve_constraint_anticipation(problem, options.tolerance, limits, scratch.factors, solution,
                                                    trace);
  }
  SolveReport operator()(const PublishedSp& method) const {
    const auto solve_sp = method.changes_on_the_way ? published::solve_sp_cr : published::solve_sp_active_set;
    return solve_sp(problem, options.tolerance, limits, scratch.unconstrained, solution, trace);
  }
  SolveReport operator()(const PublishedQpCollide& method) const {
    if (!method.detects)
      return published::solve_raghupathi_faure(problem, options.tolerance, limits, solution, trace);
    return published::solve_raghupathi_faure_once(problem, options.tolerance, limits, scratch.qp_collide, solution,
                                                  trace);
  }
  SolveReport operator()(const PlainMethod& method) const {
    return method.solve(problem, options.tolerance, limits, solution, trace);
  }
};

}  // namespace

SolveReport solve(const ContactProblem& problem, const SolveOptions& options, SolveScratch& scratch,
                  ContactSolution& solution, Trace* trace) {
  SolveReport report = std::visit(Solve{problem, options, scratch, solution, trace}, options.method);
  // The last iteration that was allowed may have been the one, before anybody asked.
  const bool ended = report.status == SolveStatus::iteration_limit || report.status == SolveStatus::stalled;
  if (ended && within(report.residual, options.tolerance)) {
    report.status = SolveStatus::converged;
    report.reason.clear();
  }
  // No number of iterations would have helped.
  const bool finite = std::isfinite(report.residual.momentum + report.residual.constraint());
  if (ended && !finite) report.status = SolveStatus::breakdown;
  if (report.status != SolveStatus::converged && options.stop.asked()) {
    report.status = SolveStatus::interrupted;
    report.reason =
        format("interrupted after %d iterations: ", report.iterations) + describe(report.residual, options.tolerance);
  }
  return report;
}

}  // namespace sim
