// Who bears how much where rigid surfaces slide on each other. Their motion follows from the resultant of the normal
// forces of a patch, which its contacts may share in any way that gives it; a contact method ends with any one of
// them, and the torque of friction follows the one that it gives. The one that is meant is that of stiff elastic
// bodies, even pressure where the load is: of all shares lambda >= 0 with the same resultant the one of least
//
//     sum of lambda_i^2 / area_i          over the closed contacts of a patch: of two rigid bodies, with one normal
//
// which is a pressure p = lambda_i / area_i that changes linearly from place to place, and is 0 where it would pull
// (Winkler's foundation; area: ContactProblem::area). By its dual,
//
//     lambda_i = area_i max(0, g_i . y),     sum of lambda_i g_i = f,     g_i = L_i^T e_n,  f the resultant
//
// with y of as many unknowns as the contacts have ways to push (three in a plane), by Newton's method. What sticks
// in a patch shares the resultant of its friction by what it can hold.
//
// L^T r stays as it is, so that a method may share at any time and loses nothing of what it has reached. Friction of
// what slides is the method's: mu lambda of the new forces. Where nothing slides the forces stay as they are.
#pragma once

#include "contact/problem.hpp"

namespace sim {

// Contacts of two bodies, more of them than their resultant needs; all that is prescribed is one body.
struct Patch {
  std::vector<Index> contacts;
  Eigen::MatrixXd normal,
      tangential;  // a column a row of L: what 1 N in it does, in a basis of what all of them can do
};

std::vector<Patch> find_patches(const ContactProblem& problem);  // of one normal each

// The patches share what they bear anew, where closed contacts slide by their `states`. Contacts that are open there
// keep their forces.
void share_evenly(const ContactProblem& problem, const std::vector<FrictionState>& states,
                  const std::vector<Patch>& patches, ContactSolution& solution);

// The same for what a method begins from, or has ended with: what pushes or has come as near as that (m) is closed,
// what moves by more than the tolerance slides, with friction along its slip. Where all contacts of two bodies slide
// they share as one patch, whatever their normals: a bar under a couple bears along both lips of its bush alike, and
// not on sides that would hold it if it did not. (On a method's way there locked wedges were braced by it.) True
// where something was shared anew.
bool share_evenly(const ContactProblem& problem, double tolerance, ContactSolution& solution);

}  // namespace sim
