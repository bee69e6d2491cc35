#include "linear/bodies.hpp"

#include <gtest/gtest.h>

#include "math/parallel.hpp"
#include "math/random.hpp"

namespace sim {
namespace bodies_test {

// Chains of springs, their nodes in turn: row i * chains + k is node i of chain k, the stiffer the higher k.
struct Chains {
  Index nodes, chains;
  BlockMatrix A;
  VecX b, exact;
};

Chains chains_in_turn(Index nodes, Index chains) {
  std::vector<std::array<Index, 2>> springs;
  for (Index k = 0; k < chains; ++k)
    for (Index i = 0; i + 1 < nodes; ++i) springs.push_back({i * chains + k, (i + 1) * chains + k});
  Chains all{nodes, chains, make_pattern(nodes * chains, springs), {}, {}};
  for (Index row = 0; row < all.A.rows(); ++row) all.A.at(all.A.find(row, row)) += 0.1 * Mat3::Identity();
  for (const auto& [i, j] : springs) {
    const Mat3 stiffness = (1.0 + 10 * (i % chains)) * Mat3::Identity();
    all.A.at(all.A.find(i, i)) += stiffness;
    all.A.at(all.A.find(j, j)) += stiffness;
    all.A.at(all.A.find(i, j)) -= stiffness;
    all.A.at(all.A.find(j, i)) -= stiffness;
  }
  Random random(5);
  all.exact.resize(3 * Eigen::Index{all.A.rows()});
  all.b.resize(all.exact.size());
  for (double& x : all.exact) x = random.uniform(-1, 1);
  multiply(all.A, all.exact, all.b);
  return all;
}

TEST(Bodies, AreTheConnectedPartsOfAPattern) {
  const std::vector<std::array<Index, 2>> pairs{{0, 4}, {4, 2}, {5, 1}};
  const Bodies bodies = find_bodies(make_pattern(6, pairs));
  EXPECT_EQ(bodies.count(), 3);
  EXPECT_EQ(bodies.of_row, (std::vector<Index>{0, 1, 0, 2, 0, 1}));
  EXPECT_EQ(bodies.rows, (std::vector<Index>{0, 2, 4, 1, 5, 3}));
  EXPECT_EQ(bodies.place, (std::vector<Index>{0, 0, 1, 0, 2, 1}));
}

TEST(Bodies, TakenOutTheyAreTheirRowsOfA) {
  const Chains all = chains_in_turn(5, 3);
  const Bodies bodies = find_bodies(all.A);
  BlockMatrix A;
  VecX x, y(15), whole(45);
  take_rows(all.A, bodies.rows_of(1), bodies.place, A);
  take_rows(all.exact, bodies.rows_of(1), x);
  multiply(A, x, y);
  multiply(all.A, all.exact, whole);
  for (Index i = 0; i < 5; ++i) EXPECT_LT((block(y, i) - block(whole, 3 * i + 1)).norm(), 1e-14);
  VecX back = VecX::Zero(45);
  put_rows(x, bodies.rows_of(1), back);
  for (Index row = 0; row < 15; ++row)
    EXPECT_EQ(block(back, row), row % 3 == 1 ? Vec3(block(all.exact, row)) : Vec3(Vec3::Zero()));
}

TEST(Bodies, AreSolvedToTheToleranceOfAllTogether) {
  const Chains all = chains_in_turn(40, 20);
  BodiesScratch scratch;
  VecX x = VecX::Zero(all.b.size());
  const Bodies bodies = find_bodies(all.A);
  std::vector<Index> every(20);
  for (Index i = 0; i < 20; ++i) every[i] = i;
  const CgReport report = solve_definite(all.A, all.b, bodies, every, {.tolerance = 1e-10}, false, scratch, x);
  EXPECT_EQ(report.status, CgStatus::converged);
  VecX product(x.size());
  multiply(all.A, x, product);
  const double missed = (all.b - product).norm();
  EXPECT_LE(missed, 1e-10 * all.b.norm());
  EXPECT_NEAR(report.residual, missed, 1e-3 * missed);
  EXPECT_LT((x - all.exact).norm(), 1e-7 * all.exact.norm());
}

TEST(Bodies, OnlyThoseThatAreChosenAndNotYetSolvedAreTouched) {
  const Chains all = chains_in_turn(40, 4);
  BodiesScratch scratch;
  VecX x = VecX::Zero(all.b.size());
  const Bodies bodies = find_bodies(all.A);
  for (Index row = 2; row < all.A.rows(); row += 4) block(x, row) = block(all.exact, row);
  const VecX start = x;
  const std::vector<Index> chosen{1, 2};
  const CgReport report = solve_definite(all.A, all.b, bodies, chosen, {.tolerance = 1e-10}, false, scratch, x);
  EXPECT_EQ(report.status, CgStatus::converged);
  EXPECT_EQ(scratch.reports[1].iterations, 0);
  EXPECT_EQ(report.iterations, scratch.reports[0].iterations);
  for (Index row = 0; row < all.A.rows(); ++row) {
    if (row % 4 != 1) {
      EXPECT_EQ(block(x, row), block(start, row));
    } else {
      EXPECT_LT((block(x, row) - block(all.exact, row)).norm(), 1e-7);
    }
  }
}

TEST(Bodies, OneThatDoesNotGetThereIsTold) {
  const Chains all = chains_in_turn(40, 4);
  BodiesScratch scratch;
  VecX x = VecX::Zero(all.b.size());
  const std::vector<Index> every{0, 1, 2, 3};
  const CgReport report =
      solve_definite(all.A, all.b, find_bodies(all.A), every, {.max_iterations = 3}, false, scratch, x);
  EXPECT_EQ(report.status, CgStatus::iteration_limit);
  EXPECT_EQ(report.iterations, 3);
  EXPECT_GT(report.residual, report.target);
}

TEST(Bodies, BitsDoNotDependOnThreads) {
  for (const auto& [nodes, chains] : {std::pair<Index, Index>{3000, 5}, {9000, 2}}) {  // small ones and large ones
    const Chains all = chains_in_turn(nodes, chains);
    const Bodies bodies = find_bodies(all.A);
    std::vector<Index> every;
    for (Index i = 0; i < chains; ++i) every.push_back(i);
    const auto solve = [&](int threads) {
      set_thread_count(threads);
      BodiesScratch scratch;
      VecX x = VecX::Zero(all.b.size());
      solve_definite(all.A, all.b, bodies, every, {.tolerance = 1e-6}, false, scratch, x);
      set_thread_count(1);
      return x;
    };
    EXPECT_EQ(solve(1), solve(2));
  }
}

}  // namespace bodies_test
}  // namespace sim
