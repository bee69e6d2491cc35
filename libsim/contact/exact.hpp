// The method that knows A: contacts with their true compliances and Coulomb's exact cone, by Newton's method on a
// convex function (contact/cone_newton.hpp), in one of two forms, whichever is expected to take fewer flops:
//
//     velocities     a sparse factor of A and all contacts a step: a contact more costs nothing    velocity_form.hpp
//     compliances    A is factored once, and a step factors I + B W B, W = L A^-1 L^T              compliance_form.hpp
//
// The steps are the same but for rounding.
#pragma once

#include <algorithm>

#include "contact/body_compliance.hpp"
#include "contact/compliance_form.hpp"
#include "contact/velocity_form.hpp"

namespace sim {

enum class ExactForm { cheaper, velocities, compliances };

struct ExactOptions {
  ExactForm form = ExactForm::cheaper;
  ConeNewtonOptions newton;
  double expected_steps = 10;            // of Newton's method, to choose by
  double most_bytes = 4.0 * 1073741824;  // of factors and W: beyond it the problem is refused
};

struct ExactScratch {
  ConeNewtonScratch newton;
  VelocityFormScratch velocities;
  ComplianceFormScratch compliances;
  BodyCompliances bodies;
  BlockMatrix W;
  VecX q, r;
  std::vector<double> k;
  ContactSolution trial;
  ResidualScratch residual;
};

// Flops that each form is expected to take; infinite where it would be refused, or W would have too many blocks to look
// at.
struct ExactCosts {
  double velocities = 0, compliances = 0;
  double least() const { return std::min(velocities, compliances); }
};
ExactCosts expected_flops(const ContactProblem& problem, const ExactOptions& options, ExactScratch& scratch);

SolveReport solve_exact(const ContactProblem& problem, const Precision& precision, const SolveLimits& limits,
                        const ExactOptions& options, ExactScratch& scratch, ContactSolution& solution, Trace* trace);

}  // namespace sim
