#include "geometry/predicates.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "geometry/rational_reference.hpp"
#include "math/random.hpp"

namespace sim {
namespace predicates_test {

Vec3 random_point(Random& random) {
  return {random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1)};
}

TEST(Orientation, IsPositiveOnTheSideOfTheNormal) {
  const Vec3 a(0, 0, 0), b(1, 0, 0), c(0, 1, 0);
  EXPECT_EQ(orientation(a, b, c, {5, 5, 1e-80}), 1);
  EXPECT_EQ(orientation(a, b, c, {5, 5, -1e-80}), -1);
  EXPECT_EQ(orientation(a, b, c, {5, 5, 0}), 0);
}

TEST(Orientation, CoordinatesNextToNothingAreZero) {
  const Vec3 a(0, 0, 0), b(1, 0, 0), c(0, 1, 0);
  for (const double dust : {9e-91, 1e-200, 1e-300, 1.5e-323}) {
    for (const double side : {-dust, dust}) {
      EXPECT_EQ(orientation(a, b, c, {5, 5, side}), 0) << side;
      EXPECT_EQ(orientation({0, 0, side}, b, c, {5, 5, 0}), 0) << side;
      EXPECT_EQ(orientation_in_plane({0, side, 0}, b, {3, 0, 0}, 2), 0) << side;
    }
  }
}

TEST(Orientation, OneUnitInTheLastPlaceDecides) {
  // Points of the plane x + y + z = 0 with 53-bit coordinates; then one coordinate goes to the neighbouring double.
  Random random(3);
  const auto in_plane = [&random] {
    const double x = std::floor(random.uniform(-1, 1) * 0x1p51) * 0x1p-51;
    const double y = std::floor(random.uniform(-1, 1) * 0x1p51) * 0x1p-51;
    return Vec3(x, y, -(x + y));
  };
  for (int i = 0; i < 2000; ++i) {
    const Vec3 a = in_plane(), b = in_plane(), c = in_plane();
    Vec3 d = in_plane();
    EXPECT_EQ(orientation(a, b, c, d), 0);
    d[2] = std::nextafter(d[2], 9.0);
    const int up = orientation(a, b, c, d);
    EXPECT_NE(up, 0);
    EXPECT_EQ(up, orientation(a, b, c, d + Vec3(0, 0, 1)));
    EXPECT_EQ(up, reference::orientation(a, b, c, d));
  }
}

TEST(Orientation, AgreesWithRationalArithmeticNearThePlane) {
  Random random(4);
  for (int i = 0; i < 3000; ++i) {
    const double scale = std::pow(10.0, random.uniform(-20, 20));
    const Vec3 a = random_point(random), b = random_point(random), c = random_point(random);
    const Vec3 d = a + random.uniform(-2, 2) * (b - a) + random.uniform(-2, 2) * (c - a);
    EXPECT_EQ(orientation(scale * a, scale * b, scale * c, scale * d),
              reference::orientation(scale * a, scale * b, scale * c, scale * d));
  }
}

TEST(Orientation, AgreesWithRationalArithmeticOnMixedMagnitudes) {
  Random random(5);
  const auto wild = [&random] {
    Vec3 p = random_point(random);
    for (int c = 0; c < 3; ++c) p[c] *= std::pow(10.0, static_cast<int>(random.next() % 41) - 20);
    return p;
  };
  for (int i = 0; i < 3000; ++i) {
    const Vec3 a = wild(), b = wild(), c = wild(), d = i % 2 == 0 ? wild() : Vec3(a + (b - a) + (c - a));
    EXPECT_EQ(orientation(a, b, c, d), reference::orientation(a, b, c, d));
  }
}

TEST(Orientation, SwappingTwoPointsChangesTheSign) {
  Random random(6);
  for (int i = 0; i < 1000; ++i) {
    const Vec3 a = random_point(random), b = random_point(random), c = random_point(random);
    const Vec3 d = (a + b + c) / 3;
    EXPECT_EQ(orientation(a, b, c, d), -orientation(b, a, c, d));
    EXPECT_EQ(orientation(a, b, c, d), -orientation(a, b, d, c));
  }
}

TEST(OrientationInPlane, IsTheOrientationWithAPointFarAlongTheAxis) {
  Random random(8);
  for (int i = 0; i < 2000; ++i) {
    const Vec3 a = random_point(random), b = random_point(random);
    const Vec3 c = i % 2 == 0 ? random_point(random) : Vec3(a + random.uniform(-2, 2) * (b - a));
    for (int dropped = 0; dropped < 3; ++dropped) {
      Vec3 above = a;
      above[dropped] += 1;
      EXPECT_EQ(orientation_in_plane(a, b, c, dropped), reference::orientation(a, b, c, above));
    }
  }
}

TEST(Collinear, OneUnitInTheLastPlaceDecides) {
  const Vec3 a(0.5, 0.25, -0.75), step(0.125, 0.0625, 0.5);
  EXPECT_TRUE(collinear(a, a + step, a + 3 * step));
  EXPECT_TRUE(collinear(a, a, a + step));
  for (int c = 0; c < 3; ++c) {
    Vec3 off = a + 3 * step;
    off[c] = std::nextafter(off[c], 9.0);
    EXPECT_FALSE(collinear(a, a + step, off));
  }
}

}  // namespace predicates_test
}  // namespace sim
