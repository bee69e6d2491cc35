#include "contact/published/one_sided_pyramid.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "math/parallel.hpp"

namespace sim::published {

namespace {

double larger(double a, double b) {  // not a number where either is none
  return b > a || std::isnan(b) ? b : a;
}

}  // namespace

AlignedProblem::AlignedProblem(const ContactProblem& problem, const VecX& unconstrained)
    : L(problem.L), c(problem.c.size()), turn(static_cast<std::size_t>(problem.contacts())) {
  VecX s;
  sim::slip(problem, unconstrained, s);
  for (Index i = 0; i < problem.contacts(); ++i) {
    const Vec2 slipped = s.segment<2>(3 * i + 1);
    const double size = slipped.norm();
    const Vec2 axis = size > 0 ? Vec2(slipped / size) : Vec2(1, 0);
    turn[i] << 1, 0, 0, 0, axis[0], axis[1], 0, -axis[1], axis[0];
    for (Index slot = L.row_begin[i]; slot < L.row_begin[i + 1]; ++slot)
      L.at(slot) = (turn[i] * problem.L.at(slot)).eval();
    block(c, i) = turn[i] * block(problem.c, i);
  }
}

VecX AlignedProblem::forces_of(const ContactSolution& solution) const {
  VecX r;
  reaction(solution, r);
  for (Index i = 0; i < static_cast<Index>(turn.size()); ++i) block(r, i) = (turn[i] * block(r, i)).eval();
  return r;
}

void AlignedProblem::give(const VecX& r, ContactSolution& solution) const {
  VecX turned = r;
  for (Index i = 0; i < static_cast<Index>(turn.size()); ++i)
    block(turned, i) = (turn[i].transpose() * block(r, i)).eval();
  set_reaction(turned, solution);
}

VecX AlignedProblem::slip(const VecX& v) const {
  VecX s(c.size());
  multiply(L, v, s);
  s -= c;
  return s;
}

Vec3 project_contact(const Mat3& own, double mu, int rounds, Vec3& r, Vec3& s) {
  const Vec3 before = r;
  for (int round = 0; round < rounds; ++round) {
    for (int row = 0; row < 3; ++row) {
      if (!(own(row, row) > 0)) continue;
      const double least = row == 0 ? 0.0 : -mu * r[0];
      const double next = std::max(least, r[row] - s[row] / own(row, row));
      s += own.col(row) * (next - r[row]);
      r[row] = next;
    }
  }
  return r - before;
}

OneSidedResidual one_sided_residual(const std::vector<double>& mu, const std::vector<double>& k, const VecX& s,
                                    const VecX& r) {
  OneSidedResidual found;
  found.nearest = mu.empty() ? 0 : std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < mu.size(); ++i) {
    const auto row = 3 * static_cast<Eigen::Index>(i);
    const double n = std::min(s[row], k[i] * r[row]);
    found.normal = larger(found.normal, std::abs(n));
    found.normals = std::hypot(found.normals, n);
    found.nearest = std::min(found.nearest, s[row]);
    for (int a = 1; a <= 2; ++a) {
      const double t = std::min(s[row + a], k[i] * (mu[i] * r[row] + r[row + a]));
      found.tangential = larger(found.tangential, std::abs(t));
      found.tangentials = std::hypot(found.tangentials, t);
    }
  }
  return found;
}

ContactResidual judged(const ContactProblem& problem, const AlignedProblem& aligned, const VecX& v, const VecX& r) {
  std::vector<double> k;
  compliance(problem, k);
  const VecX s = aligned.slip(v);
  const OneSidedResidual found = one_sided_residual(problem.mu, k, s, r);
  VecX missing(problem.b.size());
  multiply(problem.A, v, missing);
  scale_and_add(missing, -1.0, problem.b);
  add_transposed(aligned.L, r, missing);
  ContactResidual residual;
  residual.momentum = norm(missing);
  residual.normal = found.normal;
  residual.tangential = found.tangential;
  for (Index i = 0; i < problem.contacts(); ++i) {
    residual.penetration = larger(residual.penetration, -s[3 * i]);
    residual.pull = larger(residual.pull, -r[3 * i]);
    for (int a = 1; a <= 2; ++a)
      residual.cone = larger(residual.cone, -r[3 * i + a] - problem.mu[i] * std::max(0.0, r[3 * i]));
  }
  return residual;
}

}  // namespace sim::published
