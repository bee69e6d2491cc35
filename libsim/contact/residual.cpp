#include "contact/residual.hpp"

#include <algorithm>
#include <cmath>

#include "math/parallel.hpp"

namespace sim {

namespace {

// The larger one; not a number where either is none, which std::max would pass over.
double larger(double a, double b) {
  return b > a || std::isnan(b) ? b : a;
}

}  // namespace

void compliance(const ContactProblem& problem, std::vector<double>& k) {
  VecX inverse, rows;
  inverse_diagonal(problem, inverse);
  row_compliance(problem, inverse, rows);
  compliance(rows, k);
}

void compliance(const VecX& row_compliance, std::vector<double>& k) {
  k.resize(static_cast<std::size_t>(row_compliance.size() / 3));
  for (Index i = 0; i < static_cast<Index>(k.size()); ++i) k[i] = block(row_compliance, i).mean();
}

void momentum_residual(const ContactProblem& problem, const VecX& v, const VecX& r, VecX& missing) {
  missing.resize(problem.b.size());
  multiply(problem.A, v, missing);
  scale_and_add(missing, -1.0, problem.b);
  add_transposed(problem.L, r, missing);
}

ContactResidual contact_residual(const ContactProblem& problem, const std::vector<double>& k,
                                 const ContactSolution& solution, ResidualScratch& scratch) {
  ContactResidual residual;
  slip(problem, solution.v, scratch.slip);
  double worst_normal = 0, worst_tangential = 0;
  for (Index i = 0; i < problem.contacts(); ++i) {
    const double normal = scratch.slip[3 * i], lambda = solution.lambda[i];
    const Vec2 tangential = scratch.slip.segment<2>(3 * i + 1), gamma = solution.gamma[i];
    const double bound = problem.mu[i] * std::max(0.0, lambda);
    // gamma - P(gamma + s / k), times k.
    const Vec2 asked = k[i] * gamma + tangential;
    const double length = asked.norm(), most = k[i] * bound;
    const Vec2 allowed = length > most ? Vec2(asked * (most / length)) : asked;
    worst_normal = larger(worst_normal, std::abs(larger(-normal, -k[i] * lambda)));
    worst_tangential = larger(worst_tangential, (k[i] * gamma - allowed).norm());
    residual.penetration = larger(residual.penetration, -normal);
    residual.pull = larger(residual.pull, -lambda);
    residual.cone = larger(residual.cone, gamma.norm() - bound);
  }
  residual.normal = worst_normal;
  residual.tangential = worst_tangential;

  reaction(solution, scratch.slip);
  momentum_residual(problem, solution.v, scratch.slip, scratch.momentum);
  residual.momentum = norm(scratch.momentum);
  return residual;
}

ContactResidual contact_residual(const ContactProblem& problem, const ContactSolution& solution) {
  std::vector<double> k;
  ResidualScratch scratch;
  compliance(problem, k);
  return contact_residual(problem, k, solution, scratch);
}

}  // namespace sim
