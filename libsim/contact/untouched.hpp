// Bodies that no contact touches are solved apart. A couples unknowns of one body only: with the rows of the bodies
// that are touched first, and u those of the others,
//
//     [ A_t     ] [ v_t ]   [ b_t + J^T lambda - J_t^T gamma ]
//     [     A_u ] [ v_u ] = [ b_u                            ]
//
// so that v_u is had by conjugate gradients, body by body and once, and a contact method has to do with A_t only. In
// a heap that many bodies still fall onto it is most of the work. What the two miss adds up to eps1, |r|^2 = |r_t|^2
// + |r_u|^2.
#pragma once

#include "contact/problem.hpp"
#include "contact/report.hpp"
#include "linear/bodies.hpp"

namespace sim {

// The part of eps1 that may be left in the bodies that are not touched.
inline constexpr double untouched_part = 0.1;

struct Untouched {
  Bodies bodies;
  std::vector<char> touched;   // a body; once touched it counts as such until forget()
  std::vector<double> missed;  // a body: |r|^2 where it was solved apart, (kg m/s)^2
  bool solved = false;         // those that were not touched then
  bool taken = false;          // A and b of `problem` are those of the touched bodies

  std::vector<Index> rows, place;  // the rows of A that are in `problem`, and a row's place there
  ContactProblem problem;          // what a contact method gets
  ContactSolution solution;
  std::vector<Index> apart;  // the bodies that are not in it
  BodiesScratch cg;
};

void find_bodies(const BlockMatrix& A, Untouched& s);
void forget(Untouched& s);  // a new A, b: no body is touched yet, none is solved

// Marks the bodies that rows of L act on. True where there are others.
bool mark_touched(const BlockMatrix& L, Untouched& s);

// The velocities of the others, from the guess in v, once after forget(): then they stay as they are.
CgReport solve_apart(const ContactProblem& problem, const CgOptions& options, Untouched& s, VecX& v);
void start_apart(const VecX& guess, const Untouched& s, VecX& v);  // gives v the guess, for the others
double missed_apart(const Untouched& s);                           // |r_u|, kg m/s

// Makes s.problem and s.solution, and puts the answer back. The forces are moved, not copied.
void take(const ContactProblem& problem, ContactSolution& solution, Untouched& s);
void put_back(Untouched& s, ContactSolution& solution);

}  // namespace sim
