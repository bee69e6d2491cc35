// What is kept of the ways of vertices, against where they were seen.
#include "asynchronous/ways.hpp"

#include <gtest/gtest.h>

#include "asynchronous/kicks.hpp"
#include "asynchronous/played.hpp"
#include "mesh/generate.hpp"

namespace sim {
namespace ways_test {

using test::Played;

// A sheet of many clocks, an edge of which is held, flown for a window; a few vertices get kicks of their own.
struct Flown {
  Played played;
  KickPlan plan;
  Guides guides;
  LoadForces loads;
  Flights flights;
  VertexLedger ledger;
  KickBuffers buffers;
  StepEvents events;
  Tick begin = 0, end = 0, between = 0;
  std::vector<VecX> seen;  // where all vertices are at each tick from `begin` to `end`
  std::vector<Chord> chords;
  std::vector<Box> boxes;

  VecX places(Tick now) const {
    VecX x(flights.x.size());
    for (Index i = 0; i < static_cast<Index>(flights.time.size()); ++i) block(x, i) = flights.at(i, now);
    return x;
  }
  Window window() const { return {flights, plan, begin, end}; }
  Vec3 seen_at(std::size_t tick, Index i) const { return block(seen[tick], i); }

  Flown() {
    played.model.materials = {{.name = "m",
                               .model = MaterialModel::edge_springs,
                               .density = 1,
                               .thickness = 0.1,
                               .stretch = 100,
                               .bend = 1e-3}};
    Mesh mesh = generate(SheetShape{.size = {1, 1}, .cells = {9, 12}, .pattern = SheetPattern::grid});
    for (Vec3& x : mesh.vertices) x[0] = std::exp(3 * x[0]);
    test::add(played.model, ObjectType::deformable, mesh, 0);
    played.model.prescribed.push_back({{0, 1, 2}, Motion()});
    played.options.dt = 0.01;
    played.begin();
    plan = make_kick_plan(played.model, played.options);
    between = ticks_of(plan.finest);
    begin = 8 * between;
    end = 40 * between;
    for (Index i = 0; i < static_cast<Index>(mesh.vertices.size()); ++i)
      block(played.state.v, i) = Vec3(std::sin(i), std::cos(3 * i), std::sin(7 * i));
    begin_flights(played.state.x, played.state.v, played.options.dt, flights);
    ledger.begin(played.model, plan);
    fly();
  }

  void fly() {
    const InFlight bodies{played.model, plan, guides, loads, flights, ledger};
    for (Tick now = 0; now <= end; now += between) {
      kick_bodies(bodies, now, buffers, events);
      if (now > begin && now % (4 * between) == between)
        kick(bodies, 20 + static_cast<Index>(now / between), now, Vec3(0, 0, 1e-3));
      if (now == begin) {
        flights.ways.begin(flights.time.size());
        chords.resize(flights.time.size());
        for (Index i = 0; i < static_cast<Index>(chords.size()); ++i) chords[i].x0 = flights.at(i, begin);
      }
      if (now >= begin) seen.push_back(places(now));
    }
    find_chords(window(), boxes, chords);
  }
};

TEST(Ways, BoxesHoldAllPlaces) {
  const Flown flown;
  ASSERT_EQ(flown.seen.size(), 33U);
  ASSERT_FALSE(flown.flights.ways.with_knots.empty());
  for (Index i = 0; i < static_cast<Index>(flown.chords.size()); ++i) {
    Vec3 low = flown.seen_at(0, i), high = low;
    for (std::size_t n = 0; n < flown.seen.size(); ++n) {
      low = low.cwiseMin(flown.seen_at(n, i));
      high = high.cwiseMax(flown.seen_at(n, i));
    }
    EXPECT_LT((flown.boxes[i].low.head<3>().matrix() - low).norm(), 1e-15) << i;
    EXPECT_LT((flown.boxes[i].high.head<3>().matrix() - high).norm(), 1e-15) << i;
  }
}

TEST(Ways, NothingStraysFartherThanItsChordTells) {
  const Flown flown;
  double most = 0;
  for (Index i = 0; i < static_cast<Index>(flown.chords.size()); ++i) {
    const Chord& chord = flown.chords[i];
    EXPECT_EQ(chord.x0, flown.seen_at(0, i));
    EXPECT_EQ(chord.x1, flown.seen_at(flown.seen.size() - 1, i));
    double farthest = 0;
    for (std::size_t n = 0; n < flown.seen.size(); ++n) {
      const double t = static_cast<double>(n) / static_cast<double>(flown.seen.size() - 1);
      farthest = std::max(farthest, (flown.seen_at(n, i) - (1 - t) * chord.x0 - t * chord.x1).norm());
    }
    EXPECT_NEAR(chord.stray, farthest, 1e-15) << i;
    most = std::max(most, farthest);
  }
  EXPECT_GT(most, 1e-7);
}

TEST(Ways, PathsPassWhereVerticesWere) {
  const Flown flown;
  std::vector<std::vector<Knot>> paths;
  std::vector<char> wanted(flown.chords.size(), 0);
  for (std::size_t i = 0; i < wanted.size(); i += 1 + i % 2) wanted[i] = 1;
  find_paths(flown.window(), wanted, flown.chords, paths);
  for (Index i = 0; i < static_cast<Index>(paths.size()); ++i) {
    if (!wanted[i]) {
      EXPECT_TRUE(paths[i].empty());
      continue;
    }
    ASSERT_GE(paths[i].size(), 2U);
    EXPECT_EQ(paths[i].front().time, flown.begin);
    EXPECT_EQ(paths[i].back().time, flown.end);
    for (std::size_t k = 1; k < paths[i].size(); ++k) ASSERT_LT(paths[i][k - 1].time, paths[i][k].time) << i;
    for (std::size_t n = 0; n < flown.seen.size(); ++n) {
      const Tick now = flown.begin + static_cast<Tick>(n) * flown.between;
      EXPECT_LT((place_on(paths[i], now) - flown.seen_at(n, i)).norm(), 1e-15) << i << " " << n;
    }
  }
}

// The next window keeps nothing of the last one.
TEST(Ways, BeginAnew) {
  Flown flown;
  flown.flights.ways.begin(flown.flights.time.size());
  EXPECT_EQ(flown.flights.ways.used, 0U);
  EXPECT_TRUE(flown.flights.ways.with_knots.empty());
  for (const auto& knots : flown.flights.ways.knots) EXPECT_TRUE(knots.empty());
}

}  // namespace ways_test
}  // namespace sim
