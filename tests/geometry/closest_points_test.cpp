#include "geometry/closest_points.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "geometry/rational_reference.hpp"
#include "math/random.hpp"

namespace sim {
namespace closest_points_test {

Vec3 random_point(Random& random) {
  return {random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1)};
}

Vec3 at(const PointTriangle& near, const Vec3& a, const Vec3& b, const Vec3& c) {
  return near.weights[0] * a + near.weights[1] * b + near.weights[2] * c;
}

// Triangles and segments of every shape: full, needles of every width, without area, without length.
Vec3 shaped(Random& random, int shape, const Vec3& a, const Vec3& b) {
  switch (shape % 4) {
    case 0:
      return random_point(random);
    case 1:
      return a + random.uniform(-2, 2) * (b - a) + std::pow(10.0, random.uniform(-16, 0)) * random_point(random);
    case 2:
      return 0.5 * (a + b);
    default:
      return a;
  }
}

// Coordinates are of size 1 to 5; the root of a squared distance of rational arithmetic is right to the last digits.
constexpr double tolerance = 1e-14;

TEST(PointTriangle, DistanceIsThatOfRationalArithmetic) {
  Random random(1);
  for (int i = 0; i < 20000; ++i) {
    const Vec3 a = random_point(random), b = i % 50 == 0 ? a : random_point(random);
    const Vec3 c = shaped(random, i, a, b);
    Vec3 p = random_point(random);
    if (i % 3 == 0) p = a + random.uniform() * (b - a) + random.uniform() * (c - a) + 1e-9 * p;  // near the plane
    const PointTriangle near = closest_point_triangle(p, a, b, c);
    ASSERT_NEAR(near.distance, std::sqrt(reference::point_triangle_squared(p, a, b, c)), tolerance) << i;
    ASSERT_NEAR(near.distance, (p - at(near, a, b, c)).norm(), 2e-15) << i;
    ASSERT_NEAR(near.weights[0] + near.weights[1] + near.weights[2], 1, 1e-15) << i;
    for (const double w : near.weights) ASSERT_GE(w, 0) << i;
  }
}

TEST(PointTriangle, NamesTheFeatureOfEveryRegion) {
  const Vec3 a(0, 0, 0), b(2, 0, 0), c(0, 2, 0);
  const auto feature = [&](double x, double y) { return closest_point_triangle({x, y, 3}, a, b, c).feature; };
  EXPECT_EQ(feature(0.5, 0.5), TriangleFeature::face);
  EXPECT_EQ(feature(-1, -1), TriangleFeature::vertex_a);
  EXPECT_EQ(feature(4, -1), TriangleFeature::vertex_b);
  EXPECT_EQ(feature(-1, 4), TriangleFeature::vertex_c);
  EXPECT_EQ(feature(1, -1), TriangleFeature::edge_ab);
  EXPECT_EQ(feature(2, 2), TriangleFeature::edge_bc);
  EXPECT_EQ(feature(-1, 1), TriangleFeature::edge_ca);
}

TEST(PointTriangle, KnownWeightsAndDistances) {
  const Vec3 a(0, 0, 0), b(4, 0, 0), c(0, 4, 0);
  const PointTriangle face = closest_point_triangle({1, 2, -5}, a, b, c);
  EXPECT_DOUBLE_EQ(face.distance, 5);
  EXPECT_DOUBLE_EQ(face.weights[0], 0.25);
  EXPECT_DOUBLE_EQ(face.weights[1], 0.25);
  EXPECT_DOUBLE_EQ(face.weights[2], 0.5);
  const PointTriangle edge = closest_point_triangle({1, -3, 4}, a, b, c);
  EXPECT_DOUBLE_EQ(edge.distance, 5);
  EXPECT_DOUBLE_EQ(edge.weights[1], 0.25);
  EXPECT_EQ(edge.weights[2], 0);
}

TEST(PointTriangle, WithoutAreaIsItsLongestEdge) {
  const Vec3 a(1, 0, 0), b(-1, 0, 0), c(3, 0, 0);
  const PointTriangle near = closest_point_triangle({2.5, 2, 0}, a, b, c);
  EXPECT_DOUBLE_EQ(near.distance, 2);
  EXPECT_NEAR(at(near, a, b, c)[0], 2.5, 1e-15);
  const PointTriangle point = closest_point_triangle({0, 3, 4}, Vec3::Zero(), Vec3::Zero(), Vec3::Zero());
  EXPECT_EQ(point.distance, 5);
  EXPECT_EQ(point.feature, TriangleFeature::vertex_a);
}

TEST(PointSegment, KnownPlaces) {
  const Vec3 a(1, 0, 0), b(5, 0, 0);
  EXPECT_DOUBLE_EQ(closest_point_segment({2, 3, 4}, a, b).distance, 5);
  EXPECT_DOUBLE_EQ(closest_point_segment({2, 3, 4}, a, b).t, 0.25);
  EXPECT_EQ(closest_point_segment({-7, 1, 0}, a, b).t, 0);
  EXPECT_EQ(closest_point_segment({9, 1, 0}, a, b).t, 1);
  EXPECT_EQ(closest_point_segment({1, 3, 4}, a, a).distance, 5);
  EXPECT_EQ(closest_point_segment(a, a, b).distance, 0);
}

TEST(SegmentSegment, DistanceIsThatOfRationalArithmetic) {
  Random random(2);
  for (int i = 0; i < 20000; ++i) {
    const Vec3 a0 = random_point(random), a1 = i % 50 == 0 ? a0 : random_point(random);
    const Vec3 b0 = i % 7 == 0 ? random_point(random) : shaped(random, i, a0, a1);
    const double tilt = i % 2 == 0 ? 0 : std::pow(10.0, random.uniform(-16, 0));
    const Vec3 along = random.uniform(-2, 2) * (a1 - a0) + tilt * random_point(random);
    const Vec3 b1 = i % 3 == 0 ? Vec3(b0 + along) : shaped(random, i / 5, a0, a1);
    const SegmentSegment near = closest_segment_segment(a0, a1, b0, b1);
    const Vec3 p = a0 + near.s * (a1 - a0), q = b0 + near.t * (b1 - b0);
    ASSERT_NEAR(near.distance, std::sqrt(reference::segment_segment_squared(a0, a1, b0, b1)), tolerance) << i;
    ASSERT_NEAR(near.distance, (p - q).norm(), 2e-15) << i;
    ASSERT_TRUE(near.s >= 0 && near.s <= 1 && near.t >= 0 && near.t <= 1) << i;
  }
}

// Crossing at an angle of 1e-16 to 1: the worst case for formulas that divide by its sine.
TEST(SegmentSegment, NearlyParallelSegmentsThatCrossAreFoundTouching) {
  Random random(9);
  for (int i = 0; i < 5000; ++i) {
    const Vec3 crossing = random_point(random), u = random_point(random);
    const Vec3 v = u + std::pow(10.0, random.uniform(-16, 0)) * random_point(random);
    const double s = random.uniform(), t = random.uniform();
    const Vec3 a0 = crossing - s * u, a1 = a0 + u, b0 = crossing - t * v, b1 = b0 + v;
    const double expected = std::sqrt(reference::segment_segment_squared(a0, a1, b0, b1));
    ASSERT_NEAR(closest_segment_segment(a0, a1, b0, b1).distance, expected, tolerance) << i;
  }
}

// The reference itself against plain sampling.
TEST(DistanceReference, IsNotAboveAnySampleAndNearTheLowest) {
  Random random(10);
  for (int i = 0; i < 50; ++i) {
    std::array<Vec3, 4> x;
    for (Vec3& p : x) p = random_point(random);
    double lowest_edges = 1e9, lowest_face = 1e9;
    constexpr int n = 200;
    for (int j = 0; j <= n; ++j) {
      for (int k = 0; k <= n; ++k) {
        const double s = static_cast<double>(j) / n, t = static_cast<double>(k) / n;
        lowest_edges = std::min(lowest_edges, (x[0] + s * (x[1] - x[0]) - x[2] - t * (x[3] - x[2])).norm());
        const double b = s * (1 - t), c = s * t;
        lowest_face = std::min(lowest_face, (x[0] - x[1] - b * (x[2] - x[1]) - c * (x[3] - x[1])).norm());
      }
    }
    const double edges = std::sqrt(reference::segment_segment_squared(x[0], x[1], x[2], x[3]));
    const double face = std::sqrt(reference::point_triangle_squared(x[0], x[1], x[2], x[3]));
    EXPECT_LE(edges, lowest_edges + 1e-14);
    EXPECT_LE(face, lowest_face + 1e-14);
    // Edges are at most 2 sqrt(3) long, so a sample lies within half a step along each from the nearest points.
    EXPECT_GE(edges, lowest_edges - 2 * std::sqrt(3.0) / n);
    EXPECT_GE(face, lowest_face - 2 * std::sqrt(3.0) / n);
  }
}

TEST(SegmentSegment, CrossingAtADistance) {
  const SegmentSegment near = closest_segment_segment({-1, 0, 0}, {3, 0, 0}, {0, -1, 2}, {0, 1, 2});
  EXPECT_DOUBLE_EQ(near.distance, 2);
  EXPECT_DOUBLE_EQ(near.s, 0.25);
  EXPECT_DOUBLE_EQ(near.t, 0.5);
}

TEST(SegmentSegment, ParallelOverlappingSegmentsAreOneGapApart) {
  const SegmentSegment near = closest_segment_segment({0, 0, 0}, {4, 0, 0}, {3, 2, 0}, {7, 2, 0});
  EXPECT_EQ(near.distance, 2);
  EXPECT_DOUBLE_EQ(4 * near.s, 3 + 4 * near.t);
}

TEST(SegmentSegment, WithoutLengthIsAPoint) {
  const SegmentSegment point_line = closest_segment_segment({1, 1, 0}, {1, 1, 0}, {0, 0, 0}, {4, 0, 0});
  EXPECT_EQ(point_line.distance, 1);
  EXPECT_DOUBLE_EQ(point_line.t, 0.25);
  EXPECT_EQ(closest_segment_segment({3, 0, 0}, {3, 0, 0}, {0, 4, 0}, {0, 4, 0}).distance, 5);
  EXPECT_EQ(closest_segment_segment({3, 0, 0}, {3, 0, 0}, {3, 0, 0}, {3, 0, 0}).distance, 0);
}

TEST(ClosestPoints, HugeAndTinyCoordinatesStayFinite) {
  for (const double size : {1e-160, 1e-20, 1e20, 1e70}) {
    const Vec3 a(size, 0, 0), b(0, size, 0), c(0, 0, size), p(-size, size, 2 * size);
    EXPECT_TRUE(std::isfinite(closest_point_triangle(p, a, b, c).distance)) << size;
    EXPECT_TRUE(std::isfinite(closest_segment_segment(p, a, b, c).distance)) << size;
    EXPECT_TRUE(std::isfinite(closest_point_segment(p, a, b).t)) << size;
  }
}

}  // namespace closest_points_test
}  // namespace sim
