// Strain limits in whole steps.
#include <algorithm>
#include <cmath>

#include "elasticity/cable.hpp"
#include "math/parallel.hpp"
#include "support/methods.hpp"
#include "support/played.hpp"

namespace sim {
namespace {

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
  Played one(text), three(text);
  one.advance(60);
  set_thread_count(3);
  for (int n = 0; n < 6; ++n) {
    three.advance(10);
    three.scratch = Scratch();
  }
  set_thread_count(1);
  EXPECT_EQ(one.state.x, three.state.x);
  EXPECT_EQ(one.state.v, three.state.v);
  EXPECT_GT(one.scratch.limits.size(), 0u);
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

}  // namespace
}  // namespace sim
