// Bodies that contacts connect, directly or through others, are solved together, and each contact island
// by itself. A couples unknowns of one body only: with a group's rows of it first, and u those of the bodies that
// nothing touches,
//
//     [ A_1         ] [ v_1 ]   [ b_1 + J_1^T lambda_1 - J_t1^T gamma_1 ]
//     [     ...     ] [ ... ] = [ ...                                   ]
//     [         A_u ] [ v_u ]   [ b_u                                   ]
//
// so that each group is a contact problem of its own, and v_u is had body by body (linear/definite.hpp).
//
// A group is solved in units of what may be missed (Units): with D = diag(1 / momentum of the body) and E = diag(1 /
// gap of the contact)
//
//     A' = D A D,  b' = D b,  L' = E L D,  c' = E c,     v = D v',  r = E r'      r = (lambda, -gamma)
//
// is the same problem (Signorini's and Coulomb's laws know no units), its residual counts tolerances, and nothing in
// it depends on metres, kilograms or how heavy other bodies are.
#pragma once

#include "contact/problem.hpp"
#include "contact/report.hpp"
#include "linear/bodies.hpp"
#include "math/components.hpp"

namespace sim {

// What may be missed; empty: 1 each, the problem stays as it is.
struct Units {
  std::vector<double> momentum;  // a body: kg m/s
  std::vector<double> gap;       // a contact: m
};

struct ContactGroup {
  std::vector<Index> bodies;     // ascending
  std::vector<Index> contacts;   // of the whole problem, ascending
  std::vector<Index> rows;       // of A, that are in `problem`
  bool settled = false;          // solved, and nothing has changed since
  bool taken = false;            // A and b of `problem` are those of the bodies, in units of `momentum`
  std::vector<double> momentum;  // a row: unit, kg m/s
  std::vector<double> gap;       // a contact: unit, m
  ContactProblem problem;        // what a contact method gets
  ContactSolution solution;
};

struct Groups {
  Bodies bodies;
  std::vector<ContactGroup> groups;   // by their first body
  std::vector<Index> apart;           // bodies that no row of L acts on
  std::vector<char> solved;           // a body: has been solved apart
  std::vector<double> mobility;       // a body: 1/kg (contact/problem.hpp)
  std::uint64_t version = 0;          // of A and b: counts how often they were new
  std::vector<BodyVersion> versions;  // a body: when its own were

  std::vector<Index> place;     // of a row of A in its group
  std::vector<Index> group_of;  // a body: -1 where it is apart
  Components touching;          // bodies
  std::vector<Index> to_solve;  // of those apart
  BodiesScratch apart_scratch;
};

void find_bodies(const BlockMatrix& A, Groups& s);
void forget(const BlockMatrix& A, Groups& s);  // a new A, b: nothing is solved or taken yet

// A and b are new of these bodies only: their groups take them anew. What was solved apart stays so.
void renew(const BlockMatrix& A, std::span<const Index> bodies, Groups& s);
void renew_b(std::span<const Index> bodies, Groups& s);  // the same of b alone

// Who is in a group with whom, by the rows of L, each of which moves something; with `together` all that are touched
// are one group. Groups that are as before keep their A and b, bodies apart what they were solved to.
void find_groups(const BlockMatrix& L, bool together, Groups& s);

// The velocities of the bodies apart that are not solved yet, from the guess; without `factors` by conjugate
// gradients only.
CgReport solve_apart(const ContactProblem& problem, const CgOptions& options, bool factors, const VecX& guess,
                     Groups& s, VecX& v);

// Makes the problem and the solution of a group in these units, and puts its answer back.
void take(const ContactProblem& problem, const ContactSolution& solution, const Groups& s, const Units& units,
          ContactGroup& group);
void put_back(const ContactGroup& group, ContactSolution& solution);

// Of a group in units: every body may miss one, in the mean of squares, and every contact.
ContactTolerance tolerance_in_units(const ContactGroup& group);

// One report of what is solved side by side: counts of those that needed most, seconds and residuals of all, the
// status of the first that did not converge.
void join(const SolveReport& one, SolveReport& all);

}  // namespace sim
