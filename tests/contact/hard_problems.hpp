// Contact problems that are made to be hard, or impossible.
#pragma once

#include <Eigen/LU>
#include <cmath>

#include "contact/chain.hpp"
#include "contact/point_mass.hpp"
#include "math/random.hpp"

namespace sim::test {

// Masses in a chain of ties that couple the directions; contacts between two of them, or of one with the world, in
// random frames.
inline ContactProblem random_problem(Random& random, Index masses, Index contacts, double mu) {
  const auto vector = [&] { return Vec3(random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1)); };
  std::vector<std::array<Index, 2>> ties;
  for (Index i = 0; i + 1 < masses; ++i) ties.push_back({i, i + 1});
  ContactProblem problem;
  problem.A = make_pattern(masses, ties);
  problem.b.resize(3 * Eigen::Index{masses});
  for (Index i = 0; i < masses; ++i) {
    problem.A.at(problem.A.find(i, i)) += random.uniform(0.5, 2) * Mat3::Identity();
    block(problem.b, i) = 2 * vector();
  }
  for (const auto& [i, j] : ties) {
    const Vec3 along = vector();
    const Mat3 tie = along * along.transpose() + 0.2 * Mat3::Identity();
    problem.A.at(problem.A.find(i, i)) += tie;
    problem.A.at(problem.A.find(j, j)) += tie;
    problem.A.at(problem.A.find(i, j)) -= tie;
    problem.A.at(problem.A.find(j, i)) -= tie;
  }
  for (Index contact = 0; contact < contacts; ++contact) {
    const std::array<double, 4> q = random_quaternion(random);
    const Mat3 frame = 0.01 * Eigen::Quaterniond(q[0], q[1], q[2], q[3]).toRotationMatrix();
    const Index one = contact % masses, other = static_cast<Index>(random.uniform(0, masses));
    std::vector<Index> columns{std::min(one, other), std::max(one, other)};
    if (one == other) columns.pop_back();
    for (const Index column : columns) {
      const Mat3 rows = column == one ? frame : Mat3(-frame);
      problem.L.column.push_back(column);
      problem.L.values.insert(problem.L.values.end(), rows.data(), rows.data() + 9);
    }
    problem.L.row_begin.push_back(static_cast<Index>(problem.L.column.size()));
  }
  problem.L.values.push_back(0);
  problem.c.setZero(3 * Eigen::Index{contacts});
  for (Index contact = 0; contact < contacts; ++contact) problem.c[3 * contact] = random.uniform(-0.002, 0.002);
  problem.mu.assign(static_cast<std::size_t>(contacts), mu);
  problem.Z.assign(static_cast<std::size_t>(contacts), 1.0);
  return problem;
}

// A mass between a floor and a ceiling that leave it no room, v_z >= 1 and v_z <= -1; each is there `copies` times.
inline ContactProblem without_room(Index copies) {
  ContactProblem problem = chain_on_floor({.masses = 1, .mu = 0, .copies = 2 * copies});
  for (Index i = 0; i < 2 * copies; ++i) {
    problem.c[3 * i] = 0.01;
    if (i >= copies) problem.L.at(i) = (-problem.L.at(i)).eval();
  }
  return problem;
}

// A mass that moves into the tip of a wedge, between the floor and a plate at `angle` above it. Projection on one
// plane after the other gains 1 - cos^2(angle) of what is left (von Neumann 1949): nearly nothing for a thin wedge.
inline ContactProblem wedge(double angle) {
  ContactProblem problem = chain_on_floor({.masses = 1, .mu = 0, .copies = 2});
  problem.b << -2, 0, 0;
  const double s = std::sin(angle), c = std::cos(angle);
  Mat3 plate;
  plate << s, 0, -c, c, 0, s, 0, 1, 0;
  problem.L.at(1) = 0.01 * plate;
  return problem;
}

// A mass of which a force in x moves z too: W = L A^-1 L^T / dt^2 = [1 f; f 1 + f^2] of (z, x), it comes down with
// 1 m/s and slides along x at 100 m/s. Sliding, lambda (1 - f mu) = 1 / dt with friction along +x; in each round
// lambda <- (1 + f mu lambda dt) / dt: the change of friction is f mu times the one before, for any f mu.
inline ContactProblem coupled_mass(double f, double mu) {
  ContactProblem problem = point_on_plane({0, 0, 0}, mu);
  Mat3 W = Mat3::Identity();  // of (x, y, z)
  W(2, 2) = 1;
  W(0, 2) = W(2, 0) = f;
  W(0, 0) = 1 + f * f;
  problem.A.at(0) = W.inverse();
  problem.b = problem.A.at(0) * Vec3(100, 0, -1);
  return problem;
}

}  // namespace sim::test
