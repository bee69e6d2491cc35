// Preconditioned conjugate gradients (Hestenes & Stiefel 1952) for A x = b with A symmetric positive definite.
#pragma once

#include <string>

#include "linear/preconditioner.hpp"
#include "math/stop.hpp"

namespace sim {

struct CgOptions {
  double tolerance = 1e-12;  // stop when |b - A x| <= tolerance |b|, or
  double absolute = 0;       // when |b - A x| <= absolute (in the units of b)
  Index max_iterations = 10000;
  Stop stop;
};

enum class CgStatus {
  converged,  // to the tolerance, or as far as double precision goes: |b - A x| <= 10 epsilon |A| |x|
  iteration_limit,
  breakdown,    // A is not definite, or something is not a finite number
  interrupted,  // by CgOptions::stop
};

struct CgReport {
  CgStatus status = CgStatus::converged;
  Index iterations = 0;
  double residual = 0;  // |b - A x|, computed from x, not by recurrence
  double target = 0;    // what it had to reach
};
std::string describe(const CgReport& report);  // one sentence for people

struct CgScratch {
  BlockDiagonal preconditioner;
  VecX r, z, p, q;
};

// What double precision may leave of |b - A x|, about: 10 epsilon |A| |x|.
double rounding_of_product(const BlockMatrix& A, const VecX& x);

// x holds the initial guess and receives the best iterate, whatever the status.
CgReport conjugate_gradient(const BlockMatrix& A, const VecX& b, const CgOptions& options, CgScratch& scratch,
                            VecX& x);

}  // namespace sim
