#include "contact/residual.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "math/parallel.hpp"

namespace sim {

namespace {

// The larger one; not a number where either is none, which std::max would pass over.
double larger(double a, double b) {
  return b > a || std::isnan(b) ? b : a;
}

Vec2 across(const Vec2& axis) {
  return {-axis[1], axis[0]};
}

}  // namespace

void join(const ContactResidual& one, ContactResidual& all) {
  all.momentum = std::hypot(all.momentum, one.momentum);
  all.normal = larger(all.normal, one.normal);
  all.tangential = larger(all.tangential, one.tangential);
  all.penetration = larger(all.penetration, one.penetration);
  all.pull = larger(all.pull, one.pull);
  all.cone = larger(all.cone, one.cone);
}

Vec2 FrictionLaw::project(Index contact, const Vec2& gamma, double bound) const {
  if (axis.empty()) {
    const double size = gamma.norm();
    return size > bound ? Vec2(gamma * (bound / size)) : gamma;
  }
  if (length(contact, gamma) <= bound) return gamma;
  const Vec2 a = axis[contact], b = across(a);
  return a * std::clamp(a.dot(gamma), -bound, bound) + b * std::clamp(b.dot(gamma), -bound, bound);
}

double FrictionLaw::length(Index contact, const Vec2& gamma) const {
  if (axis.empty()) return gamma.norm();
  const Vec2 a = axis[contact];
  return larger(std::abs(a.dot(gamma)), std::abs(across(a).dot(gamma)));
}

void compliance(const ContactProblem& problem, std::vector<double>& k) {
  VecX inverse;
  inverse_diagonal(problem, inverse);
  compliance(problem, inverse, k);
}

void compliance(const ContactProblem& problem, const VecX& inverse_diagonal, std::vector<double>& k) {
  Compliance found;
  compliance(problem, inverse_diagonal, found);
  k = std::move(found.k);
}

void momentum_residual(const ContactProblem& problem, const VecX& v, const VecX& r, VecX& missing) {
  missing.resize(problem.b.size());
  multiply(problem.A, v, missing);
  scale_and_add(missing, -1.0, problem.b);
  add_transposed(problem.L, r, missing);
}

ContactResidual conditions_residual(const std::vector<double>& mu, const std::vector<double>& k, const VecX& slips,
                                    const ContactSolution& solution, const FrictionLaw& law) {
  ContactResidual residual;
  for (Index i = 0; i < static_cast<Index>(mu.size()); ++i) {
    const double normal = slips[3 * i], lambda = solution.lambda[i];
    const Vec2 tangential = slips.segment<2>(3 * i + 1), gamma = solution.gamma[i];
    const double bound = mu[i] * std::max(0.0, lambda);
    // gamma - P(gamma + s / k), times k.
    const Vec2 asked = k[i] * gamma + tangential;
    const Vec2 allowed = law.project(i, asked, k[i] * bound);
    residual.normal = larger(residual.normal, std::abs(larger(-normal, -k[i] * lambda)));
    residual.tangential = larger(residual.tangential, (k[i] * gamma - allowed).norm());
    residual.penetration = larger(residual.penetration, -normal);
    residual.pull = larger(residual.pull, -lambda);
    residual.cone = larger(residual.cone, law.length(i, gamma) - bound);
  }
  return residual;
}

ContactResidual contact_residual(const ContactProblem& problem, const std::vector<double>& k,
                                 const ContactSolution& solution, ResidualScratch& scratch, const FrictionLaw& law) {
  slip(problem, solution.v, scratch.slip);
  ContactResidual residual = conditions_residual(problem.mu, k, scratch.slip, solution, law);
  reaction(solution, scratch.slip);
  momentum_residual(problem, solution.v, scratch.slip, scratch.momentum);
  residual.momentum = norm(scratch.momentum);
  return residual;
}

ContactResidual contact_residual(const ContactProblem& problem, const ContactSolution& solution,
                                 const FrictionLaw& law) {
  std::vector<double> k;
  ResidualScratch scratch;
  compliance(problem, k);
  return contact_residual(problem, k, solution, scratch, law);
}

}  // namespace sim
