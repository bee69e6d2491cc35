#include "contact/douglas_rachford.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "contact/coulomb_contact.hpp"

namespace sim {

namespace {

struct Splitting {
  const DouglasRachfordOptions& options;
  const Accept& accept;
  DouglasRachfordScratch& s;
  CoupledIsland& island;
  DouglasRachfordReport report;

  Index contacts() const { return island.W.rows(); }
  double product_flops() const { return 18.0 * island.W.slots(); }

  // So that K is 1: W <- S^-1 W S^-1 and q <- S^-1 q with S = sqrt(K), and forces times S.
  void rescale() {
    s.scale.resize(contacts());
    s.diagonal.resize(static_cast<std::size_t>(contacts()));
    for (Index i = 0; i < contacts(); ++i) {
      s.diagonal[i] = island.W.find(i, i);
      const double own = island.W.at(s.diagonal[i]).trace() / 3;
      s.scale[i] = own > 0 ? std::sqrt(options.penalty * own) : 1;
    }
    for (Index i = 0; i < contacts(); ++i) {
      for (Index slot = island.W.row_begin[i]; slot < island.W.row_begin[i + 1]; ++slot)
        island.W.at(slot) /= s.scale[i] * s.scale[island.W.column[slot]];
    }
    s.q.resize(island.q.size());
    s.r.resize(island.q.size());
    for (Index i = 0; i < contacts(); ++i) {
      block(s.q, i) = block(island.q, i) / s.scale[i];
      block(s.r, i) = block(island.r, i) * s.scale[i];
    }
  }

  bool factor_shifted(const Stop& stop) {
    s.shifted = island.W;
    for (const Index slot : s.diagonal) s.shifted.at(slot).diagonal().array() += 1;
    s.F.pattern = std::make_shared<const CholeskyPattern>(analyse(s.shifted));
    s.rows.resize(static_cast<std::size_t>(contacts()));
    std::iota(s.rows.begin(), s.rows.end(), 0);
    report.flops += s.F.pattern->flops;
    return report.definite = factor(s.shifted, s.rows, s.cholesky, s.F, stop);
  }

  void pass() {
    for (Index i = 0; i < contacts(); ++i) {
      const Mat3 own = island.W.at(s.diagonal[i]);
      const Vec3 u = block(s.q, i) + multiply_slots(island.W, island.W.row_begin[i], island.W.row_begin[i + 1], s.r);
      block(s.r, i) = coulomb_contact(own, u - own * block(s.r, i), island.mu[i]);
    }
    ++report.passes;
    report.flops += product_flops();
  }

  void project() {
    for (Index i = 0; i < contacts(); ++i) {
      const double normal = std::max(0.0, s.s[3 * i]), bound = island.mu[i] * normal;
      Vec2 tangential = s.s.segment<2>(3 * i + 1);
      const double size = tangential.norm();
      if (size > bound) tangential *= bound / size;
      block(s.z, i) << normal, tangential;
    }
  }

  // The answer is x, in newtons.
  bool is_accepted(const VecX& x) {
    s.u.resize(x.size());
    multiply(island.W, x, s.u);
    s.u += s.q;
    report.flops += product_flops();
    island.r.resize(x.size());
    island.u.resize(x.size());
    for (Index i = 0; i < contacts(); ++i) {
      block(island.r, i) = block(x, i) / s.scale[i];
      block(island.u, i) = block(s.u, i) * s.scale[i];
    }
    return report.accepted = accept(island.u, island.r);
  }

  void iterate(const SolveLimits& limits) {
    s.s = s.r - s.u;
    s.z.resize(s.r.size());
    s.anderson.begin(options.history, s.r.size());
    double before = std::numeric_limits<double>::infinity();
    while (!limits.met(report.passes + report.iterations)) {
      ++report.iterations;
      project();
      if (is_accepted(s.z)) return;
      s.r = 2 * s.z - s.s - s.q;
      solve_forwards(s.F, s.cholesky, s.r);
      solve_back(s.F, s.cholesky, s.r);
      s.f = options.relaxation * (s.r - s.z);
      report.flops += s.F.pattern->solve_flops;
      const double size = s.f.norm();
      if (!std::isfinite(size)) return;
      if (report.iterations > options.accelerated) {
        s.s += s.f;
        continue;
      }
      if (size > before) s.anderson.forget();
      before = size;
      s.anderson.advance(s.f, s.s);
      report.flops += 8.0 * s.anderson.kept() * static_cast<double>(s.f.size());
    }
  }
};

}  // namespace

DouglasRachfordReport douglas_rachford(const DouglasRachfordOptions& options, const SolveLimits& limits,
                                       const Accept& accept, DouglasRachfordScratch& scratch, CoupledIsland& island) {
  Splitting method{options, accept, scratch, island, {}};
  method.rescale();
  if (!method.factor_shifted(limits.stop)) return method.report;
  while (method.report.passes < options.first_passes && !limits.met(method.report.passes)) method.pass();
  if (!method.is_accepted(scratch.r)) method.iterate(limits);
  return method.report;
}

}  // namespace sim
