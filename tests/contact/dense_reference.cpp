#include "contact/dense_reference.hpp"

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <cmath>

namespace sim::test {

Eigen::MatrixXd dense(const BlockMatrix& A, Eigen::Index columns) {
  Eigen::MatrixXd full = Eigen::MatrixXd::Zero(3 * Eigen::Index{A.rows()}, columns);
  for (Index row = 0; row < A.rows(); ++row) {
    for (Index slot = A.row_begin[row]; slot < A.row_begin[row + 1]; ++slot) {
      full.block<3, 3>(3 * row, 3 * A.column[slot]) = A.at(slot);
    }
  }
  return full;
}

namespace {

// Onto |x_t| <= mu x_n.
Vec3 on_cone(const Vec3& x, double mu) {
  const double t = x.tail<2>().norm();
  if (t <= mu * x[0]) return x;
  if (mu * t <= -x[0]) return Vec3::Zero();
  const double n = (x[0] + mu * t) / (1 + mu * mu);
  Vec3 result(n, 0, 0);
  if (t > 0) result.tail<2>() = x.tail<2>() * (mu * n / t);
  return result;
}

}  // namespace

Reference dense_reference(const ContactProblem& problem) {
  const Eigen::LLT<Eigen::MatrixXd> A(dense(problem.A, problem.b.size()));
  const Eigen::MatrixXd L = dense(problem.L, problem.b.size());
  const Eigen::MatrixXd W = L * A.solve(L.transpose());
  const VecX free = L * A.solve(problem.b) - problem.c;
  const double rho = 1 / Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(W).eigenvalues().maxCoeff();

  Reference reference;
  reference.r.setZero(problem.c.size());
  for (int step = 0; step < 400000; ++step) {
    VecX u = W * reference.r + free;
    VecX next = reference.r;
    for (Index i = 0; i < problem.contacts(); ++i) {
      Vec3 opposed = block(u, i);
      opposed[0] += problem.mu[i] * opposed.tail<2>().norm();
      block(next, i) = on_cone(block(next, i) - rho * opposed, problem.mu[i]);
    }
    reference.change = (next - reference.r).norm() / (next.norm() + 1e-300);
    reference.r = next;
    if (reference.change < 1e-15) break;
  }
  reference.v = A.solve(problem.b + L.transpose() * reference.r);
  return reference;
}

}  // namespace sim::test
