// The system of the published methods that solve for velocities and forces together, of the rows that are active:
//
//     B y = d:    [ A     L_a^T ] [ v ]   [ b - L_f^T x_f ]        x = (-lambda, gamma_1, gamma_2) a contact
//                 [ L_a    0    ] [ x_a ] = [     c_a     ]        a: active rows, f: the others
//
// (Verschoor & Jalba 2019, equations 11 and 20.) And conjugate residuals on it: their Algorithm 1 without its
// constraints,
//
//     alpha = r.C^-1 B C^-1 r / p.B C^-1 B p,   y += alpha p,   r -= alpha B p
//     p = C^-1 r - beta p,   beta = -(r.C^-1 B C^-1 r) / (the same of the r before)
//
// with one product with A an iteration. After a change of the active rows only what they do is computed anew: A v is
// kept (section 3.5).
#pragma once

#include "contact/problem.hpp"
#include "contact/report.hpp"

namespace sim::published {

struct Pair {
  VecX v, x;  // of the unknowns, of the rows
};

enum class Preconditioner { full, diag };  // equation 22 with A_d and S_d; diag(A_d^-1, S_d^-1)

struct Kkt {
  const ContactProblem& problem;
  VecX A_d_inverse;  // 1 / diag(A)
  VecX S_d;          // diag(Z L A_d^-1 L^T), m/N, a row
  VecX compliance;   // Z^-1 S_d
  VecX active;       // 1 or 0, a row

  explicit Kkt(const ContactProblem& problem);
  void multiply(const VecX& Az, const Pair& z, Pair& Bz) const;  // from A z
  void precondition(Preconditioner kind, const Pair& r, Pair& z) const;
  Pair residual(const VecX& Av, const Pair& y) const;  // d - B y
};

struct ConjugateResidual {
  Kkt& B;
  Preconditioner kind;
  Pair y, r, z, Bz, p, Bp, CBp;  // z = C^-1 r
  VecX Av, Az, Ap;
  double rho = 0;      // z . B z
  Index products = 0;  // with A

  ConjugateResidual(Kkt& system, Preconditioner kind, Pair start);
  void restart();    // r, p and B p of the rows as they are now
  double advance();  // lines 9 to 11; returns alpha
  void turn();       // lines 15 to 17

  double size() const;       // |r|
  double worst_row() const;  // m, |U r|_inf
  double gradient() const;   // |B C^-1 r|
};

// The forces of a solution as x, and back.
VecX rows_of(const ContactSolution& solution);
void set_forces(const VecX& x, ContactSolution& solution);

}  // namespace sim::published
