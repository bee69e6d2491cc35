// Friction of Otaduy et al. 2009, section 3.4: a pyramid of four sides, one axis of which lies along the slip of the
// unconstrained velocity v*, and bounded from one side only:
//
//     0 <= lambda,              s_n >= 0,   one of them an equality
//     gamma_a <= mu lambda,     s_a >= 0,   one of them an equality         a = 1, 2 along the axes; s = L v - c
//
// (equation 7; gamma there is that along its axis which resists). Nothing bounds gamma_a from below: where a slip
// would turn back, friction holds it with any force.
#pragma once

#include "contact/problem.hpp"
#include "contact/report.hpp"

namespace sim::published {

struct AlignedProblem {
  BlockMatrix L;  // tangents along the axes
  VecX c;
  std::vector<Mat3> turn;  // a contact: from (n, t1, t2) of the problem to (n, axis, across)

  AlignedProblem(const ContactProblem& problem, const VecX& unconstrained);
  VecX forces_of(const ContactSolution& solution) const;      // r = (lambda, -gamma), N
  void give(const VecX& r, ContactSolution& solution) const;  // and the states that they speak for
  VecX slip(const VecX& v) const;                             // m, L v - c
};

// One contact by itself, `rounds` times: its normal, then each tangent, projected. Returns by how much r has changed;
// s is kept up with it.
Vec3 project_contact(const Mat3& own, double mu, int rounds, Vec3& r, Vec3& s);

// How far off the conditions are, m: min(s_n, k lambda) and min(s_a, k (mu lambda - gamma_a)).
struct OneSidedResidual {
  double normal = 0, tangential = 0;    // the largest
  double normals = 0, tangentials = 0;  // norms over all contacts
  double nearest = 0;                   // the least s_n
};
OneSidedResidual one_sided_residual(const std::vector<double>& mu, const std::vector<double>& k, const VecX& s,
                                    const VecX& r);

// Of a solution v, r in aligned tangents: the residual that the methods with this law are judged by.
ContactResidual judged(const ContactProblem& problem, const AlignedProblem& aligned, const VecX& v, const VecX& r);

}  // namespace sim::published
