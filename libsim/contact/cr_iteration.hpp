// Conjugate residuals by themselves, with the rows that a CrSystem says take part: what the methods that change these
// rows, each in its own way, have in common. A run of iterations between two changes minimises |d - B y| over
//
//     y in y_0 + span { C^-1 r_0, (C^-1 B) C^-1 r_0, ... },    r_0 = d - B y_0
//
// (Verschoor & Jalba 2019, Algorithm 1, lines 9 to 21.) y is the ContactSolution: forces of rows that take no part
// stay as they are and act through the right-hand side.
#pragma once

#include "contact/cr_system.hpp"
#include "contact/report.hpp"

namespace sim {

struct CrVectors {
  VecX rv, rc, zv, zc, pv, pc, qv, qc;    // r, z = C^-1 r, direction p, q = C^-1 B p: of the unknowns, of the rows
  VecX Av, Azv, Bzv, Bzc, Apv, Bpv, Bpc;  // A v, A z, B z, A p, B p
};

// When to look at constraints: when |r| has fallen to `fall`^(1 + `interval_growth` resets) of its largest since the
// last reset (never less than to `farthest`): the more often they changed, the longer they are left alone. But not
// longer than `longest` (1 + `interval_growth` resets) iterations.
struct CrIntervals {
  double fall = 0.3;
  double interval_growth = 0.1;
  double farthest = 1e-3;
  double longest = 100;
};

struct CrIteration {
  const ContactProblem& problem;
  CrSystem& system;
  CrVectors& s;
  ContactSolution& y;
  CrPreconditioner preconditioner = CrPreconditioner::full;
  Index products = 0;           // with A: one an iteration, and one more where it stood still
  Index with_A = 0;             // all products with A
  Index last_reset = 0;         // `products` then
  double size = 0;              // |r|
  double squared_momentum = 0;  // |r|^2 of the unknowns alone
  double largest = 0;           // of |r| since the last reset
  double rho = 0;               // z . B z
  double gradient = 0;          // |B z|
  bool still = false;           // the last step was one down the gradient

  void resize();
  void multiply_with_A();   // A v, which is then kept up to date by recurrence
  void compute_residual();  // r = d - B y, from A v
  void measure();           // |r|, as it is kept up to date
  void reset();             // a new first direction from a new residual
  double advance();         // one step; returns its length alpha, not finite where it broke down
  void turn();              // the next direction

  double worst_row() const { return s.rc.size() > 0 ? s.rc.cwiseAbs().maxCoeff() : 0.0; }  // m
  bool is_small(const ContactTolerance& tolerance) const;                                  // momentum and every row
  // |B C^-1 r| vanishes where r does not: rows that contradict each other (section 4.3).
  bool at_local_minimum(double momentum) const;
  bool is_time(const CrIntervals& intervals, Index resets) const;
  TraceRow trace_row(bool changed) const;
};

}  // namespace sim
