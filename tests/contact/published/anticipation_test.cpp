// Otaduy et al. 2009 and constraint anticipation against transcriptions with dense matrices.
#include <Eigen/Cholesky>
#include <Eigen/LU>
#include <cmath>

#include "contact/chain.hpp"
#include "contact/hard_problems.hpp"
#include "contact/point_mass.hpp"
#include "contact/published/constraint_anticipation.hpp"
#include "contact/published/otaduy.hpp"
#include "contact/published/transcript.hpp"

namespace sim {
namespace anticipation_test {

using Eigen::MatrixXd;
using Eigen::VectorXd;
using test::DenseProblem;
using test::Iterate;

// Equations 7 to 14. Rows of J are normals; those of H lie along the slip of v* and across it. gamma resists a slip
// along its row: forces on the bodies are J' lambda - H' gamma.
struct Rows {
  MatrixXd J, H;
  VectorXd cn, ct, axis;  // axis: cos and sin of a contact

  Rows(const DenseProblem& in, const VectorXd& free) {
    const int m = in.contacts;
    const VectorXd s = in.L * free - in.c;
    J = MatrixXd(m, in.b.size());
    H = MatrixXd(2 * m, in.b.size());
    cn = VectorXd(m);
    ct = VectorXd(2 * m);
    axis = VectorXd(2 * m);
    for (int k = 0; k < m; ++k) {
      Eigen::Vector2d a = s.segment<2>(3 * k + 1);
      a = a.norm() > 0 ? Eigen::Vector2d(a / a.norm()) : Eigen::Vector2d(1, 0);
      axis.segment<2>(2 * k) = a;
      J.row(k) = in.L.row(3 * k);
      H.row(2 * k) = a[0] * in.L.row(3 * k + 1) + a[1] * in.L.row(3 * k + 2);
      H.row(2 * k + 1) = -a[1] * in.L.row(3 * k + 1) + a[0] * in.L.row(3 * k + 2);
      cn[k] = in.c[3 * k];
      ct[2 * k] = a[0] * in.c[3 * k + 1] + a[1] * in.c[3 * k + 2];
      ct[2 * k + 1] = -a[1] * in.c[3 * k + 1] + a[0] * in.c[3 * k + 2];
    }
  }

  VectorXd forces(const VectorXd& lambda, const VectorXd& gamma) const {  // (lambda, -gamma) in the tangents of L
    VectorXd r(3 * lambda.size());
    for (int k = 0; k < lambda.size(); ++k) {
      const double c = axis[2 * k], s = axis[2 * k + 1];
      r.segment<3>(3 * k) << lambda[k], -(c * gamma[2 * k] - s * gamma[2 * k + 1]),
          -(s * gamma[2 * k] + c * gamma[2 * k + 1]);
    }
    return r;
  }
};

// One visit of a contact (3.2.1.1 to 3.2.1.6): `u` and `w` are the slips that all forces together bring about.
template <class Slips>
void visit(int k, int times, const VectorXd& mu, const MatrixXd& Bn, const MatrixXd& Bt, const Slips& slips,
           VectorXd& lambda, VectorXd& gamma) {
  for (int time = 0; time < times; ++time) {
    lambda[k] = std::max(0.0, lambda[k] - slips().first[k] / Bn(k, k));
    for (int row = 2 * k; row < 2 * k + 2; ++row)
      gamma[row] = std::min(mu[k] * lambda[k], gamma[row] + slips().second[row] / Bt(row, row));
  }
}

struct ComplementarityErrors {
  double normal = 0, tangential = 0, nearest = 1e300;

  ComplementarityErrors(const VectorXd& mu, const VectorXd& kn, const VectorXd& un, const VectorXd& ut,
                        const VectorXd& lambda, const VectorXd& gamma) {
    for (int k = 0; k < lambda.size(); ++k) {
      normal += std::pow(std::min(un[k], kn[k] * lambda[k]), 2);
      nearest = std::min(nearest, un[k]);
      for (int row = 2 * k; row < 2 * k + 2; ++row)
        tangential += std::pow(std::min(ut[row], kn[k] * (mu[k] * lambda[k] - gamma[row])), 2);
    }
    normal = std::sqrt(normal);
    tangential = std::sqrt(tangential);
  }
};

// Section 5.5 from dv = 0 and no forces.
std::vector<Iterate> transcribed_ica(const DenseProblem& in, const ContactTolerance& tolerance, const VectorXd& free,
                                     int most) {
  const int n = static_cast<int>(in.b.size()), m = in.contacts;
  const Rows rows(in, free);
  MatrixXd D = MatrixXd::Zero(n, n), lower = MatrixXd::Zero(n, n), upper = MatrixXd::Zero(n, n);
  for (int i = 0; i < n; i += 3) {
    for (int j = 0; j < n; j += 3) {
      MatrixXd& part = i == j ? D : i > j ? lower : upper;
      part.block<3, 3>(i, j) = (i == j ? 1 : -1) * in.A.block<3, 3>(i, j);
    }
  }
  const MatrixXd Dinv = D.inverse();
  const MatrixXd Bl = rows.J * Dinv * rows.J.transpose(), Bg = rows.H * Dinv * rows.H.transpose();
  const MatrixXd Blg = rows.J * Dinv * rows.H.transpose();
  VectorXd mean(m);  // m/N: forces as lengths
  for (int k = 0; k < m; ++k) mean[k] = (Bl(k, k) + Bg(2 * k, 2 * k) + Bg(2 * k + 1, 2 * k + 1)) / 3;
  VectorXd dv = VectorXd::Zero(n), lambda = VectorXd::Zero(m), gamma = VectorXd::Zero(2 * m);
  std::vector<Iterate> iterates;
  for (int i = 0; i < most; ++i) {
    const VectorXd anticipated = free + Dinv * (lower + upper) * dv;
    const VectorXd cl = rows.cn - rows.J * anticipated, cg = rows.ct - rows.H * anticipated;
    const auto slips = [&] {
      return std::pair<VectorXd, VectorXd>(Bl * lambda - Blg * gamma - cl,
                                           Blg.transpose() * lambda - Bg * gamma - cg);
    };
    const auto errors = [&] {
      const auto [un, ut] = slips();
      return ComplementarityErrors(in.mu, mean, un, ut, lambda, gamma);
    };
    ComplementarityErrors before = errors();
    for (int pass = 0; pass < 1000; ++pass) {
      for (int k = 0; k < m; ++k) visit(k, 3, in.mu, Bl, Bg, slips, lambda, gamma);
      const ComplementarityErrors now = errors();
      const auto still_is = [&](double a, double b) {
        return std::abs(a - b) <= 0.05 * std::max(b, tolerance.constraint);
      };
      const bool still = still_is(now.normal, before.normal) && still_is(now.tangential, before.tangential);
      before = now;
      if (still && now.nearest > -0.5 * tolerance.constraint) break;
    }
    dv = (D - lower).lu().solve(upper * dv + rows.J.transpose() * lambda - rows.H.transpose() * gamma).eval();
    iterates.push_back({free + dv, rows.forces(lambda, gamma)});
  }
  return iterates;
}

ContactProblem chain() {
  return test::chain_on_floor({.masses = 8, .mu = 0.4});
}

constexpr ContactTolerance fine{1e-7, 1e-8};

VectorXd unconstrained(const ContactProblem& problem) {
  const DenseProblem in(problem);
  return in.A.llt().solve(in.b);
}

SolveReport ica(const ContactProblem& problem, const ContactTolerance& tolerance, const SolveLimits& limits,
                ContactSolution& solution, Trace* trace) {
  published::Unconstrained kept;
  return published::solve_otaduy(problem, tolerance, limits, kept, solution, trace);
}

TEST(Otaduy, HasTheIteratesOfThePaper) {
  const ContactProblem problem = chain();
  // v* to rounding, as the transcription has it: counted before the first outer iteration.
  const ContactTolerance exact{1e-13, 1e-9};
  const DenseProblem in(problem);
  ContactSolution start;
  start_cold(problem, start);
  const SolveReport first = ica(problem, exact, {.iterations = 40, .stop = {}}, start, nullptr);
  const Index before = first.iterations - first.evaluations;
  const std::vector<Iterate> paper = transcribed_ica(in, exact, unconstrained(problem), 12);
  test::expect_iterates(
      ica, problem, exact, paper, [&](Index k) { return before + k; }, 1e-8);
}

TEST(Otaduy, HoldsASlipThatWouldTurnBackWithAnyForce) {
  // Across the slip of v* nothing is to move, and friction there has no bound from below: the mass that comes down
  // along x is stopped along y by as much as it takes.
  ContactProblem problem = test::point_on_plane({1, 0, -1}, 0.1);
  ContactSolution solution;
  start_cold(problem, solution);
  const SolveReport report = ica(problem, fine, {}, solution, nullptr);
  EXPECT_EQ(report.status, SolveStatus::converged) << report.reason;
  EXPECT_NEAR(solution.gamma[0][0], 0.1 * solution.lambda[0], 1e-6);
  EXPECT_NEAR(solution.gamma[0][1], 0, 1e-6);
}

TEST(Otaduy, SolvesForTheUnconstrainedVelocityOnceAStep) {
  ContactProblem problem = chain();
  problem.version = 7;
  problem.bodies = {3};
  published::Unconstrained kept;
  ContactSolution solution;
  start_cold(problem, solution);
  const SolveReport first = published::solve_otaduy(problem, fine, {}, kept, solution, nullptr);
  start_cold(problem, solution);
  const SolveReport second = published::solve_otaduy(problem, fine, {}, kept, solution, nullptr);
  EXPECT_GT(first.iterations, first.evaluations);
  EXPECT_EQ(second.iterations, second.evaluations);  // an outer iteration is one product
  EXPECT_EQ(first.evaluations, second.evaluations);
  problem.version = 8;
  start_cold(problem, solution);
  EXPECT_EQ(published::solve_otaduy(problem, fine, {}, kept, solution, nullptr).iterations, first.iterations);
}

// W from the inverse of A, one pass after the other.
std::vector<Iterate> transcribed_anticipation(const DenseProblem& in, int most) {
  const Eigen::LLT<MatrixXd> A(in.A);
  const VectorXd free = A.solve(in.b);
  const Rows rows(in, free);
  const MatrixXd Wn = rows.J * A.solve(rows.J.transpose()), Wt = rows.H * A.solve(rows.H.transpose());
  const MatrixXd Wnt = rows.J * A.solve(rows.H.transpose());
  VectorXd lambda = VectorXd::Zero(in.contacts), gamma = VectorXd::Zero(2 * in.contacts);
  const auto slips = [&] {
    return std::pair<VectorXd, VectorXd>(Wn * lambda - Wnt * gamma + rows.J * free - rows.cn,
                                         Wnt.transpose() * lambda - Wt * gamma + rows.H * free - rows.ct);
  };
  std::vector<Iterate> iterates;
  for (int pass = 0; pass < most; ++pass) {
    for (int k = 0; k < in.contacts; ++k) visit(k, 1, in.mu, Wn, Wt, slips, lambda, gamma);
    iterates.push_back(
        {free + A.solve(rows.J.transpose() * lambda - rows.H.transpose() * gamma), rows.forces(lambda, gamma)});
  }
  return iterates;
}

TEST(ConstraintAnticipationAsPublished, HasTheIteratesOfThePaper) {
  Random random(9);
  for (int n = 0; n < 4; ++n) {
    SCOPED_TRACE(n);
    const ContactProblem problem = n == 0 ? chain() : test::random_problem(random, 6, 5, 0.3);
    test::expect_iterates(published::solve_constraint_anticipation, problem, {1e-13, 1e-14},
                          transcribed_anticipation(DenseProblem(problem), 10), [](Index k) { return k; });
  }
}

TEST(ConstraintAnticipationAsPublished, FactorsEachBlockOfA) {
  const ContactProblem problem = chain();
  ContactSolution solution;
  start_cold(problem, solution);
  const SolveReport report =
      published::solve_constraint_anticipation(problem, fine, {.iterations = 10000, .stop = {}}, solution, nullptr);
  EXPECT_EQ(report.status, SolveStatus::converged) << report.reason;
  EXPECT_EQ(report.factorisations, 1);
  EXPECT_EQ(report.passes, report.iterations);
  EXPECT_EQ(report.products, 0);
}

}  // namespace anticipation_test
}  // namespace sim
