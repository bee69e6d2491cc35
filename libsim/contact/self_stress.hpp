// Forces of contacts that press bodies against each other and move nothing: L^T s = 0. Bodies that deform have none.
// Of rigid ones, as of a slider in its slot, motion does not tell them: conjugate residuals that start without forces
// find hardly any, since what they add is L times something, but what a start has of them stays.
#pragma once

#include "contact/problem.hpp"

namespace sim {

// Whether forces r (reaction()) are self-stress but for less than half of their norm. False where that is not found
// out.
bool is_self_stress(const ContactProblem& problem, const VecX& r);

// The same of one contact: along a direction in which both of its sides are held a force moves nothing, and where the
// cone of friction has such a force, nothing says how large it is (end faces that are moved alike, and whose edges
// meet: 1e19 N where 40 N pressed).

// How far a contact is free to be opened by its forces, against one whose sides are free: 1, and 0 where a force in
// its cone moves nothing. `L` has a row of blocks for it without what is held, in `whole` (lambda, -gamma) move as
// much as this (s^2), each.
double free_part(const BlockMatrix& L, Index contact, double mu, double whole);

// The part of such forces that goes without leaving the cone. L^T r stays as it is.
void relieve(const ContactProblem& problem, ContactSolution& solution);

}  // namespace sim
