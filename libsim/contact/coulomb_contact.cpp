#include "contact/coulomb_contact.hpp"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <limits>

namespace sim {

namespace {

using Mat2 = Eigen::Matrix2d;

// r(kappa) in the principal directions of the tangents' own compliance, where it is a fraction for each of them.
struct Sliding {
  Vec2 stiffness;  // eigenvalues of W_tt - W_tn W_nt / W_nn, m/N
  Vec2 force;      // -(q_t - W_tn q_n / W_nn)
  Vec2 coupling;   // W_tn
  double W_nn, q_n, mu;

  Vec2 tangential(double kappa) const { return force.cwiseQuotient((stiffness.array() + kappa).matrix()); }
  double normal(const Vec2& t) const { return -(q_n + coupling.dot(t)) / W_nn; }
  double outside(double kappa) const {
    const Vec2 t = tangential(kappa);
    return t.norm() - mu * normal(t);
  }
  double slope(double kappa) const {
    const Vec2 t = tangential(kappa), change = -t.cwiseQuotient((stiffness.array() + kappa).matrix());
    return t.dot(change) / t.norm() + mu * coupling.dot(change) / W_nn;
  }

  // Newton's method inside a bracket that bisection shrinks where it must.
  double root() const {
    double low = 0, high = stiffness.maxCoeff();
    while (outside(high) > 0) {
      low = high;
      high *= 4;
      if (high > std::numeric_limits<double>::max() / 8) return high;
    }
    double kappa = 0.5 * (low + high);
    for (int step = 0; step < 100; ++step) {
      const double f = outside(kappa);
      if (f == 0) break;
      (f > 0 ? low : high) = kappa;
      double next = kappa - f / slope(kappa);
      if (!(next > low && next < high)) next = 0.5 * (low + high);
      if (std::abs(next - kappa) <= 2 * std::numeric_limits<double>::epsilon() * kappa) break;
      kappa = next;
    }
    return kappa;
  }
};

}  // namespace

Vec3 coulomb_contact(const Mat3& W, const Vec3& q, double mu) {
  if (!(q[0] < 0)) return Vec3::Zero();
  const Vec2 coupling = W.block<2, 1>(1, 0);
  if (mu == 0) return {-q[0] / W(0, 0), 0, 0};
  Eigen::SelfAdjointEigenSolver<Mat2> principal;
  principal.computeDirect(W.bottomRightCorner<2, 2>() - coupling * coupling.transpose() / W(0, 0));
  const Mat2& Q = principal.eigenvectors();
  // Tangents that nothing moves have no compliance but rounding.
  const double least = 1e-14 * W.trace();
  const Sliding sliding{principal.eigenvalues().cwiseMax(least),
                        -Q.transpose() * (q.tail<2>() - coupling * q[0] / W(0, 0)),
                        Q.transpose() * coupling,
                        W(0, 0),
                        q[0],
                        mu};
  const double kappa = sliding.outside(0) <= 0 ? 0 : sliding.root();
  Vec2 t = sliding.tangential(kappa);
  const double n = sliding.normal(t);
  // On the cone to the last bit, whatever the root leaves over.
  if (kappa > 0 && t.norm() > 0) t *= mu * n / t.norm();
  const Vec2 turned = Q * t;
  return {n, turned[0], turned[1]};
}

}  // namespace sim
