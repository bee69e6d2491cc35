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

// Section 5.5 from what the solve before has left.
std::vector<Iterate> transcribed_ica(const DenseProblem& in, const ContactTolerance& tolerance,
                                     const ContactSolution& start, int most) {
  const VectorXd free = test::unconstrained(in);
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
  VectorXd dv = start.v - free, lambda(m), gamma(2 * m);
  bool pushes = false;
  for (int k = 0; k < m; ++k) {
    const double c = rows.axis[2 * k], s = rows.axis[2 * k + 1];
    lambda[k] = start.lambda[k];
    gamma.segment<2>(2 * k) << c * start.gamma[k][0] + s * start.gamma[k][1],
        -s * start.gamma[k][0] + c * start.gamma[k][1];
    pushes = pushes || lambda[k] != 0;
  }
  if (!pushes) dv.setZero();
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

// With v* known to rounding: an iteration is an outer one.
void expect_as_transcribed(ContactProblem problem, const ContactTolerance& tolerance, const ContactSolution& start,
                           int most) {
  published::Unconstrained kept = test::known_flight(problem, test::unconstrained(DenseProblem(problem)));
  const auto ica = [&](const ContactProblem& one, const ContactTolerance& to, const SolveLimits& limits,
                       ContactSolution& solution,
                       Trace* trace) { return published::solve_otaduy(one, to, limits, kept, solution, trace); };
  test::expect_iterates_from(
      start, ica, problem, tolerance, transcribed_ica(DenseProblem(problem), tolerance, start, most),
      [](Index k) { return k; }, 1e-9);
}

TEST(Otaduy, HasTheIteratesOfThePaper) {
  expect_as_transcribed(chain(), {1e-13, 1e-9}, test::cold(chain()), 12);
  Random random(8);
  for (int n = 0; n < 8; ++n) {
    SCOPED_TRACE(n);
    const ContactProblem problem = test::random_problem(random, 6, 5, 0.1 * n);
    expect_as_transcribed(problem, {1e-13, 1e-9}, test::cold(problem), 12);
  }
}

// Step 1: dv, lambda and gamma of the solve before, whose slips had other directions.
TEST(Otaduy, HasTheIteratesOfThePaperFromAWarmStart) {
  published::Unconstrained none;
  ContactSolution start = test::cold(chain());
  published::solve_otaduy(chain(), fine, {}, none, start, nullptr);
  expect_as_transcribed(test::chain_on_floor({.masses = 8, .mu = 0.4, .sideways = -0.3}), {1e-13, 1e-9}, start, 12);
  Random random(8);
  for (int n = 0; n < 8; ++n) {
    SCOPED_TRACE(n);
    ContactProblem problem = test::random_problem(random, 6, 5, 0.3);
    start = test::cold(problem);
    published::solve_otaduy(problem, fine, {.iterations = 30, .stop = {}}, none, start, nullptr);
    for (Eigen::Index i = 0; i < problem.b.size(); ++i) problem.b[i] += random.uniform(-0.5, 0.5);
    expect_as_transcribed(problem, {1e-13, 1e-9}, start, 12);
  }
}

// A mass that comes down along x with W = dt^2 [1 0 0; 0 2 -1; 0 -1 1]: what pushes it up drives it back along y,
// across the slip of v*, and friction there has no bound from below. With impulses p, g_1, g_2:
//     v_y = -2 g_2 - p = 0,   v_z = -1 + g_2 + p = 0,   g_1 = mu p:      p = 2, g_2 = -1, v_x = 1 - 2 mu
TEST(Otaduy, HoldsASlipThatWouldTurnBackWithAnyForce) {
  constexpr double mu = 0.1;
  ContactProblem problem = test::point_on_plane({1, 0, -1}, mu);
  Mat3 W;
  W << 1, 0, 0, 0, 2, -1, 0, -1, 1;
  problem.A.at(0) = W.inverse();
  problem.b = problem.A.at(0) * Vec3(1, 0, -1);
  ContactSolution solution = test::cold(problem);
  published::Unconstrained kept;
  const SolveReport report = published::solve_otaduy(problem, fine, {}, kept, solution, nullptr);
  EXPECT_EQ(report.status, SolveStatus::converged) << report.reason;
  EXPECT_NEAR(test::dt * solution.lambda[0], 2, 1e-6);
  EXPECT_NEAR(test::dt * solution.gamma[0][0], 2 * mu, 1e-6);
  EXPECT_NEAR(test::dt * solution.gamma[0][1], -1, 1e-6);
  EXPECT_GT(std::abs(solution.gamma[0][1]), 4 * mu * solution.lambda[0]);
  EXPECT_LT((solution.v - Vec3(1 - 2 * mu, 0, 0)).norm(), 1e-6);
}

TEST(Otaduy, SolvesForTheUnconstrainedVelocityOnceAStep) {
  ContactProblem problem = chain();
  problem.version = 7;
  problem.bodies = {3};
  published::Unconstrained kept;
  const auto solve = [&](Index most) {
    ContactSolution solution = test::cold(problem);
    return published::solve_otaduy(problem, fine, {.iterations = most, .stop = {}}, kept, solution, nullptr);
  };
  const SolveReport first = solve(10000), second = solve(10000);
  EXPECT_LT((*kept.of_body[3] - test::unconstrained(DenseProblem(problem))).norm(), 1e-7);
  const Index flight = first.iterations - second.iterations;
  EXPECT_GT(flight, 2);
  EXPECT_EQ(first.evaluations, second.evaluations);
  EXPECT_EQ(first.products, second.products + flight + 2);  // and the residual before and after
  // An outer iteration is one product, its two halves together. Before the first: A v* and A dv.
  for (const Index most : {1, 5}) {
    EXPECT_EQ(solve(most).iterations, most);
    EXPECT_EQ(solve(most).products, most + 2);
  }
  problem.version = 8;
  EXPECT_EQ(solve(10000).iterations, first.iterations);
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

SolveReport anticipation(const ContactProblem& problem, const ContactTolerance& tolerance, const SolveLimits& limits,
                         ContactSolution& solution, Trace* trace) {
  published::KeptFactors kept;
  return published::solve_constraint_anticipation(problem, tolerance, limits, kept, solution, trace);
}

TEST(ConstraintAnticipationAsPublished, HasTheIteratesOfThePaper) {
  Random random(9);
  for (int n = 0; n < 4; ++n) {
    SCOPED_TRACE(n);
    const ContactProblem problem = n == 0 ? chain() : test::random_problem(random, 6, 5, 0.3);
    test::expect_iterates(anticipation, problem, {1e-13, 1e-14}, transcribed_anticipation(DenseProblem(problem), 10),
                          [](Index k) { return k; });
  }
}

TEST(ConstraintAnticipationAsPublished, FactorsABodyOnceAStep) {
  ContactProblem problem = chain();
  problem.version = 7;
  problem.bodies = {3};
  published::KeptFactors kept;
  ContactSolution solution;
  const auto solve = [&] {
    solution = test::cold(problem);
    const SolveReport report = published::solve_constraint_anticipation(problem, fine, {}, kept, solution, nullptr);
    EXPECT_EQ(report.status, SolveStatus::converged) << report.reason;
    EXPECT_GT(report.passes, 0);
    EXPECT_EQ(report.iterations, report.passes);
    EXPECT_EQ(report.products, 0);
    return report.factorisations;
  };
  EXPECT_EQ(solve(), 1);
  const VecX v = solution.v;
  EXPECT_EQ(solve(), 0);
  EXPECT_EQ(solution.v, v);
  problem.bodies = {2};  // another one
  EXPECT_EQ(solve(), 1);
  problem.version = 8;
  problem.A.at(0) *= 2;
  EXPECT_EQ(solve(), 1);
  const Eigen::MatrixXd A = DenseProblem(problem).A;
  VecX r, missing = A * solution.v - problem.b;
  reaction(solution, r);
  missing -= DenseProblem(problem).L.transpose() * r;
  EXPECT_LT(missing.norm(), 1e-12);
}

}  // namespace anticipation_test
}  // namespace sim
