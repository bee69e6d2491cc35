// The method that knows A: the contact problem with true compliances, by one of two forms, whichever is expected to
// take fewer flops:
//
//     velocities     A v = b + L^T r, with the contacts as stiff springs in A      contact/primal_newton.hpp
//     compliances    u = W r + q,   W = L A^-1 L^T,   q = L A^-1 b - c            contact/body_compliance.hpp,
//                    v = A^-1 (b + L^T r)                                         contact/douglas_rachford.hpp
//
// with r and u as Coulomb has them. The first one factors A anew in every step of Newton's method, and costs nothing
// for a contact more; the second one factors A once, and W is dense where contacts move the same body. Where the
// first one does not converge, the second one goes on.
//
// Contacts that share no body, directly or through others, are islands of W and solved each by itself. Iterations are
// passes and iterations of the island that needed most.
#pragma once

#include <algorithm>

#include "contact/body_compliance.hpp"
#include "contact/douglas_rachford.hpp"
#include "contact/primal_newton.hpp"
#include "contact/report.hpp"

namespace sim {

enum class ExactForm { cheaper, velocities, compliances };

struct ExactOptions {
  ExactForm form = ExactForm::cheaper;
  PrimalNewtonOptions newton;
  DouglasRachfordOptions splitting;
  double newton_steps = 10, splittings = 60;  // that are expected of the one form and the other
  double most_bytes = 4.0 * 1073741824;       // of factors and W: beyond it the problem is refused
};

struct ExactScratch {
  PrimalNewtonScratch newton;
  ContactSolution trial;
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

// Flops that each form is expected to take; infinite where it would be refused, or W would have too many blocks to
// look at.
struct ExactCosts {
  double velocities = 0, compliances = 0;
  double least() const { return std::min(velocities, compliances); }
};
ExactCosts expected_flops(const ContactProblem& problem, const ExactOptions& options, ExactScratch& scratch);

SolveReport solve_exact(const ContactProblem& problem, const Precision& precision, const SolveLimits& limits,
                        const ExactOptions& options, ExactScratch& scratch, ContactSolution& solution, Trace* trace);

}  // namespace sim
