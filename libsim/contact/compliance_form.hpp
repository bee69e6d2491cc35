// Newton's method of contact/convex_newton.hpp on contact forces p, where v = A^-1 (b + L^T p) always:
//
//     u = W p + q,   W = L A^-1 L^T,   q = L A^-1 b - c             contact/body_compliance.hpp
//     A v - b - L^T r = L^T (p - r)
//     dv = A^-1 L^T dp:   dp = (r - p) - B z,   (I + B W B) z = B W (r - p),   D = B B
//
// which is the same step as that on velocities. W is dense where contacts move the same body; A is factored once.
#pragma once

#include "contact/convex_newton.hpp"
#include "linear/block_cholesky.hpp"

namespace sim {

struct ComplianceFormScratch {
  BlockMatrix W, H, L;  // in units where compliances are 1; H = I + B W B
  CholeskyFactor F;
  CholeskyScratch cholesky;
  std::vector<Index> rows;
  VecX p, best, Wp, step, missing, z, unbalanced;
};

struct ComplianceForm : ConvexForm {
  ComplianceFormScratch& s;  // s.best: p that was remembered, in units where compliances are 1

  // From the forces r (N). W (m/N) and q (m) as they are.
  ComplianceForm(const ContactProblem& problem, const BlockMatrix& W, const VecX& q, const VecX& scale, const VecX& r,
                 ComplianceFormScratch& scratch);
  double unbalanced(const VecX& r) override;
  bool find_step(const VecX& r, const std::vector<Mat3>& root, const Stop& stop) override;
  double slope() const override;
  double curvature() const override;
  void advance(double a) override;
  void remember() override { s.best = s.p; }
};

}  // namespace sim
