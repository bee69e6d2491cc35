// Contacts with Coulomb's exact cone by Newton's method on the velocities, with one sparse factor of A and all
// contacts a step of it:
//
//     r = P(x),   x = (r_0 - K^-1 (L v - c + mu s e_n)) / (1 + soft)
//     A v - b - L^T r = 0                                the gradient of a convex function of v
//     (A + L^T K^-1 D L) dv = -gradient,                 D = dP/dx / (1 + soft): symmetric, positive semi-definite
//
// P projects on the cone |r_t| <= mu r_n. Where r_0 = r and s = |u_t| the solution has Signorini's and Coulomb's laws
// (augmented Lagrangian: Simo & Laursen 1992; the shift by mu s: De Saxce & Feng 1998). So whenever the gradient is
// small beside what the contacts miss, r_0 <- r, and s <- |u_t|, accelerated (linear/anderson.hpp).
//
// K is a thousandth of the compliance of each contact: r_0 then needs a few updates only. `soft` is that of
// contact/douglas_rachford.hpp: rows that contradict each other yield by a part of the tolerance.
//
// The matrix is positive definite whatever the contacts are, and its pattern depends on them only, not on their
// states.
#pragma once

#include <limits>

#include "contact/problem.hpp"
#include "contact/report.hpp"
#include "linear/anderson.hpp"
#include "linear/block_cholesky.hpp"

namespace sim {

struct PrimalNewtonOptions {
  double penalty = 1e-3;  // K over the compliance of a contact
  double finer = 0.01;    // tolerances, of the softened problem: where it ends
  double soft = 0.025;    // tolerances that the largest force may make its row yield
  double most_flops = std::numeric_limits<double>::infinity();
};

struct PrimalNewtonScratch {
  BlockMatrix H, L;  // rows of L in units where K is 1
  CholeskyFactor F;
  CholeskyScratch cholesky;
  std::vector<Index> rows, begin, contacts;  // of H; the contacts of a row of A
  std::vector<Mat3> D;
  VecX scale, soft, s, missing_s, c, r0, x, r, u, v, Av, gradient, step, A_step, L_step, physical_r, physical_u;
  Anderson anderson;
};

struct PrimalNewtonReport {
  Index iterations = 0;  // steps of Newton's method
  double flops = 0;
  double error = std::numeric_limits<double>::infinity();  // of the answer, in tolerances
  bool definite = true;
};

// The pattern of H and its analysis, kept where it is as before. Its flops are those of one factor.
const CholeskyPattern& analyse_velocities(const ContactProblem& problem, PrimalNewtonScratch& scratch);

// From the solution y and to it, the best one on the way. Of an analysed problem; `k` is the compliance of contacts.
PrimalNewtonReport primal_newton(const ContactProblem& problem, const std::vector<double>& k,
                                 const ContactTolerance& tolerance, const PrimalNewtonOptions& options,
                                 const SolveLimits& limits, const Judge& error_in_tolerances,
                                 PrimalNewtonScratch& scratch, ContactSolution& y);

}  // namespace sim
