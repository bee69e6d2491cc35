#include "linear/definite.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace sim {

namespace {

constexpr double most_bytes = 4.0 * 1073741824;  // of a factor

// Iterations that cost as much as the factor and a solve.
Index worth_of_factor(const BlockMatrix& A, const CholeskyPattern& pattern, Index most) {
  if (8.0 * static_cast<double>(pattern.values + pattern.stack) > most_bytes) return most;
  const double iteration = 18.0 * A.slots() + 60.0 * A.rows();
  const double n = dense_flop * (pattern.flops + pattern.solve_flops) / iteration;
  return static_cast<Index>(std::min<double>(std::ceil(n), most));
}

double residual(const BlockMatrix& A, const VecX& b, const VecX& x, VecX& r) {
  multiply(A, x, r);
  r = b - r;
  return r.norm();
}

// With one step of iterative refinement where it is asked for more than the factor gives. False where there is no
// factor, or it is not enough.
bool solve_by_factor(const BlockMatrix& A, const VecX& b, const Stop& stop, DefiniteScratch& s, VecX& x,
                     CgReport& report) {
  s.rows.resize(static_cast<std::size_t>(A.rows()));
  std::iota(s.rows.begin(), s.rows.end(), 0);
  if (!factor(A, s.rows, s.cholesky, s.C, stop)) return false;
  VecX& r = s.cg.r;
  x.setZero();
  r = b;
  for (int i = 0; i < 2; ++i) {
    solve_forwards(s.C, s.cholesky, r);
    solve_back(s.C, s.cholesky, r);
    x += r;
    ++report.iterations;
    report.residual = residual(A, b, x, r);
    report.status = CgStatus::converged;
    if (report.residual <= report.target) return true;
  }
  return report.residual <= rounding_of_product(A, x);
}

}  // namespace

CgReport solve_definite(const BlockMatrix& A, const VecX& b, const std::shared_ptr<const CholeskyPattern>& pattern,
                        const CgOptions& options, DefiniteScratch& s, VecX& x) {
  CgReport report;
  const auto go_on_to = [&](Index iterations) {
    CgOptions some = options;
    some.max_iterations = iterations - report.iterations;
    CgReport more = conjugate_gradient(A, b, some, s.cg, x);
    more.iterations += report.iterations;
    report = more;
    return report.status != CgStatus::iteration_limit || report.iterations >= options.max_iterations;
  };
  const Index n = pattern == nullptr ? options.max_iterations : worth_of_factor(A, *pattern, options.max_iterations);
  if (n == options.max_iterations) {
    go_on_to(n);
    return report;
  }
  s.cg.r.resize(b.size());
  const double first = residual(A, b, x, s.cg.r);
  if (go_on_to(n / 4)) return report;
  const bool is_on_its_way = report.residual < std::pow(first, 0.75) * std::pow(report.target, 0.25);
  if (is_on_its_way && go_on_to(n)) return report;
  s.C.pattern = pattern;
  if (!solve_by_factor(A, b, options.stop, s, x, report)) go_on_to(options.max_iterations);
  return report;
}

}  // namespace sim
