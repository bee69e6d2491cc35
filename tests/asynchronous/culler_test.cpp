// What is watched when must not change a bit of what happens, and nothing may pass through anything.
#include <gtest/gtest.h>

#include "asynchronous/played.hpp"
#include "collide/intersections.hpp"
#include "math/parallel.hpp"
#include "mesh/generate.hpp"

namespace sim {
namespace culler_test {

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
}

struct Variant {
  Culler culler;
  double vagueness = 0;
  Index axes = 18;
  Clocks clocks = Clocks::binary;
};

void use(const Variant& variant, AsyncOptions& options) {
  options.culler = variant.culler;
  options.vagueness = variant.vagueness;
  options.axes = variant.axes;
  options.clocks = variant.clocks;
}

struct Moment {
  StepReport report;
  State state;
};

// Ten steps in which every pair is looked at, always.
std::vector<Moment> small_soup_of_all_pairs(double friction, double restitution, Clocks clocks) {
  Played played = small_soup(Culler::all_pairs, friction, restitution);
  played.options.asynchronous.clocks = clocks;
  std::vector<Moment> moments;
  for (int n = 0; n < 10; ++n) {
    const StepReport report = played.advance(1);
    moments.push_back({report, played.state});
  }
  return moments;
}

TEST(Culling, GivesTheBitsOfAllPairs) {
  for (const auto& [friction, restitution] : {std::pair{0.0, 1.0}, {0.0, 0.2}, {0.5, 0.0}}) {
    const std::vector<Moment> binary = small_soup_of_all_pairs(friction, restitution, Clocks::binary);
    const std::vector<Moment> free = small_soup_of_all_pairs(friction, restitution, Clocks::free);
    for (const Variant& variant :
         {Variant{Culler::windows}, Variant{Culler::kds}, Variant{Culler::kds, 0.5}, Variant{Culler::kds, 10},
          Variant{Culler::kds, 2, 6}, Variant{Culler::windows, 0, 18, Clocks::free},
          Variant{Culler::kds, 10, 18, Clocks::free}}) {
      Played culled = small_soup(variant.culler, friction, restitution);
      use(variant, culled.options.asynchronous);
      std::int64_t pushed = 0;
      for (const Moment& all : variant.clocks == Clocks::free ? free : binary) {
        const StepReport report = culled.advance(1);
        pushed += report.events.kicks_pair;
        ASSERT_EQ(report.events.kicks_pair, all.report.events.kicks_pair) << all.state.step;
        ASSERT_EQ(report.contact_energy, all.report.contact_energy) << all.state.step;
        expect_same(culled.state, all.state);
        ASSERT_LT(report.events.deepest, 9);
      }
      EXPECT_GT(pushed, 100);
    }
  }
}

// Folds of a sheet, cells of a box, a script and obstacles: what a soup of single triangles does not have.
Played sheet_on_nails(const Variant& variant) {
  Played played;
  Model& model = played.model;
  model.gravity = {0, 0, -9.81};
  model.friction = 0.3;
  model.materials = {{.name = "cloth",
                      .model = MaterialModel::edge_springs,
                      .density = 200,
                      .thickness = 1e-3,
                      .stretch = 20,
                      .bend = 1e-5,
                      .strain_limit = {1, 0.2}},
                     {.name = "rubber", .young = 2e4, .poisson = 0.3, .density = 300}};
  test::add(model, ObjectType::deformable, generate(SheetShape{.size = {0.2, 0.2}, .cells = {6, 6}}), 0, {0, 0, -1});
  Mesh box = generate(BoxShape{.size = {0.06, 0.06, 0.06}, .cells = {1, 1, 1}});
  for (Vec3& x : box.vertices) x += Vec3(0.01, 0.02, 0.05);
  test::add(model, ObjectType::deformable, box, 1, {0, 0.3, -2});
  MotionSpec spec;
  spec.velocity = {0, 0, 0.5};
  Mesh nail = test::one_triangle({0, 0, -0.3}, {0.003, 0, -0.3}, {0, 0, -0.01});
  for (const Vec3& place : {Vec3(-0.05, 0.02, 0), Vec3(0.06, -0.03, 0), Vec3(0.01, 0.07, 0)}) {
    Mesh placed = nail;
    for (Vec3& x : placed.vertices) x += place;
    test::add(model, ObjectType::scripted, placed, -1, {0, 0, 0}, Motion(spec));
  }
  played.options.asynchronous.thickness = 5e-3;
  played.options.asynchronous.stiffness = 50;
  played.options.dt = 0.005;
  use(variant, played.options.asynchronous);
  played.begin();
  return played;
}

void expect_bits_of_windows(Clocks clocks) {
  Played windows = sheet_on_nails({Culler::windows, 0, 18, clocks});
  std::vector<Played> others;
  for (Variant variant : {Variant{Culler::kds}, Variant{Culler::kds, 10}, Variant{Culler::kds, 50, 6}}) {
    variant.clocks = clocks;
    others.push_back(sheet_on_nails(variant));
  }
  std::int64_t pushed = 0, rescheduled = 0, limited = 0;
  Index deepest = 0;
  for (int n = 0; n < 30; ++n) {
    const StepReport a = windows.advance(1);
    pushed += a.events.kicks_pair;
    limited += a.limited;
    deepest = std::max(deepest, a.events.deepest);
    for (Played& other : others) {
      const StepReport b = other.advance(1);
      rescheduled += b.events.c_rescheduled;
      ASSERT_EQ(a.events.kicks_pair, b.events.kicks_pair) << n;
      ASSERT_EQ(a.contact_energy, b.contact_energy) << n;
      ASSERT_EQ(a.dissipation_friction, b.dissipation_friction) << n;
      expect_same(windows.state, other.state);
      if (n % 3 == 0) other.scratch = {};
    }
  }
  EXPECT_GT(pushed, 1000);
  EXPECT_GT(limited, 0);
  EXPECT_GT(deepest, 5);
  EXPECT_GT(rescheduled, 1000);
}

TEST(Culling, CertificatesGiveTheBitsOfWindows) {
  expect_bits_of_windows(Clocks::binary);
}

TEST(Culling, CertificatesGiveTheBitsOfWindowsWithFreeClocks) {
  expect_bits_of_windows(Clocks::free);
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
  for (const auto& [threads, culler] :
       {std::pair{1, Culler::windows}, {2, Culler::windows}, {4, Culler::windows}, {4, Culler::kds}}) {
    set_thread_count(threads);
    Played played = small_soup(culler, 0.5, 0.3);
    played.advance(12);
    ends.push_back(played.state);
  }
  set_thread_count(1);
  expect_same(ends[0], ends[1]);
  expect_same(ends[0], ends[2]);
  expect_same(ends[0], ends[3]);
}

TEST(Culling, NothingPassesThroughAnythingAtAnySpeed) {
  for (const auto& [speed, culler] : {std::pair{1e-3, Culler::windows},
                                      {1.0, Culler::windows},
                                      {30.0, Culler::windows},
                                      {1e3, Culler::windows},
                                      {1e-3, Culler::kds},
                                      {30.0, Culler::kds},
                                      {1e3, Culler::kds}}) {
    Played played = soup(12, speed, 5);
    played.options.asynchronous.culler = culler;
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

}  // namespace culler_test
}  // namespace sim
