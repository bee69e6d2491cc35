#include "linear/conjugate_gradient.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "math/format.hpp"
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

// z = P r, p = z: the method begins anew from the residual r. Returns r.z.
double restart(CgScratch& s) {
  multiply(s.preconditioner, s.r, s.z);
  s.p = s.z;
  return dot(s.r, s.z);
}

// The largest sum of |entries| of a row.
double row_sum_norm(const BlockMatrix& A) {
  double largest = 0;
  for (Index row = 0; row < A.rows(); ++row) {
    Vec3 sum = Vec3::Zero();
    for (Index slot = A.row_begin[row]; slot < A.row_begin[row + 1]; ++slot)
      sum += A.at(slot).cwiseAbs().rowwise().sum();
    largest = std::max(largest, sum.maxCoeff());
  }
  return largest;
}

}  // namespace

double rounding_of_product(const BlockMatrix& A, const VecX& x) {
  return 10 * std::numeric_limits<double>::epsilon() * row_sum_norm(A) * norm(x);
}

CgReport conjugate_gradient(const BlockMatrix& A, const VecX& b, const CgOptions& options, CgScratch& s, VecX& x) {
  resize(s, b.size());
  invert_diagonal(A, s.preconditioner);

  CgReport report;
  report.target = std::max(options.absolute, options.tolerance * norm(b));
  report.residual = true_residual(A, b, x, s.r);
  if (!std::isfinite(report.target) || !std::isfinite(report.residual)) {  // a target of infinity is no promise
    report.status = CgStatus::breakdown;
    return report;
  }
  double last_residual = report.residual;
  double rz = restart(s);
  while (!(report.residual <= report.target)) {
    if (report.iterations == options.max_iterations || options.stop.asked()) {
      report.status = options.stop.asked() ? CgStatus::interrupted : CgStatus::iteration_limit;
      break;
    }
    multiply(A, s.p, s.q);
    const double curvature = dot(s.p, s.q);
    const double alpha = rz / curvature;
    if (!(curvature > 0) || !(rz > 0) || !std::isfinite(alpha)) {
      report.status = CgStatus::breakdown;
      break;
    }
    add_scaled(x, alpha, s.p);
    add_scaled(s.r, -alpha, s.q);
    ++report.iterations;

    if (norm(s.r) <= report.target) {
      // The recurrence drifts away from the truth: ask for b - A x itself and start anew where it disagrees.
      report.residual = true_residual(A, b, x, s.r);
      if (report.residual <= report.target) break;
      if (report.residual > 0.5 * last_residual) {  // as far as this goes
        report.status =
            report.residual <= rounding_of_product(A, x) ? CgStatus::converged : CgStatus::iteration_limit;
        return report;
      }
      last_residual = report.residual;
      rz = restart(s);
      continue;
    }
    multiply(s.preconditioner, s.r, s.z);
    const double rz_next = dot(s.r, s.z);
    scale_and_add(s.p, rz_next / rz, s.z);
    rz = rz_next;
  }
  if (report.status != CgStatus::converged) report.residual = true_residual(A, b, x, s.r);
  return report;
}

std::string describe(const CgReport& report) {
  const char* ending = report.status == CgStatus::converged         ? "converged"
                       : report.status == CgStatus::iteration_limit ? "stopped short of its tolerance"
                       : report.status == CgStatus::interrupted     ? "were interrupted"
                                                                : "broke down (matrix not definite, or not a number)";
  return format("conjugate gradients %s after %d iterations: residual %.3g, wanted %.3g", ending, report.iterations,
                report.residual, report.target);
}

}  // namespace sim
