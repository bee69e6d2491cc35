#include "linear/conjugate_gradient.hpp"

#include <cmath>

#include "math/parallel.hpp"

namespace sim {

namespace {

// r = b - A x, and its norm.
double true_residual(const BlockMatrix& A, const VecX& b, const VecX& x, VecX& r) {
  multiply(A, x, r);
  scale_and_add(r, -1.0, b);
  return norm(r);
}

void resize(CgScratch& s, Eigen::Index size) {
  for (VecX* v : {&s.r, &s.z, &s.p, &s.q}) v->resize(size);
}

}  // namespace

CgReport conjugate_gradient(const BlockMatrix& A, const VecX& b, const CgOptions& options, CgScratch& s, VecX& x) {
  resize(s, b.size());
  invert_diagonal(A, s.preconditioner);
  const double target = std::max(options.absolute, options.tolerance * norm(b));

  CgReport report;
  report.residual = true_residual(A, b, x, s.r);
  if (report.residual <= target) return report;

  multiply(s.preconditioner, s.r, s.z);
  s.p = s.z;
  double rz = dot(s.r, s.z);
  double best = report.residual;
  while (true) {
    if (report.iterations == options.max_iterations) {
      report.status = CgStatus::iteration_limit;
      break;
    }
    multiply(A, s.p, s.q);
    const double curvature = dot(s.p, s.q);
    if (!(curvature > 0) || !std::isfinite(curvature)) {  // A is not definite here, or something is not a number
      report.status = CgStatus::breakdown;
      break;
    }
    const double alpha = rz / curvature;
    add_scaled(x, alpha, s.p);
    add_scaled(s.r, -alpha, s.q);
    ++report.iterations;

    if (norm(s.r) <= target) {
      // The recurrence drifts away from the truth: ask for b - A x itself, and start anew from it if it disagrees.
      const double residual = true_residual(A, b, x, s.r);
      report.residual = residual;
      if (residual <= target) return report;
      if (residual > 0.5 * best) {  // no progress since the last restart: this is as far as double precision goes
        report.status = CgStatus::iteration_limit;
        return report;
      }
      best = residual;
      multiply(s.preconditioner, s.r, s.z);
      s.p = s.z;
      rz = dot(s.r, s.z);
      continue;
    }
    multiply(s.preconditioner, s.r, s.z);
    const double rz_next = dot(s.r, s.z);
    scale_and_add(s.p, rz_next / rz, s.z);
    rz = rz_next;
  }
  report.residual = true_residual(A, b, x, s.r);
  return report;
}

}  // namespace sim
