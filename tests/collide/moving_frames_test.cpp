#include "collide/moving_frames.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "collide/brute_force.hpp"
#include "collide/check.hpp"

namespace sim {
namespace moving_frames_test {

using namespace sim::test;

constexpr double dt = 0.001;

bool same(const std::vector<Hit>& a, const std::vector<Hit>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const Hit& x, const Hit& y) {
    return x.kind == y.kind && x.pair == y.pair && x.time == y.time;
  });
}

std::vector<Hit> hits_of(const CollisionSurface& surface, const Candidates& candidates, const VecX& x0,
                         const VecX& x1) {
  CheckBuffers buffers;
  std::vector<Hit> hits;
  check_candidates(surface, candidates, x0, x1, {}, buffers, hits);
  return hits;
}

// m: the ways of all objects in a step.
using Ways = std::vector<Vec3> (*)(Random& random, Index objects, double way);
std::vector<Vec3> each_its_own(Random& random, Index objects, double way) {
  std::vector<Vec3> ways;
  for (Index k = 0; k < objects; ++k) ways.push_back(random_vector(random, way));
  return ways;
}
std::vector<Vec3> all_together(Random& random, Index objects, double way) {
  return std::vector<Vec3>(static_cast<std::size_t>(objects), random_vector(random, way));
}
std::vector<Vec3> in_three_swarms(Random& random, Index objects, double way) {
  const std::vector<Vec3> swarms = each_its_own(random, 3, way);
  std::vector<Vec3> ways;
  for (Index k = 0; k < objects; ++k) ways.push_back(swarms[k % 3] + random_vector(random, 0.01 * way));
  return ways;
}

// Every object flies as a whole, its vertices in disorder besides.
void set_flight(CollideScene& scene, Random& random, const std::vector<Vec3>& ways, double disorder) {
  for (std::size_t i = 0; i < scene.v.size(); ++i) {
    scene.v[i] = Vec3::Zero();
    if (scene.moves[i] != 0) scene.v[i] = ways[scene.object[i]] / dt + random_vector(random, disorder / dt);
  }
}

// As foreseen; turned back and thrown about, as what hits something is.
std::vector<VecX> ends(const CollideScene& scene, Random& random, double disorder) {
  std::vector<VecX> all;
  for (const double part : {1.0, -0.5}) {
    std::vector<Vec3> x1 = scene.x;
    for (std::size_t i = 0; i < x1.size(); ++i) {
      if (scene.moves[i] != 0) x1[i] += part * dt * scene.v[i] + random_vector(random, disorder);
    }
    all.push_back(stacked(x1));
  }
  return all;
}

// Through many steps with what was found before, as thrown about from time to time as what hits something is.
void expect_hits_of_all_pairs(Ways ways_of, Index& flights, std::size_t& count) {
  for (const auto& [name, make] : all_scenes) {
    Random random(21);
    CollideScene scene = make(random);
    const CollisionSurface surface = scene.surface();
    const Candidates all = all_pairs(surface);
    Detection detection;
    for (const double way : {0.3, 0.001, 2.0, 0.3}) {
      for (const double disorder : {0.0, 0.02}) {
        set_flight(scene, random, ways_of(random, scene.objects, way), disorder);
        const VecX x0 = stacked(scene.x), v = stacked(scene.v);
        Candidates candidates, added;
        find_candidates(surface, {x0, v, dt}, {}, detection, candidates);
        flights += detection.common.any || detection.own.any ? 1 : 0;
        for (const VecX& x1 : ends(scene, random, disorder)) {
          std::vector<Index> escaped;
          find_escaped(surface, x1, detection, escaped);
          look_up_again(surface, escaped, x0, x1, {}, detection, candidates, added);
          find_escaped(surface, x1, detection, escaped);
          EXPECT_TRUE(escaped.empty()) << name;
          const std::vector<Hit> found = hits_of(surface, candidates, x0, x1),
                                 expected = hits_of(surface, all, x0, x1);
          EXPECT_TRUE(same(found, expected))
              << name << ' ' << way << ' ' << disorder << ": " << found.size() << " of " << expected.size();
          count += expected.size();
        }
        for (std::size_t i = 0; i < scene.x.size(); ++i) scene.x[i] += dt * scene.v[i];
      }
    }
  }
}

TEST(MovingFrames, HitsOfWhatFliesAreThoseOfAllPairs) {
  std::size_t count = 0;
  for (const Ways ways : {each_its_own, all_together, in_three_swarms}) {
    Index flights = 0;
    expect_hits_of_all_pairs(ways, flights, count);
    EXPECT_GT(flights, 10);
  }
  EXPECT_GT(count, 3000);
}

Index candidates_of(const CollideScene& scene, const CollisionSurface& surface, Detection& detection) {
  Candidates candidates;
  find_candidates(surface, {stacked(scene.x), stacked(scene.v), dt}, {}, detection, candidates);
  return candidates.size();
}

const std::vector<Vec3> flights{{1, 0, 0}, {0.6, -0.7, 0.4}, {30, 30, -30}};  // m a step

// Whatever the direction: what flies as a whole is to itself as it is at rest.
TEST(MovingFrames, WhatFliesTogetherHasTheCandidatesOfWhatIsAtRest) {
  for (const auto& [name, make] : all_scenes) {
    Random random(22);
    CollideScene scene = make(random);
    scene.moves.assign(scene.moves.size(), 1);  // else what is held stays behind
    const CollisionSurface surface = scene.surface();
    const auto count = [&](const Vec3& way) {
      scene.v.assign(scene.x.size(), way / dt);
      Detection detection;
      return static_cast<double>(candidates_of(scene, surface, detection));
    };
    const double at_rest = count({0, 0, 0});
    for (const Vec3& way : flights) EXPECT_NEAR(count(way), at_rest, 1e-3 * at_rest) << name << way.transpose();
  }
}

// Two sheets that fly together beside many that stand still, which have the common frame.
TEST(MovingFrames, AFewThatFlyTogetherBesideManyAtRestHaveTheCandidatesOfWhatIsAtRest) {
  Random random(24);
  CollideScene scene;
  for (int k = 0; k < 2; ++k) add_sheet(scene, random, 8, 1, 1 + 0.01 * k, 0.001);
  for (int k = 0; k < 5; ++k) add_sheet(scene, random, 8, 1, -1 - 0.5 * k, 0.001);
  const CollisionSurface surface = scene.surface();
  const auto count = [&](const Vec3& way) {
    for (std::size_t i = 0; i < scene.v.size(); ++i)
      scene.v[i] = scene.object[i] < 2 ? Vec3(way / dt) : Vec3(Vec3::Zero());
    Detection detection;
    return static_cast<double>(candidates_of(scene, surface, detection));
  };
  const double at_rest = count({0, 0, 0});
  for (const Vec3& way : {Vec3(0.3, 0.3, 0), Vec3(1, -1, 1), Vec3(0, 0, 2)})
    EXPECT_NEAR(count(way), at_rest, 1e-3 * at_rest) << way.transpose();
}

// What flies steadily stays in its skins, as what is at rest: it is not searched for in every step.
TEST(MovingFrames, ASteadyFlightNeedsNoSearch) {
  Random random(25);
  CollideScene scene = layered_sheets(random);
  const CollisionSurface surface = scene.surface();
  scene.v.assign(scene.x.size(), Vec3(0.3, 0.2, -0.1) / dt);
  Detection detection;
  for (int step = 0; step < 20; ++step) {
    candidates_of(scene, surface, detection);
    EXPECT_TRUE(step == 0 || detection.left.empty()) << step;
    for (std::size_t i = 0; i < scene.x.size(); ++i) scene.x[i] += dt * scene.v[i];
  }
}

TEST(MovingFrames, AreNotUsedWhereNothingGoesFar) {
  Random random(23);
  CollideScene scene = layered_sheets(random);
  const CollisionSurface surface = scene.surface();
  for (const double way : {1e-4, 1.0}) {
    scene.v.assign(scene.v.size(), Vec3(way, way, way) / dt);
    Detection detection;
    candidates_of(scene, surface, detection);
    EXPECT_EQ(detection.common.any, way > 0.1) << way;
    EXPECT_FALSE(detection.own.any) << way;
    for (std::size_t i = 0; i < scene.v.size(); ++i) scene.v[i] *= scene.object[i] - 4.5;
    Detection apart;
    candidates_of(scene, surface, apart);
    EXPECT_EQ(apart.own.any, way > 0.1) << way;
    EXPECT_EQ(apart.bvh.own.empty(), way < 0.1) << way;
  }
}

}  // namespace moving_frames_test
}  // namespace sim
