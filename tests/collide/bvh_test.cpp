#include "collide/bvh.hpp"

#include <gtest/gtest.h>

#include "collide/intersections.hpp"
#include "collide/scenes.hpp"

namespace sim {
namespace bvh_test {

using namespace sim::test;

// A sheet whose triangles change places far and wide makes the tree useless, whatever large obstacle is beside it.
double worsening(bool with_half_space) {
  CollideScene scene;
  Random random(3);
  add_sheet(scene, random, 12, 1, 0.1, 0.01);
  const std::size_t sheet = scene.triangles.size();
  std::vector<Index> half_spaces;
  if (with_half_space) {
    half_spaces.push_back(scene.objects);
    scene.add({{-2e4, -1e4, 1}, {2e4, -1e4, -1}, {0, 2e4, 0}}, {{0, 1, 2}}, false);
  }
  const CollisionSurface surface = make_surface(scene.triangles, scene.object, scene.moves, {}, half_spaces);
  std::vector<Box> boxes = standing_boxes(surface, stacked(scene.x));
  Bvh bvh;
  build(surface, boxes, 0, bvh);
  for (std::size_t i = 0; i < sheet; ++i) std::swap(boxes[i], boxes[random.next() % sheet]);
  refit(boxes, 0, bvh);
  return bvh.cost / bvh.built_cost;
}

TEST(Bvh, TheAreaOfAHalfSpaceDoesNotHideThatTheTreeHasBecomeWorse) {
  EXPECT_GT(worsening(false), 3);
  EXPECT_GT(worsening(true), 3);
}

}  // namespace bvh_test
}  // namespace sim
