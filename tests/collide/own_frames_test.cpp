#include "collide/own_frames.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "collide/brute_force.hpp"
#include "collide/check.hpp"

namespace sim {
namespace own_frames_test {

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

// Every object flies as a whole, its vertices in disorder besides.
void set_flight(CollideScene& scene, Random& random, double way, double disorder) {
  std::vector<Vec3> of_object;
  for (Index k = 0; k < scene.objects; ++k) of_object.push_back(random_vector(random, way / dt));
  for (std::size_t i = 0; i < scene.v.size(); ++i) {
    scene.v[i] = Vec3::Zero();
    if (scene.moves[i] != 0) scene.v[i] = of_object[scene.object[i]] + random_vector(random, disorder / dt);
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

TEST(OwnFrames, HitsOfWhatFliesAreThoseOfAllPairs) {
  std::size_t count = 0, flights = 0;
  for (const auto& [name, make] : all_scenes) {
    Random random(21);
    CollideScene scene = make(random);
    const CollisionSurface surface = scene.surface();
    const Candidates all = all_pairs(surface);
    Detection detection;
    for (const double way : {0.3, 2.0}) {
      for (const double disorder : {0.0, 0.02}) {
        set_flight(scene, random, way, disorder);
        const VecX x0 = stacked(scene.x), v = stacked(scene.v);
        Candidates candidates, added;
        find_candidates(surface, {x0, v, dt}, {}, detection, candidates);
        flights += detection.own.any ? 1 : 0;
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
  EXPECT_GT(count, 1000);
  EXPECT_GT(flights, 10);
}

// Whatever the direction: what flies as a whole is to itself as it is at rest.
TEST(OwnFrames, ABodyThatFliesHasTheCandidatesOfOneAtRest) {
  Random random(22);
  CollideScene scene = folding_sheet(random);
  const CollisionSurface surface = scene.surface();
  const VecX x0 = stacked(scene.x);
  const auto count = [&](const Vec3& way) {
    for (Vec3& v : scene.v) v = way / dt;
    Detection detection;
    Candidates candidates;
    find_candidates(surface, {x0, stacked(scene.v), dt}, {}, detection, candidates);
    return static_cast<double>(candidates.size());
  };
  const double at_rest = count({0, 0, 0});
  for (const Vec3& way : {Vec3(1, 0, 0), Vec3(0.6, -0.7, 0.4), Vec3(30, 30, -30)})
    EXPECT_NEAR(count(way), at_rest, 1e-3 * at_rest) << way.transpose();
}

TEST(OwnFrames, AreNotUsedWhereNothingGoesFarAndNotOfWhatIsHeld) {
  Random random(23);
  CollideScene scene = layered_sheets(random);
  const CollisionSurface surface = scene.surface();
  Detection detection;
  Candidates candidates;
  for (const double way : {1e-4, 1.0}) {
    for (std::size_t i = 0; i < scene.v.size(); ++i) {
      scene.v[i] = Vec3(way, way, way) / dt;
    }
    find_candidates(surface, {stacked(scene.x), stacked(scene.v), dt}, {}, detection, candidates);
    EXPECT_EQ(detection.own.any, way > 0.1) << way;
    EXPECT_EQ(detection.bvh.own.empty(), way < 0.1) << way;
  }
}

}  // namespace own_frames_test
}  // namespace sim
