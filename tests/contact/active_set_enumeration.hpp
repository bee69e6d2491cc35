// The exact answer of small problems without friction: all 2^m sets of contacts that may push are tried.
//
//     lambda_a = -W_aa^-1 q_a on the set, 0 elsewhere;   it is the answer where lambda >= 0 and W lambda + q >= 0
//
// W = J A^-1 J^T and q = J A^-1 b - c_n of the normal rows. With W definite there is exactly one answer.
#pragma once

#include <Eigen/Cholesky>
#include <stdexcept>
#include <vector>

#include "contact/dense_reference.hpp"

namespace sim::test {

struct Enumerated {
  VecX v;
  VecX lambda;
};

inline Enumerated enumerate_active_sets(const ContactProblem& problem) {
  const Index contacts = problem.contacts();
  const Eigen::LLT<Eigen::MatrixXd> A(dense(problem.A, problem.b.size()));
  const Eigen::MatrixXd L = dense(problem.L, problem.b.size());
  Eigen::MatrixXd J(contacts, L.cols());
  VecX c(contacts);
  for (Index i = 0; i < contacts; ++i) {
    J.row(i) = L.row(3 * i);
    c[i] = problem.c[3 * i];
  }
  const Eigen::MatrixXd W = J * A.solve(J.transpose());
  const VecX q = J * A.solve(problem.b) - c;
  const double rounding = 1e-12 * q.cwiseAbs().maxCoeff();
  for (std::uint32_t set = 0; set < (1U << contacts); ++set) {
    std::vector<Index> pushing;
    for (Index i = 0; i < contacts; ++i) {
      if ((set >> i & 1U) != 0) pushing.push_back(i);
    }
    VecX lambda = VecX::Zero(contacts);
    if (!pushing.empty()) {
      const Eigen::MatrixXd W_aa = W(pushing, pushing);
      lambda(pushing) = -W_aa.llt().solve(VecX(q(pushing)));
    }
    if (lambda.minCoeff() < 0 || (W * lambda + q).minCoeff() < -rounding) continue;
    return {A.solve(problem.b + J.transpose() * lambda), lambda};
  }
  throw std::runtime_error("no active set is the answer");
}

}  // namespace sim::test
