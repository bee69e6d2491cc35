// Elastic blocks in slots whose play is less than the tolerance of gaps.
#include <array>
#include <string>

#include "support/played.hpp"

namespace sim {
namespace slot_test {

using test::Played;
using test::with;

// A steel block of 100 x 100 x 30 mm between two walls across y, `PLAY` of room on each side, without gravity. The
// default tolerance of its gaps is 2.8 um.
std::string slot(const std::string& play, const std::string& block, const std::string& scheme,
                 const std::string& mu) {
  return with(R"({"time": {"step": STEP, "duration": 1, "scheme": "SCHEME"}, "gravity": [0, 0, 0],
    "materials": {"steel": {"young": 2e11, "poisson": 0.3, "density": 7800}},
    "meshes": {"b": {"generate": "box", "size": [0.1, 0.1, 0.03], "cells": [6, 4, 2]},
               "wall": {"generate": "slab", "size": [0.6, 0.3], "thickness": 0.02}},
    "objects": [{"name": "block", "mesh": "b", "material": "steel", BLOCK},
      {"name": "left", "type": "fixed", "mesh": "wall", "position": [0, -0.06000PLAY, 0],
       "rotation": {"axis": [1, 0, 0], "degrees": -90}},
      {"name": "right", "type": "fixed", "mesh": "wall", "position": [0, 0.06000PLAY, 0],
       "rotation": {"axis": [1, 0, 0], "degrees": 90}}],
    "contact": {"friction": MU}})",
              {{"BLOCK", block}, {"PLAY", play}, {"SCHEME", scheme}, {"MU", mu}});
}

double force_on(const Played& run, Index object) {
  double sum = 0;
  for (const Contact& c : run.state.contacts.contacts) {
    const std::array<Index, 2> objects = objects_of(run.model.surface, c.vertices);
    if (objects[0] == object || objects[1] == object) sum += c.lambda;
  }
  return sum;
}

// It turns until its corners bear: F on each wall.
TEST(Slot, ACoupleIsBorneByCorners) {
  const std::string couple =
      R"("loads": [{"force": [0, 60, 0], "plane": {"point": [0.0499999, 0, 0], "normal": [1, 0, 0]}},
      {"force": [0, -60, 0], "plane": {"point": [-0.0499999, 0, 0], "normal": [-1, 0, 0]}}],
    "boundary": [{"box": [[-1e-7, -1e-7, -0.0150001], [1e-7, 1e-7, 0.0150001]], "axes": "xz"}])";
  for (const char* scheme : {"quasi-static", "semi-implicit"}) {
    Played run(with(slot("1", couple, scheme, "0"), {{"STEP", "0.01"}}));
    run.advance(10);
    EXPECT_NEAR(force_on(run, 1), 60, 0.01 * 60) << scheme;
    EXPECT_NEAR(force_on(run, 2), 60, 0.01 * 60) << scheme;
  }
}

// Drawn at a corner against a force P that goes through its middle: N L = P w / 2 on each wall, with friction
// P = F + 2 mu N.
TEST(Slot, ADrawerThatIsDrawnAtACornerIsClampedByNoMoreThanItsLeverArm) {
  const std::string drawn = R"("loads": [{"body_force": [-2e5, 0, 0]}],
    "boundary": [{"box": [[0.0499999, 0.0499999, -1], [0.0500001, 0.0500001, 1]], "axes": "xz",
                  "motion": {"translation": ["0.001*t", 0, 0]}}])";
  for (const double mu : {0.0, 0.3}) {
    Played run(with(slot("1", drawn, "quasi-static", std::to_string(mu)), {{"STEP", "0.01"}}));
    run.advance(10);
    const double theory = 60 / (1 - mu) / 2;
    EXPECT_NEAR(force_on(run, 1), theory, 0.02 * theory) << mu;
    EXPECT_NEAR(force_on(run, 2), theory, 0.02 * theory) << mu;
  }
}

// In time, free: friction takes mu w / L of what draws it.
TEST(Slot, ADrawerThatIsDrawnAtACornerStarts) {
  const double force = 23.4, mu = 0.5;
  const std::string drawn =
      R"("loads": [{"force": [23.4, 0, 0], "box": [[0.0499999, 0.0499999, -0.1], [0.0500001, 0.0500001, 0.1]]}])";
  for (const char* scheme : {"semi-implicit", "implicit-euler", "generalized-alpha"}) {
    Played run(with(slot("05", drawn, scheme, "0.5"), {{"STEP", "0.001"}}));
    double momentum = run.advance(40).momentum.x();
    momentum = run.advance(40).momentum.x() - momentum;
    EXPECT_NEAR(momentum / (0.04 * force), 1 - mu, 0.01) << scheme;
  }
}

}  // namespace slot_test
}  // namespace sim
