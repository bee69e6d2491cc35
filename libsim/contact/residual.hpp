// How far a solution is from solving a ContactProblem: one measure for all methods, which knows of none.
//
//     momentum     |b + J^T lambda - J_t^T gamma - A v|                                                  kg m/s
//     normal       max over contacts of | s - max(0, s - k lambda) |,          s = j_n v - c_n           m
//     tangential   max over contacts of | gamma - P(gamma + s / k) | k,        s = j_t v - c_t           m
//
// P is the projection on the disk of radius mu max(0, lambda), k the compliance of the contact (contact/problem.hpp):
// a force of 1 N moves the contact by about k metres. Both are zero
// exactly where Signorini's and Coulomb's conditions hold with maximal dissipation (Alart & Curnier 1991); k turns
// forces into lengths, so that they compare with the tolerance of the gaps.
//
// Methods with a pyramid of friction solve another problem. They are judged by the same formula with their own P, on
// the square around the disk whose sides lie as the method chose (FrictionLaw); how far that is from the cone, the
// formula as it stands says.
#pragma once

#include <cmath>

#include "contact/problem.hpp"

namespace sim {

// What friction may be: |gamma| <= mu lambda or, with a pyramid, |gamma . a| <= mu lambda and |gamma . a'| <= mu
// lambda with a' at right angles to a.
struct FrictionLaw {
  std::vector<Vec2> axis;  // a contact: a of its pyramid, a unit vector; empty: the cone, for all contacts

  Vec2 project(Index contact, const Vec2& gamma, double bound) const;  // the nearest that is allowed
  double length(Index contact, const Vec2& gamma) const;               // what must not be more than the bound
};

struct ContactResidual {
  double momentum = 0;    // kg m/s
  double normal = 0;      // m
  double tangential = 0;  // m

  // The same in plain words, for reports.
  double penetration = 0;  // m, max of c_n - j_n v
  double pull = 0;         // N, max of -lambda
  double cone = 0;         // N, max of |gamma| - mu lambda; of the larger part along the axes with a pyramid

  // The larger one; not a number where either is none.
  double constraint() const { return tangential > normal || std::isnan(tangential) ? tangential : normal; }
};

// Of what is solved side by side: momentum adds up, of the rest the worst counts.
void join(const ContactResidual& one, ContactResidual& all);

struct ResidualScratch {
  VecX momentum, slip;
};

// b + L^T r - A v, kg m/s, with r the reactions (contact/problem.hpp)
void momentum_residual(const ContactProblem& problem, const VecX& v, const VecX& r, VecX& missing);

// Compliance k of every contact, m/N (contact/problem.hpp).
void compliance(const ContactProblem& problem, std::vector<double>& k);
void compliance(const ContactProblem& problem, const VecX& inverse_diagonal, std::vector<double>& k);

// All but the balance of momentum, from the slips s = L v - c.
ContactResidual conditions_residual(const std::vector<double>& mu, const std::vector<double>& k, const VecX& slips,
                                    const ContactSolution& solution, const FrictionLaw& law = {});

ContactResidual contact_residual(const ContactProblem& problem, const std::vector<double>& k,
                                 const ContactSolution& solution, ResidualScratch& scratch,
                                 const FrictionLaw& law = {});
ContactResidual contact_residual(const ContactProblem& problem, const ContactSolution& solution,
                                 const FrictionLaw& law = {});

}  // namespace sim
