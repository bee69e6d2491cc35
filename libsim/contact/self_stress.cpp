#include "contact/self_stress.hpp"

#include <Eigen/Eigenvalues>
#include <Eigen/LU>
#include <utility>

namespace sim {

namespace {

constexpr int most_iterations = 100;
constexpr double moving_part = 0.5;  // of the norm
constexpr double close = 0.01 * moving_part;
constexpr double unmoved = 3e-8;  // of what a force moves in the direction that it moves most: squares are rounded

// By how much forces (lambda, -gamma) of a contact move what it touches, s^2: f . moves f.
Mat3 moves_of(const BlockMatrix& L, Index contact) {
  Mat3 moves = Mat3::Zero();
  for (Index slot = L.row_begin[contact]; slot < L.row_begin[contact + 1]; ++slot)
    moves += L.at(slot) * L.at(slot).transpose();
  return moves;
}

bool is_in_cone(const Vec3& axis, double mu) {  // it, or its opposite
  return axis.tail<2>().norm() <= mu * std::abs(axis[0]);
}

bool move_something(const Mat3& moves) {  // all of them
  return moves.determinant() > unmoved * unmoved * std::pow(moves.trace(), 3);
}

// Orthonormal ones, a column each, by how much they move, ascending. The first `vain` move nothing; none of most
// contacts.
struct Principal {
  Mat3 axes;
  double least = 0;  // what the first moves
  int vain = 0;

  explicit Principal(const Mat3& moves) {
    const Eigen::SelfAdjointEigenSolver<Mat3> solver(moves);
    const Vec3& values = solver.eigenvalues();
    axes = solver.eigenvectors();
    least = values[0];
    while (vain < 3 && !(values[vain] > unmoved * unmoved * values[2])) ++vain;
  }
  // Whether one that moves nothing is in the cone of friction.
  bool vain_in_cone(double mu) const {
    if (vain < 2) return vain == 1 && is_in_cone(axes.col(0), mu);
    const Vec3 moving = axes.col(2);
    return vain == 3 || std::abs(moving[0]) <= mu * moving.tail<2>().norm();
  }
};

// What is left of a force in the cone without as much as may go of what moves nothing.
Vec3 relieved(const Vec3& force, const Principal& principal, double mu) {
  constexpr int halvings = 50;
  const auto vain = principal.axes.leftCols(principal.vain);
  const Vec3 goes = vain * (vain.transpose() * force);
  const auto stays_in_cone = [&](double part) {
    const Vec3 left = force - part * goes;
    return left.tail<2>().norm() <= mu * left[0];
  };
  if (stays_in_cone(1)) return force - goes;
  double part = 0;
  for (double more = 0.5; more > std::ldexp(1.0, -halvings); more *= 0.5)
    if (stays_in_cone(part + more)) part += more;
  return force - part * goes;
}

}  // namespace

double free_part(const BlockMatrix& L, Index contact, double mu, double whole) {
  const Mat3 moves = moves_of(L, contact);
  const Principal principal(moves);
  if (principal.vain_in_cone(mu)) return 0;
  double least = moves(0, 0);
  if (is_in_cone(principal.axes.col(0), mu)) least = std::min(least, principal.least);
  return std::sqrt(std::min(1.0, std::max(0.0, least) / whole));
}

void relieve(const ContactProblem& problem, ContactSolution& solution) {
  for (Index i = 0; i < problem.contacts(); ++i) {
    if (!(solution.lambda[i] > 0)) continue;
    const Mat3 moves = moves_of(problem.L, i);
    if (move_something(moves)) continue;
    const Principal principal(moves);
    if (!principal.vain_in_cone(problem.mu[i])) continue;
    const Vec3 left =
        relieved(Vec3(solution.lambda[i], -solution.gamma[i][0], -solution.gamma[i][1]), principal, problem.mu[i]);
    solution.lambda[i] = left[0];
    solution.gamma[i] = {-left[1], -left[2]};
  }
}

// What is left of r beside its least-squares fit by L y, by conjugate gradients.
bool is_self_stress(const ContactProblem& problem, const VecX& r) {
  const BlockMatrix& L = problem.L;
  VecX left = r, moves = VecX::Zero(problem.b.size()), fit(r.size());
  add_transposed(L, left, moves);
  VecX way = moves;
  const double least = (1 - moving_part * moving_part) * r.squaredNorm(), first = moves.squaredNorm();
  double now = first;
  for (int n = 0; n < most_iterations && now > close * close * first; ++n) {
    multiply(L, way, fit);
    left -= (now / fit.squaredNorm()) * fit;
    if (left.squaredNorm() < least) return false;
    moves.setZero();
    add_transposed(L, left, moves);
    const double before = std::exchange(now, moves.squaredNorm());
    way = moves + (now / before) * way;
  }
  return least > 0 && now <= close * close * first;
}

}  // namespace sim
