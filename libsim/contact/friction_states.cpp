#include "contact/friction_states.hpp"

#include <algorithm>

namespace sim {

void derive_states(const ContactProblem& problem, ContactSolution& solution, const FrictionLaw& law) {
  const auto contacts = static_cast<std::size_t>(problem.contacts());
  solution.state.assign(contacts, FrictionState::open);
  solution.delta.assign(contacts, Vec2::Zero());
  std::vector<double> k;
  compliance(problem, k);
  VecX slips;
  slip(problem, solution.v, slips);
  for (Index i = 0; i < problem.contacts(); ++i) {
    const double lambda = solution.lambda[i], push = k[i] * lambda;
    const Vec3 s = block(slips, i);
    if (s[0] >= push) continue;
    const Vec2 asked = k[i] * solution.gamma[i] + s.tail<2>();
    const double bound = problem.mu[i] * std::max(0.0, push);
    if (problem.mu[i] == 0 || law.length(i, asked) > bound) {
      const Vec2 direction = law.axis.empty() || bound == 0 ? asked : law.project(i, asked, bound);
      const double length = direction.norm();
      solution.state[i] = FrictionState::sliding;
      solution.delta[i] = length > 0 ? Vec2(direction / length) : Vec2(1, 0);
    } else {
      solution.state[i] = FrictionState::sticking;
    }
  }
}

}  // namespace sim
