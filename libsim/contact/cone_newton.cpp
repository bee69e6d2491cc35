#include "contact/cone_newton.hpp"

#include <algorithm>
#include <cmath>

namespace sim {

namespace {

void residual(const BlockMatrix& W, const VecX& q, const std::vector<double>& mu, const VecX& soft, const VecX& s,
              VecX& z, VecX& G) {
  z.resize(s.size());
  for (Index i = 0; i < W.rows(); ++i) block(z, i) = project_on_cone(block(s, i), mu[i]);
  G.resize(s.size());
  multiply(W, z, G);
  G += s - z + q;
  for (Index i = 0; i < W.rows(); ++i) block(G, i) += soft[i] * block(z, i);
}

bool is_active(const Vec3& s) {
  return s[0] > 0;
}

// Rows and columns of active contacts.
void assemble(const BlockMatrix& W, const VecX& soft, ConeNewtonScratch& s) {
  const auto n = 3 * static_cast<Eigen::Index>(s.active.size());
  s.M.setZero(n, n);
  for (std::size_t a = 0; a < s.active.size(); ++a) {
    const Index row = s.active[a];
    for (Index slot = W.row_begin[row]; slot < W.row_begin[row + 1]; ++slot) {
      const Index column = s.place[W.column[slot]];
      if (column < 0) continue;
      Mat3 own = W.at(slot);
      if (W.column[slot] == row) own.diagonal().array() += soft[row];
      s.M.block<3, 3>(3 * static_cast<Eigen::Index>(a), 3 * column) = own * s.D[column];
    }
    s.M.block<3, 3>(3 * static_cast<Eigen::Index>(a), 3 * static_cast<Eigen::Index>(a)) += Mat3::Identity() - s.D[a];
  }
}

}  // namespace

Vec3 project_on_cone(const Vec3& s, double mu) {
  const double normal = std::max(0.0, s[0]), bound = mu * normal;
  Vec2 tangential = s.tail<2>();
  const double size = tangential.norm();
  if (size > bound) tangential *= bound / size;
  return {normal, tangential[0], tangential[1]};
}

Mat3 project_on_cone_derivative(const Vec3& s, double mu) {
  if (!is_active(s)) return Mat3::Zero();
  const double size = s.tail<2>().norm(), bound = mu * s[0];
  if (size <= bound) return Mat3::Identity();
  const Vec2 t = s.tail<2>() / size;
  Mat3 D = Mat3::Zero();
  D(0, 0) = 1;
  D.block<2, 1>(1, 0) = mu * t;
  D.block<2, 2>(1, 1) = bound / size * (Eigen::Matrix2d::Identity() - t * t.transpose());
  return D;
}

double newton_step_flops(const BlockMatrix& W, const VecX& s) {
  double active = 0;
  for (Index i = 0; i < W.rows(); ++i) active += is_active(block(s, i)) ? 1 : 0;
  return 4.5 * active * active * active;  // 2/3 n^3 with n = 3 active, dense: a quarter (contact/automatic.hpp)
}

bool newton_step(const BlockMatrix& W, const VecX& q, const std::vector<double>& mu, const VecX& soft,
                 ConeNewtonScratch& t, VecX& s) {
  residual(W, q, mu, soft, s, t.z, t.G);
  t.active.clear();
  t.place.assign(static_cast<std::size_t>(W.rows()), -1);
  t.D.clear();
  for (Index i = 0; i < W.rows(); ++i) {
    if (!is_active(block(s, i))) continue;
    t.place[i] = static_cast<Index>(t.active.size());
    t.active.push_back(i);
    t.D.push_back(project_on_cone_derivative(block(s, i), mu[i]));
  }
  assemble(W, soft, t);
  t.step.resize(t.M.rows());
  for (std::size_t a = 0; a < t.active.size(); ++a)
    t.step.segment<3>(3 * static_cast<Eigen::Index>(a)) = -block(t.G, t.active[a]);
  t.step = t.M.partialPivLu().solve(t.step);
  // Open contacts: ds = -G - W D ds of the active ones.
  t.next.setZero(s.size());
  for (std::size_t a = 0; a < t.active.size(); ++a)
    block(t.next, t.active[a]) = t.D[a] * t.step.segment<3>(3 * static_cast<Eigen::Index>(a));
  t.next_G.resize(s.size());
  multiply(W, t.next, t.next_G);
  t.next = s - t.G - t.next_G;
  for (std::size_t a = 0; a < t.active.size(); ++a)
    block(t.next, t.active[a]) = block(s, t.active[a]) + t.step.segment<3>(3 * static_cast<Eigen::Index>(a));
  residual(W, q, mu, soft, t.next, t.z, t.next_G);
  if (!std::isfinite(t.next_G.norm())) return false;
  s.swap(t.next);
  return true;
}

}  // namespace sim
