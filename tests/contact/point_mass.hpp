// A point mass on a plane: frictional contact in closed form.
#pragma once

#include "contact/problem.hpp"

namespace sim::test {

constexpr double mass = 2, dt = 0.01;                  // kg, s
constexpr double compliance_of_mass = dt * dt / mass;  // m/N

// Comes to the plane z = 0 with velocity v0, without gravity. tangents: turned by this angle from x and y.
inline ContactProblem point_on_plane(const Vec3& v0, double mu, double angle = 0) {
  ContactProblem problem;
  problem.A = make_pattern(1, {});
  problem.A.at(0) = mass * Mat3::Identity();
  problem.b = mass * v0;
  problem.L = make_pattern(1, {});
  const double c = std::cos(angle), s = std::sin(angle);
  problem.L.at(0) << 0, 0, dt, dt * c, dt * s, 0, -dt * s, dt * c, 0;
  problem.c = VecX::Zero(3);
  problem.mu = {mu};
  problem.Z = {1};
  return problem;
}

inline ContactSolution solution_of(const Vec3& v, double lambda, const Vec2& gamma) {
  return {.v = v, .lambda = {lambda}, .gamma = {gamma}, .delta = {Vec2::Zero()}, .state = {FrictionState::open}};
}

}  // namespace sim::test
