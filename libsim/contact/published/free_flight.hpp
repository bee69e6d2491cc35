// The unconstrained velocity A v* = b with which methods begin that correct it (Otaduy et al. 2009, section 4;
// Kaufman et al. 2008), by conjugate gradients. And what is kept of the bodies of a step from one solve to the next,
// as long as A and b are the same (ContactProblem::version), by their numbers (ContactProblem::bodies).
#pragma once

#include <optional>

#include "contact/problem.hpp"
#include "contact/report.hpp"
#include "linear/bodies.hpp"
#include "linear/conjugate_gradient.hpp"

namespace sim::published {

template <class Value>
struct Kept {
  std::uint64_t version = 0;
  std::vector<std::optional<Value>> of_body;
};

// Where the values of the parts of A are kept; empty where nobody knows their numbers.
template <class Value>
std::vector<std::optional<Value>*> kept_of_parts(const ContactProblem& problem, const Bodies& parts,
                                                 Kept<Value>& kept) {
  std::vector<std::optional<Value>*> places;
  if (problem.version == 0 || static_cast<Index>(problem.bodies.size()) != parts.count()) return places;
  if (kept.version != problem.version) kept = {problem.version, {}};
  for (const Index body : problem.bodies) {
    if (static_cast<std::size_t>(body) >= kept.of_body.size())
      kept.of_body.resize(static_cast<std::size_t>(body) + 1);
  }
  for (const Index body : problem.bodies) places.push_back(&kept.of_body[body]);
  return places;
}

using Unconstrained = Kept<VecX>;  // v*

struct FreeFlight {
  CgStatus status = CgStatus::converged;
  Index iterations = 0, products = 0;
};

// v from its guess, to |b - A v| < momentum; bodies that are known from a solve before as they were.
FreeFlight fly_freely(const ContactProblem& problem, double momentum, const SolveLimits& limits, Unconstrained& kept,
                      VecX& v);

}  // namespace sim::published
