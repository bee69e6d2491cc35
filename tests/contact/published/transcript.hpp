// What the transcriptions of the papers have in common: the problem as dense matrices, and the comparison of what the
// library has after every number of iterations with the iterates of a transcription.
//
// A transcription is written from the paper, with dense matrices, and calls nothing of the library. Where the paper
// leaves something open it has what docs/papers says (1,000 passes at most, changes below eps2).
#pragma once

#include <gtest/gtest.h>

#include <Eigen/Cholesky>
#include <vector>

#include "contact/dense_reference.hpp"
#include "contact/published/free_flight.hpp"

namespace sim::test {

struct DenseProblem {
  Eigen::MatrixXd A, L;  // rows of L: normal, t1, t2 of the first contact, and so on
  Eigen::VectorXd b, c, Z, mu;
  int contacts = 0;

  explicit DenseProblem(const ContactProblem& problem)
      : A(dense(problem.A, problem.b.size())),
        L(dense(problem.L, problem.b.size())),
        b(problem.b),
        c(problem.c),
        Z(Eigen::Map<const Eigen::VectorXd>(problem.Z.data(), static_cast<Eigen::Index>(problem.Z.size()))),
        mu(Eigen::Map<const Eigen::VectorXd>(problem.mu.data(), static_cast<Eigen::Index>(problem.mu.size()))),
        contacts(problem.contacts()) {}
};

struct Iterate {
  Eigen::VectorXd v, r;  // velocities; (lambda, -gamma) a contact
};

using PublishedSolve = SolveReport (*)(const ContactProblem&, const ContactTolerance&, const SolveLimits&,
                                       ContactSolution&, Trace*);

inline void expect_same(const Eigen::VectorXd& ours, const Eigen::VectorXd& theirs, double largest, double rounding) {
  ASSERT_EQ(ours.size(), theirs.size());
  if (ours.size() == 0) return;
  EXPECT_LE((ours - theirs).cwiseAbs().maxCoeff(), rounding * largest);
}

inline ContactSolution cold(const ContactProblem& problem) {
  ContactSolution solution;
  start_cold(problem, solution);
  return solution;
}

inline Eigen::VectorXd unconstrained(const DenseProblem& in) {
  return in.A.llt().solve(in.b);
}

// v* as a method has kept it from a solve before. `problem` is named for that.
inline published::Unconstrained known_flight(ContactProblem& problem, const VecX& v) {
  const Bodies parts = find_bodies(problem.A);
  problem.version = 1;
  problem.bodies.clear();
  published::Unconstrained kept{1, {}};
  for (Index part = 0; part < parts.count(); ++part) {
    problem.bodies.push_back(part);
    take_rows(v, parts.rows_of(part), kept.of_body.emplace_back().emplace());
  }
  return kept;
}

// After each of the first iterations (of those that `limit_of` translates to a limit) the same v and forces.
template <class Solve, class LimitOf>
void expect_iterates_from(const ContactSolution& start, const Solve& solve, const ContactProblem& problem,
                          const ContactTolerance& tolerance, const std::vector<Iterate>& iterates,
                          const LimitOf& limit_of, double rounding = 1e-9) {
  double speeds = 0, forces = 1;  // N: less than that is rounding
  for (const Iterate& one : iterates) {
    speeds = std::max(speeds, one.v.cwiseAbs().maxCoeff());
    forces = std::max(forces, one.r.cwiseAbs().maxCoeff());
  }
  for (std::size_t k = 0; k < iterates.size(); ++k) {
    SCOPED_TRACE("iterate " + std::to_string(k + 1));
    ContactSolution solution = start;
    solve(problem, tolerance, {.iterations = limit_of(static_cast<Index>(k + 1)), .stop = {}}, solution, nullptr);
    VecX r;
    reaction(solution, r);
    expect_same(solution.v, iterates[k].v, speeds, rounding);
    expect_same(r, iterates[k].r, forces, rounding);
  }
}

template <class Solve, class LimitOf>
void expect_iterates(const Solve& solve, const ContactProblem& problem, const ContactTolerance& tolerance,
                     const std::vector<Iterate>& iterates, const LimitOf& limit_of, double rounding = 1e-9) {
  expect_iterates_from(cold(problem), solve, problem, tolerance, iterates, limit_of, rounding);
}

}  // namespace sim::test
