#include "math/pack.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "math/random.hpp"

namespace sim {
namespace pack_test {

double any_size(Random& random) {
  return std::ldexp(random.uniform(-1, 1), static_cast<int>(random.uniform(-60, 60)));
}

TEST(Pack, AngleOfAnyTwoNumbers) {
  Random random(1);
  for (int n = 0; n < 200000; ++n) {
    const Pack y([&](auto) { return any_size(random); }), x([&](auto) { return any_size(random); }),
        angle = atan2(y, x);
    for (std::size_t k = 0; k < lanes; ++k) {
      const double expected = std::atan2(double{y[k]}, double{x[k]});
      ASSERT_NEAR(angle[k], expected, 4 * std::numeric_limits<double>::epsilon() * std::abs(expected))
          << double{y[k]} << " " << double{x[k]};
    }
  }
}

TEST(Pack, AngleOnAxesAndDiagonals) {
  for (const double y : {-2.0, -1.0, 0.0, 1.0, 2.0}) {
    for (const double x : {-2.0, -1.0, 0.0, 1.0, 2.0}) {
      const Pack angle = atan2(Pack(y), Pack(x));
      EXPECT_DOUBLE_EQ(angle[0], std::atan2(y, x)) << y << " " << x;
    }
  }
}

TEST(Pack, LanesDoNotSeeEachOther) {
  Random random(2);
  for (int n = 0; n < 1000; ++n) {
    const double y = any_size(random), x = any_size(random);
    const Pack alone = atan2(Pack(y), Pack(x));
    for (std::size_t k = 0; k < lanes; ++k) {
      Pack others = std::numeric_limits<double>::quiet_NaN(), zeros = 0.0;
      others[k] = y;
      zeros[k] = x;
      EXPECT_EQ(atan2(others, zeros)[k], alone[0]);
    }
  }
}

TEST(Pack, InverseIsZeroWhereItIsNotDefined) {
  Pack a = 4.0;
  a[2] = 0;
  const Pack inverse = inverse_where(a > 0.0, a);
  EXPECT_EQ(inverse[0], 0.25);
  EXPECT_EQ(inverse[2], 0.0);
}

TEST(Pack, ProductsAreThoseOfVectors) {
  Random random(3);
  std::array<Vec3, lanes> u, w;
  for (std::size_t k = 0; k < lanes; ++k)
    for (int axis = 0; axis < 3; ++axis) u[k][axis] = random.uniform(-1, 1), w[k][axis] = random.uniform(-1, 1);
  const auto packed = [](const std::array<Vec3, lanes>& v) {
    return Pack3{Pack([&](auto k) { return v[k][0]; }), Pack([&](auto k) { return v[k][1]; }),
                 Pack([&](auto k) { return v[k][2]; })};
  };
  const Pack3 normal = cross(packed(u), packed(w));
  const Pack product = dot(packed(u), packed(w));
  for (std::size_t k = 0; k < lanes; ++k) {
    const Vec3 n(normal.x[k], normal.y[k], normal.z[k]);
    EXPECT_LT((n - u[k].cross(w[k])).norm(), 1e-15);
    EXPECT_NEAR(product[k], u[k].dot(w[k]), 1e-15);
  }
}

}  // namespace pack_test
}  // namespace sim
