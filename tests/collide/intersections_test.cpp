#include "collide/intersections.hpp"

#include <gtest/gtest.h>

#include <Eigen/Geometry>

#include "collide/scenes.hpp"
#include "math/parallel.hpp"
#include "mesh/generate.hpp"

namespace sim {
namespace intersections_test {

using namespace sim::test;

std::vector<TriangleIntersection> intersections(const CollideScene& scene) {
  return initial_intersections(scene.surface(), stacked(scene.x));
}

Range add_mesh(CollideScene& scene, const Mesh& mesh, const Vec3& shift, bool can_move = true) {
  std::vector<Vec3> vertices;
  for (const Vec3& p : mesh.vertices) vertices.push_back(p + shift);
  return scene.add(vertices, mesh.triangles, can_move);
}

TEST(InitialIntersections, PairOfCrossedTrianglesIsFoundWithItsDepthAndNames) {
  CollideScene scene;
  scene.add({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, {{0, 1, 2}}, false);
  scene.add({{0.2, 0.2, -0.003}, {0.2, 0.2, 1}, {0.3, 0.2, 1}}, {{0, 1, 2}});
  const auto found = intersections(scene);
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].a, 0);
  EXPECT_EQ(found[0].b, 1);
  EXPECT_EQ(found[0].object_a, 0);
  EXPECT_EQ(found[0].object_b, 1);
  EXPECT_NEAR(found[0].depth, 0.003, 1e-15);  // lift the tip out
}

TEST(InitialIntersections, NoneBetweenObstacles) {
  CollideScene scene;
  scene.add({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, {{0, 1, 2}}, false);
  scene.add({{0.2, 0.2, -0.003}, {0.2, 0.2, 1}, {0.3, 0.2, 1}}, {{0, 1, 2}}, false);
  EXPECT_TRUE(intersections(scene).empty());
}

TEST(InitialIntersections, NoneInAnUntouchedShapeWithAllItsNeighbours) {
  for (const Mesh& mesh :
       {generate(TorusShape{}), generate(BoxShape{}), generate(SphereShape{}), generate(CylinderShape{})}) {
    CollideScene scene;
    add_mesh(scene, mesh, {0.3, 0.1, 0.7});
    EXPECT_TRUE(intersections(scene).empty());
  }
}

TEST(InitialIntersections, NoneBetweenBoxesThatTouchInAFaceAnEdgeOrACorner) {
  const Mesh box = generate(BoxShape{.cells = {2, 2, 2}});
  for (const Vec3& shift : {Vec3(1, 1, 0), Vec3(1, 1, 1)}) {
    CollideScene scene;
    add_mesh(scene, box, {0, 0, 0});
    add_mesh(scene, box, shift);
    EXPECT_TRUE(intersections(scene).empty()) << shift.transpose();
  }
  // Two faces in one plane cover each other: that is too near to be called clean, though there is no depth.
  CollideScene scene;
  add_mesh(scene, box, {0, 0, 0});
  add_mesh(scene, box, {0, 0, 1});
  const auto found = intersections(scene);
  EXPECT_FALSE(found.empty());
  for (const auto& i : found) EXPECT_EQ(i.depth, 0);
  CollideScene apart;
  add_mesh(apart, box, {0, 0, 0});
  add_mesh(apart, box, {0, 0, 1 + 1e-15});
  EXPECT_TRUE(intersections(apart).empty());
}

TEST(InitialIntersections, EveryPlantedOneIsFound) {
  Random random(17);
  const Mesh small = generate(BoxShape{.size = {0.1, 0.1, 0.1}, .cells = {1, 1, 1}});
  CollideScene scene;
  add_mesh(scene, generate(SphereShape{.radius = 1, .resolution = 3}), {0, 0, 0});
  std::vector<bool> planted;
  for (int i = 0; i < 60; ++i) {
    // Centred on the surface within 0.01, or well outside it.
    const bool plant = i % 3 == 0;
    const Vec3 out = random_vector(random, 1).normalized();
    add_mesh(scene, small, (plant ? 0.99 + 0.005 * random.uniform() : 1.2 + 0.1 * i) * out);
    planted.push_back(plant);
  }
  std::vector<bool> with_sphere(planted.size(), false);
  for (const auto& i : intersections(scene)) {
    if (i.object_a == 0) with_sphere[i.object_b - 1] = true;
    EXPECT_GT(i.depth, 0);
    EXPECT_LT(i.depth, 0.2);
  }
  EXPECT_EQ(with_sphere, planted);
}

TEST(InitialIntersections, AnObjectThroughItselfIsFound) {
  Random random(2);
  CollideScene scene;
  add_sheet(scene, random, 6, 1, 0, 0);
  EXPECT_TRUE(intersections(scene).empty());
  // One corner is bent over, above the sheet, and its tip pushed down through the middle.
  scene.x[1][2] = scene.x[7][2] = 0.2;
  scene.x[0] = Vec3(0.55, 0.52, -0.1);
  const auto found = intersections(scene);
  EXPECT_FALSE(found.empty());
  for (const auto& i : found) EXPECT_TRUE(i.object_a == 0 && i.object_b == 0);
}

TEST(InitialIntersections, AreSortedAndTheSameForAnyNumberOfThreads) {
  Random random(4);
  const CollideScene scene = random_soup(random);
  const CollisionSurface surface = scene.surface();
  std::vector<std::vector<std::pair<Index, Index>>> found;
  for (const int threads : {1, 2, 3}) {
    set_thread_count(threads);
    found.emplace_back();
    for (const auto& i : initial_intersections(surface, stacked(scene.x))) found.back().emplace_back(i.a, i.b);
  }
  set_thread_count(1);
  EXPECT_GT(found[0].size(), 10U);
  EXPECT_TRUE(std::is_sorted(found[0].begin(), found[0].end()));
  EXPECT_EQ(found[0], found[1]);
  EXPECT_EQ(found[0], found[2]);
}

// The shift is enough (both triangles may touch after it), and a random search finds no shorter one.
TEST(SeparatingShift, IsTheShortest) {
  Random random(5);
  for (int trial = 0; trial < 200; ++trial) {
    std::array<Vec3, 3> a, b;
    for (Vec3& p : a) p = random_vector(random, 1);
    for (Vec3& p : b) p = random_vector(random, 1);
    const double shift = separating_shift(a, b);
    for (int k = 0; k < 300; ++k) {
      const Vec3 direction = random_vector(random, 1).normalized();
      double a_high = -1e9, b_low = 1e9;
      for (const Vec3& p : a) a_high = std::max(a_high, direction.dot(p));
      for (const Vec3& p : b) b_low = std::min(b_low, direction.dot(p));
      const double needed = std::max(0.0, a_high - b_low);  // of a shift along this direction
      ASSERT_GE(needed, shift - 1e-12);
    }
  }
}

}  // namespace intersections_test
}  // namespace sim
