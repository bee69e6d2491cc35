// Conjugate residuals with constraints that change state on the way: Algorithms 1 to 3 of Verschoor & Jalba 2019.
//
//     B y = d:   [ A  L^T ] [    v     ]   [ b - J_t^T gamma' ]        only active normal rows and rows of sticking
//                [ L  -D  ] [ (-l, g)  ] = [        c         ]        contacts take part in L
//
// gamma' = mu lambda' delta is the friction of sliding contacts, on the right-hand side with a lambda' of before.
// docs/decisions/conjugate-residual.md says where this goes beyond the paper, and why.
#pragma once

#include "contact/report.hpp"

namespace sim {

enum class CrPreconditioner {
  full,  // the blockwise inverse of B with A_d = diag(A) and S_d = diag(Z L A_d^-1 L^T); indefinite
  diag,  // diag(A_d^-1, S_d^-1)
};

struct CrOptions {
  CrPreconditioner preconditioner = CrPreconditioner::full;
  double gate = 0.5;
  int variant = 0;
  double interval = 3;
  double growth = 0.0;
};

struct CrContact;

struct CrScratch {
  std::vector<CrContact> contacts;
  VecX inverse_diagonal;                // A_d^-1
  std::vector<double> k;                // compliance of every contact
  VecX Av, Lv, force;                   // A v, L v, and (-lambda, gamma) of all contacts
  VecX rv, rc, zv, zc, pv, pc, qv, qc;  // residual, C^-1 r, direction, C^-1 B p: unknowns and contact rows
  VecX Azv, Bzv, Bzc, Apv, Bpv, Bpc, t, w;
  ResidualScratch residual;
};

struct SolveOptions;

SolveReport solve_cr(const ContactProblem& problem, const ContactTolerance& tolerance, Index max_iterations,
                     const CrOptions& options, CrScratch& scratch, ContactSolution& solution, Trace* trace);

struct CrContact {
  double s_n = 0, s_t = 0;   // S_d: m/N
  double lambda_before = 0;  // for the moving average
  double D = 0;
  double lambda_used = 0;
  Index toggles = 0;
};

}  // namespace sim
