#include "geometry/triangle_intersection.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "geometry/rational_reference.hpp"
#include "math/random.hpp"

namespace sim {
namespace triangle_intersection_test {

using enum TriangleMeeting;
using Corners = std::array<Index, 3>;

const TriangleCorners base{Vec3(0, 0, 0), Vec3(4, 0, 0), Vec3(0, 4, 0)};

// In every order of the corners and of the two triangles.
void expect_meeting(TriangleCorners a, TriangleCorners b, TriangleMeeting expected) {
  const auto less = [](const Vec3& p, const Vec3& q) {
    return std::lexicographical_compare(p.data(), p.data() + 3, q.data(), q.data() + 3);
  };
  std::sort(a.begin(), a.end(), less);
  std::sort(b.begin(), b.end(), less);
  do {
    do {
      EXPECT_EQ(triangles_intersect(a, b), expected);
      EXPECT_EQ(triangles_intersect(b, a), expected);
    } while (std::next_permutation(b.begin(), b.end(), less));
  } while (std::next_permutation(a.begin(), a.end(), less));
}

TEST(TrianglesIntersect, PiercingIsCrossing) {
  expect_meeting(base, {Vec3(1, 1, -1), Vec3(1, 1, 1), Vec3(9, 9, 1)}, crossing);
  expect_meeting(base, {Vec3(1, 1, -1), Vec3(1.5, 1, -1), Vec3(1, 1.5, 2)}, crossing);
  expect_meeting(base, {Vec3(1, 1, 0), Vec3(1, 2, -3), Vec3(2, 1, 3)}, crossing);
}

// Of a ribbon that lies in the plane z = 0 but for what motion in it leaves there.
TEST(TrianglesIntersect, WhatHingesInAPlaneDoesNotMeetByDustInACoordinate) {
  const Vec3 a(-3.2245670, 25.406415, 0), b(-3.4161010, 25.010508, 0), c(-3.0241780, 24.816077, -1.4821969e-323),
      d(-2.8287380, 25.220068, 0);
  EXPECT_EQ(triangles_intersect({a, b, c}, {0, 1, 2}, {a, c, d}, {0, 2, 3}), disjoint);
}

TEST(TrianglesIntersect, ApartIsDisjoint) {
  expect_meeting(base, {Vec3(1, 1, 1), Vec3(2, 1, 1), Vec3(1, 2, 3)}, disjoint);
  expect_meeting(base, {Vec3(3, 3, -1), Vec3(3, 3, 1), Vec3(9, 9, 1)}, disjoint);
  expect_meeting(base, {Vec3(5, 0, 0), Vec3(9, 0, 0), Vec3(5, 4, 0)}, disjoint);
}

TEST(TrianglesIntersect, MeetingTheBorderIsTouching) {
  expect_meeting(base, {Vec3(1, 1, 0), Vec3(1, 1, 2), Vec3(2, 1, 2)}, touching);     // a corner on the face
  expect_meeting(base, {Vec3(1, 1, 0), Vec3(2, 1, 0), Vec3(1, 1, 2)}, touching);     // an edge on the face
  expect_meeting(base, {Vec3(0, 0, 0), Vec3(-1, 0, 1), Vec3(0, -1, 1)}, touching);   // corner on corner
  expect_meeting(base, {Vec3(2, -1, -1), Vec3(2, 1, 1), Vec3(2, -5, 1)}, touching);  // edge across edge
  expect_meeting(base, {Vec3(1, 0, 0), Vec3(6, 0, 0), Vec3(1, 0, 5)}, touching);     // edge along edge
  expect_meeting(base, {Vec3(4, 0, 0), Vec3(9, 0, 0), Vec3(4, -4, 0)}, touching);    // in the plane, corner on corner
  expect_meeting(base, {Vec3(1, 0, 0), Vec3(6, 0, 0), Vec3(1, -4, 0)}, touching);    // in the plane, edge along edge
}

TEST(TrianglesIntersect, CommonAreaInOnePlaneIsOverlapping) {
  expect_meeting(base, base, overlapping);
  expect_meeting(base, {Vec3(1, 1, 0), Vec3(1.5, 1, 0), Vec3(1, 1.5, 0)}, overlapping);
  expect_meeting(base, {Vec3(-1, 1, 0), Vec3(5, 1, 0), Vec3(-1, 2, 0)}, overlapping);
  expect_meeting(base, {Vec3(0, 0, 0), Vec3(4, 0, 0), Vec3(4, 4, 0)}, overlapping);
}

TEST(TrianglesIntersect, WithoutAreaIsASegmentOrAPoint) {
  const auto segment = [](const Vec3& p, const Vec3& q) { return TriangleCorners{p, q, 0.5 * (p + q)}; };
  const auto point = [](const Vec3& p) { return TriangleCorners{p, p, p}; };
  expect_meeting(base, segment({1, 1, -1}, {1, 1, 1}), crossing);
  expect_meeting(base, segment({1, 1, 0}, {1, 1, 2}), touching);
  expect_meeting(base, segment({0, 2, -1}, {0, 2, 1}), touching);
  expect_meeting(base, segment({-1, 1, 0}, {5, 1, 0}), overlapping);
  expect_meeting(base, segment({-1, 0, 0}, {5, 0, 0}), touching);
  expect_meeting(base, segment({-1, 1, 1}, {5, 1, 1}), disjoint);
  expect_meeting(base, point({1, 1, 0}), overlapping);
  expect_meeting(base, point({0, 1, 0}), touching);
  expect_meeting(base, point({1, 1, 1}), disjoint);
  expect_meeting(segment({0, 0, 0}, {2, 0, 0}), segment({1, -1, 0}, {1, 1, 0}), overlapping);
  expect_meeting(segment({0, 0, 0}, {2, 0, 0}), segment({2, 0, 0}, {4, 0, 0}), touching);
  expect_meeting(segment({0, 0, 0}, {2, 0, 0}), segment({3, 0, 0}, {4, 0, 0}), disjoint);
  expect_meeting(segment({0, 0, 0}, {2, 0, 0}), segment({1, -1, 1}, {1, 1, 1}), disjoint);
  expect_meeting(point({1, 2, 3}), point({1, 2, 3}), overlapping);
}

TEST(TrianglesIntersect, OneUnitInTheLastPlaceDecides) {
  // A face in the plane x + y + z = 1, a corner on it, then one step of its last coordinate up and down.
  const TriangleCorners face{Vec3(1, 0, 0), Vec3(0, 1, 0), Vec3(0, 0, 1)};
  const double z = 0.375;
  const auto touching_corner = [](double height) {
    return TriangleCorners{Vec3(0.25, 0.375, height), Vec3(1, 1, 1), Vec3(1, 1, 2)};
  };
  expect_meeting(face, touching_corner(z), touching);
  expect_meeting(face, touching_corner(std::nextafter(z, 1.0)), disjoint);
  expect_meeting(face, touching_corner(std::nextafter(z, 0.0)), crossing);
}

TriangleCorners lattice_triangle(Random& random, unsigned size, bool planar) {
  TriangleCorners t;
  for (Vec3& p : t) {
    for (int c = 0; c < 3; ++c) p[c] = random.next() % size;
    if (planar) p = Vec3(p[0], p[1], p[0] + p[1]);
  }
  return t;
}

// On a lattice of 3 or 4 points a side nearly every special position turns up, triangles without area included.
TEST(TrianglesIntersect, AgreesWithRationalArithmeticOnLattices) {
  Random random(21);
  std::map<TriangleMeeting, int> seen;
  for (int i = 0; i < 2000; ++i) {
    const unsigned size = 3 + i % 2;
    const bool planar = i % 5 == 0;
    const TriangleCorners a = lattice_triangle(random, size, planar), b = lattice_triangle(random, size, planar);
    const TriangleMeeting expected = reference::triangles(a, b);
    ASSERT_EQ(triangles_intersect(a, b), expected) << i;
    ++seen[expected];
  }
  for (const auto meeting : {disjoint, touching, overlapping, crossing}) EXPECT_GT(seen[meeting], 100);
}

TEST(TrianglesIntersect, AgreesWithRationalArithmeticOnRandomTriangles) {
  Random random(22);
  for (int i = 0; i < 200; ++i) {
    TriangleCorners a, b;
    for (Vec3& p : a) p = Vec3(random.uniform(), random.uniform(), random.uniform());
    for (Vec3& p : b) p = Vec3(random.uniform(), random.uniform(), random.uniform());
    ASSERT_EQ(triangles_intersect(a, b), reference::triangles(a, b)) << i;
  }
}

// The same with corners shared by index, at random places of both triangles.
TEST(TrianglesWithSharedCorners, AgreeWithRationalArithmeticOnLattices) {
  Random random(23);
  for (int shared = 1; shared <= 2; ++shared) {
    std::map<TriangleMeeting, int> seen;
    for (int i = 0; i < 1500; ++i) {
      const bool planar = i % 4 == 0;
      const TriangleCorners a = lattice_triangle(random, 3, planar);
      TriangleCorners b = lattice_triangle(random, 3, planar);
      Corners a_index{10, 11, 12}, b_index{20, 21, 22};
      std::vector<int> places;
      const unsigned turn_a = random.next(), turn_b = random.next();
      for (int k = 0; k < shared; ++k) {
        const int in_a = (turn_a + k) % 3, in_b = (turn_b + (turn_b / 3 % 2 == 0 ? k : 3 - k)) % 3;
        b[in_b] = a[in_a];
        b_index[in_b] = a_index[in_a];
        places.push_back(in_a);
      }
      const TriangleMeeting expected = reference::triangles(a, b, places);
      ASSERT_EQ(triangles_intersect(a, a_index, b, b_index), expected) << shared << " shared, " << i;
      ASSERT_EQ(triangles_intersect(b, b_index, a, a_index), expected) << shared << " shared, " << i;
      ++seen[expected];
    }
    for (const auto meeting : {disjoint, overlapping}) EXPECT_GT(seen[meeting], 50) << shared;
    if (shared == 1) {
      EXPECT_GT(seen[touching], 50);
      EXPECT_GT(seen[crossing], 50);
    }
  }
}

TEST(TrianglesWithSharedCorners, HingesAreDisjointUntilFoldedFlat) {
  const Corners left{0, 1, 2}, right{1, 0, 3};
  const auto hinge = [&](const Vec3& tip) { return triangles_intersect(base, left, {base[1], base[0], tip}, right); };
  EXPECT_EQ(hinge({2, -3, 0}), disjoint);
  EXPECT_EQ(hinge({2, -3, 1}), disjoint);
  EXPECT_EQ(hinge({1, 1, 1e-30}), disjoint);
  EXPECT_EQ(hinge({1, 1, 0}), overlapping);
  EXPECT_EQ(hinge({9, 9, 0}), overlapping);
}

TEST(TrianglesWithSharedCorners, FansAreDisjointUntilOneEntersTheOther) {
  const Corners left{0, 1, 2}, right{0, 3, 4};
  const auto fan = [&](const Vec3& p, const Vec3& q) {
    return triangles_intersect(base, left, {base[0], p, q}, right);
  };
  EXPECT_EQ(fan({-1, 0, 1}, {0, -1, 1}), disjoint);
  EXPECT_EQ(fan({1, 1, 1}, {2, 1, 1}), disjoint);
  EXPECT_EQ(fan({1, 1, -1}, {1, 1, 1}), crossing);
  EXPECT_EQ(fan({1, 1, 0}, {1, 1, 1}), touching);
  EXPECT_EQ(fan({2, 0, 0}, {0, -2, 5}), touching);
  EXPECT_EQ(fan({1, 1, 0}, {2, 1, 0}), overlapping);
}

TEST(TrianglesWithSharedCorners, SegmentsInARowAreDisjointWhateverDustIsInACoordinate) {
  for (const double dust : {9e-91, 1e-96, 1e-200, 1e-320}) {
    const Vec3 a(0, 0, 0), b(dust, 0, 1), c(-dust, 0, 2);
    EXPECT_EQ(triangles_intersect({a, b, b}, {0, 1, 1}, {b, c, c}, {1, 2, 2}), disjoint) << dust;
    EXPECT_EQ(triangles_intersect({b, a, b}, {1, 0, 1}, {b, b, c}, {1, 1, 2}), disjoint) << dust;
    // Folded back onto each other they are not, and the other one of the two lies in no order by x.
    const Vec3 half(dust, 0, 0.5);
    EXPECT_EQ(triangles_intersect({a, b, b}, {0, 1, 1}, {b, half, half}, {1, 2, 2}), overlapping) << dust;
  }
}

TEST(TrianglesWithSharedCorners, TheSameTriangleTwiceOverlaps) {
  EXPECT_EQ(triangles_intersect(base, {0, 1, 2}, {base[2], base[0], base[1]}, {2, 0, 1}), overlapping);
  EXPECT_TRUE(is_intersection(overlapping));
  EXPECT_TRUE(is_intersection(crossing));
  EXPECT_FALSE(is_intersection(touching));
  EXPECT_FALSE(is_intersection(disjoint));
}

}  // namespace triangle_intersection_test
}  // namespace sim
