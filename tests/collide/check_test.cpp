#include "collide/check.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

#include "collide/brute_force.hpp"
#include "geometry/closest_points.hpp"
#include "geometry/continuous.hpp"
#include "math/parallel.hpp"
#include "mesh/generate.hpp"

namespace sim {
namespace check_test {

using namespace sim::test;

constexpr double dt = 0.001;

struct Detected {
  CollisionSurface surface;
  VecX x0, x1;
  Candidates candidates;
  std::vector<Hit> hits;
};

Detected run(const CollideScene& scene, double separation) {
  Detected d{scene.surface(), stacked(scene.x), {}, {}, {}};
  const VecX v = stacked(scene.v);
  d.x1 = d.x0 + dt * v;
  Detection detection;
  CheckBuffers buffers;
  find_candidates(d.surface, {d.x0, v, dt}, {.separation = separation}, detection, d.candidates);
  check_candidates(d.surface, d.candidates, d.x0, d.x1, {.separation = separation}, buffers, d.hits);
  return d;
}

MovingPoints moving(const Detected& d, ContactKind kind, Pair pair) {
  MovingPoints points;
  const auto vertices = stencil(d.surface, kind, pair);
  for (int k = 0; k < 4; ++k) {
    points.x0[k] = block(d.x0, vertices[k]);
    points.x1[k] = block(d.x1, vertices[k]);
  }
  return points;
}

// Nothing is lost on the way through the tree and the lists: the same hits as from testing every pair there is.
TEST(CheckCandidates, HitsAreThoseOfAllPairs) {
  for (const auto& [name, make] : all_scenes) {
    for (const double separation : {0.0, 1e-4}) {
      Random random(21);
      CollideScene scene = make(random);
      set_velocities(scene, random, 100);
      const Detected d = run(scene, separation);
      std::vector<std::pair<Pair, double>> expected, found;
      const Candidates all = all_pairs(d.surface);
      // Half of what each vertex begins from anything.
      std::vector<double> nearest(d.surface.vertex_object.size(), std::numeric_limits<double>::infinity());
      const auto note = [&](ContactKind kind, Pair p, double apart) {
        for (const Index v : stencil(d.surface, kind, p)) nearest[v] = std::min(nearest[v], 0.5 * apart);
      };
      const auto bound = [&](ContactKind kind, Pair p) {
        double least = separation;
        for (const Index v : stencil(d.surface, kind, p)) least = std::min(least, nearest[v]);
        return least;
      };
      for (const Pair p : all.vertex_face) {
        const auto x = moving(d, ContactKind::vertex_face, p).x0;
        note(ContactKind::vertex_face, p, closest_point_triangle(x[0], x[1], x[2], x[3]).distance);
      }
      for (const Pair p : all.edge_edge) {
        const auto x = moving(d, ContactKind::edge_edge, p).x0;
        note(ContactKind::edge_edge, p, closest_segment_segment(x[0], x[1], x[2], x[3]).distance);
      }
      for (const Pair p : all.vertex_face) {
        const auto r =
            vertex_face_collision(moving(d, ContactKind::vertex_face, p), bound(ContactKind::vertex_face, p));
        if (r.hit) expected.emplace_back(p, r.time);
      }
      for (const Pair p : all.edge_edge) {
        const auto r = edge_edge_collision(moving(d, ContactKind::edge_edge, p), bound(ContactKind::edge_edge, p));
        if (r.hit) expected.emplace_back(p, r.time);
      }
      for (const Hit& h : d.hits) found.emplace_back(h.pair, h.time);
      EXPECT_TRUE(found == expected) << name << ": " << found.size() << " and " << expected.size();
      EXPECT_GT(expected.size(), 5U) << name;
    }
  }
}

TEST(CheckCandidates, HitsDoNotDependOnTheNumberOfThreads) {
  Random random(21);
  CollideScene scene = layered_sheets(random);
  set_velocities(scene, random, 10);
  std::vector<std::vector<std::pair<Pair, double>>> found;
  for (const int threads : {1, 2, 3}) {
    set_thread_count(threads);
    found.emplace_back();
    for (const Hit& h : run(scene, 1e-4).hits) found.back().emplace_back(h.pair, h.time);
  }
  set_thread_count(1);
  EXPECT_GT(found[0].size(), 100U);
  EXPECT_TRUE(found[0] == found[1] && found[0] == found[2]);
}

// A ledge, the plane z = 0 up to x = 1 and its front below, and a point that slides out over it, from x = 1 - 1e-4 to
// 1 + 1e-4, nearer to the ledge than things are kept apart. Nothing of the front is in its way.
std::size_t hits_on_the_way_over_a_ledge(double from, double to) {
  CollideScene scene;
  scene.add({{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}, {1, 0, -1}, {1, 1, -1}},
            {{0, 1, 2}, {0, 2, 3}, {1, 4, 5}, {1, 5, 2}}, false);
  const Vec3 tip(1 - 1e-4, 0.4, from);
  const Range sliding = scene.add({tip, tip + Vec3(0.05, 0, 1), tip + Vec3(0, 0.05, 1)}, {{0, 1, 2}});
  for (Index i = sliding.begin; i < sliding.end; ++i) scene.v[i] = Vec3(2e-4, 0, to - from) / dt;
  return run(scene, 1e-6).hits.size();
}

TEST(CheckCandidates, WhatSlidesNearerThanTheSeparationComesPastTheEndOfWhatItSlidesOn) {
  for (const double h : {1e-7, 1e-9}) {
    EXPECT_EQ(hits_on_the_way_over_a_ledge(h, h), 0U) << h;
    EXPECT_GT(hits_on_the_way_over_a_ledge(h, -h), 0U) << h;
  }
  EXPECT_GT(hits_on_the_way_over_a_ledge(3e-6, -2e-6), 0U);  // it begins farther off, and comes within 0.5e-6
}

// A face at rest, and over it two that move: the lowest corner of each from `from` to `to`. Their objects have eps2
// of 1e-4 and 1e-5 m, of which nothing comes nearer than 0.02. Which of the two hit?
std::array<bool, 2> hits_of_two_objects(double from, double to) {
  CollideScene scene;
  scene.add({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, {{0, 1, 2}}, false);
  std::array<Range, 2> falling;
  for (const int k : {0, 1}) {
    const Vec3 low(0.2 + 0.3 * k, 0.2, from);
    falling[k] = scene.add({low, low + Vec3(0.05, 0, 0.01), low + Vec3(0, 0.05, 0.01)}, {{0, 1, 2}});
    for (Index i = falling[k].begin; i < falling[k].end; ++i) scene.v[i] = Vec3(0, 0, (to - from) / dt);
  }
  CollisionSurface surface = scene.surface();
  surface.object_gap = {std::numeric_limits<double>::infinity(), 1e-4, 1e-5};
  const VecX x0 = stacked(scene.x), v = stacked(scene.v), x1 = x0 + dt * v;
  const DetectionOptions options{.separation = 2e-6, .separation_part = 0.02};
  Detection detection;
  Candidates candidates;
  CheckBuffers buffers;
  std::vector<Hit> hits;
  find_candidates(surface, {x0, v, dt}, options, detection, candidates);
  check_candidates(surface, candidates, x0, x1, options, buffers, hits);
  std::array<bool, 2> found{};
  for (const Hit& hit : hits) {
    for (const int k : {0, 1})
      found[k] = found[k] || (hit.kind == ContactKind::vertex_face && hit.pair.first == falling[k].begin);
  }
  return found;
}

TEST(CheckCandidates, HowNearAPairMayComeGoesByItsObjects) {
  using Two = std::array<bool, 2>;
  EXPECT_EQ(hits_of_two_objects(1e-3, 3e-6), (Two{false, false}));
  EXPECT_EQ(hits_of_two_objects(1e-3, 1e-6), (Two{true, false}));
  EXPECT_EQ(hits_of_two_objects(1e-3, 1e-7), (Two{true, true}));
  // What begins nearer than twice that may come to half its distance, which the second does not reach before 2e-7.
  EXPECT_EQ(hits_of_two_objects(1e-6, 0.6e-6), (Two{false, false}));
  EXPECT_EQ(hits_of_two_objects(1e-6, 0.4e-6), (Two{true, false}));
  EXPECT_EQ(hits_of_two_objects(1e-6, 0.1e-6), (Two{true, true}));
  EXPECT_EQ(hits_of_two_objects(1e-7, 0.6e-7), (Two{false, false}));
  EXPECT_EQ(hits_of_two_objects(1e-7, 0.4e-7), (Two{true, true}));
}

TEST(CheckCandidates, PairsThatWereFoundFreeArePassedOver) {
  Random random(21);
  CollideScene scene = layered_sheets(random);
  set_velocities(scene, random, 10);
  const Detected d = run(scene, 1e-4);
  ASSERT_FALSE(d.hits.empty());
  // All vertices of the first hit's pair are known to be free, and nothing else is.
  const Hit first = d.hits.front();
  std::vector<std::uint8_t> known_free(scene.x.size(), 0);
  for (const Index vertex : stencil(d.surface, first.kind, first.pair)) known_free[vertex] = 1;
  std::vector<Hit> hits;
  CheckBuffers buffers;
  check_candidates(d.surface, d.candidates, d.x0, d.x1, {.separation = 1e-4}, buffers, hits, known_free);
  std::vector<Pair> expected, found;
  for (const Hit& hit : d.hits) {
    const auto vertices = stencil(d.surface, hit.kind, hit.pair);
    const bool all_free =
        std::all_of(vertices.begin(), vertices.end(), [&](Index vertex) { return known_free[vertex] != 0; });
    if (!all_free) expected.push_back(hit.pair);
  }
  for (const Hit& hit : hits) found.push_back(hit.pair);
  EXPECT_EQ(found, expected);
  EXPECT_LT(found.size(), d.hits.size());
}

TEST(CheckCandidates, AVertexShotThroughABoxAtAThousandTimesItsSizeIsCaught) {
  Random random(33);
  const Mesh box = generate(BoxShape{.size = {0.01, 0.01, 0.01}, .cells = {1, 1, 1}});
  for (int shot = 0; shot < 200; ++shot) {
    CollideScene scene;
    scene.add(box.vertices, box.triangles, shot % 2 == 0);
    const Vec3 target = random_vector(random, 0.004), way = random_vector(random, 1).normalized() * 10;
    const Vec3 start = target - random.uniform(0.1, 0.9) * way;
    const Range bullet =
        scene.add({start, start + random_vector(random, 1e-3), start + random_vector(random, 1e-3)}, {{0, 1, 2}});
    for (Index i = bullet.begin; i < bullet.end; ++i) scene.v[i] = way / dt;
    const Detected d = run(scene, 0);
    bool caught = false;
    for (const Hit& h : d.hits) {
      if (h.kind == ContactKind::vertex_face && h.pair.first == bullet.begin) caught = true;
    }
    EXPECT_TRUE(caught) << "shot " << shot;
  }
}

}  // namespace check_test
}  // namespace sim
