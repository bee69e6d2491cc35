// Springs and hinges four at a time, against the same one at a time.
#include "asynchronous/packs.hpp"

#include <gtest/gtest.h>

#include <numeric>

#include "elasticity/damped_forces.hpp"
#include "math/random.hpp"

namespace sim {
namespace packs_test {

constexpr Index vertices = 9;
constexpr double h = 0.01;

Vec3 any_vector(Random& random) {
  return {random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1)};
}

// Elements over the same few vertices.
struct Tangle {
  ElasticBodies bodies;
  VecX x = VecX::Zero(3 * vertices), v = x;
  std::vector<std::uint8_t> level;  // a corner
  std::vector<Index> row;           // a corner: of its vertex

  Tangle(Index springs, Index hinges, int seed) {
    Random random(static_cast<std::uint64_t>(seed));
    for (Index i = 0; i < vertices; ++i) block(x, i) = any_vector(random), block(v, i) = 10 * any_vector(random);
    bodies.stiffness_damping = {0.0, 0.02};
    for (Index n = 0; n < springs; ++n)
      bodies.springs.push_back(
          {{n % vertices, (n + 1 + n / vertices) % vertices}, n % 2, random.uniform(0.1, 2), 50.0 + n});
    for (Index n = 0; n < hinges; ++n)
      bodies.hinges.push_back(
          {{n % vertices, (n + 1) % vertices, (n + 2) % vertices, (n + 3 + n / vertices) % vertices},
           n % 2,
           random.uniform(-M_PI, M_PI),
           5.0 + n});
    std::vector<Index> corners;
    for (const Spring& spring : bodies.springs)
      corners.insert(corners.end(), spring.vertices.begin(), spring.vertices.end());
    for (const Hinge& hinge : bodies.hinges)
      corners.insert(corners.end(), hinge.vertices.begin(), hinge.vertices.end());
    row = corners;
    level.assign(corners.size(), 3);
    bodies.numbering = number_elements({0, springs, 0, hinges, 0}, corners, vertices);
  }

  PackPlaces places() const { return {level, row, row}; }
};

std::vector<Index> all(std::size_t count) {
  std::vector<Index> items(count);
  std::iota(items.begin(), items.end(), 0);
  return items;
}

struct Given {
  std::vector<Pack> rows = std::vector<Pack>(vertices, Pack(0.0)), damping = rows;
  double damped = 0;  // J, what damping would take at the velocities that it is of
};

Given together(const Tangle& t, const std::vector<double>& step) {
  Given given;
  const PackMoment now{t.x, t.v, step};
  const auto springs = pack_springs(t.bodies, all(t.bodies.springs.size()), t.places());
  const auto hinges = pack_hinges(t.bodies, all(t.bodies.hinges.size()), t.places());
  add_impulses(springs, now, {given.rows, given.damping});
  add_impulses(hinges, now, {given.rows, given.damping});
  for (Index i = 0; i < vertices; ++i)
    for (int axis = 0; axis < 3; ++axis) given.damped -= given.damping[i][axis] * t.v[3 * i + axis];
  return given;
}

template <class Thin>
double add_one(const Tangle& t, const Thin& element, VecX& impulse) {
  constexpr std::size_t corners = std::tuple_size_v<decltype(element.vertices)>;
  Corners<corners> x, v;
  for (std::size_t k = 0; k < corners; ++k)
    x[k] = block(t.x, element.vertices[k]), v[k] = block(t.v, element.vertices[k]);
  std::array<double, 3 * corners> forces{};
  const double taken = damped_forces(element, x, v, t.bodies.stiffness_damping[element.material], forces.data());
  for (std::size_t k = 0; k < corners; ++k)
    block(impulse, element.vertices[k]) += h * Eigen::Map<const Vec3>(&forces[3 * k]);
  return h * taken;
}

void expect_as_one_by_one(const Tangle& t) {
  VecX expected = VecX::Zero(3 * vertices);
  double damped = 0;
  for (const Spring& spring : t.bodies.springs) damped += add_one(t, spring, expected);
  for (const Hinge& hinge : t.bodies.hinges) damped += add_one(t, hinge, expected);
  const Given given = together(t, std::vector<double>(4, h));
  const double scale = std::max(1.0, expected.lpNorm<Eigen::Infinity>());
  for (Index i = 0; i < vertices; ++i) {
    for (int axis = 0; axis < 3; ++axis)
      EXPECT_NEAR(given.rows[i][axis], expected[3 * i + axis], 1e-12 * scale) << i << " " << axis;
    EXPECT_EQ(given.rows[i][3], 0.0);
  }
  EXPECT_NEAR(given.damped, damped, 1e-12 * std::max(1.0, damped));
}

TEST(Packs, TellDampingFromTheRest) {
  Tangle t(6, 6, 7), undamped = t;
  undamped.bodies.stiffness_damping.assign(undamped.bodies.stiffness_damping.size(), 0);
  const std::vector<double> step(4, h);
  const Given given = together(t, step), without = together(undamped, step);
  for (Index i = 0; i < vertices; ++i)
    for (int axis = 0; axis < 3; ++axis)
      EXPECT_NEAR(given.damping[i][axis], given.rows[i][axis] - without.rows[i][axis], 1e-12) << i << " " << axis;
  EXPECT_EQ(without.damped, 0);
}

TEST(Packs, GiveTheForcesOfEachElement) {
  for (Index count = 0; count <= 13; ++count) {
    expect_as_one_by_one(Tangle(count, 0, count));
    expect_as_one_by_one(Tangle(0, count, count));
    expect_as_one_by_one(Tangle(count, count, count));
  }
}

TEST(Packs, HingesTurnTheShortWayFromTheirRestAngle) {
  for (const double rest : {-M_PI, -3.0, 3.0, M_PI}) {
    Tangle t(0, 5, 4);
    for (Hinge& hinge : t.bodies.hinges) hinge.rest_angle = rest;
    expect_as_one_by_one(t);
  }
}

TEST(Packs, WhatHasNoLengthOrAreaPushesNothing) {
  Tangle t(6, 6, 5);
  for (Index i = 0; i < 5; ++i) block(t.x, i) = Vec3(1, 1, 1);  // springs without a length, hinges without an area
  const Given given = together(t, std::vector<double>(4, h));
  for (const Pack& row : given.rows)
    for (std::size_t k = 0; k < lanes; ++k) EXPECT_TRUE(std::isfinite(row[k]));
  expect_as_one_by_one(t);
}

TEST(Packs, OnlyWhatTicksGives) {
  Tangle t(6, 6, 6), ticking(6, 0, 6);
  std::fill(t.level.begin() + 12, t.level.end(), 1);  // hinges
  const Given some = together(t, {0, 0, h, h}), springs = together(ticking, std::vector<double>(4, h));
  EXPECT_GT(springs.damped, 0);
  EXPECT_EQ(some.damped, springs.damped);
  for (Index i = 0; i < vertices; ++i) EXPECT_TRUE(all_of(some.rows[i] == springs.rows[i])) << i;
}

}  // namespace packs_test
}  // namespace sim
