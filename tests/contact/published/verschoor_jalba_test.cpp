#include "contact/published/verschoor_jalba.hpp"

#include <cmath>

#include "contact/chain.hpp"
#include "contact/hard_problems.hpp"
#include "contact/point_mass.hpp"
#include "contact/published/transcript.hpp"

namespace sim {
namespace verschoor_jalba_test {

using Eigen::MatrixXd;
using Eigen::VectorXd;
using test::DenseProblem;
using test::Iterate;

// Algorithms 1 to 3 of Verschoor & Jalba 2019 with matrices that are written out. y = (v, -lambda, gamma): the signs
// with which B is symmetric and lambda >= 0 pushes.
struct Transcription {
  enum Mode { inactive, statics, kinetic };

  DenseProblem in;
  double eps1, eps2;
  bool full;
  int n, m;
  VectorXd y;  // v, then a row of L each; of a kinetic contact the tangents are gamma'
  std::vector<Mode> mode;
  std::vector<Eigen::Vector2d> delta;
  std::vector<double> history;  // lambda at the update before
  MatrixXd B, C;                // C is the inverse of the preconditioner's matrix: C^-1 of the paper
  VectorXd d, Ad, Sd, S;        // S = Z^-1 Sd
  std::vector<Iterate> iterates;
  bool ended = false;

  Transcription(const ContactProblem& problem, const ContactTolerance& tolerance, bool full_)
      : in(problem), eps1(tolerance.momentum), eps2(tolerance.constraint), full(full_) {
    n = static_cast<int>(in.b.size());
    m = 3 * in.contacts;
    y = VectorXd::Zero(n + m);
    mode.assign(in.contacts, inactive);
    delta.assign(in.contacts, Eigen::Vector2d::Zero());
    history.assign(in.contacts, 0);
    Ad = in.A.diagonal();
    S = (in.L * Ad.cwiseInverse().asDiagonal() * in.L.transpose()).diagonal();
    Sd = S;
    for (int k = 0; k < m; ++k) Sd[k] *= in.Z[k / 3];
    form();
  }

  // v, lambda, gamma, delta and the states of the step before; the moving average begins anew.
  void start_from(const Transcription& before) {
    y = before.y;
    mode = before.mode;
    delta = before.delta;
    for (int k = 0; k < in.contacts; ++k) history[k] = -y[n + 3 * k];
    form();
  }

  bool takes_part(int row) const { return row % 3 == 0 ? mode[row / 3] != inactive : mode[row / 3] == statics; }

  // B, C^-1 and d of equations 20 and 22, and line 23 of Algorithm 2.
  void form() {
    MatrixXd La = in.L;
    VectorXd ca = in.c, Sinv = VectorXd::Zero(m), outside = VectorXd::Zero(m);
    for (int k = 0; k < m; ++k) {
      if (takes_part(k)) {
        Sinv[k] = 1 / Sd[k];
      } else {
        La.row(k).setZero();
        ca[k] = 0;
        outside[k] = y[n + k];
      }
    }
    B = MatrixXd::Zero(n + m, n + m);
    B.topLeftCorner(n, n) = in.A;
    B.topRightCorner(n, m) = La.transpose();
    B.bottomLeftCorner(m, n) = La;
    d = VectorXd(n + m);
    d << in.b - in.L.transpose() * outside, ca;
    const MatrixXd Ainv = Ad.cwiseInverse().asDiagonal(), Si = Sinv.asDiagonal();
    C = MatrixXd::Zero(n + m, n + m);
    if (full) {
      C.topLeftCorner(n, n) = Ainv - Ainv * La.transpose() * Si * La * Ainv;
      C.topRightCorner(n, m) = (Si * La * Ainv).transpose();
      C.bottomLeftCorner(m, n) = Si * La * Ainv;
      C.bottomRightCorner(m, m) = -Si;
    } else {
      C.topLeftCorner(n, n) = Ainv;
      C.bottomRightCorner(m, m) = Si;
    }
  }

  VectorXd active_part(VectorXd x) const {  // of what B acts on: inactive rows stand on the right-hand side
    for (int k = 0; k < m; ++k) x[n + k] = takes_part(k) ? x[n + k] : 0;
    return x;
  }

  bool evaluate(const VectorXd& r, int i) {
    const int interval = static_cast<int>(std::max(1.0, std::log2(r.norm() / eps1) / 3));
    if (!(i % interval == 0 || i == 0)) return false;
    const VectorXd s = in.L * y.head(n) - in.c;
    bool any = false;
    for (int k = 0; k < in.contacts; ++k) {
      const Eigen::Vector3d before = y.segment<3>(n + 3 * k);  // -lambda, gamma + gamma'
      const double distance = s[3 * k];
      const Eigen::Vector2d sliding = s.segment<2>(3 * k + 1);
      const auto unit = [](const Eigen::Vector2d& x) -> Eigen::Vector2d {
        return x.norm() > 0 ? Eigen::Vector2d(x / x.norm()) : Eigen::Vector2d(1, 0);
      };
      double lambda = -before[0], old = history[k], entering = 0;
      Eigen::Vector2d g = before.tail<2>(), turned = delta[k];
      Mode now = mode[k];
      if (now != inactive) {
        if (distance >= 0 && lambda <= 0) {
          now = inactive;
          lambda = old = 0;
          g.setZero();
          turned.setZero();
        }
      } else if (distance <= 0) {
        now = kinetic;
        turned = unit(sliding);
        entering = -distance;
      }
      if (now == statics) {
        if (g.norm() > in.mu[k] * lambda && sliding.dot(g) > 0) {
          now = kinetic;
          turned = unit(g);
          if (in.mu[k] > 0) old = g.norm() / in.mu[k];  // line 14: lambda', the history of the average
        }
      } else if (now == kinetic && sliding.dot(turned) <= 0) {
        now = statics;
        entering = std::max(entering, sliding.norm());
      }
      if (now == kinetic) {
        double held = lambda;
        if (g != in.mu[k] * lambda * turned) {
          held = (old + lambda) / 2;
          old = lambda;
        }
        const double cosine = turned.dot(unit(sliding));
        if (sliding.norm() > eps2 && 0 < cosine && cosine < std::cos(1.2 * M_PI / 180)) {
          turned += 0.01 * (unit(sliding) - turned);
          turned.normalize();
        }
        g = in.mu[k] * held * turned;
      }
      const Eigen::Vector3d after(-lambda, g[0], g[1]);
      const double effect = (S.segment<3>(3 * k).asDiagonal() * (after - before)).norm();
      if (std::max(effect, entering) > eps2) {
        mode[k] = now;
        y.segment<3>(n + 3 * k) = after;
        delta[k] = turned;
        history[k] = old;
        any = true;
      }
    }
    if (any) form();
    return any;
  }

  void run(int most) {
    VectorXd r = d - B * active_part(y), p = C * r;
    for (int j = 0; j < most; ++j) {
      const double down = (B * p).dot(C * B * p), up = (C * r).dot(B * C * r);
      const double alpha = up / down;
      y += alpha * p;
      r -= alpha * B * p;
      if (alpha > 0 && evaluate(r, j)) {
        r = d - B * active_part(y);
        p = C * r;
      } else {
        const double beta = -(C * r).dot(B * C * r) / up;
        p = C * r - beta * p;
      }
      bool again = false;
      if ((r.norm() < eps1 && r.tail(m).cwiseAbs().maxCoeff() < eps2) || (B * C * r).norm() < eps1) {
        again = evaluate(r, 0);
        ended = !again;
      }
      VectorXd forces = -y.tail(m);
      iterates.push_back({y.head(n), forces});
      if (ended) return;
      if (again) {
        r = d - B * active_part(y);
        p = C * r;
      }
    }
  }
};

constexpr ContactTolerance published_tolerance{};

class VerschoorJalba : public testing::TestWithParam<bool> {
 protected:
  static test::PublishedSolve method() {
    return GetParam() ? published::solve_verschoor_jalba_full : published::solve_verschoor_jalba_diag;
  }
  static int expect_as_transcribed(const ContactProblem& problem, const ContactTolerance& tolerance, int most = 200) {
    Transcription paper(problem, tolerance, GetParam());
    paper.run(most);
    test::expect_iterates(method(), problem, tolerance, paper.iterates, [](Index k) { return k; });
    ContactSolution solution;
    start_cold(problem, solution);
    const SolveReport report = method()(problem, tolerance, {.iterations = most, .stop = {}}, solution, nullptr);
    EXPECT_EQ(report.iterations, static_cast<Index>(paper.iterates.size()));
    EXPECT_EQ(paper.ended, report.status != SolveStatus::iteration_limit);
    return report.iterations;
  }
};

// With Diag the balance of momentum is exact when the contact becomes active, and what is left of the residual is its
// row alone: alpha is 0, beta 0 / 0. Nothing in the paper prevents it, and the status says so.
TEST_P(VerschoorJalba, HasTheIteratesOfThePaperOnAMassOrBreaksDownAsItDoes) {
  for (const Vec3& v0 : {Vec3(0.1, 0, -1), Vec3(1, 0, -1)}) {
    const ContactProblem problem = test::point_on_plane(v0, 0.5);
    if (GetParam()) {
      expect_as_transcribed(problem, published_tolerance);
      continue;
    }
    ContactSolution solution;
    start_cold(problem, solution);
    const SolveReport report =
        method()(problem, published_tolerance, {.iterations = 50, .stop = {}}, solution, nullptr);
    EXPECT_EQ(report.status, SolveStatus::breakdown);
    EXPECT_FALSE(report.reason.empty());
    EXPECT_LT((solution.v - v0).norm(), 1e-12);
  }
}

TEST_P(VerschoorJalba, HasTheIteratesOfThePaperOnAChainWhoseSlipsTurn) {
  EXPECT_GT(expect_as_transcribed(test::chain_on_floor({.masses = 12}), published_tolerance), 20);
}

TEST_P(VerschoorJalba, HasTheIteratesOfThePaperOnRandomProblems) {
  Random random(5);
  for (int n = 0; n < 8; ++n) {
    SCOPED_TRACE(n);
    // Rounding grows with the iterations: after 60 it is 1e-9 on some processors.
    expect_as_transcribed(test::random_problem(random, 6, 5, 0.1 * n), {1e-6, 1e-7}, 50);
  }
}

// A step goes on with v, lambda, gamma, delta and the states of the one before.
TEST_P(VerschoorJalba, HasTheIteratesOfThePaperFromAWarmStart) {
  const ContactProblem first = test::chain_on_floor({.masses = 12});
  const ContactTolerance tolerance{1e-6, 1e-7};
  Transcription paper(first, tolerance, GetParam());
  paper.run(40);
  ContactSolution start = test::cold(first);
  method()(first, tolerance, {.iterations = 40, .stop = {}}, start, nullptr);

  const ContactProblem next = test::chain_on_floor({.masses = 12, .sideways = 0.3});
  Transcription on(next, tolerance, GetParam());
  on.start_from(paper);
  on.run(25);
  ASSERT_GT(on.iterates.size(), 5U);
  test::expect_iterates_from(start, method(), next, tolerance, on.iterates, [](Index k) { return k; });
}

INSTANTIATE_TEST_SUITE_P(Both, VerschoorJalba, testing::Bool(),
                         [](const auto& tested) { return tested.param ? "Full" : "Diag"; });

TEST(VerschoorJalbaOfOnePaper, CountsAProductAnIterationAndTwoToBegin) {
  const ContactProblem problem = test::chain_on_floor({.masses = 12, .mu = 0});
  ContactSolution solution;
  start_cold(problem, solution);
  const SolveReport report = published::solve_verschoor_jalba_full(problem, published_tolerance,
                                                                   {.iterations = 5, .stop = {}}, solution, nullptr);
  EXPECT_EQ(report.iterations, 5);
  EXPECT_EQ(report.products, 5 + 2);
}

}  // namespace verschoor_jalba_test
}  // namespace sim
