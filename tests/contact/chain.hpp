// Masses on a floor, each tied to the next by a spring, pushed down and along: contacts that stick,
// slide and turn, and that know of each other.
#pragma once

#include "contact/problem.hpp"

namespace sim::test {

struct Chain {
  Index masses = 30;
  double mu = 0.5;
  double dt = 0.01;
  double sideways = 0.5;  // m/s, along y: slips turn on the way to their solution
  Index copies = 1;       // of every contact
  double spring = 1;      // kg, in A
};

inline ContactProblem chain_on_floor(const Chain& chain) {
  std::vector<std::array<Index, 2>> springs;
  for (Index i = 0; i + 1 < chain.masses; ++i) springs.push_back({i, i + 1});
  ContactProblem problem;
  problem.A = make_pattern(chain.masses, springs);
  problem.b.resize(3 * Eigen::Index{chain.masses});
  for (Index i = 0; i < chain.masses; ++i) {
    const Index ties = (i > 0 ? 1 : 0) + (i + 1 < chain.masses ? 1 : 0);
    problem.A.at(problem.A.find(i, i)) = (2.0 + chain.spring * ties) * Mat3::Identity();
    if (i > 0) problem.A.at(problem.A.find(i, i - 1)) = -chain.spring * Mat3::Identity();
    if (i + 1 < chain.masses) problem.A.at(problem.A.find(i, i + 1)) = -chain.spring * Mat3::Identity();
    block(problem.b, i) = 2 * Vec3(0.1 * i, chain.sideways, i % 7 - 4.0);
  }
  Mat3 rows;  // normal z, tangents x and y
  rows << 0, 0, 1, 1, 0, 0, 0, 1, 0;
  rows *= chain.dt;
  for (Index i = 0; i < chain.masses; ++i) {
    for (Index copy = 0; copy < chain.copies; ++copy) {
      problem.L.column.push_back(i);
      problem.L.values.insert(problem.L.values.end(), rows.data(), rows.data() + 9);
      problem.L.row_begin.push_back(static_cast<Index>(problem.L.column.size()));
    }
  }
  problem.L.values.push_back(0);
  problem.c.setZero(3 * Eigen::Index{problem.contacts()});
  problem.mu.assign(static_cast<std::size_t>(problem.contacts()), chain.mu);
  problem.Z.assign(static_cast<std::size_t>(problem.contacts()), static_cast<double>(chain.copies));
  return problem;
}

}  // namespace sim::test
