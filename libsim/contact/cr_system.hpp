// The matrix B of conjugate residuals and its preconditioners Full and Diag (Verschoor & Jalba 2019, section 3.4).
//
//     Full:  C^-1 = [ A_d^-1 - A_d^-1 L^T S_d^-1 L A_d^-1    A_d^-1 L^T S_d^-1 ]
//                   [ S_d^-1 L A_d^-1                            -S_d^-1       ]
//     Diag:  C^-1 = diag(A_d^-1, S_d^-1)
//     A_d = diag(A),   S_d = (1 + P) diag(Z L A_d^-1 L^T) + D        -D stands on the diagonal of B
//
// P > 0 makes it proximal: rows that push give way in proportion to how much their force has changed since the
// residual was last computed, B has -P diag(Z L A_d^-1 L^T) there. It keeps rows that nearly depend on each other
// (two bodies that touch in many places) from shooting up, and is gone when forces do not change any more.
//
// Only the rows that take part count: RowMask says which. The two tangents of a contact share the mean of their S_d,
// so that nothing depends on how they lie in their plane.
#pragma once

#include "contact/problem.hpp"

namespace sim {

// Changes of rows with an effect below this part of eps2 are left out; the rest is for the rows themselves.
inline constexpr double negligible_part = 0.6;

enum class CrPreconditioner { full, diag };

// Which rows of a contact take part in B.
struct RowMask {
  enum class Tangents : std::uint8_t { none, both, across } tangents = Tangents::none;
  bool normal = false;
  Vec2 direction{1, 0};  // `across`: the tangent at right angles to this one
  double D = 0;          // m/N, of that tangent
  double D_normal = 0;   // m/N, of the normal, and the force at which it is without effect, N
  double lambda_there = 0;
};

struct CrSystem {
  std::vector<RowMask> rows;     // a contact
  VecX inverse_diagonal;         // A_d^-1
  VecX row_compliance;           // diag(L A_d^-1 L^T), m/N
  std::vector<double> S_n, S_t;  // a contact: of the normal and of the tangents, m/N, without P and D
  double P = 0;
  VecX work;
};

void prepare(const ContactProblem& problem, CrSystem& system);

Vec3 masked(const RowMask& mask, const Vec3& x);

// B z from A z_v; `Bzv` may be `Azv`.
void multiply(const ContactProblem& problem, const CrSystem& system, const VecX& Azv, const VecX& zv, const VecX& zc,
              VecX& Bzv, VecX& Bzc);

// z = C^-1 r
void precondition(const ContactProblem& problem, CrPreconditioner kind, CrSystem& system, const VecX& rv,
                  const VecX& rc, VecX& zv, VecX& zc);

}  // namespace sim
