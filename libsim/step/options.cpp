#include "step/options.hpp"

namespace sim {

std::span<const SolverName> known_solvers() {
  static constexpr SolverName solvers[] = {
      {"cr-full", "conjugate residuals, Full preconditioner (Verschoor & Jalba 2019); the default", false},
      {"cr-diag", "conjugate residuals, Diag preconditioner (Verschoor & Jalba 2019)", false},
      {"ica", "iterative constraint anticipation (Otaduy et al. 2009)", false},
      {"sp-active-set", "staggered projections, active-set QP (Kaufman et al. 2008)", false},
      {"sp-cr", "staggered projections, QPs by conjugate residuals", false},
      {"qp-active-set", "active-set QP, frictionless (Raghupathi & Faure 2006)", false},
      {"constraint-anticipation", "Delassus operator and projected Gauss-Seidel (Baraff 1996)", false},
  };
  return solvers;
}

}  // namespace sim
