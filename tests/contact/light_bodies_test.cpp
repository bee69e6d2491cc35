// Light rigid bodies under and between heavy ones: the force through one of them moves the heavy ones alone, and is
// known in closed form.
#include <gtest/gtest.h>
#include <algorithm>
#include <cmath>
#include <numeric>

#include "contact/solving.hpp"
#include "math/random.hpp"

namespace sim {
namespace light_bodies_test {

struct Stack {
  std::vector<double> masses;  // from the floor up
  std::vector<Index> order;    // of the bodies in the problem
  double kilogram = 1, metre = 1;
  double half = 0.05, dt = 1e-3, g = 9.81, mu = 0.5;  // half: of a cube's side, m
  double fall = 0, aside = 0;                         // m/s: of all of them, down and along x
};

// Cubes that touch, with contacts at their corners. Six unknowns each, v and rho w with the radius of gyration rho.
ContactProblem stack_of_cubes(const Stack& stack) {
  const auto bodies = static_cast<Index>(stack.masses.size());
  const double half = stack.half * stack.metre, rho = half * std::sqrt(2.0 / 3);
  ContactProblem problem;
  problem.A = make_pattern(2 * bodies, {});
  problem.b.setZero(6 * Eigen::Index{bodies});
  problem.mobility.resize(stack.masses.size());
  for (Index i = 0; i < bodies; ++i) {
    const double mass = stack.masses[i] * stack.kilogram;
    const Index at = stack.order[i];
    for (const Index row : {2 * at, 2 * at + 1}) problem.A.at(problem.A.find(row, row)) = mass * Mat3::Identity();
    block(problem.b, 2 * at) = mass * stack.metre * Vec3(stack.aside, 0, -stack.g * stack.dt - stack.fall);
    problem.mobility[at] = 1 / mass;
    problem.body.insert(problem.body.end(), 2, i);
  }
  Mat3 frame;  // normal z, tangents x and y
  frame << 0, 0, 1, 1, 0, 0, 0, 1, 0;
  frame *= stack.dt;
  const auto add_side = [&](Index body, const Vec3& arm, double sign) {
    Mat3 turn;
    turn << 0, arm[2], -arm[1], -arm[2], 0, arm[0], arm[1], -arm[0], 0;
    for (const Mat3& rows : {Mat3(sign * frame), Mat3(sign / rho * frame * turn)}) {
      problem.L.column.push_back(2 * body + static_cast<Index>(problem.L.column.size() % 2));
      problem.L.values.insert(problem.L.values.end(), rows.data(), rows.data() + 9);
    }
  };
  for (Index i = 0; i < bodies; ++i) {
    for (const auto& [x, y] : {std::pair{-half, -half}, {half, -half}, {-half, half}, {half, half}}) {
      const bool below_first = i > 0 && stack.order[i - 1] < stack.order[i];
      if (below_first) add_side(stack.order[i - 1], {x, y, half}, -1);
      add_side(stack.order[i], {x, y, -half}, 1);
      if (i > 0 && !below_first) add_side(stack.order[i - 1], {x, y, half}, -1);
      problem.L.row_begin.push_back(static_cast<Index>(problem.L.column.size()));
    }
  }
  problem.L.values.push_back(0);
  problem.c.setZero(12 * Eigen::Index{bodies});
  problem.mu.assign(4 * stack.masses.size(), stack.mu);
  problem.Z.assign(4 * stack.masses.size(), 1.0);
  return problem;
}

// Rows yield, and end wrong by 0.01 of the tolerance of gaps and slips: the motion of all that is above them, which
// sinks by as much on each body, and shifts by what these tilt. What a body may miss of its momentum comes on top.
void expect_weights(const Stack& stack, const ContactTolerance& tolerance, const ContactSolution& solution) {
  const double yields = (ConvexNewtonOptions{}.soft + finest_part) * tolerance.constraint / stack.dt;  // m/s
  const auto bodies = static_cast<double>(stack.masses.size());
  double above = std::accumulate(stack.masses.begin(), stack.masses.end(), 0.0) * stack.kilogram;
  for (std::size_t i = 0; i < stack.masses.size(); ++i) {
    double normal = 0, along = 0;
    for (std::size_t k = 4 * i; k < 4 * i + 4; ++k) {
      normal += solution.lambda[k];
      along -= solution.gamma[k][0];
    }
    const double weight = above * stack.metre * (stack.g + stack.fall / stack.dt),
                 braking = -above * stack.metre * stack.aside / stack.dt;
    EXPECT_NEAR(normal, weight, (above * bodies * yields + tolerance.momentum) / stack.dt) << "below body " << i;
    EXPECT_NEAR(along, braking, (above * bodies * bodies * yields + tolerance.momentum) / stack.dt)
        << "below body " << i;
    above -= stack.masses[i] * stack.kilogram;
  }
}

class LightBodies : public testing::TestWithParam<ExactForm> {};

TEST_P(LightBodies, PassOnTheWeightOfHeavyOnes) {
  const std::vector<std::vector<double>> stacks{{1, 1e3},
                                                {1e-3, 1e3},
                                                {1e-3, 1e4},
                                                {1e3, 1e-3, 1e3},
                                                {1e4, 1e-3, 1e4},
                                                {1e-3, 1e-3, 1e-3, 1e3},
                                                {1e-3, 1e4, 1e-3, 1e4},
                                                {1e3, 1, 1e3, 1, 1e3},
                                                {1e-3, 1e-2, 0.1, 1, 10, 100, 1e3}};
  Random random(11);
  for (std::size_t n = 0; n < stacks.size(); ++n) {
    for (const double motion : {0.0, 1.0}) {
      SCOPED_TRACE(testing::Message() << "stack " << n << ", in motion " << motion);
      Stack stack{.masses = stacks[n]};
      stack.kilogram = n % 2 == 0 ? 1 : 1000;
      stack.metre = n % 3 == 0 ? 1 : 1000;
      stack.fall = 0.1 * motion;
      stack.aside = 0.005 * motion;  // a twentieth of what presses: it sticks, and does not tip
      stack.order.resize(stack.masses.size());
      std::iota(stack.order.begin(), stack.order.end(), 0);
      for (std::size_t i = stack.order.size(); i > 1; --i)
        std::swap(stack.order[i - 1],
                  stack.order[static_cast<std::size_t>(random.uniform(0, static_cast<double>(i)))]);
      const double lightest = *std::min_element(stack.masses.begin(), stack.masses.end());
      const ContactTolerance tolerance{0.01 * lightest * stack.g * stack.dt * stack.kilogram * stack.metre,
                                       1e-6 * stack.metre};
      const auto [report, solution] =
          test::attempt(ExactOptions{.form = GetParam()}, stack_of_cubes(stack), {tolerance, 10000});
      EXPECT_EQ(report.status, SolveStatus::converged) << report.reason;
      EXPECT_LE(report.iterations, 100);
      expect_weights(stack, tolerance, solution);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Form, LightBodies, testing::Values(ExactForm::velocities, ExactForm::compliances),
                         [](const auto& tested) {
                           return tested.param == ExactForm::velocities ? "Velocities" : "Compliances";
                         });

}  // namespace light_bodies_test
}  // namespace sim
