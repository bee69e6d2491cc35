// Strain limits in whole steps.
#include <algorithm>
#include <cmath>

#include "elasticity/cable.hpp"
#include "support/methods.hpp"
#include "support/played.hpp"

namespace sim {
namespace limits_test {

using test::Played;
using test::with;

constexpr double g = 9.81;

// A soft chain: without limits its uppermost link would be longer by two thirds.
constexpr const char* soft_chain = R"({"time": {"step": 0.01, "duration": 1},
  "materials": {"m": {"model": "cable", "stretch": 100, "density": 1000, "thickness": 0.02,
                      "strain_limit": [1, 0.1], "damping": {"mass": 10}}},
  "meshes": {"s": {"generate": "path", "points": [[0, 0, 0], [0, 0, -1]], "segments": 10}},
  "objects": [{"name": "chain", "mesh": "s", "material": "m", "boundary": [{"list": [0]}]}],
  "solver": {"method": "METHOD"}, "contact": CONTACT})";

class SoftChain : public testing::TestWithParam<std::string> {};

// What a link carries is the weight below it: its spring pulls with 0.1 k l0 at most, the limit with the rest. Forces
// are means over steps, as what a solve misses is made up for in the next one.
TEST_P(SoftChain, IsCarriedByItsLimits) {
  Played run(with(soft_chain, {{"METHOD", GetParam()}, {"CONTACT", R"({"enabled": false, "friction": 0})"}}));
  run.advance(250);
  constexpr int steps = 100;
  std::vector<double> limit(10, 0.0), tension(10, 0.0);
  for (int n = 0; n < steps; ++n) {
    run.advance(1);
    for (const Contact& contact : run.scratch.limits) limit[contact.pair.first] += contact.lambda / steps;
    for (int i = 0; i < 10; ++i) tension[i] += run.tension()[i] / steps;
  }
  const double weight = mass_per_length(run.model.materials[0]) * 0.1 * g, most = 0.1 * 100 * 0.1;
  int held = 0;
  for (int i = 0; i < 10; ++i) {
    const double below = (9.5 - i) * weight;
    EXPECT_NEAR(tension[i] + limit[i], below, 0.01 * below) << i;
    EXPECT_LT(tension[i], most) << i;
    if (below > most) {
      EXPECT_GT(tension[i], 0.95 * most) << i;
      EXPECT_NEAR(limit[i], below - most, 0.05 * most + 0.01 * below) << i;
    }
    if (below < 0.95 * most) {
      EXPECT_EQ(limit[i], 0) << i;
    }
    held += limit[i] > 0 ? 1 : 0;
  }
  EXPECT_GE(held, 5);
}

INSTANTIATE_TEST_SUITE_P(EveryMethod, SoftChain, testing::ValuesIn(test::every_method()), test::name_of_method);

TEST(Limits, HaveTheSameBitsForAnyNumberOfThreadsAndWithNewScratch) {
  const std::string text = with(soft_chain, {{"METHOD", "cr-full"}, {"CONTACT", R"({"friction": 0.3})"}});
  Played run(text), other(text);
  test::expect_same_bits(run, other, 3, 6, 10);
  EXPECT_GT(run.scratch.limits.size(), 0u);
}

// A rod of springs that stands on its lower end, guided along its axis.
TEST(Limits, OfCompressionPushTheEndsApart) {
  Played run(R"({"time": {"step": 0.01, "duration": 1},
    "materials": {"m": {"model": "cable", "stretch": 100, "density": 1000, "thickness": 0.02,
                        "strain_limit": [0.1, 1], "damping": {"mass": 10}}},
    "meshes": {"s": {"generate": "path", "points": [[0, 0, 0], [0, 0, 1]], "segments": 10}},
    "objects": [{"name": "rod", "mesh": "s", "material": "m", "boundary": [{"list": [0]},
                 {"list": [1, 2, 3, 4, 5, 6, 7, 8, 9, 10], "axes": "xy"}]}],
    "contact": {"enabled": false}})");
  run.advance(300);
  const double weight = mass_per_length(run.model.materials[0]) * 0.1 * g;
  ASSERT_GT(run.scratch.limits.size(), 4u);
  for (const Contact& contact : run.scratch.limits) {
    EXPECT_EQ(contact.pair.second, 1);
    const Index i = contact.pair.first;
    EXPECT_NEAR(contact.lambda - run.tension()[i], (9.5 - i) * weight, 0.01 * 10 * weight) << i;
  }
  for (Index i = 0; i < 10; ++i) EXPECT_GT((run.at(i + 1) - run.at(i)).norm(), 0.09);
}

// Cloth of soft springs between two pins.
TEST(Limits, HoldClothTogether) {
  Played run(R"({"time": {"step": 0.01, "duration": 1},
    "materials": {"m": {"model": "grid-springs", "stretch": 5, "density": 200, "thickness": 0.002, "bend": 1e-5,
                        "strain_limit": [1, 0.1], "damping": {"mass": 2}}},
    "meshes": {"s": {"generate": "sheet", "size": [0.6, 0.6], "cells": [6, 6], "pattern": "grid"}},
    "objects": [{"name": "cloth", "mesh": "s", "material": "m", "boundary": [{"list": [0, 6]}]}]})");
  double most = 0;
  for (int n = 0; n < 80; ++n) most = std::max(most, run.advance(1).max_strain);
  EXPECT_GT(most, 0.09);
  EXPECT_LT(most, 0.1 + 0.1 / 20);
}

// A mass on a string without stiffness whose other end is held; nothing else acts. Half of the segment's mass is
// there.
constexpr const char* mass_on_a_string = R"({"time": {"step": 0.01, "duration": 1}, "gravity": [0, 0, 0],
  "materials": {"m": {"model": "cable", "stretch": 1e-9, "density": 1000, "thickness": 0.02, "strain_limit": [1, LIMIT]}},
  "meshes": {"s": {"generate": "path", "points": [[0, 0, 0], [0.5, 0, 0]], "segments": 1}},
  "objects": [{"name": "string", "mesh": "s", "material": "m", "boundary": [{"list": [0]}], "velocity": VELOCITY}],
  "contact": {"enabled": false, "friction": 0}, "solver": {"method": "METHOD"}})";

class MassOnAString : public testing::TestWithParam<std::string> {};

// The force is along the string where it ends: x1 is parallel to x0 + dt v0. With the angle a of a step that makes
// tan a' = sin a / (2 - cos a), and the tension is m v^2 / l but for terms of the order of a.
TEST_P(MassOnAString, KeepsItsCircle) {
  Played run(with(mass_on_a_string, {{"LIMIT", "0.01"}, {"VELOCITY", "[0, 1, 0]"}, {"METHOD", GetParam()}}));
  run.advance(40);
  const double m = mass_per_length(run.model.materials[0]) * 0.25;
  Vec3 before = run.at(1);
  run.advance(1);
  double angle = std::atan2(before.cross(run.at(1)).norm(), before.dot(run.at(1)));
  for (int n = 0; n < 60; ++n) {
    before = run.at(1);
    EXPECT_LE(run.advance(1).relinearizations, 1);
    const double next = std::atan2(before.cross(run.at(1)).norm(), before.dot(run.at(1)));
    EXPECT_NEAR(next, std::atan2(std::sin(angle), 2 - std::cos(angle)), 1e-3 * angle);
    angle = next;
    EXPECT_NEAR(run.at(1).norm(), 0.505, 0.005 / 20);
    ASSERT_EQ(run.scratch.limits.size(), 1u);
    EXPECT_NEAR(run.scratch.limits[0].lambda, m * block(run.state.v, 1).squaredNorm() / 0.505, 0.1 * m);
  }
}

// From slack to taut within a step, by a third of a right angle: the impulse is along the string, nothing across it.
TEST_P(MassOnAString, GoesTautByARadialImpulse) {
  Played run(with(mass_on_a_string, {{"LIMIT", "0.1"}, {"VELOCITY", "[30, 60, 0]"}, {"METHOD", GetParam()}}));
  const Vec3 v0 = block(run.state.v, 1), free = run.at(1) + 0.01 * v0;
  EXPECT_LE(run.advance(1).relinearizations, 4);
  EXPECT_LT(run.at(1).normalized().cross(free.normalized()).norm(), 1e-3);
  EXPECT_NEAR(run.at(1).norm(), 0.55, 0.05 / 20);
  const Vec3 change = block(run.state.v, 1) - v0;
  EXPECT_LT(run.at(1).normalized().cross(change).norm(), 1e-3 * change.norm());
}

INSTANTIATE_TEST_SUITE_P(EveryMethod, MassOnAString, testing::ValuesIn(test::every_method()), test::name_of_method);

// A rigid ball of 0.5 kg hits a net of 0.1 kg whose links turn by up to two of their lengths a step. Its limits
// divide no step; at 50 m/s it goes round the ball by so much that normals do, in at most four parts.
TEST(Limits, OfANetStopWhatHitsItFast) {
  for (const char* speed : {"5", "50"}) {
    Played run(with(R"({"time": {"step": 0.002, "duration": 1}, "gravity": [0, 0, 0],
      "materials": {"c": {"model": "grid-springs", "stretch": 100, "thickness": 0.002, "density": 200,
                          "strain_limit": [1, 0.1]}, "b": {"young": 1e6, "density": 1000}},
      "meshes": {"s": {"generate": "sheet", "size": [0.5, 0.5], "cells": [10, 10], "pattern": "grid"},
                 "b": {"generate": "sphere", "radius": 0.05, "resolution": 2}},
      "objects": [{"name": "net", "mesh": "s", "material": "c", "boundary": [{"box": [[-1, 0.2499, -1], [1, 1, 1]]},
                   {"box": [[-1, -1, -1], [1, -0.2499, 1]]}]},
                  {"name": "ball", "type": "rigid", "mesh": "b", "material": "b", "position": [0.01, 0.02, 0.06],
                   "velocity": [0, 0, -SPEED]}], "contact": {"friction": 0.3}})",
                    {{"SPEED", speed}}));
    double energy = 0.5 * run.model.rigid[0].mass * std::pow(std::stod(speed), 2);
    const double start = energy;
    const bool slow = speed == std::string("5");
    Vec3 momentum(0, 0, -run.model.rigid[0].mass * std::stod(speed));
    for (int n = 0; n < 15; ++n) {
      const StepReport report = run.advance(1);
      EXPECT_LE(report.substeps, slow ? 2 : 4) << speed << " " << n;
      EXPECT_LE(report.relinearizations, 20 * report.substeps) << speed << " " << n;
      EXPECT_LT(report.max_strain, 0.1) << speed << " " << n;
      const double now = report.kinetic_energy + report.elastic_energy;
      EXPECT_LT(now, energy + 0.01 * start) << speed << " " << n;
      energy = now;
      momentum += report.impulse_external + report.impulse_prescribed + report.impulse_left_over;
      EXPECT_LT((report.momentum - momentum).norm(), 1e-9 * run.model.rigid[0].mass * std::stod(speed));
    }
    EXPECT_LT(energy, 0.1 * start) << speed;
  }
}

}  // namespace limits_test
}  // namespace sim
