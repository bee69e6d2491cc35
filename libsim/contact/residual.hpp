// How far a solution is from solving a ContactProblem: one measure for all methods, which knows of none.
//
//     momentum     |b + J^T lambda - J_t^T gamma - A v|                                                  kg m/s
//     normal       max over contacts of | s - max(0, s - k lambda) |,          s = j_n v - c_n           m
//     tangential   max over contacts of | gamma - P(gamma + s / k) | k,        s = j_t v - c_t           m
//
// P is the projection on the disk of radius mu max(0, lambda), k = trace(L_c A_d^-1 L_c^T) / 3 the compliance of the
// contact by itself with A_d the diagonal of A: a force of 1 N moves the contact by about k metres. Both are zero
// exactly where Signorini's and Coulomb's conditions hold with maximal dissipation (Alart & Curnier 1991); k turns
// forces into lengths, so that they compare with the tolerance of the gaps.
#pragma once

#include "contact/problem.hpp"

namespace sim {

struct ContactResidual {
  double momentum = 0;    // kg m/s
  double normal = 0;      // m
  double tangential = 0;  // m

  // The same in plain words, for reports.
  double penetration = 0;  // m, max of c_n - j_n v
  double pull = 0;         // N, max of -lambda
  double cone = 0;         // N, max of |gamma| - mu lambda

  double constraint() const { return normal > tangential ? normal : tangential; }
};

struct ResidualScratch {
  VecX momentum, slip;
};

// b + L^T r - A v, kg m/s, with r the reactions (contact/problem.hpp)
void momentum_residual(const ContactProblem& problem, const VecX& v, const VecX& r, VecX& missing);

// Compliance k of every contact, m/N.
void compliance(const ContactProblem& problem, std::vector<double>& k);
void compliance(const VecX& row_compliance, std::vector<double>& k);  // from contact/problem.hpp

ContactResidual contact_residual(const ContactProblem& problem, const std::vector<double>& k,
                                 const ContactSolution& solution, ResidualScratch& scratch);
ContactResidual contact_residual(const ContactProblem& problem, const ContactSolution& solution);

}  // namespace sim
