#include "contact/self_stress.hpp"

#include <utility>

namespace sim {

namespace {

constexpr int most_iterations = 100;
constexpr double moving_part = 0.5;  // of the norm
constexpr double close = 0.01 * moving_part;

}  // namespace

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
