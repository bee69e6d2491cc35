// Sheets: outsides on both sides, and thickness.
#include <gtest/gtest.h>

#include "collide/contact_set.hpp"
#include "collide/interiors.hpp"
#include "collide/normal_cone.hpp"
#include "collide/scenes.hpp"
#include "collide/too_near.hpp"

namespace sim {
namespace thick_test {

using namespace sim::test;

const std::vector<Vec3> flat{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};

// Two triangles, the second by `z` above the first and by `x` beside it, moving at `v`.
struct Two {
  CollideScene scene;
  CollisionSurface surface;
  VecX x0, x1;

  Two(double x, double z, const Vec3& v, std::vector<SheetObject> sheets) {
    scene.add(flat, {{0, 1, 2}});
    std::vector<Vec3> above = flat;
    for (Vec3& p : above) p = 0.2 * p + Vec3(0.2 + x, 0.2, z);
    scene.add(above, {{0, 1, 2}});
    surface = scene.surface();
    mark_sheets(sheets, scene.x, surface);
    x0 = x1 = stacked(scene.x);
    for (Index i = 3; i < 6; ++i) block(x1, i) += v;
  }

  std::vector<Hit> hits() const {
    Detection detection;
    Candidates candidates;
    CheckBuffers buffers;
    std::vector<Hit> found;
    find_candidates(surface, {x0, x1 - x0, 1}, {}, detection, candidates);
    check_candidates(surface, candidates, x0, x1, {}, buffers, found);
    return found;
  }
};

const std::vector<SheetObject> both{{0, 0.01}, {1, 0.03}};  // 0.02 m between them

TEST(Thickness, IsWhatPairsOfTwoObjectsKeep) {
  // From 0.05 down by 0.04: 0.02 apart after three quarters of the way.
  const Two pair(0, 0.05, {0, 0, -0.04}, both);
  const std::vector<Hit> hits = pair.hits();
  ASSERT_FALSE(hits.empty());
  for (const Hit& hit : hits) {
    EXPECT_NEAR(hit.time, 0.75, 1e-6);
    const Contact contact = make_contact(pair.surface, hit, pair.x0, pair.x1);
    EXPECT_EQ(contact.thickness, 0.02);
    EXPECT_NEAR(contact.gap, 0.03, 1e-12);
    EXPECT_NEAR(gap(contact, pair.x1), -0.01, 1e-12);
    EXPECT_NEAR(distance(contact, pair.x1), -0.01, 1e-12);
    EXPECT_NEAR(std::abs(contact.n[2]), 1, 1e-12);
  }
  EXPECT_TRUE(Two(0, 0.05, {0, 0, -0.0299}, both).hits().empty());
  EXPECT_TRUE(Two(0, 0.05, {0, 0, -0.04}, {}).hits().empty());
  EXPECT_FALSE(Two(0, 0.05, {0, 0, -0.0451}, std::vector<SheetObject>{{0, 0.01}}).hits().empty());  // half of one
}

TEST(Thickness, IsKeptOnEitherSide) {
  for (const double side : {1.0, -1.0}) {
    const Two pair(0, side * 0.05, {0, 0, -side * 0.2}, both);
    const std::vector<Hit> hits = pair.hits();
    ASSERT_FALSE(hits.empty());
    for (const Hit& hit : hits) {
      const Contact contact = make_contact(pair.surface, hit, pair.x0, pair.x1);
      EXPECT_GT(contact.gap, 0);
      EXPECT_FALSE(
          is_met_from_inside(pair.surface, contact.kind, contact.vertices, contact.weights, pair.x0, contact.n));
    }
  }
}

TEST(Thickness, IsRoundAtBorders) {
  // Beside the border x = 1 - y of the first, coming at it in its own plane and a little above.
  const Two pair(0.9, 0.006, {-0.5, -0.5, 0}, both);
  ASSERT_FALSE(pair.hits().empty());
  for (const Hit& hit : pair.hits()) {
    const Contact contact = make_contact(pair.surface, hit, pair.x0, pair.x1);
    EXPECT_GT(contact.gap, 0);
    EXPECT_LT(std::abs(contact.n[2]), 0.5);
    EXPECT_GT(std::abs(contact.n[2]), 0.1);
  }
}

TEST(Thickness, OfPairsThatComeNearerIsHalfOfTheirDistance) {
  // Already 0.015 apart, which 0.02 would forbid: they may come to 0.0075, not to each other.
  EXPECT_TRUE(Two(0, 0.015, {0, 0, -0.007}, both).hits().empty());
  EXPECT_FALSE(Two(0, 0.015, {0, 0, -0.008}, both).hits().empty());
}

TEST(Thickness, OfOneObjectIsNoneBetweenWhatIsNearAtRest) {
  CollideScene scene;
  std::vector<Vec3> vertices = flat;
  for (const double z : {0.5, 0.529}) {
    for (const Vec3& p : flat) vertices.push_back(p + Vec3(0, 0, z));
  }
  scene.add(vertices, {{0, 1, 2}, {3, 4, 5}, {6, 7, 8}});
  CollisionSurface surface = scene.surface();
  mark_sheets(std::vector<SheetObject>{{0, 0.02}}, scene.x, surface);
  EXPECT_EQ(pair_thickness(surface, ContactKind::vertex_face, {3, 0, 1, 2}), 0.02);
  EXPECT_EQ(pair_thickness(surface, ContactKind::vertex_face, {6, 3, 4, 5}), 0);  // nearer than 0.03
  EXPECT_EQ(pair_thickness(surface, ContactKind::edge_edge, {0, 1, 3, 4}), 0.02);
}

TEST(Sheets, HaveTheirOwnGapAgainstBodies) {
  Two pair(0, 0.05, Vec3::Zero(), std::vector<SheetObject>{{1, 0.01}});
  pair.surface.object_gap = {1e-6, 5e-4};
  EXPECT_EQ(gap_tolerance(pair.surface, {0, 3, 4, 5}), 5e-4);
  EXPECT_EQ(gap_tolerance(pair.surface, {3, 0, 1, 2}), 5e-4);
  mark_sheets(both, pair.scene.x, pair.surface);
  EXPECT_EQ(gap_tolerance(pair.surface, {3, 0, 1, 2}), 1e-6);
}

TEST(Sheets, ThatAreClosedHaveNoInside) {
  CollideScene scene;
  const std::vector<Vec3> corners{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  const std::vector<Triangle> faces{{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {0, 3, 2}};
  scene.add(corners, faces);
  std::vector<Vec3> inner = corners;
  for (Vec3& p : inner) p = 0.2 * p + Vec3(0.1, 0.1, 0.1);
  scene.add(inner, faces);
  CollisionSurface surface = scene.surface();
  EXPECT_EQ(closed_objects(surface), (std::vector<std::uint8_t>{1, 1}));
  const VecX x = stacked(scene.x);
  EXPECT_EQ(nested_objects(surface, closed_objects(surface), x).size(), 1u);
  mark_sheets(std::vector<SheetObject>{{0, 0.01}}, scene.x, surface);
  EXPECT_EQ(closed_objects(surface), (std::vector<std::uint8_t>{0, 1}));
  EXPECT_TRUE(nested_objects(surface, closed_objects(surface), x).empty());
  EXPECT_TRUE(surface.is_open(0));
  EXPECT_FALSE(surface.is_open(4));
}

TEST(Sheets, ThatBeginNearerThanTheirThicknessAreFound) {
  const Two far(0, 0.021, Vec3::Zero(), both), near(0, 0.019, Vec3::Zero(), both);
  EXPECT_TRUE(nearer_than_thickness(far.surface, far.x0).empty());
  const auto found = nearer_than_thickness(near.surface, near.x0);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].object_a, 0);
  EXPECT_EQ(found[0].object_b, 1);
  EXPECT_NEAR(found[0].distance, 0.019, 1e-15);
  EXPECT_EQ(found[0].thickness, 0.02);
}

// The point of a tetrahedron, that far above a triangle, 30 m from the origin.
std::vector<TooNear> touching_at(double height, bool half_space) {
  CollideScene scene;
  const Vec3 at(0, 0, 30);
  const double size = half_space ? 1e4 : 1;
  scene.add({at, at + Vec3(0.1, 0, 0.2), at + Vec3(-0.1, 0.1, 0.2), at + Vec3(-0.1, -0.1, 0.2)},
            {{0, 1, 2}, {0, 2, 3}, {0, 3, 1}, {1, 3, 2}});
  scene.add({at + Vec3(-size, -size, 0), at + Vec3(size, -size, 0), at + Vec3(0, size, 0)}, {{0, 1, 2}}, false);
  const CollisionSurface surface = make_surface(scene.triangles, scene.object, scene.moves, {},
                                                half_space ? std::vector<Index>{1} : std::vector<Index>{});
  VecX x = stacked(scene.x);
  for (Index vertex = 0; vertex < 4; ++vertex) x[3 * vertex + 2] += height;
  return touching(surface, x);
}

TEST(Touching, IsWhatNoContinuousTestCouldCallFree) {
  EXPECT_EQ(touching_at(0, false).size(), 1u);
  EXPECT_EQ(touching_at(1e-9, false).size(), 0u);
  EXPECT_EQ(touching_at(0, true).size(), 1u);
  EXPECT_EQ(touching_at(1e-13, true).size(), 1u);   // its triangle is 1e4 m wide
  EXPECT_EQ(touching_at(4e-18, false).size(), 1u);  // less than an ulp of the height
  EXPECT_EQ(touching_at(1e-9, true).size(), 0u);
}

// A vertex that slides off the border of a sheet goes round it, as long as it is near.
TEST(Sheets, ContactsGoRoundTheirBorders) {
  Two pair(0, 0.05, {0, 0, -0.04}, both);
  Contact contact = make_contact(pair.surface, pair.hits().front(), pair.x0, pair.x1);
  ASSERT_EQ(contact.kind, ContactKind::vertex_face);
  contact.pair = {3, 0};
  contact.vertices = {3, 0, 1, 2};
  contact.id = contact_id(contact.kind, contact.pair);
  const TrackingOptions options;
  VecX x = pair.x0;
  block(x, 3) = Vec3(0.5, -0.01, std::sqrt(0.02 * 0.02 - 0.01 * 0.01) + 1e-6);
  EXPECT_EQ(slide(pair.surface, contact, x, options), Slide::stays);
  for (int round = 0; round < 5; ++round) relinearise(pair.surface, contact, x, options);
  EXPECT_LT((contact.n - Vec3(0, -0.5, std::sqrt(0.75))).norm(), 1e-4);
  EXPECT_NEAR(contact.gap, distance(contact, x), 1e-12);
  block(x, 3) = Vec3(0.5, -0.01, 0.03);
  EXPECT_EQ(slide(pair.surface, contact, x, options), Slide::gone);
}

// Two squares of two triangles, one 0.02 m above the other, both flat or both folded by a right angle along the
// diagonal. The upper diagonal has slid beside the lower one. Inside planes that says nothing of the normal; round a
// fold it does.
TEST(Sheets, EdgesAreRoundWhereTheyAreFoldedOnly) {
  for (const bool folded : {false, true}) {
    for (const double slid : {-0.003, 0.002}) {
      SCOPED_TRACE((folded ? "folded, slid by " : "flat, slid by ") + std::to_string(slid));
      const double down = folded ? 0.5 : 0, out = folded ? 0.5 : 1;
      CollideScene scene;
      for (const double z : {0.0, 0.02}) {
        const double by = z > 0 ? slid : 0;
        // The diagonal along y; its two triangles to both sides.
        scene.add({{by, 0, z}, {by, 1, z}, {by - out, 0.5, z - down}, {by + out, 0.5, z - down}},
                  {{0, 1, 2}, {1, 0, 3}});
      }
      CollisionSurface surface = scene.surface();
      mark_sheets(both, scene.x, surface);
      VecX x = stacked(scene.x);
      Index lower = -1, upper = -1;
      for (Index e = 0; e < static_cast<Index>(surface.edges.size()); ++e) {
        if (surface.edges[e] == Edge{0, 1}) lower = e;
        if (surface.edges[e] == Edge{4, 5}) upper = e;
      }
      ASSERT_GE(lower, 0);
      ASSERT_GE(upper, 0);
      VecX start = x, end = x;
      for (Index i = 4; i < 8; ++i) {
        block(start, i) += Vec3(-slid, 0, 0.01);
        block(end, i) += Vec3(-slid, 0, -0.01);
      }
      Contact contact = make_contact(surface, {ContactKind::edge_edge, {lower, upper}, 0.49}, start, end);
      ASSERT_NEAR(std::abs(contact.n[2]), 1, 1e-9);
      block(x, 4)[2] += 1e-6;
      block(x, 5)[2] += 1e-6;
      relinearise(surface, contact, x, {});
      const Vec3 up = contact.n[2] > 0 ? contact.n : Vec3(-contact.n);
      if (folded) {
        EXPECT_LT((up - Vec3(slid, 0, 0.02).normalized()).norm(), 1e-3);
      } else {
        EXPECT_LT((up - Vec3::UnitZ()).norm(), 0.02);  // 0.1 and 0.15 with the direction between nearest points
      }
    }
  }
}

}  // namespace thick_test
}  // namespace sim
