// What is watched when must not change a bit of what happens, and nothing may pass through anything.
#include <gtest/gtest.h>

#include "asynchronous/played.hpp"
#include "collide/intersections.hpp"
#include "math/parallel.hpp"

namespace sim {
namespace {

using test::Played;
using test::soup;

Played small_soup(Culler culler, double friction, double restitution) {
  Played played = soup(5, 2, 11);
  played.model.friction = friction;
  played.options.asynchronous.restitution = restitution;
  played.options.asynchronous.stiffness = 100;
  played.options.asynchronous.max_layers = 9;
  played.options.dt = 0.01;
  played.options.asynchronous.culler = culler;
  played.begin();
  return played;
}

void expect_same(const State& a, const State& b) {
  EXPECT_EQ(a.x, b.x);
  EXPECT_EQ(a.v, b.v);
  ASSERT_EQ(a.layers.size(), b.layers.size());
  for (std::size_t k = 0; k < a.layers.size(); ++k) {
    EXPECT_EQ(a.layers[k].pair, b.layers[k].pair);
    EXPECT_EQ(a.layers[k].layer, b.layers[k].layer);
    EXPECT_EQ(a.layers[k].memory.distance, b.layers[k].memory.distance);
  }
}

TEST(Culling, WindowsGiveTheBitsOfAllPairs) {
  for (const auto& [friction, restitution] : {std::pair{0.0, 1.0}, {0.0, 0.2}, {0.5, 0.0}}) {
    Played windows = small_soup(Culler::windows, friction, restitution);
    Played all = small_soup(Culler::all_pairs, friction, restitution);
    std::int64_t pushed = 0;
    for (int n = 0; n < 10; ++n) {
      const StepReport a = windows.advance(1), b = all.advance(1);
      pushed += a.events.kicks_pair;
      ASSERT_EQ(a.events.kicks_pair, b.events.kicks_pair) << n;
      ASSERT_EQ(a.contact_energy, b.contact_energy) << n;
      expect_same(windows.state, all.state);
      ASSERT_LT(a.events.deepest, 9);
    }
    EXPECT_GT(pushed, 100);
  }
}

TEST(Culling, ScratchMayBeThrownAwayInEveryStep) {
  Played kept = small_soup(Culler::windows, 0.5, 0.3), thrown = small_soup(Culler::windows, 0.5, 0.3);
  for (int n = 0; n < 12; ++n) {
    kept.advance(1);
    thrown.scratch = {};
    thrown.advance(1);
    expect_same(kept.state, thrown.state);
  }
}

TEST(Culling, IsTheSameForAnyNumberOfThreads) {
  std::vector<State> ends;
  for (const int threads : {1, 2, 4}) {
    set_thread_count(threads);
    Played played = small_soup(Culler::windows, 0.5, 0.3);
    played.advance(12);
    ends.push_back(played.state);
  }
  set_thread_count(1);
  expect_same(ends[0], ends[1]);
  expect_same(ends[0], ends[2]);
}

TEST(Culling, NothingPassesThroughAnythingAtAnySpeed) {
  for (const double speed : {1e-3, 1.0, 30.0, 1e3}) {
    Played played = soup(12, speed, 5);
    played.options.asynchronous.restitution = 0.5;
    const double slower = std::min(1.0, speed * speed);  // softer, so that a step has no more kicks
    played.options.asynchronous.stiffness *= slower;
    played.model.materials[0].stretch *= slower;
    played.begin();
    ASSERT_TRUE(find_overlaps(played.model.surface, played.state.x).empty());
    std::int64_t pushed = 0;
    for (int n = 0; n < 10; ++n) {
      pushed += played.advance(1).events.kicks_pair;
      ASSERT_TRUE(find_overlaps(played.model.surface, played.state.x).empty()) << speed << " " << n;
    }
    EXPECT_GT(pushed, 50) << speed;
  }
}

TEST(Culling, TheLedgersClose) {
  Played played = soup(12, 3, 5);
  played.model.friction = 0.4;
  played.begin();
  StepReport before = played.advance(1);
  for (int n = 0; n < 10; ++n) {
    const StepReport r = played.advance(1);
    ASSERT_LT((r.momentum - before.momentum).norm(), 1e-13);
    ASSERT_GE(r.dissipation_friction, -1e-9);
    before = r;
  }
}

}  // namespace
}  // namespace sim
