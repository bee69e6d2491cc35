// How a rigid body that slides on many contacts shares what it bears, against the least norm in closed form.
#include "contact/even_forces.hpp"

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <cmath>
#include <numbers>
#include <numeric>

#include "contact/solving.hpp"

namespace sim {
namespace even_forces_test {

constexpr double dt = 0.01, mass = 2, weight = 20;  // s, kg, N

// A body that slides along x at 1 m/s, pressed by its weight on feet at these places of the plane z = 0; the weight
// acts at `load`. Friction turns it about z only.
ContactProblem on_feet(const std::vector<Vec2>& feet, const Vec2& load, double mu) {
  ContactProblem problem;
  problem.A = make_pattern(2, {});
  for (Index row = 0; row < 2; ++row) problem.A.at(row) = mass * Mat3::Identity();  // radii of gyration of 1 m
  problem.b.resize(6);
  const Vec3 force(0, 0, -weight), at(load[0], load[1], 0);
  problem.b << mass * Vec3::UnitX() + dt * force, dt * at.cross(force);
  BlockMatrix& L = problem.L;
  L.row_begin.assign(1, 0);
  Mat3 rows;  // n, t1, t2
  rows << 0, 0, 1, 1, 0, 0, 0, 1, 0;
  for (const Vec2& foot : feet) {
    const Vec3 arm(foot[0], foot[1], 0);
    Mat3 turning;
    for (int row = 0; row < 3; ++row) turning.row(row) = arm.cross(Vec3(rows.row(row)));
    for (const Mat3& block : {Mat3(dt * rows), Mat3(dt * turning)}) {
      L.column.push_back(static_cast<Index>(L.column.size() % 2));
      L.values.insert(L.values.end(), block.data(), block.data() + 9);
    }
    L.row_begin.push_back(static_cast<Index>(L.column.size()));
  }
  L.values.push_back(0);
  problem.c = VecX::Zero(3 * static_cast<Eigen::Index>(feet.size()));
  problem.mu.assign(feet.size(), mu);
  problem.Z.assign(feet.size(), 1.0);
  problem.area.assign(feet.size(), 1.0);
  return problem;
}

constexpr double tolerance = 1e-4;  // m: it slides 0.01 m

ContactSolution sliding_on(const ContactProblem& problem, const std::vector<double>& lambda) {
  ContactSolution solution;
  start_cold(problem, solution);
  solution.v[0] = 1;
  solution.lambda = lambda;
  for (std::size_t i = 0; i < lambda.size(); ++i) solution.gamma[i] = Vec2(problem.mu[i] * lambda[i], 0);
  return solution;
}

VecX normal_impulse(const ContactProblem& problem, const ContactSolution& solution) {
  VecX r = VecX::Zero(problem.c.size()), impulse = VecX::Zero(problem.b.size());
  for (Index i = 0; i < problem.contacts(); ++i) r[3 * i] = solution.lambda[i];
  add_transposed(problem.L, r, impulse);
  return impulse;
}

// Shares to the expected forces, with friction after them, and presses as before.
void expect_shared(const ContactProblem& problem, const std::vector<double>& before,
                   const std::vector<double>& expected) {
  ContactSolution solution = sliding_on(problem, before);
  const VecX impulse = normal_impulse(problem, solution);
  ASSERT_TRUE(share_evenly(problem, tolerance, solution));
  EXPECT_LT((normal_impulse(problem, solution) - impulse).norm(), 1e-12);
  for (std::size_t i = 0; i < expected.size(); ++i) {
    EXPECT_NEAR(solution.lambda[i], expected[i], 1e-9 * weight) << i;
    EXPECT_LT((solution.gamma[i] - Vec2(problem.mu[i] * expected[i], 0)).norm(), 1e-9 * weight) << i;
  }
}

// Forces of least norm are lambda = W / 4 (1 + e_x x / a^2 + e_y y / b^2).
TEST(EvenForces, FourFeetBearALoadBesideTheMiddleByTheLeastNorm) {
  const double a = 0.5, b = 0.3;
  for (const Vec2& e : {Vec2(0, 0), Vec2(0.1, 0), Vec2(0.12, -0.05)}) {
    std::vector<double> least, uneven;
    for (const Vec2& x : {Vec2(a, b), Vec2(-a, b), Vec2(-a, -b), Vec2(a, -b)})
      least.push_back(weight / 4 * (1 + e[0] * x[0] / (a * a) + e[1] * x[1] / (b * b)));
    // A table rocks on two legs: what one diagonal bears more, the other bears less.
    const double more = 0.9 * std::min(least[1], least[3]);
    for (std::size_t i = 0; i < 4; ++i) uneven.push_back(least[i] + (i % 2 == 0 ? more : -more));
    expect_shared(on_feet({{a, b}, {-a, b}, {-a, -b}, {a, -b}}, e, 0.3), uneven, least);
  }
}

TEST(EvenForces, ThePressureIsEvenWhateverTheMesh) {
  ContactProblem problem = on_feet({{-1, 0}, {0, 0}, {1, 0}, {0, 2}, {0, -2}}, {0, 0}, 0.2);
  problem.area = {0.1, 0.7, 0.1, 0.4, 0.4};
  const double p = weight / std::accumulate(problem.area.begin(), problem.area.end(), 0.0);
  expect_shared(problem, {0, weight, 0, 0, 0}, {0.1 * p, 0.7 * p, 0.1 * p, 0.4 * p, 0.4 * p});
}

// Without its sign the foot at -1 would pull by W / 15.
TEST(EvenForces, NoFootPulls) {
  expect_shared(on_feet({{-1, 0}, {0, 0}, {1, 0}}, {0.8, 0}, 0.2), {0.05 * weight, 0.1 * weight, 0.85 * weight},
                {0, 0.2 * weight, 0.8 * weight});
}

TEST(EvenForces, AnOpenFootBearsNothing) {
  ContactProblem problem = on_feet({{-1, 0}, {0, 0}, {1, 0}, {0, 1}, {0, -1}}, {0, 0}, 0.2);
  problem.c[3] = -10 * tolerance;  // the middle
  expect_shared(problem, {0.5 * weight, 0, 0.5 * weight, 0, 0},
                {0.25 * weight, 0, 0.25 * weight, 0.25 * weight, 0.25 * weight});
}

TEST(EvenForces, WhatStandsKeepsItsForces) {
  const ContactProblem problem = on_feet({{-1, 0}, {0, 0}, {1, 0}}, {0, 0}, 0.5);
  ContactSolution solution = sliding_on(problem, {0, weight, 0});
  solution.v.setZero();
  EXPECT_FALSE(share_evenly(problem, tolerance, solution));
  EXPECT_EQ(solution.lambda, std::vector<double>({0, weight, 0}));
}

TEST(EvenForces, ElasticContactsStayAsTheyAre) {
  ContactProblem problem = on_feet({{-1, 0}, {0, 0}, {1, 0}}, {0, 0}, 0.5);
  problem.area.assign(3, 0.0);
  ContactSolution solution = sliding_on(problem, {0, weight, 0});
  EXPECT_FALSE(share_evenly(problem, tolerance, solution));
  EXPECT_EQ(solution.lambda, std::vector<double>({0, weight, 0}));
}

// Feet on a circle and one in the middle, which has borne all: as a step of a spinning body begins.
TEST(EvenForces, ConjugateResidualsKeepToEvenForces) {
  constexpr int around = 12;
  constexpr double mu = 0.2, spin = 20;
  std::vector<Vec2> feet{{0, 0}};
  for (int i = 0; i < around; ++i)
    feet.emplace_back(std::cos(2 * std::numbers::pi * i / around), std::sin(2 * std::numbers::pi * i / around));
  ContactProblem problem = on_feet(feet, {0, 0}, mu);
  problem.b[0] = 0;
  problem.b[5] = mass * spin;
  for (const char* name : {"cr-full", "cr-diag"}) {
    ContactSolution solution;
    start_cold(problem, solution);
    solution.v[5] = spin;
    solution.lambda[0] = weight;
    solution.state.assign(feet.size(), FrictionState::sliding);
    ASSERT_TRUE(share_evenly(problem, tolerance, solution));
    const SolveReport report = test::solve_from(method_by_name(name), problem, solution);
    ASSERT_EQ(report.status, SolveStatus::converged) << report.reason;
    const double torque = mu * weight * around / (around + 1.0);
    EXPECT_NEAR(solution.v[5], spin - dt * torque / mass, 1e-6 * dt * torque / mass) << name;
    for (const double lambda : solution.lambda) EXPECT_NEAR(lambda, weight / (around + 1), 1e-6 * weight) << name;
  }
}

}  // namespace even_forces_test
}  // namespace sim
