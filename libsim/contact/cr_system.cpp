#include "contact/cr_system.hpp"

namespace sim {

namespace {

constexpr double nothing = 1e-12;  // of the other rows of a contact: rounding

Vec3 divided(const CrSystem& system, Index i, const Vec3& x) {
  const double S_n = (1 + system.P) * system.S_n[i] + system.rows[i].D_normal;
  const double S_t = (1 + system.P) * system.S_t[i] + system.rows[i].D;
  return {x[0] / S_n, x[1] / S_t, x[2] / S_t};
}

}  // namespace

void prepare(const ContactProblem& problem, CrSystem& system) {
  const auto contacts = static_cast<std::size_t>(problem.contacts());
  system.rows.assign(contacts, {});
  system.S_n.resize(contacts);
  system.S_t.resize(contacts);
  system.work.resize(problem.c.size());
  inverse_diagonal(problem, system.inverse_diagonal);
  row_compliance(problem, system.inverse_diagonal, system.row_compliance);
  for (Index i = 0; i < problem.contacts(); ++i) {
    const Vec3 S = block(system.row_compliance, i);
    // Rows that move nothing, of what is held along them on both sides: their forces are any, and do nothing.
    const auto or_any = [&](double own) { return own > nothing * S.sum() ? own : S.sum(); };
    system.S_n[i] = problem.Z[i] * or_any(S[0]);
    system.S_t[i] = problem.Z[i] * or_any(0.5 * (S[1] + S[2]));
  }
}

Vec3 masked(const RowMask& mask, const Vec3& x) {
  Vec3 result(mask.normal ? x[0] : 0.0, 0, 0);
  if (mask.tangents == RowMask::Tangents::both) {
    result.tail<2>() = x.tail<2>();
  } else if (mask.tangents == RowMask::Tangents::across) {
    const Vec2 across(-mask.direction[1], mask.direction[0]);
    result.tail<2>() = across * across.dot(x.tail<2>());
  }
  return result;
}

void multiply(const ContactProblem& problem, const CrSystem& system, const VecX& Azv, const VecX& zv, const VecX& zc,
              VecX& Bzv, VecX& Bzc) {
  if (&Bzv != &Azv) Bzv = Azv;
  add_transposed(problem.L, zc, Bzv);
  multiply(problem.L, zv, Bzc);
  for (Index i = 0; i < problem.contacts(); ++i) {
    const RowMask& rows = system.rows[i];
    const Vec3 z = block(zc, i);
    Vec3 product = masked(rows, block(Bzc, i));
    product[0] -= (system.P * system.S_n[i] + rows.D_normal) * z[0];
    product.tail<2>() -= (system.P * system.S_t[i] + rows.D) * z.tail<2>();
    block(Bzc, i) = product;
  }
}

void precondition(const ContactProblem& problem, CrPreconditioner kind, CrSystem& system, const VecX& rv,
                  const VecX& rc, VecX& zv, VecX& zc) {
  zv = system.inverse_diagonal.cwiseProduct(rv);
  if (kind == CrPreconditioner::diag) {
    for (Index i = 0; i < problem.contacts(); ++i) block(zc, i) = divided(system, i, block(rc, i));
    return;
  }
  // z_c = S^-1 (L A_d^-1 r_v - r_c),  z_v = A_d^-1 (r_v - L^T z_c)
  multiply(problem.L, zv, zc);
  for (Index i = 0; i < problem.contacts(); ++i) {
    block(zc, i) = divided(system, i, masked(system.rows[i], block(zc, i)) - block(rc, i));
  }
  system.work = -zc;
  zv = rv;
  add_transposed(problem.L, system.work, zv);
  zv = zv.cwiseProduct(system.inverse_diagonal);
}

}  // namespace sim
