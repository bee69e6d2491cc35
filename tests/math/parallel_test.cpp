#include "math/parallel.hpp"

#include <gtest/gtest.h>

#include <new>
#include <vector>

#include "math/random.hpp"

namespace sim {
namespace parallel_test {

TEST(Parallel, EveryIndexIsVisitedOnce) {
  for (const int threads : {1, 2, 5}) {
    set_thread_count(threads);
    for (const Index count : {0, 1, 7, 64, 1000}) {
      std::vector<int> visits(static_cast<std::size_t>(count), 0);
      parallel_for(count, 7, [&](Index begin, Index end) {
        for (Index i = begin; i < end; ++i) ++visits[static_cast<std::size_t>(i)];
      });
      EXPECT_EQ(visits, std::vector<int>(static_cast<std::size_t>(count), 1));
    }
  }
  set_thread_count(1);
}

TEST(Parallel, ManyShortLoopsOneAfterTheOtherLoseNothing) {
  set_thread_count(4);
  std::vector<long> sums(64, 0);
  for (int round = 0; round < 20000; ++round) {
    parallel_for(64, 1, [&](Index begin, Index) { sums[static_cast<std::size_t>(begin)] += round; });
  }
  set_thread_count(1);
  EXPECT_EQ(sums, std::vector<long>(64, 20000L * 19999 / 2));
}

TEST(Parallel, LoopsWithinLoopsVisitEveryPairOnce) {
  set_thread_count(3);
  std::vector<int> visits(100 * 100, 0);
  parallel_for(100, 7, [&](Index begin, Index end) {
    for (Index i = begin; i < end; ++i) {
      parallel_for(100, 9, [&, i](Index from, Index to) {
        for (Index j = from; j < to; ++j) ++visits[static_cast<std::size_t>(100 * i + j)];
      });
    }
  });
  set_thread_count(1);
  EXPECT_EQ(visits, std::vector<int>(100 * 100, 1));
}

TEST(Parallel, WhatAChunkThrowsReachesTheCaller) {
  for (const int threads : {1, 3}) {
    set_thread_count(threads);
    std::vector<int> visits(1000, 0);
    const auto visit = [&](Index begin, Index end) {
      for (Index i = begin; i < end; ++i) {
        if (i == 300) throw std::bad_alloc();
        ++visits[static_cast<std::size_t>(i)];
      }
    };
    EXPECT_THROW(parallel_for(1000, 10, visit), std::bad_alloc) << threads;
    int sum = 0;
    parallel_for(3, 1, [&](Index begin, Index) { visits[static_cast<std::size_t>(begin)] = 7; });
    for (std::size_t i = 0; i < 3; ++i) sum += visits[i];
    EXPECT_EQ(sum, 21) << threads;
  }
  set_thread_count(1);
}

TEST(Parallel, SumsHaveTheSameBitsForAnyNumberOfThreads) {
  Random random(3);
  VecX a(100000), b(100000);
  for (Index i = 0; i < 100000; ++i) {
    a[i] = random.uniform(-1, 1);
    b[i] = random.uniform(-1e6, 1e6);
  }
  set_thread_count(1);
  const double one = dot(a, b);
  for (const int threads : {2, 3, 4}) {
    set_thread_count(threads);
    EXPECT_EQ(dot(a, b), one);
  }
  set_thread_count(1);
  EXPECT_NEAR(one, a.dot(b), 1e-10 * a.norm() * b.norm());
}

TEST(Parallel, SumOverMoreChunksThanFitOnTheStack) {
  const double sum = parallel_sum(1000, 1, [](Index begin, Index) { return static_cast<double>(begin); });
  EXPECT_EQ(sum, 999.0 * 1000 / 2);
}

TEST(Random, FirstNumbersAreThoseOfPcg32) {
  // The reference generator (pcg32, stream 721347520444481703), seeded with 42, worked out with integers of any
  // length.
  Random random(42);
  std::vector<std::uint32_t> numbers(3);
  for (std::uint32_t& number : numbers) number = random.next();
  EXPECT_EQ(numbers, (std::vector<std::uint32_t>{3270867926u, 1795671209u, 1924641435u}));
}

TEST(Random, QuaternionsAreUnitAndEvenlySpread) {
  Random random(9);
  Eigen::Matrix4d second_moment = Eigen::Matrix4d::Zero();
  const int draws = 20000;
  for (int i = 0; i < draws; ++i) {
    const auto q = random_quaternion(random);
    const Eigen::Vector4d w(q[0], q[1], q[2], q[3]);
    EXPECT_NEAR(w.norm(), 1.0, 1e-14);
    second_moment += w * w.transpose() / draws;
  }
  EXPECT_LT((second_moment - 0.25 * Eigen::Matrix4d::Identity()).cwiseAbs().maxCoeff(), 0.01);
}

}  // namespace parallel_test
}  // namespace sim
