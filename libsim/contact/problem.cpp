#include "contact/problem.hpp"

namespace sim {

void start_cold(const ContactProblem& problem, ContactSolution& solution) {
  const auto contacts = static_cast<std::size_t>(problem.contacts());
  solution.v.setZero(problem.b.size());
  solution.lambda.assign(contacts, 0.0);
  solution.gamma.assign(contacts, Vec2::Zero());
  solution.delta.assign(contacts, Vec2::Zero());
  solution.state.assign(contacts, FrictionState::open);
}

}  // namespace sim
