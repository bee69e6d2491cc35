#include "collide/pour.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "collide/intersections.hpp"
#include "math/error.hpp"
#include "mesh/generate.hpp"

namespace sim {
namespace pour_test {

TriangleTree tree_of(const Mesh& mesh) {
  return make_triangle_tree(mesh.vertices, mesh.triangles);
}

TriangleTree ring() {
  return tree_of(generate(TorusShape{18, 0.08, 0.04}));
}

TriangleTree cube(double edge) {
  return tree_of(generate(BoxShape{Vec3(edge, edge, edge), {1, 1, 1}}));
}

std::vector<Vec3> vertices_of(const PlacedTree& placed) {
  std::vector<Vec3> vertices;
  for (const Vec3& x : placed.shape->vertices) vertices.push_back(apply(placed.placement, x));
  return vertices;
}

std::vector<PlacedTree> placed_all(const TriangleTree& shape, const std::vector<Placement>& placements) {
  std::vector<PlacedTree> all;
  for (const Placement& placement : placements) all.push_back({&shape, placement});
  return all;
}

// Pairs that overlap, by the code that checks the start of runs and judges results.
std::size_t overlaps(const std::vector<PlacedTree>& bodies) {
  std::vector<Triangle> triangles;
  std::vector<Index> object;
  std::vector<Vec3> x;
  for (const PlacedTree& body : bodies) {
    const auto first = static_cast<Index>(x.size());
    for (const Vec3& vertex : vertices_of(body)) x.push_back(vertex);
    object.resize(x.size(), static_cast<Index>(&body - bodies.data()));
    for (const Triangle& t : body.shape->triangles) triangles.push_back({t[0] + first, t[1] + first, t[2] + first});
  }
  VecX positions(3 * static_cast<Eigen::Index>(x.size()));
  for (std::size_t i = 0; i < x.size(); ++i) block(positions, static_cast<Index>(i)) = x[i];
  const std::vector<std::uint8_t> moves(x.size(), 1);
  return find_overlaps(make_surface(triangles, object, moves), positions).size();
}

std::string message_of(const TriangleTree& shape, const PourOptions& options) {
  try {
    pour(shape, options, {});
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

Placement turned_about_x(double degrees, const Vec3& position) {
  const double half = degrees / 360 * std::numbers::pi;
  return {{std::cos(half), std::sin(half), 0, 0}, position};
}

const BoxRegion bucket{Vec3(-0.45, -0.45, 0), Vec3(0.45, 0.45, 1.2)};

TEST(Pour, RingsFillABucketThatIsTooSmallForTheirBoundingBalls) {
  const TriangleTree shape = ring();
  const PourOptions options{120, 1, bucket, 4e-6};
  EXPECT_GT(120 * 4.0 / 3 * std::numbers::pi * std::pow(bounding_radius(shape.vertices), 3), 0.384 * 0.9 * 0.9 * 1.2)
      << "balls would fit by random addition, too";
  const std::vector<PlacedTree> copies = placed_all(shape, pour(shape, options, {}));
  ASSERT_EQ(copies.size(), 120U);
  EXPECT_EQ(overlaps(copies), 0U);
  for (const PlacedTree& copy : copies) {
    for (const Vec3& x : vertices_of(copy)) {
      EXPECT_TRUE((x.array() >= bucket[0].array()).all() && (x.array() <= bucket[1].array()).all()) << x.transpose();
    }
  }
}

TEST(Pour, EveryTwoCopiesCanBeTakenApart) {
  const TriangleTree shape = ring();
  const std::vector<PlacedTree> copies =
      placed_all(shape, pour(shape, {30, 3, BoxRegion{Vec3(0, 0, 0), Vec3(0.6, 0.6, 0.6)}, 4e-6}, {}));
  for (const PlacedTree& a : copies) {
    for (const PlacedTree& b : copies) {
      EXPECT_TRUE(&a == &b || can_be_taken_apart(a, b));
    }
  }
}

TEST(Pour, LinkedRingsCannotBeTakenApartAndHookedOnesCan) {
  // The hole of a ring is 0.12 wide and its section 0.04: another one through it, upright, is a link of a chain.
  const TriangleTree shape = ring();
  const PlacedTree lying{&shape, {}};
  const PlacedTree linked{&shape, turned_about_x(90, Vec3(0.08, 0, 0))};
  EXPECT_FALSE(surfaces_meet(lying, linked, 0));
  EXPECT_FALSE(can_be_taken_apart(lying, linked));
  const PlacedTree dipping{&shape, turned_about_x(90, Vec3(0, 0, 0.115))};  // 0.005 deep into the hole
  EXPECT_FALSE(surfaces_meet(lying, dipping, 0));
  EXPECT_TRUE(can_be_taken_apart(lying, dipping));
}

TEST(Pour, SurfacesMeetWhereTheyIntersectAndWhereTheyAreNearerThanTheClearance) {
  const TriangleTree shape = cube(1);
  const PlacedTree first{&shape, {}};
  EXPECT_TRUE(surfaces_meet(first, {&shape, {{1, 0, 0, 0}, {0.9, 0.1, 0.2}}}, 0));
  EXPECT_TRUE(surfaces_meet(first, {&shape, {{1, 0, 0, 0}, {1.001, 0.1, 0.2}}}, 0.0011));
  EXPECT_FALSE(surfaces_meet(first, {&shape, {{1, 0, 0, 0}, {1.001, 0.1, 0.2}}}, 0.0009));
}

TEST(Pour, WhatIsInsideIsKnownToBe) {
  const TriangleTree large = cube(1), small = cube(0.2);
  const PlacedTree outer{&large, turned_about_x(30, Vec3(5, 0, 0))};
  EXPECT_TRUE(holds_part_of(outer, {&small, {{1, 0, 0, 0}, {5.2, 0, 0}}}));
  EXPECT_FALSE(holds_part_of(outer, {&small, {{1, 0, 0, 0}, {5.8, 0, 0}}}));
  EXPECT_FALSE(holds_part_of({&small, {{1, 0, 0, 0}, {5.2, 0, 0}}}, outer));
}

TEST(Pour, CopiesKeepClearOfWhatStandsThereInsideAndOut) {
  const TriangleTree shape = cube(0.1), block = cube(0.6);
  const Standing standing{{&block, turned_about_x(20, Vec3(0, 0, 0.5))}, false};
  const BoxRegion region{Vec3(-0.5, -0.5, 0), Vec3(0.5, 0.5, 1)};
  std::vector<PlacedTree> bodies = placed_all(shape, pour(shape, {150, 5, region, 1e-5}, std::span(&standing, 1)));
  ASSERT_EQ(bodies.size(), 150U);
  bodies.push_back(standing.placed);
  EXPECT_EQ(overlaps(bodies), 0U);
}

TEST(Pour, ACylinderHoldsAllCopiesWhole) {
  const TriangleTree shape = ring();
  const CylinderRegion region{Vec3(1, 2, 3), Vec3(0, 3, 4), 0.3, 0.7};
  const std::vector<PlacedTree> copies = placed_all(shape, pour(shape, {20, 2, region, 4e-6}, {}));
  ASSERT_EQ(copies.size(), 20U);
  EXPECT_EQ(overlaps(copies), 0U);
  for (const PlacedTree& copy : copies) {
    for (const Vec3& x : vertices_of(copy)) {
      const Vec3 from = x - Vec3(1, 2, 3), axis(0, 0.6, 0.8);
      EXPECT_GE(from.dot(axis), 0);
      EXPECT_LE(from.dot(axis), 0.7);
      EXPECT_LE((from - from.dot(axis) * axis).norm(), 0.3 + 1e-15);
    }
  }
}

// A ring of square section, as region: most of the box around it is not in it.
TEST(Pour, AMeshHoldsAllCopiesWholeThoughItIsNotConvex) {
  const TriangleTree shape = cube(0.1);
  const SurfaceRegion region{tree_of(generate(TorusShape{24, 1, 0.4}))};
  const std::vector<PlacedTree> copies = placed_all(shape, pour(shape, {60, 4, region, 1e-5}, {}));
  ASSERT_EQ(copies.size(), 60U);
  EXPECT_EQ(overlaps(copies), 0U);
  for (const PlacedTree& copy : copies) {
    for (const Vec3& x : vertices_of(copy)) {
      EXPECT_LT(std::abs(x[2]), 0.2);
      EXPECT_LT(std::hypot(x[0], x[1]), 1.2);
      EXPECT_GT(std::hypot(x[0], x[1]), 0.8 * std::cos(std::numbers::pi / 24));
    }
  }
}

TEST(Pour, IsTheSameForASeedAndAnotherForAnother) {
  const TriangleTree shape = ring();
  const auto of = [&](std::uint64_t seed) { return pour(shape, {100, seed, bucket, 4e-6}, {}); };
  const auto first = of(1), second = of(1), other = of(2);
  for (std::size_t i = 0; i < first.size(); ++i) {
    EXPECT_EQ(first[i].position, second[i].position);
    EXPECT_EQ(first[i].rotation, second[i].rotation);
    EXPECT_NE(first[i].position, other[i].position);
  }
}

TEST(Pour, WhereBallsFitTheyAreKeptApartAsEver) {
  const TriangleTree shape = ring();
  const BoxRegion wide{Vec3(-1, -1, 0), Vec3(1, 1, 2)};
  const auto copies = pour(shape, {30, 9, wide, 4e-6}, {});
  const auto balls = scatter(bounding_radius(shape.vertices), {30, 9, wide});
  for (std::size_t i = 0; i < balls.size(); ++i) EXPECT_EQ(copies[i].position, balls[i].position);
}

TEST(Pour, CopiesThatDoNotFitAreCountedAndTheRemedyHelps) {
  const TriangleTree shape = cube(1);
  const BoxRegion region{Vec3(0, 0, 0), Vec3(2.1, 2.1, 2.1)};
  const std::string message = message_of(shape, {8, 1, region, 1e-5});
  ASSERT_EQ(message.rfind("only ", 0), 0U) << message;
  const Index placed = std::stoi(message.substr(5));
  EXPECT_NE(message.find("of 8 copies fitted in the region"), std::string::npos) << message;
  EXPECT_NE(message.find("or at most " + std::to_string(placed) + " copies"), std::string::npos) << message;
  EXPECT_EQ(message_of(shape, {placed, 1, region, 1e-5}), "");
  EXPECT_NE(message_of(shape, {10, 1, region, 1e-5}).find("10 copies cannot fit in the region: they have 10 m^3"),
            std::string::npos);
}

}  // namespace pour_test
}  // namespace sim
