// The method that knows A: the contact problem on W = L A^-1 L^T with true compliances, from sparse factors of
// bodies.
//
//     v* = A^-1 b,   q = L v* - c                     a factor and a solve a body
//     u = W r + q,   r and u as Coulomb has them      contact/body_compliance.hpp, contact/douglas_rachford.hpp
//     v = A^-1 (b + L^T r)                            momentum is balanced to rounding, whatever r is
//
// Contacts that share no body, directly or through others, are islands of W and solved each by itself. Iterations are
// passes and iterations of the island that needed most.
#pragma once

#include "contact/body_compliance.hpp"
#include "contact/douglas_rachford.hpp"
#include "contact/report.hpp"

namespace sim {

struct ExactOptions {
  DouglasRachfordOptions splitting;
  double most_bytes = 4.0 * 1073741824;  // of factors and W: beyond it the problem is refused
};

struct ExactScratch {
  BodyCompliances bodies;
  BlockMatrix W;
  VecX q, r, u;
  std::vector<double> k;
  ResidualScratch residual;
  struct Lane {
    CoupledIsland island;
    DouglasRachfordScratch splitting;
    std::vector<double> k;
    ContactSolution y;
  };
  std::array<Lane, 8> lanes;
  std::vector<DouglasRachfordReport> reports;  // of the islands
};

SolveReport solve_exact(const ContactProblem& problem, const Precision& precision, const SolveLimits& limits,
                        const ExactOptions& options, ExactScratch& scratch, ContactSolution& solution, Trace* trace);

}  // namespace sim
