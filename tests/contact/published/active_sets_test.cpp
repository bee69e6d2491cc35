// Staggered projections and QP-Collide against transcriptions with dense matrices: iterates between changes of their
// active sets are those of the linear solvers, so what is compared is every one of them.
#include <Eigen/Cholesky>
#include <cmath>

#include "contact/chain.hpp"
#include "contact/hard_problems.hpp"
#include "contact/point_mass.hpp"
#include "contact/published/raghupathi_faure.hpp"
#include "contact/published/staggered_projections.hpp"
#include "contact/published/transcript.hpp"

namespace sim {
namespace active_sets_test {

using Eigen::MatrixXd;
using Eigen::VectorXd;
using test::DenseProblem;
using test::Iterate;

// Two QPs in turn (Verschoor & Jalba 2019, section 6.2.3), each by conjugate residuals with the preconditioner
// diag(A_d^-1, S_d^-1). y = (v, -lambda, gamma).
struct TranscribedProjections {
  DenseProblem in;
  double eps1, eps2;
  bool on_the_way;
  int n, m, iterations = 0, products = 0, most;
  VectorXd y, S, Sd, bound;
  std::vector<bool> active, slides;
  MatrixXd B, C;
  VectorXd d;
  std::vector<Iterate> iterates;

  double fastest() const { return largest(&Iterate::v); }
  double strongest() const { return std::max(1.0, largest(&Iterate::r)); }  // N: less than that is rounding
  double largest(VectorXd Iterate::*of) const {
    double found = 0;
    for (const Iterate& one : iterates) found = std::max(found, (one.*of).cwiseAbs().maxCoeff());
    return found;
  }

  TranscribedProjections(const ContactProblem& problem, const ContactTolerance& tolerance, bool switching, int limit)
      : in(problem), eps1(tolerance.momentum), eps2(tolerance.constraint), on_the_way(switching), most(limit) {
    n = static_cast<int>(in.b.size());
    m = 3 * in.contacts;
    y = VectorXd::Zero(n + m);
    S = (in.L * in.A.diagonal().cwiseInverse().asDiagonal() * in.L.transpose()).diagonal();
    Sd = S;
    for (int k = 0; k < m; ++k) Sd[k] *= in.Z[k / 3];
    bound = VectorXd::Zero(m);
    active.assign(m, false);
    slides.assign(m, false);
  }

  void form() {
    MatrixXd La = in.L;
    VectorXd ca = in.c, held = y.tail(m), Sinv = VectorXd::Zero(m);
    for (int k = 0; k < m; ++k) {
      if (active[k]) {
        held[k] = 0;
        Sinv[k] = 1 / Sd[k];
      } else {
        La.row(k).setZero();
        ca[k] = 0;
      }
    }
    B = MatrixXd::Zero(n + m, n + m);
    B.topLeftCorner(n, n) = in.A;
    B.topRightCorner(n, m) = La.transpose();
    B.bottomLeftCorner(m, n) = La;
    C = MatrixXd::Zero(n + m, n + m);
    C.diagonal() << in.A.diagonal().cwiseInverse(), Sinv;
    d = VectorXd(n + m);
    d << in.b - in.L.transpose() * held, ca;
  }

  // v* is corrected from what the solve before has left of it; where that had no forces from itself.
  void start_from(const ContactSolution& before, const VectorXd& unconstrained) {
    y.head(n) = unconstrained;
    for (const double lambda : before.lambda) {
      if (lambda != 0) y.head(n) = before.v;
    }
    for (int k = 0; k < in.contacts; ++k) y.segment<3>(n + 3 * k) << -before.lambda[k], before.gamma[k];
  }

  VectorXd residual() const {
    VectorXd part = y;
    for (int k = 0; k < m; ++k) part[n + k] = active[k] ? part[n + k] : 0;
    return d - B * part;
  }

  double sign(int k) const { return y[n + k] < 0 ? -1 : 1; }

  // False where nothing has changed by more than eps2.
  bool change_normals(bool early) {
    const VectorXd s = in.L * y.head(n) - in.c;
    bool any = false;
    for (int k = 0; k < m; k += 3) {
      const double lambda = -y[n + k];
      if (active[k] && lambda <= 0 && (!early || s[k] >= 0) && S[k] * std::abs(lambda) > eps2) {
        active[k] = false;
        y[n + k] = 0;
        any = true;
      } else if (!active[k] && s[k] < -eps2) {
        active[k] = any = true;
      }
    }
    return any;
  }

  bool change_friction(bool early) {
    const VectorXd s = in.L * y.head(n) - in.c;
    bool any = false;
    for (int k = 0; k < m; ++k) {
      if (bound[k] == 0) continue;
      const double gamma = y[n + k], along = s[k] * sign(k);
      if (active[k]) {
        const double beyond = std::abs(gamma) - bound[k];
        if (!(beyond > 0) || S[k] * beyond <= eps2 || (early && along <= 0)) continue;
        y[n + k] = sign(k) * bound[k];
      } else if (along > 0 || std::abs(s[k]) <= eps2) {
        continue;
      }
      active[k] = !active[k];
      slides[k] = !active[k];
      any = true;
    }
    return any;
  }

  template <class Change>
  bool qp(const Change& change) {  // false where iterations ran out
    form();
    VectorXd r = residual(), p = C * r;
    ++products;  // A C r; A y is had from A p
    for (;;) {
      if (r.norm() < eps1 && r.tail(m).cwiseAbs().maxCoeff() < eps2) {
        if (!change(false)) return true;
        form();
        r = residual();
        p = C * r;
        ++products;
      }
      if (iterations == most) return false;
      const double up = (C * r).dot(B * C * r), alpha = up / (B * p).dot(C * B * p);
      y += alpha * p;
      r -= alpha * B * p;
      ++iterations;
      ++products;  // A C r, of the new r
      const int interval = static_cast<int>(std::max(1.0, std::log2(r.norm() / eps1) / 3));
      if (on_the_way && alpha > 0 && iterations % interval == 0 && change(true)) {
        form();
        r = residual();
        p = C * r;
      } else {
        p = C * r + (C * r).dot(B * C * r) / up * p;
      }
      iterates.push_back({y.head(n), -y.tail(m)});
    }
  }

  void run(int rounds) {
    ++products;  // A y
    for (int round = 0; round < rounds; ++round) {
      for (int k = 0; k < m; ++k) active[k] = k % 3 == 0 && y[n + k] < 0;
      if (!qp([&](bool early) { return change_normals(early); })) return;
      for (int k = 0; k < m; ++k) {
        bound[k] = k % 3 == 0 ? 0 : in.mu[k / 3] * std::max(0.0, -y[n + k - k % 3]);
        if (bound[k] == 0) slides[k] = false;
        active[k] = bound[k] > 0 && !slides[k];
        if (k % 3 != 0 && !active[k]) y[n + k] = sign(k) * bound[k];
      }
      if (!qp([&](bool early) { return change_friction(early); })) return;
      ++products;  // what the whole problem misses
    }
  }
};

class StaggeredProjectionsAsPublished : public testing::TestWithParam<bool> {
 protected:
  static SolveReport solve(const ContactProblem& problem, const ContactTolerance& tolerance, Index most,
                           published::Unconstrained& kept, ContactSolution& solution) {
    const auto method = GetParam() ? published::solve_sp_cr : published::solve_sp_active_set;
    return method(problem, tolerance, {.iterations = most, .stop = {}}, kept, solution, nullptr);
  }

  // All that is there where iterations run out: velocities, forces and products with A. Coarse, v* too: where
  // momentum is exact when rows change, conjugate residuals with this preconditioner stand still (z.B z is 0), and
  // which way they go is rounding.
  static void expect_as_transcribed(ContactProblem problem, int most, const ContactSolution& start) {
    const ContactTolerance coarse{0.05, 1e-4};
    VecX unconstrained = test::unconstrained(DenseProblem(problem));
    Random random(1);
    for (Eigen::Index i = 0; i < unconstrained.size(); ++i) unconstrained[i] += random.uniform(-0.003, 0.003);
    published::Unconstrained kept = test::known_flight(problem, unconstrained);
    const auto transcribed = [&](int limit) {
      TranscribedProjections paper(problem, coarse, GetParam(), limit);
      paper.start_from(start, unconstrained);
      paper.run(2);
      return paper;
    };
    const TranscribedProjections whole = transcribed(most);
    EXPECT_GT(whole.iterations, 5);
    const double fastest = whole.fastest(), strongest = whole.strongest();
    for (int k = 1; k < whole.iterations; ++k) {
      SCOPED_TRACE("after iteration " + std::to_string(k));
      const TranscribedProjections paper = transcribed(k);
      ContactSolution solution = start;
      const SolveReport report = solve(problem, coarse, k, kept, solution);
      VecX r;
      reaction(solution, r);
      test::expect_same(solution.v, paper.y.head(paper.n), fastest, 1e-9);
      test::expect_same(r, -paper.y.tail(paper.m), strongest, 1e-9);
      EXPECT_EQ(report.products, paper.products);
    }
  }
};

TEST_P(StaggeredProjectionsAsPublished, HaveTheIteratesOfTwoRounds) {
  const ContactProblem chain = test::chain_on_floor({.masses = 8});
  expect_as_transcribed(chain, 400, test::cold(chain));
  Random random(3);
  for (int n = 0; n < 4; ++n) {
    SCOPED_TRACE(n);
    const ContactProblem problem = test::random_problem(random, 6, 4, 0.3);
    expect_as_transcribed(problem, 120, test::cold(problem));
  }
}

TEST_P(StaggeredProjectionsAsPublished, HaveTheIteratesOfTwoRoundsFromAWarmStart) {
  published::Unconstrained none;
  const ContactProblem before = test::chain_on_floor({.masses = 8});
  ContactSolution start = test::cold(before);
  solve(before, {}, 10000, none, start);
  expect_as_transcribed(test::chain_on_floor({.masses = 8, .sideways = 0.3}), 400, start);
}

// By conjugate gradients, once a step; its products count, its iterations do not.
TEST_P(StaggeredProjectionsAsPublished, BeginWithTheUnconstrainedVelocity) {
  ContactProblem problem = test::chain_on_floor({.masses = 8});
  problem.version = 7;
  problem.bodies = {0};
  published::Unconstrained kept;
  ContactSolution one = test::cold(problem), other = one, third = one;
  const SolveReport first = solve(problem, {}, 10000, kept, one), second = solve(problem, {}, 10000, kept, other);
  ASSERT_TRUE(kept.of_body.at(0).has_value());
  EXPECT_LT((*kept.of_body[0] - test::unconstrained(DenseProblem(problem))).norm(), 5e-5);
  EXPECT_EQ(first.iterations, second.iterations);
  EXPECT_GT(first.products, second.products + 2);
  EXPECT_EQ(one.v, other.v);
  // A v; A C^-1 r, and once more where rows enter at v*; one an iteration.
  EXPECT_EQ(solve(problem, {}, 3, kept, third).products, 3 + 3);
}

TEST_P(StaggeredProjectionsAsPublished, SayWhereTheirRoundsSwingForEver) {
  // f mu = -1.6: a round turns the change of friction of the one before round, and makes it larger.
  ContactSolution solution;
  const ContactProblem problem = test::coupled_mass(-2, 0.8);
  start_cold(problem, solution);
  published::Unconstrained kept;
  const SolveReport report = solve(problem, {}, 500, kept, solution);
  EXPECT_NE(report.status, SolveStatus::converged);
  EXPECT_FALSE(report.reason.empty());
}

INSTANTIATE_TEST_SUITE_P(Both, StaggeredProjectionsAsPublished, testing::Bool(),
                         [](const auto& tested) { return tested.param ? "OnTheWay" : "ActiveSet"; });

// Algorithm 1 of Raghupathi & Faure 2006, conjugate gradients on the composite matrix written out. Row k is detected
// when collisions are looked for the found[k]-th time (line 2; the first time is 0).
struct TranscribedQpCollide {
  std::vector<Iterate> iterates;
  std::vector<int> set, toggles;
  int detections = 0, products = 0;  // with the composite matrix
};
TranscribedQpCollide transcribed_qp_collide(const DenseProblem& in, const ContactTolerance& tolerance, double h,
                                            int most, std::vector<int> found = {}) {
  const int n = static_cast<int>(in.b.size()), m = in.contacts;
  MatrixXd J(m, n);
  VectorXd c(m);
  for (int k = 0; k < m; ++k) {
    J.row(k) = in.L.row(3 * k) / h;
    c[k] = in.c[3 * k] / h;
  }
  VectorXd x = VectorXd::Zero(n + m);  // v and the impulses
  found.resize(m, 0);
  TranscribedQpCollide told{{}, std::vector<int>(m, -1), std::vector<int>(m, 0), 0, 0};
  auto& [iterates, set, toggles, detections, products] = told;  // -1 not there, 0 not active, 1 active, 2 removed
  const auto detect = [&, &set = told.set, &detections = told.detections] {
    for (int k = 0; k < m; ++k) {
      if (found[k] == detections) set[k] = J.row(k).dot(x.head(n)) < c[k] ? 1 : 0;
    }
    ++detections;
  };
  const auto solve = [&] {
    MatrixXd K = MatrixXd::Zero(n + m, n + m);
    VectorXd d = VectorXd::Zero(n + m);
    K.topLeftCorner(n, n) = in.A;
    d.head(n) = in.b;
    for (int k = 0; k < m; ++k) {
      if (set[k] != 1) {
        x[n + k] = 0;
        continue;
      }
      K.block(n + k, 0, 1, n) = -J.row(k);
      K.block(0, n + k, n, 1) = -J.row(k).transpose();
      K(n + k, n + k) = -1e-3;
      d[n + k] = -c[k];
    }
    VectorXd r = d - K * x, p = r;
    ++told.products;
    while (r.head(n).norm() >= tolerance.momentum || h * r.tail(m).cwiseAbs().maxCoeff() >= tolerance.constraint) {
      if (static_cast<int>(iterates.size()) == most) return false;
      const double alpha = r.squaredNorm() / p.dot(K * p);
      ++told.products;
      const VectorXd next = r - alpha * K * p;
      x += alpha * p;
      p = next + next.squaredNorm() / r.squaredNorm() * p;
      r = next;
      VectorXd forces = VectorXd::Zero(3 * m);
      for (int k = 0; k < m; ++k) forces[3 * k] = x[n + k] / h;
      iterates.push_back({x.head(n), forces});
    }
    return true;
  };
  if (!solve()) return told;
  for (bool endloop = false; !endloop;) {
    detect();
    if (!solve()) return told;
    endloop = true;
    for (int k = 0; k < m; ++k) {
      const bool pulls = set[k] == 1 && x[n + k] < 0, violated = set[k] == 0 && J.row(k).dot(x.head(n)) < c[k];
      if (!pulls && !violated) continue;
      set[k] = ++toggles[k] > 4 ? 2 : pulls ? 0 : 1;
      endloop = false;
      if (set[k] != 1) iterates.back().r[3 * k] = 0;  // it does not push any more
    }
  }
  return told;
}

TEST(QpCollide, HasTheIteratesOfThePaper) {
  const ContactTolerance fine{1e-6, 1e-8};
  Random random(4);
  for (int n = 0; n < 4; ++n) {
    SCOPED_TRACE(n);
    const ContactProblem problem =
        n == 0 ? test::chain_on_floor({.masses = 8, .mu = 0}) : test::random_problem(random, 6, 5, 0);
    const TranscribedQpCollide paper = transcribed_qp_collide(DenseProblem(problem), fine, 0.01, 40);
    EXPECT_GT(paper.iterates.size(), 10u);
    test::expect_iterates(
        published::solve_raghupathi_faure, problem, fine, paper.iterates, [](Index k) { return k; }, 1e-7);
    ContactSolution solution = test::cold(problem);
    const SolveReport report =
        published::solve_raghupathi_faure(problem, fine, {.iterations = 40, .stop = {}}, solution, nullptr);
    EXPECT_EQ(report.products, paper.products);
  }
}

// The rows of a problem that have been found so far, as a step hands them on: by who they are, in any order.
ContactProblem rows_found(const ContactProblem& all, const std::vector<int>& found, int detections) {
  ContactProblem part = all;
  part.version = 1;
  part.L = {};
  part.mu.clear();
  part.Z.clear();
  std::vector<Index> kept;
  for (Index i = all.contacts() - 1; i >= 0; --i) {
    if (found[i] < detections) kept.push_back(i);
  }
  part.c.resize(3 * static_cast<Eigen::Index>(kept.size()));
  for (const Index i : kept) {
    for (Index slot = all.L.row_begin[i]; slot < all.L.row_begin[i + 1]; ++slot) {
      part.L.column.push_back(all.L.column[slot]);
      part.L.values.insert(part.L.values.end(), all.L.at(slot).data(), all.L.at(slot).data() + 9);
    }
    part.L.row_begin.push_back(static_cast<Index>(part.L.column.size()));
    block(part.c, static_cast<Index>(part.id.size())) = block(all.c, i);
    part.id.push_back(static_cast<std::uint64_t>(100 + i));
    part.mu.push_back(all.mu[i]);
    part.Z.push_back(all.Z[i]);
  }
  part.L.values.push_back(0);
  return part;
}

TEST(QpCollide, DetectsAfterEachQpAsThePaper) {
  const ContactTolerance fine{1e-9, 1e-12};
  Random random(4);
  int most_toggles = 0, most_detections = 0;
  for (int n = 0; n < 40; ++n) {
    SCOPED_TRACE(n);
    const ContactProblem problem = test::random_problem(random, 6, 12, 0);
    std::vector<int> found(12);
    for (int k = 0; k < 12; ++k) found[k] = k % 3;
    const TranscribedQpCollide paper = transcribed_qp_collide(DenseProblem(problem), fine, 0.01, 5000, found);
    published::QpCollideProgress progress;
    std::vector<double> lambda(12, 0.0);
    VecX v = VecX::Zero(problem.b.size());
    int detections = 0;
    for (SolveReport report{.status = SolveStatus::unsettled}; report.status == SolveStatus::unsettled;) {
      ASSERT_LT(detections, 200);
      const ContactProblem part = rows_found(problem, found, detections++);
      ContactSolution solution;
      start_cold(part, solution);
      solution.v = v;
      for (Index i = 0; i < part.contacts(); ++i) solution.lambda[i] = lambda[part.id[i] - 100];
      report = published::solve_raghupathi_faure_once(part, fine, {.iterations = 5000, .stop = {}}, progress,
                                                      solution, nullptr);
      v = solution.v;
      for (Index i = 0; i < part.contacts(); ++i) lambda[part.id[i] - 100] = solution.lambda[i];
    }
    EXPECT_EQ(detections - 1, paper.detections);
    test::expect_same(v, paper.iterates.back().v, paper.iterates.back().v.cwiseAbs().maxCoeff(), 1e-7);
    for (int k = 0; k < 12; ++k) {
      if (found[k] >= paper.detections) continue;
      const auto& row = progress.rows.at(static_cast<std::uint64_t>(100 + k));
      EXPECT_EQ(row.toggles, paper.toggles[k]) << k;
      EXPECT_EQ(static_cast<int>(row.set) - 1, paper.set[k]) << k;
      most_toggles = std::max(most_toggles, row.toggles);
    }
    most_detections = std::max(most_detections, detections);
  }
  EXPECT_GT(most_toggles, 1);
  EXPECT_GT(most_detections, 4);
}

// Rows of crossing edges that meet in their middles have weights of 1/2: nothing in them is as long as the step.
TEST(QpCollide, HasTheImpulsesOfTheLengthOfTheStep) {
  ContactProblem problem = test::point_on_plane({0, 0, -1}, 0);
  problem.L.at(0) *= 0.5;
  problem.dt = test::dt;
  ContactSolution solution = test::cold(problem);
  published::solve_raghupathi_faure(problem, {1e-9, 1e-10}, {.iterations = 100, .stop = {}}, solution, nullptr);
  // (1/2) v = -l p and v = -1 + (1/2) p / m: p (1 / (4 m) + l) = 1/2
  EXPECT_NEAR(solution.lambda[0] * test::dt, 0.5 / (0.25 / test::mass + 1e-3), 1e-8);
}

TEST(QpCollide, FallsShortByThePerturbation) {
  // p (1 / m + l) = 1 m/s with m = 2 kg, and the gap is -l p h.
  const ContactProblem problem = test::point_on_plane({0, 0, -1}, 0);
  ContactSolution solution;
  start_cold(problem, solution);
  const SolveReport report =
      published::solve_raghupathi_faure(problem, {1e-9, 1e-10}, {.iterations = 100, .stop = {}}, solution, nullptr);
  EXPECT_EQ(report.status, SolveStatus::by_its_rule);
  EXPECT_FALSE(report.reason.empty());
  const double p = 1 / (0.5 + 1e-3);
  EXPECT_NEAR(solution.lambda[0] * test::dt, p, 1e-9);
  EXPECT_NEAR(report.residual.penetration, 1e-3 * p * test::dt, 1e-11);
}

}  // namespace active_sets_test
}  // namespace sim
