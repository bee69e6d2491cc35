#include "collide/contact.hpp"

#include <gtest/gtest.h>

#include <Eigen/Geometry>

#include "collide/contact_geometry.hpp"
#include "collide/intersections.hpp"
#include "collide/scenes.hpp"
#include "collide/tracking.hpp"
#include "geometry/closest_points.hpp"

namespace sim {
namespace contact_test {

using namespace sim::test;

// A vertex (of a small triangle that points away) over the face 0 1 2, which looks up: vertex 3.
CollideScene vertex_over_face(const Vec3& vertex) {
  CollideScene scene;
  scene.add({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, {{0, 1, 2}});
  scene.add({vertex, vertex + Vec3(0.1, 0, 3), vertex + Vec3(0, 0.1, 3)}, {{0, 1, 2}});
  return scene;
}
constexpr Hit vertex_hit{ContactKind::vertex_face, {3, 0}, 0};

// The edge 0-1 along x and the edge 2-3 as given, each with nothing to it.
CollideScene two_edges(const Vec3& c, const Vec3& d) {
  CollideScene scene;
  scene.add({{-1, 0, 0}, {1, 0, 0}, {0, 9, 0}}, {{0, 1, 2}});
  scene.add({c, d, {0, 9, 9}}, {{0, 1, 2}});
  return scene;
}
Hit edge_hit(const CollisionSurface& surface, double time) {
  return {ContactKind::edge_edge, {edge_between(surface, 0, 1), edge_between(surface, 3, 4)}, time};
}

Contact contact_of(const CollideScene& scene, Hit hit, double time, const std::vector<Vec3>& x1) {
  hit.time = time;
  return make_contact(scene.surface(), hit, stacked(scene.x), stacked(x1));
}

std::vector<Vec3> moved(const CollideScene& scene, Index vertex, const Vec3& by) {
  std::vector<Vec3> x1 = scene.x;
  x1[vertex] += by;
  return x1;
}

void expect_frame(const Contact& c) {
  Mat3 frame;
  frame << c.n, c.t1, c.t2;
  EXPECT_LT((frame.transpose() * frame - Mat3::Identity()).norm(), 1e-14);
  EXPECT_NEAR(frame.determinant(), 1, 1e-14);
}

Vec3 tangential(const Contact& c, const std::array<double, 2>& along) {
  return along[0] * c.t1 + along[1] * c.t2;
}

// Every contact of sheets that are pressed into each other from a clean start.
TEST(MakeContact, FromACleanStartGapsArePositiveFramesOrthonormalAndPointsTouchAtTheImpact) {
  int slid = 0;
  for (const auto make : {layered_sheets, tangled_rings, folding_sheet}) {
    Random random(2);
    CollideScene scene = make(random);
    set_velocities(scene, random, 150);
    const CollisionSurface surface = scene.surface();
    const VecX x0 = stacked(scene.x), v = stacked(scene.v), x1 = x0 + 0.001 * v;
    ASSERT_TRUE(initial_intersections(surface, x0).empty());
    Detection detection;
    Candidates candidates;
    CheckBuffers buffers;
    std::vector<Hit> hits;
    find_candidates(surface, {x0, v, 0.001}, {}, detection, candidates);
    check_candidates(surface, candidates, x0, x1, {}, buffers, hits);
    EXPECT_GT(hits.size(), 4U);
    for (const Hit& hit : hits) {
      const Contact c = make_contact(surface, hit, x0, x1);
      expect_frame(c);
      EXPECT_GT(c.gap, 0);
      EXPECT_DOUBLE_EQ(c.gap, gap(c, x0));
      EXPECT_NEAR(c.weights[0] + c.weights[1] + c.weights[2] + c.weights[3], 0, 1e-15);
      EXPECT_LT(gap(c, x1), c.gap);  // they were approaching
      // What slid along a face has the points that were nearest then (slide_past_a_face).
      const NearestPoints before = nearest_points(c.kind, gather(c.vertices, x0));
      if (c.gap <= c.eps2 && c.weights == before.weights) {
        ++slid;
        continue;
      }
      const VecX impact = x0 + hit.time * (x1 - x0);
      EXPECT_LT(separation_vector(c, impact).norm(), 1e-12);
      // What is left to travel along n and what was travelled across make up the whole way to the impact.
      const Vec3 way = separation_vector(c, impact) - separation_vector(c, x0);
      EXPECT_LT((way - (tangential(c, c.c_t) - c.gap * c.n)).norm(), 1e-12);
    }
  }
  EXPECT_LE(slid, 2);
}

TEST(MakeContact, NormalIsOnTheSideThatTheVertexCameFrom) {
  for (const double side : {1.0, -1.0}) {  // the second time a thin sheet hit from behind
    const CollideScene scene = vertex_over_face({0.2, 0.3, side * 0.5});
    const Contact c = contact_of(scene, vertex_hit, 0.5, moved(scene, 3, {0, 0, -side}));
    EXPECT_LT((c.n - Vec3(0, 0, side)).norm(), 1e-15);
    EXPECT_NEAR(c.gap, 0.5, 1e-15);
    EXPECT_NEAR(c.weights[1], -0.5, 1e-15);
    EXPECT_NEAR(c.weights[2], -0.2, 1e-15);
    EXPECT_NEAR(c.weights[3], -0.3, 1e-15);
  }
}

TEST(MakeContact, NormalOfTwoEdgesIsOnTheSideThatTheyCameFrom) {
  for (const double side : {1.0, -1.0}) {
    for (const double order : {1.0, -1.0}) {  // neither depends on which way the edges run
      const CollideScene scene = two_edges({0.2, -order, side}, {0.2, order, side});
      std::vector<Vec3> x1 = scene.x;
      for (const int k : {3, 4}) x1[k] += Vec3(0, 0, -2 * side);
      const Contact c = contact_of(scene, edge_hit(scene.surface(), 0.5), 0.5, x1);
      EXPECT_LT((c.n - Vec3(0, 0, -side)).norm(), 1e-15);  // from the second edge to the first
      EXPECT_NEAR(c.gap, 1, 1e-15);
      EXPECT_NEAR(c.weights[0], 0.4, 1e-15);
      EXPECT_NEAR(c.weights[1], 0.6, 1e-15);
      EXPECT_NEAR(c.weights[2], -0.5, 1e-15);
      EXPECT_NEAR(c.weights[3], -0.5, 1e-15);
    }
  }
}

TEST(MakeContact, OfAVertexExactlyInThePlaneTheMotionDecides) {
  for (const double side : {1.0, -1.0}) {
    const CollideScene scene = vertex_over_face({0.2, 0.3, 0});
    const Contact c = contact_of(scene, vertex_hit, 0, moved(scene, 3, {0.1, 0, -side * 0.01}));
    EXPECT_LT((c.n - Vec3(0, 0, side)).norm(), 1e-15);
    EXPECT_EQ(c.gap, 0);
    EXPECT_EQ(c.c_t[0], 0);
  }
}

// From -x, against the motion. One edge of the vertex leans over the face by a thirtieth: that would make the
// direction leave the cone, and turns it (by Hildreth's method with a compliance, all but a tenth).
TEST(MakeContact, OfMotionInThePlaneTheNormalSeparatesInThePlane) {
  const CollideScene scene = vertex_over_face({-0.5, 0.4, 0});
  const Contact c = contact_of(scene, vertex_hit, 0.5, moved(scene, 3, {1, 0, 0}));
  // The vertex has gone under its triangle by then, which leans away: nothing is in the way of that direction.
  EXPECT_LT((c.n + Vec3::UnitX()).norm(), 1e-12);
  EXPECT_DOUBLE_EQ(c.gap, -0.5 * c.n.x());
  expect_frame(c);
}

// On the border of the face, in its plane, at the start: nothing is apart, and the motion is all there is to go by.
TEST(MakeContact, OfTouchingAtTheStartAndMotionInThePlaneTheNormalIsAgainstTheMotion) {
  for (const Vec3& way : {Vec3(1, 0, 0), Vec3(-1, 0, 0), Vec3(0.6, -0.8, 0)}) {
    const CollideScene scene = vertex_over_face({0, 0.4, 0});
    const Contact c = contact_of(scene, vertex_hit, 0, moved(scene, 3, way));
    EXPECT_LT((c.n + way).norm(), 1e-12);
    EXPECT_NEAR(c.gap, 0, 1e-15);
    expect_frame(c);
  }
}

// The last resort: the face's own orientation.
TEST(MakeContact, OfTouchingWithoutMotionTheNormalIsThatOfTheFace) {
  const CollideScene scene = vertex_over_face({0.2, 0.3, 0});
  EXPECT_LT((contact_of(scene, vertex_hit, 0, scene.x).n - Vec3::UnitZ()).norm(), 1e-15);
  CollideScene turned = scene;
  turned.triangles[0] = {0, 2, 1};
  EXPECT_LT((contact_of(turned, vertex_hit, 0, turned.x).n + Vec3::UnitZ()).norm(), 1e-15);
}

TEST(MakeContact, WithoutMotionNormalOrAreaThereIsStillAFrame) {
  const CollideScene touching = vertex_over_face({0.2, 0.3, 0});
  expect_frame(contact_of(touching, vertex_hit, 0, touching.x));
  CollideScene needle = vertex_over_face({0.2, 0, 0.5});
  needle.x[2] = Vec3(0.5, 0, 0);  // the face is a segment
  const Contact over_needle = contact_of(needle, vertex_hit, 0.5, moved(needle, 3, {0, 0, -1}));
  expect_frame(over_needle);
  EXPECT_LT((over_needle.n - Vec3::UnitZ()).norm(), 1e-12);
  EXPECT_NEAR(over_needle.gap, 0.5, 1e-12);
  const CollideScene parallel = two_edges({-1, 0, -0.5}, {1, 0, -0.5});
  std::vector<Vec3> x1 = parallel.x;
  x1[3][2] = x1[4][2] = 0.5;
  const Contact of_parallels = contact_of(parallel, edge_hit(parallel.surface(), 0.5), 0.5, x1);
  expect_frame(of_parallels);
  EXPECT_LT((of_parallels.n - Vec3::UnitZ()).norm(), 1e-12);
  EXPECT_NEAR(of_parallels.gap, 0.5, 1e-12);
}

TEST(MakeContact, SelfCollisionIsSeparatedTheWayItFolded) {
  // One strip of four triangles, folded like a U; its upper arm comes down on the lower one. Both arms face up.
  CollideScene scene;
  scene.add({{0, 0, 0}, {0, 1, 0}, {1, 0.5, 0}, {1.2, 0.5, 0.5}, {0.3, 0.5, 0.2}}, {{0, 2, 1}, {1, 2, 3}, {2, 4, 3}});
  const Hit hit{ContactKind::vertex_face, {4, 0}, 0};
  const Contact c = contact_of(scene, hit, 0.5, moved(scene, 4, {0, 0, -0.4}));
  EXPECT_LT((c.n - Vec3::UnitZ()).norm(), 1e-15);
  EXPECT_NEAR(c.gap, 0.2, 1e-15);
}

TEST(MakeContact, TangentialStartIsTheWayAcrossBeforeTheImpact) {
  // The vertex falls 2 a step from height 1 and moves (0.3, 0.4) on; the face itself moves by (0.1, 0, 0) and rises
  // by 0.5: they meet after 0.4 of the step, having moved (0.2, 0.4) * 0.4 across each other.
  const CollideScene scene = vertex_over_face({0.2, 0.3, 1});
  std::vector<Vec3> x1 = moved(scene, 3, {0.3, 0.4, -2});
  for (int k = 0; k < 3; ++k) x1[k] += Vec3(0.1, 0, 0.5);
  const Contact c = contact_of(scene, vertex_hit, 0.4, x1);
  EXPECT_LT((tangential(c, c.c_t) - Vec3(0.08, 0.16, 0)).norm(), 1e-15);
  EXPECT_NEAR(c.gap, 1, 1e-15);
  EXPECT_EQ(c.time, 0.4);
}

TEST(ContactId, IsOneToOneAndOrdersVertexFaceFirst) {
  constexpr Index most = std::numeric_limits<Index>::max();
  EXPECT_LT(contact_id(ContactKind::vertex_face, {most, most}), contact_id(ContactKind::edge_edge, {0, 0}));
  EXPECT_LT(contact_id(ContactKind::edge_edge, {0, most}), contact_id(ContactKind::edge_edge, {1, 0}));
  EXPECT_LT(contact_id(ContactKind::edge_edge, {most, most}), no_contact);
  EXPECT_NE(contact_id(ContactKind::vertex_face, {1, 2}), contact_id(ContactKind::vertex_face, {2, 1}));
}

// With normal and weights from the nearest points, the gap is the distance, and its derivative with respect to
// vertex k is weights[k] n: the rows of the contact.
TEST(Gap, AndItsGradientAreThoseOfTheDistance) {
  Random random(3);
  const CollisionSurface nothing_else = make_surface({}, std::vector<Index>(4), std::vector<std::uint8_t>(4));
  int tried = 0;
  for (int trial = 0; trial < 2000 && tried < 200; ++trial) {
    const ContactKind kind = trial % 2 == 0 ? ContactKind::vertex_face : ContactKind::edge_edge;
    Stencil x;
    for (Vec3& p : x) p = random_vector(random, 1);
    const NearestPoints near = nearest_points(kind, x);
    if (!near.inside || near.r.norm() < 0.05 || foot(kind, x).outside > 0) continue;
    ++tried;
    Contact c;
    c.kind = kind;
    c.vertices = {0, 1, 2, 3};
    VecX all = stacked({x[0], x[1], x[2], x[3]});
    turn_frame(c, near.r.normalized());
    relinearise(nothing_else, c, all, {});
    const auto distance = [&](const VecX& at) {
      const Stencil p = gather({0, 1, 2, 3}, at);
      return kind == ContactKind::vertex_face ? closest_point_triangle(p[0], p[1], p[2], p[3]).distance
                                              : closest_segment_segment(p[0], p[1], p[2], p[3]).distance;
    };
    EXPECT_NEAR(c.gap, distance(all), 1e-13);
    for (int k = 0; k < 4; ++k) {
      for (int axis = 0; axis < 3; ++axis) {
        constexpr double h = 1e-5;
        VecX plus = all, minus = all;
        plus[3 * k + axis] += h;
        minus[3 * k + axis] -= h;
        const double slope = (distance(plus) - distance(minus)) / (2 * h);
        EXPECT_NEAR(c.weights[k] * c.n[axis], slope, 1e-6);
        EXPECT_NEAR(c.weights[k] * c.n[axis], (gap(c, plus) - gap(c, minus)) / (2 * h), 1e-9);
      }
    }
  }
  EXPECT_EQ(tried, 200);
}

TEST(TurnFrame, IsTheShortestRotationWithoutSpin) {
  Random random(4);
  for (int trial = 0; trial < 100; ++trial) {
    Contact c;
    turn_frame(c, random_vector(random, 1).normalized());
    const Contact before = c;
    const Vec3 n = random_vector(random, 1).normalized();
    turn_frame(c, n);
    expect_frame(c);
    const Eigen::Quaterniond rotation = Eigen::Quaterniond::FromTwoVectors(before.n, n);
    EXPECT_LT((rotation * before.n - c.n).norm(), 1e-13);
    EXPECT_LT((rotation * before.t1 - c.t1).norm(), 1e-12);
    EXPECT_LT((rotation * before.t2 - c.t2).norm(), 1e-12);
  }
  Contact c;
  turn_frame(c, -c.n);
  expect_frame(c);
}

}  // namespace contact_test
}  // namespace sim
