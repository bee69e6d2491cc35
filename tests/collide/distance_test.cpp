#include "collide/distance.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "collide/intersections.hpp"
#include "collide/scenes.hpp"
#include "mesh/generate.hpp"

namespace sim {
namespace distance_test {

using namespace sim::test;

constexpr double infinity = std::numeric_limits<double>::infinity();

SurfaceDistance distance_of(const CollideScene& scene) {
  return smallest_distance(scene.surface(), stacked(scene.x));
}

Range add_box(CollideScene& scene, const Vec3& centre, double side, bool can_move = true) {
  const Mesh box = generate(BoxShape{.size = {side, side, side}, .cells = {2, 2, 2}});
  std::vector<Vec3> vertices;
  for (const Vec3& x : box.vertices) vertices.push_back(x + centre);
  return scene.add(vertices, box.triangles, can_move);
}

// All pairs of triangles, without a tree.
double by_brute_force(const CollideScene& scene) {
  double least = infinity;
  const CollisionSurface s = scene.surface();
  for (std::size_t a = 0; a < s.triangles.size(); ++a) {
    for (std::size_t b = a + 1; b < s.triangles.size(); ++b) {
      const auto ta = static_cast<Index>(a), tb = static_cast<Index>(b);
      if (s.object_of_triangle(ta) == s.object_of_triangle(tb) || !(s.triangle_moves[a] || s.triangle_moves[b]))
        continue;
      const auto& [i, j, k] = s.triangles[a];
      const auto& [l, m, n] = s.triangles[b];
      least = std::min(least,
                       triangle_distance({scene.x[i], scene.x[j], scene.x[k]}, {scene.x[l], scene.x[m], scene.x[n]}));
    }
  }
  return least;
}

TEST(TriangleDistance, IsKnownForFaceEdgeAndCornerNeighbours) {
  const std::array<Vec3, 3> flat{Vec3(0, 0, 0), Vec3(1, 0, 0), Vec3(0, 1, 0)};
  EXPECT_DOUBLE_EQ(triangle_distance(flat, {Vec3(0.2, 0.2, 0.5), Vec3(0.2, 0.2, 2), Vec3(3, 3, 2)}), 0.5);
  EXPECT_DOUBLE_EQ(triangle_distance({Vec3(0.2, 0.2, 0.5), Vec3(0.2, 0.2, 2), Vec3(3, 3, 2)}, flat), 0.5);
  // Edge x from 0 to 1 below an edge along y at height 0.25.
  EXPECT_DOUBLE_EQ(triangle_distance(flat, {Vec3(0.5, -1, 0.25), Vec3(0.5, -0.01, 0.25), Vec3(0.5, -1, 3)}),
                   std::hypot(0.01, 0.25));
  EXPECT_DOUBLE_EQ(triangle_distance(flat, {Vec3(-3, -4, 0), Vec3(-9, -4, 0), Vec3(-3, -9, 0)}), 5);
}

TEST(SmallestDistance, OfTwoBoxesIsTheirGap) {
  CollideScene scene;
  add_box(scene, {0, 0, 0}, 1);
  add_box(scene, {0.3, 0.2, 1.25}, 1);
  const SurfaceDistance nearest = distance_of(scene);
  EXPECT_DOUBLE_EQ(nearest.distance, 0.25);
  EXPECT_LT(nearest.a, 48);
  EXPECT_GE(nearest.b, 48);
}

TEST(SmallestDistance, OfANestedBoxIsTheWayToTheHull) {
  CollideScene scene;
  add_box(scene, {0, 0, 0}, 1);
  add_box(scene, {0.125, 0, 0}, 0.5);
  EXPECT_DOUBLE_EQ(distance_of(scene).distance, 0.125);
}

TEST(SmallestDistance, IsInfiniteForOneObjectForObstaclesAndForNothing) {
  CollideScene one;
  EXPECT_EQ(distance_of(one).distance, infinity);
  add_box(one, {0, 0, 0}, 1);
  EXPECT_EQ(distance_of(one).distance, infinity);
  EXPECT_EQ(distance_of(one).a, -1);
  CollideScene obstacles;
  add_box(obstacles, {0, 0, 0}, 1, false);
  add_box(obstacles, {2, 0, 0}, 1, false);
  EXPECT_EQ(distance_of(obstacles).distance, infinity);
  add_box(obstacles, {0, 5, 0}, 1);
  EXPECT_DOUBLE_EQ(distance_of(obstacles).distance, 4);
}

TEST(SmallestDistance, EqualsTheSmallestOverAllPairs) {
  for (const auto& [name, make] : all_scenes) {
    Random random(11);
    const CollideScene scene = make(random);
    EXPECT_EQ(distance_of(scene).distance, by_brute_force(scene)) << name;
  }
}

TEST(IntersectionsByObjects, AreGroupedInTheOrderOfTheObjectsWithTheLargestDepth) {
  const std::vector<TriangleIntersection> found{
      {0, 7, 0, 2, 0.1}, {1, 2, 0, 0, 0.5}, {3, 8, 0, 2, 0.3}, {4, 5, 1, 1, 0}};
  const auto groups = by_objects(found);
  ASSERT_EQ(groups.size(), 3U);
  EXPECT_EQ(groups[0].object_b, 0);
  EXPECT_EQ(groups[0].depth, 0.5);
  EXPECT_EQ(groups[1].object_b, 2);
  EXPECT_EQ(groups[1].depth, 0.3);
  ASSERT_EQ(groups[1].triangles.size(), 2U);
  EXPECT_EQ(groups[1].triangles[1].b, 8);
  EXPECT_EQ(groups[2].object_a, 1);
  EXPECT_TRUE(by_objects({}).empty());
}

}  // namespace distance_test
}  // namespace sim
