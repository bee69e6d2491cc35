#include "contact/published/free_flight.hpp"

namespace sim::published {

FreeFlight fly_freely(const ContactProblem& problem, double momentum, const SolveLimits& limits, Unconstrained& kept,
                      VecX& v) {
  const Bodies parts = find_bodies(problem.A);
  const std::vector<std::optional<VecX>*> known = kept_of_parts(problem, parts, kept);
  bool all = !known.empty();
  for (std::size_t part = 0; part < known.size(); ++part) {
    all = all && known[part]->has_value();
    if (known[part]->has_value()) put_rows(**known[part], parts.rows_of(static_cast<Index>(part)), v);
  }
  if (all) return {};
  CgScratch scratch;
  const CgOptions cg{.tolerance = 0, .absolute = momentum, .max_iterations = limits.iterations, .stop = limits.stop};
  const CgReport found = conjugate_gradient(problem.A, problem.b, cg, scratch, v);
  if (found.status == CgStatus::converged) {
    for (std::size_t part = 0; part < known.size(); ++part)
      take_rows(v, parts.rows_of(static_cast<Index>(part)), known[part]->emplace());
  }
  return {found.status, found.iterations, found.iterations + 2};  // with the first residual and the last one
}

}  // namespace sim::published
