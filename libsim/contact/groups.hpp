// Bodies that contacts connect, directly or through others, are solved together, and what knows nothing of each other
// by itself. A couples unknowns of one body only: with a group's rows of it first, and u those of the bodies that
// nothing touches,
//
//     [ A_1         ] [ v_1 ]   [ b_1 + J_1^T lambda_1 - J_t1^T gamma_1 ]
//     [     ...     ] [ ... ] = [ ...                                   ]
//     [         A_u ] [ v_u ]   [ b_u                                   ]
//
// so that each group is a contact problem of its own, and v_u is had by conjugate gradients, body by body. What they
// miss adds up to eps1, |r|^2 = |r_1|^2 + ... + |r_u|^2.
#pragma once

#include "contact/problem.hpp"
#include "contact/report.hpp"
#include "linear/bodies.hpp"

namespace sim {

// The part of eps1 that may be left in the bodies that are not touched.
inline constexpr double untouched_part = 0.1;

struct ContactGroup {
  std::vector<Index> bodies;    // ascending
  std::vector<Index> contacts;  // of the whole problem, ascending
  std::vector<Index> rows;      // of A, that are in `problem`
  bool taken = false;           // A and b of `problem` are those of the bodies
  ContactProblem problem;       // what a contact method gets
  ContactSolution solution;
};

struct Groups {
  Bodies bodies;
  std::vector<ContactGroup> groups;  // by their first body
  std::vector<Index> apart;          // bodies that no row of L acts on
  std::vector<double> missed;        // a body: |r|^2 where it was solved apart, (kg m/s)^2; else `unsolved`
  std::uint64_t version = 0;         // of A and b: counts how often they were new
  static constexpr double unsolved = -1;

  std::vector<Index> place;        // of a row of A in its group
  std::vector<Index> group_of;     // a body: -1 where it is apart
  std::vector<Index> in_one_with;  // a body: another one of its group, or itself
  std::vector<Index> to_solve;     // of those apart
  BodiesScratch cg;

  bool is_one() const { return apart.empty() && groups.size() == 1; }  // the problem as it stands
};

void find_bodies(const BlockMatrix& A, Groups& s);
void forget(Groups& s);  // a new A, b: nothing is solved or taken yet

// Who is in a group with whom, by the rows of L, each of which moves something; with `together` all that are touched
// are one group. Groups that are as before keep their A and b, bodies apart what they were solved to.
void find_groups(const BlockMatrix& L, bool together, Groups& s);

// The velocities of the bodies apart that are not solved yet, from the guess in v.
CgReport solve_apart(const ContactProblem& problem, const CgOptions& options, Groups& s, VecX& v);
void start_apart(const VecX& guess, const Groups& s, VecX& v);  // gives v the guess, for the bodies apart
double missed_apart(const Groups& s);                           // |r_u|, kg m/s

// The tolerance of a group: of eps1 what the bodies apart leave, by its share of the rows; all of eps2.
ContactTolerance share_of(const ContactTolerance& tolerance, const Groups& s, const ContactGroup& group);

// Makes the problem and the solution of a group, and puts its answer back.
void take(const ContactProblem& problem, const ContactSolution& solution, const Groups& s, ContactGroup& group);
void put_back(const ContactGroup& group, ContactSolution& solution);

// One report of what is solved side by side: counts of those that needed most, seconds and residuals of all, the
// status of the first that did not converge.
void join(const SolveReport& one, SolveReport& all);

}  // namespace sim
