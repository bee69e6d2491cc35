// Sheets in whole steps, against what the code does not know.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "collide/distance.hpp"
#include "collide/intersections.hpp"
#include "elasticity/sheet_bending.hpp"
#include "model/measure.hpp"
#include "support/models.hpp"
#include "support/played.hpp"

namespace sim {
namespace cloth_test {

using test::with;

constexpr double g = 9.81;

struct Played : test::Played {
  using test::Played::Played;

  double lowest(Index object) const {
    double z = 1e9;
    for (Index v = model.objects[object].vertices.begin; v < model.objects[object].vertices.end; ++v)
      z = std::min(z, state.x[3 * v + 2]);
    return z;
  }
};

// Flat as it starts it has no stiffness across, and nothing but its folds in the end.
TEST(Cloth, HungByTwoCornersIsFoundInBalanceByOneQuasiStaticStep) {
  Played cloth(R"({"time": {"step": 0.1, "scheme": "quasi-static"},
    "materials": {"m": {"model": "grid-springs", "stretch": 200, "bend": 1e-5, "density": 300, "thickness": 1e-3}},
    "meshes": {"s": {"generate": "sheet", "size": [0.4, 0.4], "cells": [10, 10], "pattern": "grid"}},
    "objects": [{"name": "cloth", "mesh": "s", "material": "m", "boundary": [
      {"box": [[-0.201, -0.201, -1], [-0.199, -0.199, 1]]}, {"box": [[0.199, -0.201, -1], [0.201, -0.199, 1]]}]}]})");
  cloth.advance(1);
  const Model& model = cloth.model;
  const VecX f = elastic_force(model.elastic, cloth.state.x);
  double missed = 0, weight = 0;
  for (const Index i : model.plan.vertex_of_block) {
    missed += (block(f, i) + model.elastic.mass[i] * model.gravity).squaredNorm();
    weight += (model.elastic.mass[i] * model.gravity).squaredNorm();
  }
  EXPECT_LT(std::sqrt(missed), 1e-3 * std::sqrt(weight));
  EXPECT_LT(cloth.lowest(0), -0.4);  // it hangs down
}

// Each line of springs along z carries what is below: sigma g L^2 / (2 k_s) in all, exactly also for the lumped one.
TEST(HangingStrip, GetsLongerByItsWeight) {
  Played run(R"({"time": {"step": 0.02, "duration": 1},
    "materials": {"m": {"model": "grid-springs", "stretch": 40, "shear": 0, "density": 200, "thickness": 0.001,
                        "damping": {"mass": 6}}},
    "meshes": {"s": {"generate": "sheet", "size": [0.2, 0.8], "cells": [3, 16], "pattern": "grid"}},
    "objects": [{"name": "strip", "mesh": "s", "material": "m", "rotation": {"axis": [1, 0, 0], "degrees": 90},
                 "boundary": [{"box": [[-1, -1, 0.39], [1, 1, 0.41]]}]}],
    "contact": {"enabled": false}, "solver": {"linear_tolerance": 1e-13}})");
  run.advance(1500);
  const double sigma = 0.2, L = 0.8, cell = 0.2 / 3;
  // Lines are a cell apart, those of the border have half of all: k_s times the length over the width of a cell.
  const double expected = sigma * g * L * L / (2 * 40 * 0.05 / cell);
  EXPECT_NEAR(-0.4 - run.lowest(0), expected, 1e-7 * expected);
}

// q L^4 / (8 B) of a strip with free sides, B between 16/3 k_B (narrow) and 6 k_B (1 - nu^2 = 8/9 of 6). The hinge on
// the clamped line bends with all of a cell, half of which is clamped: summed up as the hinges are.
TEST(Cantilever, SagsAsABeam) {
  Played run(R"({"time": {"step": 0.05, "duration": 1}, "gravity": [0, 0, -0.02],
    "materials": {"m": {"model": "edge-springs", "stretch": 2000, "bend": 0.01, "density": 200, "thickness": 0.001,
                        "damping": {"mass": 2}}},
    "meshes": {"s": {"generate": "sheet", "size": [1.0, 0.17320508], "cells": [40, 8], "pattern": "equilateral"}},
    "objects": [{"name": "strip", "mesh": "s", "material": "m", "boundary": [{"box": [[-1, -1, -1], [-0.46, 1, 1]]}]}],
    "contact": {"enabled": false}, "solver": {"linear_tolerance": 1e-12}})");
  run.advance(1500);
  const double q = 0.2 * 0.02, L = 0.96;  // N/m^2; from x = -0.4625 and -0.475, the last that are held
  const double sag = -run.lowest(0);
  const double narrow = q * std::pow(L, 4) / (8 * 16.0 / 3 * 0.01), wide = q * std::pow(L, 4) / (8 * 6 * 0.01);
  EXPECT_LT(sag, narrow * 1.05);
  EXPECT_GT(sag, wide * 0.95);
  EXPECT_LT(sag, 0.05);
}

// Strips of 150 mm of cells half as long as rows are high, whose least stiffness is that along them: what
// elasticity/sheet_bending.hpp says of hinges is what a strip sags by, against the beam of its material.
TEST(Cantilever, OfAShellSagsByWhatIsSaidOfItsHinges) {
  for (const char* pattern : {"equilateral", "grid", "cross"}) {
    Played run(with(R"({"time": {"step": 0.1, "duration": 0.1, "scheme": "quasi-static"}, "gravity": [0, 0, -0.5],
      "materials": {"m": {"model": "shell", "young": 1e9, "poisson": 0, "thickness": 0.001, "density": 100}},
      "meshes": {"s": {"generate": "sheet", "size": [0.2, 0.05], "cells": [40, 5], "pattern": "PATTERN"}},
      "objects": [{"name": "strip", "mesh": "s", "material": "m", "boundary": [{"box": [[-1, -1, -1], [-0.0499, 1, 1]]}]}],
      "contact": {"enabled": false}})",
                    {{"PATTERN", pattern}}));
    run.advance(1);
    const double beam = 0.5 * 100 * 0.001 * std::pow(0.15, 4) / (8 * 1e9 * 1e-9 / 12);
    const auto range = bending_range(run.model.mesh.vertices, run.model.elastic.hinges, run.model.materials[0]);
    ASSERT_TRUE(range);
    EXPECT_NEAR(-run.lowest(0) / beam * range->smallest, 1, 0.1) << pattern;
    EXPECT_LT(range->smallest, 0.7);
  }
}

constexpr const char* pressed = R"({"time": {"step": 0.002, "duration": 1},
  "materials": {"m": {"model": "shell", "young": 1e5, "density": 200, "thickness": 0.002, "damping": {"mass": 5}},
                "r": {"density": 500}},
  "meshes": {"s": {"generate": "sheet", "size": [0.4, 0.4], "cells": [8, 8], "pattern": "PATTERN"},
             "b": {"generate": "box", "size": [0.1, 0.1, 0.1], "cells": [1, 1, 1]},
             "g": {"generate": "slab", "size": [1, 1], "cells": [4, 4]}},
  "objects": [{"name": "cloth", "mesh": "s", "material": "m", "position": [0.013, 0.007, 0.0515]},
              {"name": "box", "type": "rigid", "mesh": "b", "material": "r", "position": [0, 0, 0.104]},
              {"name": "floor", "type": "fixed", "mesh": "g"}],
  "contact": {"friction": 0.3}})";

// Between a box and a floor: half of its thickness from either.
TEST(Cloth, BetweenTwoBodiesKeepsItsThickness) {
  Played run(with(pressed, {{"PATTERN", "cross"}}));
  StepReport report;
  for (int n = 0; n < 150; ++n) {
    report = run.advance(1);
    ASSERT_TRUE(report.accepted);
    ASSERT_TRUE(n % 10 != 0 || find_overlaps(run.model.surface, run.state.x).empty()) << n;
  }
  const double eps2 = run.model.surface.object_gap[0];
  EXPECT_GT(run.lowest(0), 0.051);
  EXPECT_LT(run.lowest(0), 0.051 + eps2);
  EXPECT_GT(run.lowest(1), 0.052);
  EXPECT_LT(run.lowest(1), 0.052 + 3 * eps2);
  EXPECT_LT(report.kinetic_energy, 1e-5);
}

// On a plane that turns about y by the angle w t a sheet without friction is g / (2 w^2) (sinh wt - sin wt) down from
// the axis; with friction it slides from a = atan mu on by s'' = g sin a + w^2 s - mu (g cos a - 2 w s'), for it
// moves on a plane that turns away. A half-space has triangles of kilometres, beside which the thickness is nothing.
// Edges of the one inside its plane that slide off those of the other do not push it on (6 % too far, at short steps,
// too).
TEST(Cloth, SlidesDownAPlaneThatTilts) {
  constexpr double degrees_per_second = 20, w = degrees_per_second * std::numbers::pi / 180, dt = 0.002;
  for (const std::string plane : {R"({"generate": "half-space"})", R"({"generate": "sheet", "cells": [10, 10]})"}) {
    for (const double mu : {0.0, 0.3}) {
      SCOPED_TRACE(plane + ", mu " + std::to_string(mu));
      Played run(with(R"({"time": {"step": 0.002, "duration": 1}, "contact": {"friction": MU},
        "materials": {"m": {"model": "shell", "young": 1e6, "poisson": 0.3, "density": 1000, "thickness": 1e-3}},
        "meshes": {"s": {"generate": "sheet", "size": [0.2, 0.2], "cells": [6, 6]}, "p": PLANE},
        "objects": [{"name": "cloth", "mesh": "s", "material": "m", "position": [0, 0, 0.00051]},
                    {"name": "plane", "type": "scripted", "mesh": "p",
                     "motion": {"axis": [0, 1, 0], "degrees_per_second": 20}}]})",
                      {{"MU", std::to_string(mu)}, {"PLANE", plane}}));
      const Range& cloth = run.model.objects[0].vertices;
      const auto way = [&] {
        return test::middle(run.state.x, cloth)
            .dot(Vec3(std::cos(w * run.state.time), 0, -std::sin(w * run.state.time)));
      };
      run.advance(static_cast<int>(0.5 / dt));
      if (mu == 0) {
        const double expected = g / (2 * w * w) * (std::sinh(w * 0.5) - std::sin(w * 0.5));
        EXPECT_NEAR(way(), expected, 0.03 * expected);
      } else {
        EXPECT_LT(std::abs(way()), 1e-4);
        run.advance(static_cast<int>(0.625 / dt));
        double slid = 0, speed = 0;
        constexpr double h = 1e-5;
        for (double a = std::atan(mu); a < w * run.state.time; a += w * h) {
          speed += h * (g * std::sin(a) + w * w * slid - mu * (g * std::cos(a) - 2 * w * speed));
          slid += h * speed;
        }
        EXPECT_NEAR(way(), slid, 0.01 * slid);
      }
    }
  }
}

// A ball at 50 m/s, two curtains one behind the other: nothing crosses anything in any step.
TEST(Cloth, HitAt50MetresASecondIsNotCrossed) {
  Played run(R"({"time": {"step": 0.002, "duration": 1},
    "materials": {"c": {"model": "grid-springs", "stretch": 400, "bend": 1e-5, "density": 200, "thickness": 0.002},
                  "r": {"density": 300}},
    "meshes": {"s": {"generate": "sheet", "size": [0.6, 0.6], "cells": [12, 12], "pattern": "grid"},
               "b": {"generate": "sphere", "radius": 0.06, "resolution": 2}},
    "objects": [{"name": "first", "mesh": "s", "material": "c", "rotation": {"axis": [1, 0, 0], "degrees": 90},
                 "boundary": [{"box": [[-1, -1, 0.29], [1, 1, 0.31]]}]},
                {"name": "second", "mesh": "s", "material": "c", "position": [0.013, 0.01, 0], "rotation": {"axis": [1, 0, 0], "degrees": 90},
                 "boundary": [{"box": [[-1, -1, 0.29], [1, 1, 0.31]]}]},
                {"name": "ball", "type": "rigid", "mesh": "b", "material": "r", "position": [0.02, -0.08, -0.05], "velocity": [0, 50, 0]}],
    "contact": {"friction": 0.2}})");
  double most_strain = 0;
  for (int n = 0; n < 25; ++n) {
    ASSERT_TRUE(run.advance(1).accepted) << n;
    ASSERT_TRUE(find_overlaps(run.model.surface, run.state.x).empty()) << n;
    for (const Spring& spring : run.model.elastic.springs) {
      const double l = (block(run.state.x, spring.vertices[1]) - block(run.state.x, spring.vertices[0])).norm();
      most_strain = std::max(most_strain, l / spring.rest_length - 1);
    }
  }
  EXPECT_GT(most_strain, 0.1);  // it was hit
  EXPECT_GT(run.state.rigid[0].center[1], 0.0);
}

constexpr const char* folded = R"({"time": {"step": 0.004, "duration": 1},
  "materials": {"m": {"model": "edge-springs", "stretch": 60, "bend": 2e-6, "density": 200, "thickness": 0.002,
                      "damping": {"mass": 2}}},
  "meshes": {"s": {"generate": "sheet", "size": [0.1, 0.5], "cells": [4, 22], "pattern": "equilateral"},
             "g": {"generate": "half-space"}},
  "objects": [{"name": "cloth", "mesh": "s", "material": "m", "position": [0, 0, 0.27],
               "rotation": {"axis": [1, 0, 0], "degrees": 86}},
              {"name": "floor", "type": "fixed", "mesh": "g"}],
  "contact": {"friction": 0.3}})";

// A strip that comes down on its edge lies in folds.
TEST(Cloth, LiesInFoldsWithoutCrossing) {
  Played run(folded);
  Index most = 0;
  for (int n = 0; n < 200; ++n) {
    const StepReport report = run.advance(1);
    ASSERT_TRUE(report.accepted);
    Index own = 0;
    for (const Contact& contact : run.state.contacts.contacts)
      own += run.model.surface.vertex_object[contact.vertices[0]] == 0 &&
                     run.model.surface.vertex_object[contact.vertices[3]] == 0
                 ? 1
                 : 0;
    most = std::max(most, own);
    ASSERT_TRUE(n % 5 != 0 || find_overlaps(run.model.surface, run.state.x).empty()) << n;
  }
  EXPECT_GT(most, 5);
  EXPECT_GT(run.lowest(0), 0.001 - 1e-12);
}

TEST(Cloth, HasTheSameBitsForAnyNumberOfThreadsAndWithNewScratch) {
  Played run(folded), other(folded);
  test::expect_same_bits(run, other, 3, 6, 10);
  EXPECT_GT(run.state.contacts.contacts.size(), 0u);
}

// What the ledger cannot account for is lost in the scheme, and never gained.
TEST(Cloth, LosesEnergyOnlyAsItsLedgerSays) {
  Played run(folded);
  double energy = 0, spent = 0, start = 0;
  for (int n = 0; n < 100; ++n) {
    const Measures before = measure(run.model, run.state);
    if (n == 0) start = before.kinetic_energy + before.elastic_energy + before.potential_energy;
    const StepReport r = run.advance(1);
    energy = r.kinetic_energy + r.elastic_energy + r.potential_energy;
    spent += r.dissipation_friction + r.dissipation_damping + r.dissipation_scheme - r.work_correction -
             r.work_prescribed - r.work_loads;
    EXPECT_GE(r.dissipation_damping, 0);
  }
  EXPECT_NEAR(start - energy, spent, 1e-9 * start);
  EXPECT_LT(energy, start);
}

}  // namespace cloth_test
}  // namespace sim
