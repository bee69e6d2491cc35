#include "geometry/continuous.hpp"

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <cmath>
#include <limits>

#include "geometry/motions.hpp"

namespace sim {
namespace continuous_test {

using Points = std::array<Vec3, 4>;

// The triangle (0,0) (1,0) (0,1) of the plane z = 0, at rest, and a vertex that goes from p to q.
MovingPoints vertex_to_triangle(const Vec3& p, const Vec3& q) {
  const Vec3 a(0, 0, 0), b(1, 0, 0), c(0, 1, 0);
  return {{p, a, b, c}, {q, a, b, c}};
}

MovingPoints moved(const Points& x0, const Vec3& first_pair, const Vec3& second_pair = Vec3::Zero()) {
  return {x0, {x0[0] + first_pair, x0[1] + first_pair, x0[2] + second_pair, x0[3] + second_pair}};
}

MovingPoints scaled(MovingPoints m, double factor) {
  for (Vec3& x : m.x0) x *= factor;
  for (Vec3& x : m.x1) x *= factor;
  return m;
}

// [0, time) is proven free, so time must not be above the true time, and should not be much below.
void expect_hit_at(const ContinuousResult& result, double time) {
  EXPECT_TRUE(result.hit);
  EXPECT_LE(result.time, time);
  EXPECT_NEAR(result.time, time, 1e-9);
}

void expect_free(const ContinuousResult& result) {
  EXPECT_FALSE(result.hit);
  EXPECT_EQ(result.time, 1);
}

TEST(VertexFace, HeadOnHitIsDatedFromBelow) {
  expect_hit_at(vertex_face_collision(vertex_to_triangle({0.25, 0.25, 1}, {0.25, 0.25, -1})), 0.5);
  expect_hit_at(vertex_face_collision(vertex_to_triangle({0.25, 0.25, -1}, {0.25, 0.25, 3})), 0.25);
}

TEST(VertexFace, TouchingACornerOrAnEdgeIsAHit) {
  expect_hit_at(vertex_face_collision(vertex_to_triangle({0, 0, 1}, {0, 0, -1})), 0.5);
  expect_hit_at(vertex_face_collision(vertex_to_triangle({0.5, 0.5, 1}, {0.5, 0.5, -1})), 0.5);
  expect_hit_at(vertex_face_collision(vertex_to_triangle({-1, 0, 1}, {1, 0, -1})), 0.5);
}

TEST(VertexFace, PassingTheBorderAtATinyDistanceIsFree) {
  for (const double gap : {1e-3, 1e-6, 1e-9, 1e-12}) {
    expect_free(vertex_face_collision(vertex_to_triangle({-gap, 0.5, 1}, {-gap, 0.5, -1})));
    expect_free(vertex_face_collision(vertex_to_triangle({-gap, -gap, 1}, {-gap, -gap, -2})));
  }
}

TEST(VertexFace, ContactInTheLastMomentCounts) {
  expect_hit_at(vertex_face_collision(vertex_to_triangle({0.25, 0.25, 1}, {0.25, 0.25, 0})), 1);
}

TEST(VertexFace, WithoutMotionOnlyTheDistanceCounts) {
  expect_free(vertex_face_collision(vertex_to_triangle({0.2, 0.2, 1e-9}, {0.2, 0.2, 1e-9})));
  expect_hit_at(vertex_face_collision(vertex_to_triangle({0.2, 0.2, 0}, {0.2, 0.2, 0})), 0);
}

TEST(VertexFace, MotionInThePlaneOfTheFace) {
  expect_hit_at(vertex_face_collision(vertex_to_triangle({-1, 0.25, 0}, {1, 0.25, 0})), 0.5);
  expect_hit_at(vertex_face_collision(vertex_to_triangle({2, 2, 0}, {0, 0, 0})), 0.75);
  expect_free(vertex_face_collision(vertex_to_triangle({-1, -1e-6, 0}, {2, -1e-6, 0})));
  expect_free(vertex_face_collision(vertex_to_triangle({-1, 1, 0}, {-0.5, 2, 0})));
}

TEST(VertexFace, StartingInThePlaneBesideTheFaceIsFreeWhenItLeaves) {
  expect_free(vertex_face_collision(vertex_to_triangle({2, 2, 0}, {0.2, 0.2, 5})));
  expect_hit_at(vertex_face_collision(vertex_to_triangle({0.2, 0.2, 0}, {0.2, 0.2, 5})), 0);
}

TEST(VertexFace, ShotThroughAtAThousandTimesTheSizeIsCaught) {
  expect_hit_at(vertex_face_collision(vertex_to_triangle({0.25, 0.25, 1}, {0.25, 0.25, -1e3 + 1})), 1e-3);
  expect_hit_at(vertex_face_collision(vertex_to_triangle({0.25, 0.25, 1e6}, {0.25, 0.25, -1e6})), 0.5);
}

TEST(VertexFace, FaceThatTurnsOverSweepsTheVertex) {
  // The corner c goes from (0, 1, 0) to (0, 1, 2) and the vertex rests at (0.1, 0.5, 0.5): c's plane z = 2 t y
  // reaches it at t = 0.5.
  const Vec3 p(0.1, 0.5, 0.5), a(0, 0, 0), b(1, 0, 0);
  expect_hit_at(vertex_face_collision({{p, a, b, {0, 1, 0}}, {p, a, b, {0, 1, 2}}}), 0.5);
}

TEST(VertexFace, NeedlesOfEveryWidthAreHitAndMissed) {
  for (const double width : {1e-3, 1e-6, 1e-9, 1e-12, 1e-15, 0.0}) {
    const Vec3 a(0, 0, 0), b(1, 0, 0), c(0.5, width, 0);
    const auto fall = [&](double y) {
      return vertex_face_collision({{Vec3(0.5, y, 1), a, b, c}, {Vec3(0.5, y, -1), a, b, c}});
    };
    expect_hit_at(fall(width / 2), 0.5);
    expect_free(fall(2 * width + 1e-6));
    expect_free(fall(-1e-6));
  }
}

TEST(VertexFace, FaceShrunkToAPointIsAPoint) {
  const Vec3 a(0, 0, 0);
  expect_hit_at(vertex_face_collision({{Vec3(-1, 0, 0), a, a, a}, {Vec3(1, 0, 0), a, a, a}}), 0.5);
  expect_free(vertex_face_collision({{Vec3(-1, 1e-9, 0), a, a, a}, {Vec3(1, 1e-9, 0), a, a, a}}));
  EXPECT_TRUE(vertex_face_collision({{a, a, a, a}, {a, a, a, a}}).hit);
}

TEST(VertexFace, CollapsingOntoOnePointIsAHit) {
  const Vec3 p(3, 1, 2);
  const MovingPoints m{{Vec3(0, 0, 1), {0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, {p, p, p, p}};
  expect_hit_at(vertex_face_collision(m), 1);
}

TEST(VertexFace, SizeDoesNotMatter) {
  for (const double size : {1e-12, 1e-6, 1e-3, 1e6, 1e12}) {
    expect_hit_at(vertex_face_collision(scaled(vertex_to_triangle({0.25, 0.25, 1}, {0.25, 0.25, -1}), size)), 0.5);
    expect_free(vertex_face_collision(scaled(vertex_to_triangle({-1e-9, 0.25, 1}, {-1e-9, 0.25, -1}), size)));
  }
}

TEST(VertexFace, DistanceFromTheOriginAndCommonMotionCostNothing) {
  // All numbers are multiples of 2^-20, so that the large coordinates hold them exactly.
  const double gap = 0x1p-20;
  const Vec3 far(1e6, -1e6, 1e6), travel(1000, 0, -500);
  MovingPoints m = vertex_to_triangle({0.25, 0.25, gap}, {0.25, 0.25, gap});
  for (Vec3& x : m.x0) x += far;
  for (Vec3& x : m.x1) x += far + travel;
  expect_free(vertex_face_collision(m));
  m.x1[0][2] -= 2 * gap;
  // It is told to 1e-14 of the largest difference, 0.75, and the pair closes in by 2 gap in all.
  const ContinuousResult result = vertex_face_collision(m);
  EXPECT_TRUE(result.hit);
  EXPECT_LE(result.time, 0.5);
  EXPECT_NEAR(result.time, 0.5, 1e-14 / (2 * gap));
}

TEST(VertexFace, RestingNearATurningFaceIsFreeWithoutALongSearch) {
  // A face of 4 cm turns by 0.05 rad about an axis through the foot of the vertex, 2.5e-6 m above it.
  const double half = 0.02, gap = 2.5e-6, rise = half * 0.05;
  const Vec3 p(0, 0, gap);
  const Points x0{p, {-half, -half, 0}, {half, -half, 0}, {0, half, 0}};
  const Points x1{p, {-half, -half, -rise}, {half, -half, rise}, {0, half, 0}};
  const ContinuousResult result = vertex_face_collision({x0, x1});
  EXPECT_TRUE(result.samples < max_samples / 2) << result.samples;
  // The face passes the foot of the vertex through (0, 0, 0) at all times, so it never comes nearer than the gap
  // times the cosine of the slope.
  expect_free(result);
}

TEST(EdgeEdge, CrossingEdgesMeet) {
  const Points x0{Vec3(-1, 0, 1), {1, 0, 1}, {0, -1, 0}, {0, 1, 0}};
  expect_hit_at(edge_edge_collision(moved(x0, {0, 0, -2})), 0.5);
  expect_hit_at(edge_edge_collision(moved(x0, {0, 0, -1}, {0, 0, 1})), 0.5);
  expect_free(edge_edge_collision(moved(x0, {0, 0, -0.999999})));
  expect_free(edge_edge_collision(moved(x0, {0, 0, 2})));
}

TEST(EdgeEdge, PassingTheEndAtATinyDistanceIsFree) {
  for (const double gap : {1e-3, 1e-6, 1e-9, 1e-12, 0.0}) {
    const Points x0{Vec3(gap, 0, 1), {1, 0, 1}, {0, -1, 0}, {0, 1, 0}};
    EXPECT_EQ(edge_edge_collision(moved(x0, {0, 0, -2})).hit, gap == 0) << gap;
  }
}

// The diagonal of a floor of 40 m, 1.144e-6 m under a block's edges, which end where they would cross it: whether
// they do is rounding.
TEST(EdgeEdge, AShortEdgeThatEndsAboveALongOneIsFree) {
  const Vec3 end(5.0721345929011133e-07, -2.1508589358316981e-11, 1.0257430337265352e-06);
  const Vec3 floor_begin(-17.924248636496543, -2, 8.8725030750657883);
  const Vec3 floor_end(17.924248636496543, 2, -8.8725030750657865);
  for (const Vec3& begin : {Vec3(-0.044810179363647042, -0.050000000139363204, 0.022182150555608387),
                            Vec3(4.4755951762252873e-07, -0.049999999872056819, 9.0515330212593436e-07)}) {
    const Points x0{begin, end, floor_begin, floor_end};
    for (const double separation : {0.0, 1.42e-7, 1e-6}) {
      expect_free(edge_edge_collision(moved(x0, {0, 0, 0}), separation));
      expect_free(edge_edge_collision(moved(x0, {0, 0, 1e-5}), separation));
    }
    expect_free(edge_edge_collision(moved(x0, {0, 0, -1e-6}), 0));
    EXPECT_TRUE(edge_edge_collision(moved(x0, {0, 0, 0}), 1.2e-6).hit);
    EXPECT_TRUE(edge_edge_collision(moved(x0, {0, 0, -1e-5}), 1e-7).hit);
  }
}

TEST(EdgeEdge, ParallelEdges) {
  const Points above{Vec3(0, 0, 1), {2, 0, 1}, {1, 0, 0}, {3, 0, 0}};
  expect_hit_at(edge_edge_collision(moved(above, {0, 0, -2})), 0.5);
  expect_free(edge_edge_collision(moved(above, {5, 0, 0})));
  expect_free(edge_edge_collision(moved(above, {0, 0, -0.999})));
  const Points beside{Vec3(0, 0, 1), {1, 0, 1}, {1.001, 0, 0}, {3, 0, 0}};
  expect_free(edge_edge_collision(moved(beside, {0, 0, -2})));
  const Points end_over_end{Vec3(0, 0, 1), {1, 0, 1}, {1, 0, 0}, {3, 0, 0}};
  expect_hit_at(edge_edge_collision(moved(end_over_end, {0, 0, -2})), 0.5);
}

TEST(EdgeEdge, CollinearEdgesMeetEndToEnd) {
  const Points x0{Vec3(0, 0, 0), {1, 0, 0}, {2, 0, 0}, {3, 0, 0}};
  expect_hit_at(edge_edge_collision(moved(x0, {2, 0, 0})), 0.5);
  expect_free(edge_edge_collision(moved(x0, {-2, 0, 0})));
  expect_free(edge_edge_collision(moved(x0, {0.999, 0, 0})));
}

TEST(EdgeEdge, NearlyParallelEdges) {
  for (const double tilt : {1e-4, 1e-8, 1e-12, 1e-16}) {
    const Points x0{Vec3(-1, -tilt, 1), {1, tilt, 1}, {-1, 0, 0}, {1, 0, 0}};
    expect_hit_at(edge_edge_collision(moved(x0, {0, 0, -2})), 0.5);
    expect_free(edge_edge_collision(moved(x0, {0, 0, -0.999})));
  }
}

TEST(EdgeEdge, MotionInOnePlane) {
  const Points x0{Vec3(-2, 0, 0), {-1, 0, 0}, {0, -1, 0}, {0, 1, 0}};
  expect_hit_at(edge_edge_collision(moved(x0, {2, 0, 0})), 0.5);
  expect_hit_at(edge_edge_collision(moved(x0, {2, 2, 0})), 0.5);
  expect_free(edge_edge_collision(moved(x0, {2, 2.1, 0})));
}

TEST(EdgeEdge, StartingCrossedIsAHitAtOnce) {
  const Points x0{Vec3(-1, 0, 0), {1, 0, 0}, {0, -1, 0}, {0, 1, 0}};
  expect_hit_at(edge_edge_collision(moved(x0, {0, 0, 1})), 0);
  expect_hit_at(edge_edge_collision(moved(x0, {0, 0, 0})), 0);
}

TEST(EdgeEdge, WithoutLengthIsAPoint) {
  const Points point_line{Vec3(0.5, 0, 1), {0.5, 0, 1}, {0, 0, 0}, {1, 0, 0}};
  expect_hit_at(edge_edge_collision(moved(point_line, {0, 0, -2})), 0.5);
  const Points beside{Vec3(0.5, 1e-9, 1), {0.5, 1e-9, 1}, {0, 0, 0}, {1, 0, 0}};
  expect_free(edge_edge_collision(moved(beside, {0, 0, -2})));
  const Points two_points{Vec3(0, 0, 1), {0, 0, 1}, {0, 0, 0}, {0, 0, 0}};
  expect_hit_at(edge_edge_collision(moved(two_points, {0, 0, -2})), 0.5);
  expect_free(edge_edge_collision(moved(two_points, {0, 0, -0.999})));
}

TEST(EdgeEdge, SizeDoesNotMatter) {
  const Points x0{Vec3(-1, 0, 1), {1, 0, 1}, {0, -1, 0}, {0, 1, 0}};
  for (const double size : {1e-12, 1e-6, 1e-3, 1e6, 1e12}) {
    expect_hit_at(edge_edge_collision(scaled(moved(x0, {0, 0, -2}), size)), 0.5);
    expect_free(edge_edge_collision(scaled(moved(x0, {0, 0, -1 + 1e-9}), size)));
  }
}

TEST(Separation, IsReachedBeforeTheTouch) {
  const MovingPoints fall = vertex_to_triangle({0.25, 0.25, 1}, {0.25, 0.25, 0.5});
  expect_hit_at(vertex_face_collision(fall, 0.75), 0.5);
  expect_hit_at(vertex_face_collision(fall, 0.5), 1);
  expect_free(vertex_face_collision(fall, 0.5 - 1e-12));
  const Points x0{Vec3(-1, 0, 1), {1, 0, 1}, {0, -1, 0}, {0, 1, 0}};
  expect_hit_at(edge_edge_collision(moved(x0, {0, 0, -2}), 0.25), 0.375);
}

TEST(Separation, StartingWithinItIsAHitAtOnce) {
  expect_hit_at(vertex_face_collision(vertex_to_triangle({0.2, 0.2, 0.1}, {0.2, 0.2, 9}), 0.1), 0);
  expect_hit_at(vertex_face_collision(vertex_to_triangle({0.2, 0.2, 0.1}, {0.2, 0.2, 9}), 0.5), 0);
  expect_free(vertex_face_collision(vertex_to_triangle({0.2, 0.2, 0.1}, {0.2, 0.2, 9}), 0.0999));
}

TEST(Separation, IsRoundAtCorners) {
  // Along the diagonal past the corner (0, 0): the nearest approach is sqrt(0.02), not 0.1.
  const MovingPoints pass = vertex_to_triangle({-0.1, -0.1, 1}, {-0.1, -0.1, -1});
  EXPECT_FALSE(vertex_face_collision(pass, 0.1414).hit);
  EXPECT_TRUE(vertex_face_collision(pass, 0.1415).hit);
}

// Resting at exactly the separation, and a little farther away, in directions that no coordinate makes exact.
TEST(Separation, IsToldFromALittleMoreAtEverySizeAndFromEverySide) {
  for (const double separation : {1e-6, 0.01, 1.0, 3e3}) {
    for (const double more : {0.0, 1e-12}) {
      for (int k = 0; k < 12; ++k) {
        // The scene at the size of the separation, turned about an axis that is not special.
        const Eigen::AngleAxisd turn(0.5 * k, Vec3(1, 2, 3).normalized());
        const double size = separation / 4;
        const Vec3 p(size, size, separation * (1 + more));
        const Vec3 at = turn * p, on_a = Vec3::Zero(), on_b = turn * Vec3(4 * size, 0, 0),
                   on_c = turn * Vec3(0, 4 * size, 0);
        const MovingPoints rest{{at, on_a, on_b, on_c}, {at, on_a, on_b, on_c}};
        EXPECT_EQ(vertex_face_collision(rest, separation).hit, more == 0) << separation << " turn " << k;
      }
    }
  }
}

TEST(Separation, BelowZeroIsZero) {
  EXPECT_TRUE(vertex_face_collision(vertex_to_triangle({0.25, 0.25, 1}, {0.25, 0.25, -1}), -0.5).hit);
  EXPECT_TRUE(vertex_face_collision(vertex_to_triangle({0.25, 0.25, 1}, {0.25, 0.25, 0}), -0.5).hit);
  EXPECT_TRUE(vertex_face_collision(vertex_to_triangle({0.25, 0.25, 0}, {0.25, 0.25, 0}), -0.5).hit);
  const Points x0{Vec3(-1, 0, 1), {1, 0, 1}, {0, -1, 0}, {0, 1, 0}};
  EXPECT_TRUE(edge_edge_collision(moved(x0, {0, 0, -2}), -0.25).hit);
}

TEST(Continuous, NumbersThatAreNotFiniteAreNotProvenFree) {
  constexpr double nan = std::numeric_limits<double>::quiet_NaN(), inf = std::numeric_limits<double>::infinity();
  for (const double bad : {nan, inf, -inf}) {
    for (int k = 0; k < 4; ++k) {
      for (int c = 0; c < 3; ++c) {
        MovingPoints m = vertex_to_triangle({5, 5, 5}, {6, 6, 6});
        (c % 2 == 0 ? m.x0 : m.x1)[k][c] = bad;
        const ContinuousResult face = vertex_face_collision(m), edge = edge_edge_collision(m);
        EXPECT_TRUE(face.hit && face.time == 0 && edge.hit && edge.time == 0);
      }
    }
  }
}

TEST(Continuous, LengthsThatUnderflowAreNotProvenFree) {
  const MovingPoints beside = vertex_to_triangle({0.6, 0.6, 0}, {0.7, 0.7, 0});  // within the box of the face
  EXPECT_FALSE(vertex_face_collision(scaled(beside, 1e-100)).hit);
  EXPECT_TRUE(vertex_face_collision(scaled(beside, 1e-200)).hit);
}

// A vertex just within the separation of a corner, at sizes where squares keep few digits or none.
TEST(Separation, IsKeptWhereSquaresUnderflow) {
  Random random(9);
  for (double s = 1e-130; s > 1e-170; s *= 0.7) {
    for (int k = 0; k < 30; ++k) {
      const auto number = [&random] { return random.uniform(-1, 1); };
      const Vec3 out = Vec3(number(), number(), number()).normalized(), aside = out.unitOrthogonal();
      const Points x{(s * (1 - 1e-6)) * out, Vec3::Zero(), s * (aside - 3 * out), s * (-aside - 3 * out)};
      ASSERT_TRUE(vertex_face_collision({x, x}, s).hit) << s;
      const Points edges{x[0], x[0] + s * (3 * out + aside), x[1], x[2]};
      ASSERT_TRUE(edge_edge_collision({edges, edges}, s).hit) << s;
    }
  }
}

// Powers of two: the small copy is the same collision, to the last digit, until its squares underflow.
TEST(Continuous, ATinyCopyOfACollisionIsACollision) {
  Random random(3);
  int hits = 0;
  for (int trial = 0; trial < 3000; ++trial) {
    const bool edges = trial % 2 == 0;
    const MovingPoints m = reference::random_motion(random, trial % reference::motion_kinds, edges);
    const auto collision = edges ? edge_edge_collision : vertex_face_collision;
    if (!collision(m, 0).hit) continue;
    ++hits;
    for (const int exponent : {-200, -300, -400, -440, -460, -470, -480, -500, -520, -530, -540, -600, -1000}) {
      ASSERT_TRUE(collision(scaled(m, std::ldexp(1.0, exponent)), 0).hit) << trial << " times 2^" << exponent;
    }
  }
  EXPECT_GT(hits, 500);
}

}  // namespace continuous_test
}  // namespace sim
