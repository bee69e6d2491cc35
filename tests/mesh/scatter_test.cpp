#include "mesh/scatter.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "math/error.hpp"
#include "mesh/generate.hpp"
#include "mesh/shapes.hpp"

namespace sim {
namespace scatter_test {

constexpr double pi = std::numbers::pi;

ScatterOptions in_box(Index count, std::uint64_t seed, const Vec3& low, const Vec3& high) {
  return {count, seed, {low, high}};
}

std::string message_of(double radius, const ScatterOptions& options) {
  try {
    scatter(radius, options);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

void expect_holds(const std::string& message, const std::string& part) {
  EXPECT_NE(message.find(part), std::string::npos) << "expected \"" << part << "\" in: " << message;
}

// The value after `label` in a message.
double number_after(const std::string& message, const std::string& label) {
  const std::size_t place = message.find(label);
  if (place == std::string::npos) {
    ADD_FAILURE() << "expected \"" << label << "\" in: " << message;
    return std::numeric_limits<double>::quiet_NaN();
  }
  return std::stod(message.substr(place + label.size()));
}

// Does as a message says: a bigger box, or fewer copies. Both must do for any seed.
void expect_remedy(const std::string& message, double radius, const ScatterOptions& options) {
  const double factor = number_after(message, "Use a box ");
  const auto fewer = static_cast<Index>(number_after(message, "times as long along each axis, or at most "));
  EXPECT_GT(factor, 1);
  EXPECT_GE(fewer, 1);
  for (const std::uint64_t seed : {1, 2, 3}) {
    const auto& [low, high] = options.box;
    const Vec3 higher = low + factor * (high - low);
    EXPECT_EQ(message_of(radius, in_box(options.count, seed, low, higher)), "") << message;
    EXPECT_EQ(message_of(radius, in_box(fewer, seed, low, high)), "") << message;
  }
}

double distance(const Vec3& a, const Vec3& b) {
  const testing::Vec d = testing::sub(a, b);
  return std::sqrt(testing::dot(d, d));
}

bool are_same(const Placement& a, const Placement& b) {
  return a.rotation == b.rotation && a.position == b.position;
}

// --- what it promises ---

TEST(Scatter, FiveThousandCopiesNeitherOverlapNorLeaveTheBox) {
  const double radius = 0.06;  // 5000 balls fill 18 % of the box
  const Vec3 low(-1, -2, 0), high(2, 0, 4.2);
  const auto placements = scatter(radius, in_box(5000, 7, low, high));
  ASSERT_EQ(placements.size(), 5000);
  double nearest = 1e300;
  for (std::size_t i = 0; i < placements.size(); ++i) {
    const Vec3& p = placements[i].position;
    for (int axis = 0; axis < 3; ++axis) {
      EXPECT_GE(p[axis], low[axis] + radius);
      EXPECT_LE(p[axis], high[axis] - radius);
    }
    for (std::size_t j = 0; j < i; ++j) nearest = std::min(nearest, distance(p, placements[j].position));
  }
  EXPECT_GE(nearest, 2 * radius);
  EXPECT_LT(nearest, 2.05 * radius);  // the balls do get close: nothing larger than them is kept apart
}

TEST(Scatter, VerticesOfTheTurnedCopiesStayInTheBoxAndApart) {
  const Mesh ring = generate(TorusShape{18, 0.08, 0.04});
  const double radius = bounding_radius(ring.vertices);
  const Vec3 low(-0.4, -0.3, 0.2), high(0.4, 0.5, 1.2);
  const auto placements = scatter(radius, in_box(30, 3, low, high));
  for (const Placement& placement : placements) {
    for (const Vec3& x : ring.vertices) {
      const Vec3 y = apply(placement, x);
      for (int axis = 0; axis < 3; ++axis) {
        EXPECT_GT(y[axis], low[axis]);
        EXPECT_LT(y[axis], high[axis]);
      }
      for (const Placement& other : placements) {
        if (&other == &placement) continue;
        EXPECT_GT(distance(y, other.position), radius * (1 - 1e-14));
      }
    }
  }
}

TEST(Scatter, RepeatedRunsGiveTheSameBits) {
  const ScatterOptions options = in_box(300, 5, Vec3(-1, -1, 0), Vec3(1, 1, 2));
  const auto first = scatter(0.1, options), second = scatter(0.1, options);
  ASSERT_EQ(first.size(), second.size());
  for (std::size_t i = 0; i < first.size(); ++i) EXPECT_TRUE(are_same(first[i], second[i])) << i;
}

TEST(Scatter, MoreCopiesKeepTheFirstOnesWhereTheyAre) {
  const auto few = scatter(0.1, in_box(20, 5, Vec3(-1, -1, 0), Vec3(1, 1, 2)));
  const auto many = scatter(0.1, in_box(200, 5, Vec3(-1, -1, 0), Vec3(1, 1, 2)));
  for (std::size_t i = 0; i < few.size(); ++i) EXPECT_TRUE(are_same(few[i], many[i])) << i;
}

TEST(Scatter, EverySeedGivesAnotherPlacement) {
  const auto of = [](std::uint64_t seed) { return scatter(0.1, in_box(10, seed, Vec3(-1, -1, 0), Vec3(1, 1, 2))); };
  const std::vector<std::uint64_t> seeds{0, 1, 2, 3, 1ULL << 32U, 1ULL << 63U, ~0ULL};
  for (std::size_t a = 0; a < seeds.size(); ++a) {
    for (std::size_t b = 0; b < a; ++b) {
      const auto x = of(seeds[a]), y = of(seeds[b]);
      for (std::size_t i = 0; i < x.size(); ++i) {
        EXPECT_NE(x[i].position, y[i].position) << seeds[a] << ' ' << seeds[b];
        EXPECT_NE(x[i].rotation, y[i].rotation) << seeds[a] << ' ' << seeds[b];
      }
    }
  }
}

// For rotations drawn evenly E[q] = 0 (variance 1/4) and E[q q^T] = I / 4, where the square of a component has the
// variance 1/8 - 1/16 = 1/16 and the product of two 1/24: means over n samples scatter by at most 0.25 / sqrt(n).
TEST(Scatter, RotationsAreUnitQuaternionsDrawnEvenly) {
  const Index n = 4000;
  const auto placements = scatter(0.01, in_box(n, 11, Vec3(-1, -1, 0), Vec3(1, 1, 2)));
  std::array<double, 4> mean{};
  std::array<std::array<double, 4>, 4> square{};
  for (const auto& [q, position] : placements) {
    double norm = 0;
    for (unsigned i = 0; i < 4; ++i) {
      norm += q[i] * q[i];
      mean[i] += q[i] / n;
      for (unsigned j = 0; j < 4; ++j) square[i][j] += q[i] * q[j] / n;
    }
    EXPECT_NEAR(norm, 1, 1e-15);
  }
  const double four_deviations = 4 * 0.25 / std::sqrt(n);
  for (unsigned i = 0; i < 4; ++i) {
    EXPECT_NEAR(mean[i], 0, 2 * four_deviations);
    for (unsigned j = 0; j < 4; ++j) EXPECT_NEAR(square[i][j], i == j ? 0.25 : 0, four_deviations) << i << j;
  }
}

// With a radius of nothing to speak of, positions are uniform: mean 1/2 and variance 1/12 of the width along each
// axis; four standard deviations of the mean, and of the variance (E[(x - 1/2)^4] = 1/80, so 1/180 n).
TEST(Scatter, PositionsFillTheBoxEvenly) {
  const Index n = 4000;
  const Vec3 low(-3, 10, 0), width(1, 5, 0.1);
  const auto placements = scatter(1e-7, in_box(n, 12, low, low + width));
  for (int axis = 0; axis < 3; ++axis) {
    double mean = 0, variance = 0;
    for (const Placement& placement : placements) {
      const double share = (placement.position[axis] - low[axis]) / width[axis];
      mean += share / n;
      variance += (share - 0.5) * (share - 0.5) / n;
    }
    EXPECT_NEAR(mean, 0.5, 4 * std::sqrt(1.0 / 12 / n));
    EXPECT_NEAR(variance, 1.0 / 12, 4 * std::sqrt(1.0 / 180 / n));
  }
}

TEST(Scatter, ABoxAsWideAsOneCopyHoldsItInTheMiddle) {
  const auto placements = scatter(0.5, in_box(1, 9, Vec3(1, 2, 3), Vec3(2, 3, 4)));
  EXPECT_EQ(placements[0].position, Vec3(1.5, 2.5, 3.5));
  const auto column = scatter(0.5, in_box(3, 9, Vec3(1, 2, 0), Vec3(2, 3, 9)));
  for (const Placement& placement : column) {
    EXPECT_EQ(placement.position[0], 1.5);
    EXPECT_EQ(placement.position[1], 2.5);
  }
}

// --- the same on every machine ---

// Obtained by tests/mesh/scatter_reference.py without arguments: an implementation in Python of the published
// algorithms, which tests overlap without a grid. Of 1753 positions drawn 40 were kept, so that one wrong answer
// about overlap changes all that follows. Its generator gives the numbers that O'Neill's pcg32-demo prints.
TEST(Scatter, AgreesBitForBitWithTheReference) {
  const auto placements = scatter(0.1, in_box(40, 2024, Vec3(-0.5, -0.4, 0), Vec3(0.5, 0.4, 1)));
  ASSERT_EQ(placements.size(), 40);
  const std::vector<std::pair<std::size_t, Placement>> golden{
      {0,
       {{-0x1.61923940ee464p-2, 0x1.2510421140e40p-3, -0x1.14b58fc53bfffp-1, 0x1.81f264afc9c89p-1},
        {0x1.f8657c0812190p-5, 0x1.ed38f4af6c2b8p-3, 0x1.552b3e03630dfp-1}}},
      {1,
       {{-0x1.856b330f34398p-3, -0x1.d343e812e782ep-1, 0x1.3212c131ca334p-2, 0x1.a1c9056b2f5c3p-3},
        {0x1.198d76d3d32eep-2, -0x1.c032b4c8f0ba3p-3, 0x1.a48dc25b40880p-4}}},
      {20,
       {{0x1.d4a4552619600p-6, 0x1.f58991f81d000p-3, 0x1.cc75781faa737p-1, 0x1.71c9e8dc873a0p-2},
        {-0x1.eca5e0ffa3818p-5, -0x1.b15648dc47accp-5, 0x1.b1ddd6a640200p-2}}},
      {39,
       {{-0x1.1f5051411c65cp-1, 0x1.54c4a340e0520p-3, -0x1.11eed7b04b46cp-5, -0x1.9ec8298515a08p-1},
        {-0x1.87b9895ff209cp-2, 0x1.0a4cbbc6e3610p-6, 0x1.5322831dea18fp-1}}}};
  for (const auto& [i, expected] : golden) {
    EXPECT_EQ(placements[i].rotation, expected.rotation) << i;
    EXPECT_EQ(placements[i].position, expected.position) << i;
  }
}

// --- apply ---

// The rotation matrix of a unit quaternion, from a textbook: column by column where the axes go.
TEST(Apply, IsTheRotationMatrixOfTheQuaternionAndTheShift) {
  for (const auto& [q, position] : scatter(0.1, in_box(20, 4, Vec3(-1, -1, 0), Vec3(1, 1, 2)))) {
    const auto& [w, a, b, c] = q;
    const double matrix[3][3] = {{1 - 2 * (b * b + c * c), 2 * (a * b - w * c), 2 * (a * c + w * b)},
                                 {2 * (a * b + w * c), 1 - 2 * (a * a + c * c), 2 * (b * c - w * a)},
                                 {2 * (a * c - w * b), 2 * (b * c + w * a), 1 - 2 * (a * a + b * b)}};
    const Vec3 x(0.3, -0.7, 1.1);
    const Vec3 y = apply({q, position}, x);
    for (int i = 0; i < 3; ++i) {
      const double expected = matrix[i][0] * x[0] + matrix[i][1] * x[1] + matrix[i][2] * x[2] + position[i];
      EXPECT_NEAR(y[i], expected, 2e-15);
    }
  }
}

TEST(Apply, TurnsByTheRightHandRuleThenShifts) {
  const double h = std::sqrt(0.5);  // a quarter turn about z takes x to y
  const Vec3 y = apply({{h, 0, 0, h}, {10, 20, 30}}, {1, 0, 0});
  EXPECT_NEAR(y[0], 10, 1e-15);
  EXPECT_NEAR(y[1], 21, 4e-15);
  EXPECT_EQ(y[2], 30);
  EXPECT_EQ(apply({{1, 0, 0, 0}, {1, 2, 3}}, {4, 5, 6}), Vec3(5, 7, 9));
}

TEST(BoundingRadius, IsTheDistanceOfTheFarthestVertexFromTheOrigin) {
  const std::vector<Vec3> vertices{{1, 0, 0}, {0, -3, 4}, {2, 2, 1}};
  EXPECT_EQ(bounding_radius(vertices), 5);
  EXPECT_NEAR(bounding_radius(generate(TorusShape{18, 0.08, 0.04}).vertices), std::hypot(0.1, 0.02), 1e-16);
}

// --- refusals ---

TEST(Scatter, MoreThanAnyPackingHoldsIsImpossible) {
  // 1000 balls of radius 0.1 have 4.18879 m^3. pi / sqrt 18 of 1 m^3 is 0.74048 m^3, or 176 balls.
  const std::string message = message_of(0.1, in_box(1000, 1, Vec3(0, 0, 0), Vec3(1, 1, 1)));
  expect_holds(message, "1000 copies cannot fit in the box");
  expect_holds(message, "radius 0.1 m");
  EXPECT_NEAR(number_after(message, "would fill "), 418.879, 1e-3);
  EXPECT_EQ(number_after(message, "% of its volume, and no packing fills more than 74.05 %, or "), 176);
  expect_remedy(message, 0.1, in_box(1000, 1, Vec3(0, 0, 0), Vec3(1, 1, 1)));
}

// 150 balls are less than the densest packing allows (62.8 %) and more than random addition reaches (38.4 %).
TEST(Scatter, CopiesThatWereNotPlacedAreCounted) {
  const std::string message = message_of(0.1, in_box(150, 1, Vec3(0, 0, 0), Vec3(1, 1, 1)));
  const double placed = number_after(message, "only ");
  EXPECT_GT(placed, 0.2 / (4 * pi / 3 * 1e-3));
  EXPECT_LT(placed, 0.384 / (4 * pi / 3 * 1e-3));
  expect_holds(message, " of 150 copies fitted in the box");
  expect_holds(message, "in 100000 random tries");
  EXPECT_NEAR(number_after(message, "would fill "), 62.8319, 1e-3);
}

TEST(Scatter, RemediesAreOfUse) {
  for (const Vec3& size : {Vec3(1, 1, 1), Vec3(0.3, 0.4, 3), Vec3(0.2, 1, 1), Vec3(0.5, 0.5, 0.5)}) {
    const double most = 0.7 * size.prod() / (4 * pi / 3 * 1e-3);  // 70 % of the box filled: not impossible
    const ScatterOptions options = in_box(static_cast<Index>(most), 1, Vec3(0, 0, 0), size);
    expect_remedy(message_of(0.1, options), 0.1, options);
  }
}

// A cube 3.4 radii wide has room for two centres at opposite ends of its diagonal only: the two balls would fill 21 %
// of it, but a first ball at random leaves no place for the second.
TEST(Scatter, AtLeastOneCopyIsAdvisedWhenOneFits) {
  const std::string message = message_of(1, in_box(2, 1, Vec3(0, 0, 0), Vec3(3.4, 3.4, 3.4)));
  expect_holds(message, "only 1 of 2 copies fitted in the box");
  EXPECT_NEAR(number_after(message, "would fill "), 100 * 2 * 4 * pi / 3 / (3.4 * 3.4 * 3.4), 1e-3);
  EXPECT_EQ(number_after(message, "or at most "), 1);
  EXPECT_EQ(number_after(message_of(1, in_box(2, 1, Vec3(0, 0, 0), Vec3(2, 2, 2))), "or at most "), 1);
}

TEST(Scatter, ABoxTooNarrowForOneCopyNamesTheAxis) {
  const std::string message = message_of(0.6, in_box(3, 1, Vec3(0, 0, 0), Vec3(2, 1, 2)));
  EXPECT_EQ(message,
            "box is 1 m wide along y, but a copy in any position needs 1.2 m (the diameter of its bounding ball): 0 "
            "of 3 copies fit; use a bigger box");
}

TEST(Scatter, OptionsThatMakeNoSenseAreRefused) {
  const Vec3 low(0, 0, 0), high(1, 1, 1);
  const double infinity = std::numeric_limits<double>::infinity();
  const double nan = std::numeric_limits<double>::quiet_NaN();
  expect_holds(message_of(0, in_box(1, 1, low, high)), "radius of the copies is 0 m; expected a positive length");
  expect_holds(message_of(-1, in_box(1, 1, low, high)), "radius of the copies is -1 m");
  expect_holds(message_of(nan, in_box(1, 1, low, high)), "radius of the copies is nan m");
  expect_holds(message_of(infinity, in_box(1, 1, low, high)), "radius of the copies is inf m");
  expect_holds(message_of(0.1, in_box(0, 1, low, high)), "count is 0; expected at least 1");
  expect_holds(message_of(0.1, in_box(-4, 1, low, high)), "count is -4; expected at least 1");
  expect_holds(message_of(0.1, in_box(1, 1, high, low)), "box reaches from 1 to 0 along x; expected the lowest");
  expect_holds(message_of(0.1, in_box(1, 1, low, {1, 1, nan})), "box reaches from 0 to nan along z");
  expect_holds(message_of(0.1, in_box(1, 1, low, {1, infinity, 1})), "box reaches from 0 to inf along y");
}

}  // namespace scatter_test
}  // namespace sim
