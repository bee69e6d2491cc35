#include "linear/anderson.hpp"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>

namespace sim {

namespace {

// Of the squares of dF, scaled to one: what rounding leaves of them. Beyond it g would be noise.
constexpr double least_new = 1e-12;

}  // namespace

void Anderson::begin(Index history, Eigen::Index size) {
  history_ = history;
  dS_.resize(size, history);
  dF_.resize(size, history);
  gram_.resize(history, history);
  next_ = 0;
  forget();
}

void Anderson::advance(const VecX& f, VecX& s) {
  if (has_last_ && history_ > 0) {
    dS_.col(next_) = s - last_s_;
    dF_.col(next_) = f - last_f_;
    kept_ = std::min(history_, kept_ + 1);
    // Columns fill up from the first one: those that are kept are the first ones, in whatever order.
    gram_.row(next_).head(kept_) = dF_.leftCols(kept_).transpose() * dF_.col(next_);
    gram_.col(next_).head(kept_) = gram_.row(next_).head(kept_).transpose();
    next_ = (next_ + 1) % history_;
  } else {
    next_ = 0;
  }
  last_s_ = s;
  last_f_ = f;
  has_last_ = true;
  s += f;
  if (kept_ == 0) return;
  const VecX size = gram_.diagonal().head(kept_).cwiseSqrt();
  const VecX scale = (size.array() > 0).select(size.cwiseInverse(), 0.0);
  Eigen::MatrixXd scaled = scale.asDiagonal() * gram_.topLeftCorner(kept_, kept_) * scale.asDiagonal();
  scaled.diagonal().array() += least_new;
  const VecX g = scale.cwiseProduct(scaled.ldlt().solve(scale.cwiseProduct(dF_.leftCols(kept_).transpose() * f)));
  if (!g.allFinite()) return;
  s.noalias() -= dS_.leftCols(kept_) * g;
  s.noalias() -= dF_.leftCols(kept_) * g;
}

}  // namespace sim
