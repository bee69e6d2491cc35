#include "contact/convex_newton.hpp"

#include <algorithm>
#include <cmath>

namespace sim {

namespace {

struct Projected {
  Vec3 r;
  double across = 1;  // how far r turns sideways with x; 1 inside, 0 outside of the cone
  Vec3 edge{0, 0, 0}, sideways{0, 0, 0};
  bool inside = false;

  // D = root root, of unit compliance.
  Mat3 root() const {
    if (inside) return Mat3::Identity();
    return edge * edge.transpose() + std::sqrt(across) * sideways * sideways.transpose();
  }
};

// The nearest point of the cone.
Projected project(const Vec3& x, double mu) {
  const double size = x.tail<2>().norm();
  if (size <= mu * x[0]) return {.r = x, .inside = true};
  if (x[0] + mu * size <= 0) return {.r = Vec3::Zero(), .across = 0};
  const double normal = (x[0] + mu * size) / (1 + mu * mu);
  const Vec2 e = size > 0 ? Vec2(x.tail<2>() / size) : Vec2(1, 0);
  const Vec3 edge(1, mu * e[0], mu * e[1]);
  return {.r = normal * edge,
          .across = size > 0 ? mu * normal / size : 0,
          .edge = edge.normalized(),
          .sideways = Vec3(0, -e[1], e[0])};
}

// The normal force, and friction within mu times that; D of unit compliance.
Vec3 project_in_turn(const Vec3& x, double mu, Mat3& D) {
  D.setZero();
  if (x[0] <= 0) return Vec3::Zero();
  const double size = x.tail<2>().norm(), bound = mu * x[0];
  if (size <= bound) {
    D.setIdentity();
    return x;
  }
  const Vec2 e = x.tail<2>() / size;
  D(0, 0) = 1;
  D.bottomLeftCorner<2, 1>() = mu * e;
  D.bottomRightCorner<2, 2>() = bound / size * (Eigen::Matrix2d::Identity() - e * e.transpose());
  return {x[0], bound * e[0], bound * e[1]};
}

struct ConvexNewton {
  const std::vector<double>& mu;
  FrictionBound bound;
  const Precision& precision;
  const ConvexNewtonOptions& options;
  const SolveLimits& limits;
  const Judge& error_in_tolerances;
  ConvexNewtonScratch& s;
  ConvexForm& form;
  VecX& answer;
  ConvexNewtonReport report{};
  double at_last_update = std::numeric_limits<double>::infinity();  // conditions
  double momentum = 0, conditions = 0;                              // errors in tolerances, of the softened problem
  double error = 0;                                                 // of the problem as it is

  Index contacts() const { return static_cast<Index>(mu.size()); }

  void begin() {
    const Eigen::Index size = 3 * Eigen::Index{contacts()};
    for (VecX* x : {&s.r0, &s.r, &s.physical_r, &s.physical_u}) x->setZero(size);
    for (VecX* x : {&s.soft, &s.s, &s.missing_s}) x->setZero(contacts());
    s.root.resize(mu.size());
    s.K.setConstant(contacts(), options.penalty);
    s.missed.setConstant(contacts(), std::numeric_limits<double>::infinity());
    for (Index i = 0; i < contacts(); ++i) block(s.r0, i) = block(answer, i) * s.scale[i];
    soften();
    for (Index i = 0; i < contacts(); ++i) s.s[i] = wanted_shift(i, block(s.r0, i));
    s.anderson.begin(options.history, contacts());
  }

  // mu times the slip of the softened problem: a contact that sticks yields to its friction, and does not slip.
  double wanted_shift(Index i, const Vec3& r) const {
    return mu[i] * (form.u.segment<2>(3 * i + 1) + s.soft[i] * r.tail<2>()).norm();
  }

  void soften() {
    double largest = 0;
    for (Index i = 0; i < contacts(); ++i) largest = std::max(largest, s.r0[3 * i] / s.scale[i]);
    if (largest <= 0) return;
    for (Index i = 0; i < contacts(); ++i)
      s.soft[i] = options.soft * precision.tolerance.constraint / (largest * s.scale[i] * s.scale[i]);
  }

  // Of all contacts together at first, then of each whose update is not enough, if the one before was little better;
  // but steps that turn with friction find no way where K is less.
  void lessen_penalties() {
    const double enough = precision.finer * precision.tolerance.constraint;
    const bool all = conditions > 0.25 * at_last_update;
    at_last_update = conditions;
    for (Index i = 0; i < contacts(); ++i) {
      const double missed = s.K[i] * (block(s.r, i) - block(s.r0, i)).norm();
      const bool own = missed * s.scale[i] > enough && missed > 0.25 * s.missed[i];
      s.missed[i] = missed;
      if (s.K[i] > options.common_penalty) {
        if (all) s.K[i] = std::max(0.1 * s.K[i], options.common_penalty);
      } else if (own && bound == FrictionBound::held) {
        s.K[i] = std::min(s.K[i], std::max({0.1 * s.K[i], s.soft[i], penalty_of_rounding(i)}));
      }
    }
  }

  // Where what rounding leaves of u and s is as much momentum as may be missed.
  double penalty_of_rounding(Index i) const {
    const double lost = std::numeric_limits<double>::epsilon() * (block(form.u, i).norm() + s.s[i]);
    return form.push[i] * lost / (finest_part * precision.tolerance.momentum);
  }

  // The forces and shifts that the contacts have now.
  void follow() {
    lessen_penalties();
    s.r0 = s.r;
    soften();
    if (bound == FrictionBound::turning) return;
    for (Index i = 0; i < contacts(); ++i) s.missing_s[i] = wanted_shift(i, block(s.r, i)) - s.s[i];
    s.anderson.advance(s.missing_s, s.s);
    s.s = s.s.cwiseMax(0.0);
  }

  Projected force(Index i, const Vec3& u) const {
    Vec3 x = s.K[i] * block(s.r0, i) - u;
    x[0] -= s.s[i];
    return project(x / (s.K[i] + s.soft[i]), mu[i]);
  }

  void evaluate() {
    for (Index i = 0; i < contacts(); ++i) {
      const double stiffness = 1 / (s.K[i] + s.soft[i]);
      if (bound == FrictionBound::turning) {
        block(s.r, i) = project_in_turn(stiffness * (s.K[i] * block(s.r0, i) - block(form.u, i)), mu[i], s.root[i]);
        s.root[i] *= stiffness;
      } else {
        const Projected projected = force(i, block(form.u, i));
        block(s.r, i) = projected.r;
        s.root[i] = projected.root() * std::sqrt(stiffness);
      }
    }
    momentum = form.unbalanced(s.r) / precision.tolerance.momentum;
  }

  void judge() {
    for (Index i = 0; i < contacts(); ++i) {
      block(s.physical_r, i) = block(s.r, i) / s.scale[i];
      block(s.physical_u, i) = block(form.u, i) * s.scale[i];
    }
    error = std::max(momentum, error_in_tolerances(s.physical_u, s.physical_r));
    for (Index i = 0; i < contacts(); ++i) block(s.physical_u, i) += s.soft[i] * s.scale[i] * block(s.r, i);
    conditions = error_in_tolerances(s.physical_u, s.physical_r);
    if (!(error < report.error || is_done())) return;
    report.error = error;
    answer = s.physical_r;
    form.remember();
  }

  // Rows yield by what forces were at the last update: these may have grown since.
  bool is_done() const { return momentum <= finest_part && conditions <= precision.finer && error <= 1; }

  // Of the convex function, at v + a dv.
  double slope(double a) const {
    double sum = form.slope() + a * form.curvature();
    for (Index i = 0; i < contacts(); ++i)
      sum -= block(form.du, i).dot(force(i, block(form.u, i) + a * block(form.du, i)).r);
    return sum;
  }

  // Near the smallest value along the step: the slope is a tenth of the first one.
  double length_of_step() const {
    double low = 0, high = 1, at_low = slope(0), at_high = slope(1);
    const double enough = -0.1 * at_low;
    if (at_high <= enough) return 1;
    double a = 1;
    for (int i = 0; i < 30; ++i) {
      a = low + (high - low) * std::clamp(at_low / (at_low - at_high), 0.1, 0.9);
      const double now = slope(a);
      if (std::abs(now) <= enough) break;
      (now < 0 ? low : high) = a;
      (now < 0 ? at_low : at_high) = now;
    }
    return a;
  }

  // Halved until the gradient is less.
  void take_turning_step() {
    const double before = momentum;
    double a = 1;
    form.advance(a);
    evaluate();
    for (int n = 0; n < options.most_halvings && !(momentum < before); ++n) {
      a *= 0.5;
      form.advance(-a);
      evaluate();
    }
  }

  void run() {
    begin();
    evaluate();
    judge();
    const bool turns = bound == FrictionBound::turning;
    Index steps = 0, since_update = 0;
    while (!is_done() && !limits.met(report.iterations) && std::isfinite(momentum + conditions)) {
      ++report.iterations;
      const bool is_near = momentum <= std::max(finest_part, 0.1 * conditions);
      if (is_near || (turns && since_update == options.most_between_updates)) {
        if (turns && report.error <= 1 && !(conditions < at_last_update)) return;  // no nearer: near enough
        follow();
        since_update = 0;
        evaluate();
      } else if (const Index taken = turns ? report.iterations : ++steps;
                 taken > options.most_steps || form.flops > options.most_flops) {
        return;
      } else if (turns) {
        ++since_update;
        if (!form.find_turning_step(s.root)) return;
        take_turning_step();
      } else if (!form.find_step(s.r, s.root, limits.stop)) {
        report.definite = false;
        return;
      } else {
        form.advance(length_of_step());
        evaluate();
      }
      judge();
    }
  }
};

}  // namespace

void find_scale(const std::vector<double>& k, VecX& scale) {
  scale.resize(static_cast<Eigen::Index>(k.size()));
  for (std::size_t i = 0; i < k.size(); ++i) scale[static_cast<Eigen::Index>(i)] = std::sqrt(k[i]);
}

void norms_of_rows(const BlockMatrix& L, VecX& norms) {
  norms.setZero(L.rows());
  for (Index i = 0; i < L.rows(); ++i) {
    for (Index slot = L.row_begin[i]; slot < L.row_begin[i + 1]; ++slot)
      norms[i] = std::hypot(norms[i], L.at(slot).norm());
  }
}

ConvexNewtonReport convex_newton(const std::vector<double>& mu, FrictionBound bound, const Precision& precision,
                                 const ConvexNewtonOptions& options, const SolveLimits& limits,
                                 const Judge& error_in_tolerances, ConvexNewtonScratch& scratch, ConvexForm& form,
                                 VecX& r) {
  ConvexNewton method{mu, bound, precision, options, limits, error_in_tolerances, scratch, form, r};
  method.run();
  return method.report;
}

}  // namespace sim
