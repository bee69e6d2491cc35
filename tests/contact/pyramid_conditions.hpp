// The conditions of a frictional contact problem with a pyramid of friction along t1 and t2, row by row, written down
// once more: nothing of the library's residual is used.
#pragma once

#include <algorithm>
#include <cmath>

#include "contact/problem.hpp"

namespace sim::test {

struct Conditions {
  double momentum = 0;  // kg m/s
  double gap = 0;       // m, largest penetration
  double pull = 0;      // N, largest pull, and largest push across an open gap
  double friction = 0;  // N, beyond the pyramid, or short of its bound where it slips, or against it
};

// What is less than `small` (m) does not count as an open gap or a slip.
inline Conditions conditions_of(const ContactProblem& problem, const ContactSolution& y, double small) {
  Conditions worst;
  VecX momentum(problem.b.size()), s(problem.c.size()), r(problem.c.size());
  multiply(problem.A, y.v, momentum);
  momentum -= problem.b;
  multiply(problem.L, y.v, s);
  s -= problem.c;
  for (Index i = 0; i < problem.contacts(); ++i) {
    block(r, i) << -y.lambda[i], y.gamma[i];
    const double bound = problem.mu[i] * y.lambda[i];
    worst.gap = std::max(worst.gap, -s[3 * i]);
    worst.pull = std::max(worst.pull, -y.lambda[i]);
    if (s[3 * i] > small) worst.pull = std::max(worst.pull, std::abs(y.lambda[i]));
    for (Index d = 0; d < 2; ++d) {
      const double g = y.gamma[i][d], slip = s[3 * i + 1 + d];
      worst.friction = std::max(worst.friction, std::abs(g) - bound);
      if (std::abs(slip) > small) worst.friction = std::max(worst.friction, std::abs(g - std::copysign(bound, slip)));
    }
  }
  add_transposed(problem.L, r, momentum);
  worst.momentum = momentum.norm();
  return worst;
}

}  // namespace sim::test
