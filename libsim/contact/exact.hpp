// The method that knows A: the contact problem with true compliances and Coulomb's exact cone, in one of two forms,
// whichever is expected to take fewer flops:
//
//     velocities     Newton's method on a convex function of v, a sparse factor of A and all contacts a step:
//                    a contact more costs nothing            contact/convex_newton.hpp, contact/velocity_form.hpp
//                    where all bodies are rigid, for a part of its steps only: then the bound of friction turns
//     compliances    u = W r + q,   W = L A^-1 L^T,   q = L A^-1 b - c,   v = A^-1 (b + L^T r): A is factored once
//                    contact/body_compliance.hpp, contact/douglas_rachford.hpp; where splitting does not get there,
//                    the same Newton's method on forces      contact/compliance_form.hpp
//
// Where velocities end above the tolerance, compliances follow, if they are expected to take no more than each form
// may (ConvexNewtonOptions::most_flops).
//
// By compliances, contacts that share no body, directly or through others, are islands of W and solved each by
// itself. Iterations are those of the island that needed most.
#pragma once

#include <algorithm>
#include <array>

#include "contact/body_compliance.hpp"
#include "contact/compliance_form.hpp"
#include "contact/douglas_rachford.hpp"
#include "contact/velocity_form.hpp"

namespace sim {

enum class ExactForm { cheaper, velocities, turning, compliances };  // turning: velocities, FrictionBound::turning

struct ExactOptions {
  ExactForm form = ExactForm::cheaper;
  ConvexNewtonOptions newton;
  DouglasRachfordOptions splitting;
  Index most_splittings = 1000;
  double expected_steps = 20, expected_splittings = 150;  // to choose by
  double most_bytes = 4.0 * 1073741824;                   // of factors and W: beyond it the problem is refused
};

struct ExactScratch {
  ConvexNewtonScratch newton;
  VelocityFormScratch velocities;
  ComplianceFormScratch compliances;
  BodyCompliances bodies;
  BlockMatrix W;
  VecX q, r;
  std::vector<double> k;
  ContactSolution trial;
  struct Lane {
    CoupledIsland island;
    DouglasRachfordScratch splitting;
    std::vector<double> k;
    ContactSolution y;
  };
  std::array<Lane, 8> lanes;
  std::vector<DouglasRachfordReport> reports;  // of the islands
  ResidualScratch residual;
};

// Flops that each form is expected to take; infinite where it would be refused, or W would have too many blocks to
// look at.
struct ExactCosts {
  double velocities = 0, compliances = 0;
  double least() const { return std::min(velocities, compliances); }
};
ExactCosts expected_flops(const ContactProblem& problem, const ExactOptions& options, ExactScratch& scratch);

// By compliances an island begins from the forces `earlier` (reaction()) where, with W, these come as near as those
// of `solution`.
SolveReport solve_exact(const ContactProblem& problem, const Precision& precision, const SolveLimits& limits,
                        const ExactOptions& options, ExactScratch& scratch, ContactSolution& solution, Trace* trace,
                        const VecX* earlier = nullptr);

}  // namespace sim
