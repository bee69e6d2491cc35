// Newton's method of contact/convex_newton.hpp on the velocities themselves, with one sparse factor of A and all
// contacts a step of it:
//
//     (A + L^T D L) dv = -(A v - b - L^T r)
//
// The pattern of the matrix depends on which unknowns contacts move, not on their states.
#pragma once

#include "contact/convex_newton.hpp"
#include "linear/block_cholesky.hpp"
#include "linear/sparse_lu.hpp"

namespace sim {

struct VelocityFormScratch {
  BlockMatrix H, L;  // rows of L in units where compliances are 1
  CholeskyFactor F;
  CholeskyScratch cholesky;
  SparseLu lu;
  std::vector<Index> rows, begin, contacts;  // of H; the contacts of a row of A
  VecX v, best, Av, gradient, step, A_step, x;
};

// The pattern of H and its analysis, kept where it is as before. Its flops are those of a step.
const CholeskyPattern& analyse_velocities(const ContactProblem& problem, VelocityFormScratch& scratch);

struct VelocityForm : ConvexForm {
  const ContactProblem& problem;
  VelocityFormScratch& s;  // s.best: v that was remembered

  // From these velocities. Of an analysed problem.
  VelocityForm(const ContactProblem& problem, const VecX& scale, const VecX& v, VelocityFormScratch& scratch);
  double unbalanced(const VecX& r) override;
  bool find_step(const VecX& r, const std::vector<Mat3>& root, const Stop& stop) override;
  bool find_turning_step(const std::vector<Mat3>& D) override;
  double slope() const override;
  double curvature() const override;
  void advance(double a) override;
  void remember() override { s.best = s.v; }

 private:
  template <class BlockOfContact>
  void assemble(const BlockOfContact& D);
  void follow_step();
};

}  // namespace sim
