// Iterative constraint anticipation: Otaduy et al. 2009, section 5.
//
//     A v* = b                                            the unconstrained velocity, by conjugate gradients
//     repeat   D w = (L_A + U_A) v(i-1) + b               one step of Jacobi anticipates the velocity without
//     contacts
//              s = B r + L w - c,  B = L D^-1 L^T          forces r(i) from this small problem: coupled_contacts.hpp
//              (D - L_A) v(i) = U_A v(i-1) + b + L^T r(i)  one sweep of Gauss-Seidel
//
// Friction is a pyramid: a square around Coulomb's disk, of which one axis lies along the slip of v*. The status is
// judged with this pyramid; `cone_residual` says how far its solution is from the cone.
//
// Iterations are counted as Verschoor & Jalba 2019 count them (section 6.2.2): products with A. Two an outer
// iteration, one of Gauss-Seidel and one of Jacobi (here both together cost one, relaxation.hpp), and those of the
// unconstrained solve. Sweeps over the small problem are not counted. `evaluations` are the outer iterations,
// as are the rows of a trace, whose residual is that of momentum.
//
// What was replaced, and why: docs/decisions/ica.md.
#pragma once

#include "contact/coupled_contacts.hpp"
#include "contact/relaxation.hpp"
#include "contact/report.hpp"
#include "linear/conjugate_gradient.hpp"

namespace sim {

struct IcaOptions {
  // The inner loop ends when rows move by less than this part of what they moved in its first pass, or of eps2.
  double inner_fall = 0.05;
  Index most_passes = 50;
};

struct IcaScratch {
  CgScratch cg;
  Relaxation relaxation;
  CoupledContacts lcp;
  FrictionLaw law;          // pyramids, in the tangents of the problem
  FrictionLaw aligned_law;  // the same, in tangents along their axes
  BlockMatrix L;            // with tangents along the axes; so are c, r and `aligned`
  VecX c, r, s;
  ContactSolution aligned;
  std::vector<double> k;  // m/N (contact/residual.hpp)
  VecX w, force;
  ResidualScratch residual;
};

SolveReport solve_ica(const ContactProblem& problem, const ContactTolerance& tolerance, const SolveLimits& limits,
                      const IcaOptions& options, IcaScratch& scratch, ContactSolution& solution, Trace* trace);

}  // namespace sim
