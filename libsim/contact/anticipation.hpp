// Which contacts push, stick and slide, found by relaxation: iterative constraint anticipation (contact/ica.hpp) with
// Coulomb's exact cone instead of a pyramid, for a few sweeps.
//
//     w = D^-1 (b + (L_A + U_A) v)                      Jacobi, without contacts
//     r = what keeps v = w + D^-1 L^T r admissible      projected Gauss-Seidel on B = L D^-1 L^T
//     v: a sweep of Gauss-Seidel on A v = b + L^T r
//
// A contact is seen together with its neighbours here, which conjugate residuals do not see when they decide about
// one contact after the other. It converges fast where A is dominated by its diagonal, however many contacts there
// are, and hardly at all where A is stiff: then it tells states only.
#pragma once

#include "contact/coupled_contacts.hpp"
#include "contact/relaxation.hpp"
#include "contact/report.hpp"

namespace sim {

struct Anticipation {
  Relaxation relaxation;
  CoupledContacts lcp;
  bool prepared = false;  // for this problem
  VecX w, r, force, s;
};

struct SweepLimits {
  Index most = 40;
  Index most_slow = 3;  // sweeps in a row that bring less than a fifth; then it is given up
  Stop stop;
};

// Improves v, forces and states, until they are within the tolerance, the limits are met or would be met before that
// as it goes (judged after 64, 128... sweeps). Each sweep costs one product with A, and so does the start. Returns
// the number of products; each has a row in `trace`, where given.
Index anticipate(const ContactProblem& problem, const std::vector<double>& k, const ContactTolerance& tolerance,
                 const SweepLimits& limits, Anticipation& scratch, ContactSolution& solution, Trace* trace = nullptr);

}  // namespace sim
