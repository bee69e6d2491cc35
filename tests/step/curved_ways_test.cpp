// What stands between an arc and its chord is met: a rod that turns far in one step, free or by its script.
#include <array>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <numbers>
#include <sstream>

#include "support/played.hpp"

namespace sim {
namespace curved_ways_test {

constexpr double dt = 0.01, half_length = 0.5, thick = 0.004;

// A rod of 1 m about its middle, and a post at `radius` half way along the arc of `turn` in the one step.
const std::string rod_and_post = R"({ "gravity": [0, 0, 0], "time": { "step": 0.01, "duration": 0.01 },
  "materials": { "m": { "young": 1e10, "density": 1000 } },
  "meshes": { "rod": { "generate": "box", "size": [1, 0.004, 0.02], "cells": [10, 1, 1] },
              "post": { "generate": "box", "size": [0.004, 0.004, 0.1], "cells": [1, 1, 1] } },
  "objects": [ { "name": "post", "mesh": "post", "position": [X, Y, 0], POST },
               { "name": "rod", "mesh": "rod", ROD } ], "contact": { "friction": 0.5 } })";

constexpr const char* fixed = R"("type": "fixed")";
constexpr const char* rigid = R"("type": "rigid", "material": "m")";

struct Swing {
  double turn, radius, of_post = turn / 2;  // rad, m, rad

  std::string scene(const std::string& post, const std::string& rod) const {
    return test::with(rod_and_post, {{"X", std::to_string(radius * std::cos(of_post))},
                                     {"Y", std::to_string(radius * std::sin(of_post))},
                                     {"POST", post},
                                     {"ROD", rod},
                                     {"RATE", std::to_string(turn / dt)},
                                     {"DEGREES", std::to_string(turn / dt * 180 / std::numbers::pi)}});
  }
  std::string free_rod() const { return scene(fixed, std::string(rigid) + R"(, "angular_velocity": [0, 0, RATE])"); }
  std::string scripted_rod() const {
    return scene(rigid, R"("type": "scripted", "motion": { "degrees_per_second": DEGREES })");
  }
};

// Half way between the tips and their chord at the middle of the turn.
Swing between_chord_and_arc(double turn) {
  return {turn, 0.5 * half_length * (1 + std::cos(turn / 2))};
}

double angle(const test::Played& played, Index object) {
  const Range vertices = played.model.objects[object].vertices;
  const auto& rest = played.model.mesh.vertices;
  Vec3 along = Vec3::Zero();  // the axis that was x
  for (Index i = vertices.begin; i < vertices.end; ++i) along += rest[i][0] * played.at(i);
  return std::atan2(along[1], along[0]);
}

// A tip that is stopped without bounce: v + w x r = 0 there, by an impulse through it.
double turn_if_stopped_at(const Swing& swing) {
  const double inertia = (1 + thick * thick) / 12;  // of unit mass
  const double leverage = swing.radius * swing.radius / inertia;
  return swing.turn / 2 * (1 + 1 / (1 + leverage));
}

TEST(CurvedWays, ARigidRodMeetsAPostBetweenItsChordAndItsArc) {
  for (const double turn : {0.6, 0.8, 1.0, 1.2, 1.57}) {
    const Swing swing = between_chord_and_arc(turn);
    test::Played played(swing.free_rod());
    const StepReport report = played.advance(1);
    EXPECT_GT(report.substeps, 1) << turn;
    EXPECT_NEAR(angle(played, 1), turn_if_stopped_at(swing), 0.04 * turn) << turn;  // the post is 4 mm thick
  }
}

TEST(CurvedWays, APostBetweenTheChordAndTheArcOfAScriptedRodIsStruck) {
  for (const double turn : {0.6, 0.8, 1.0, 1.57}) {
    const Swing swing = between_chord_and_arc(turn);
    test::Played played(swing.scripted_rod());
    played.advance(1);
    const Index post = played.model.objects[0].vertices.begin;
    const double speed = played.state.rigid[0].velocity.norm(), of_rod = turn / dt * swing.radius;
    EXPECT_GT(speed, 0.5 * of_rod) << turn;
    EXPECT_TRUE(played.at(post).allFinite());
  }
}

TEST(CurvedWays, WhatStandsBeyondTheArcDividesNothing) {
  for (const double turn : {0.6, 1.0, 1.57}) {
    const Swing swing{turn, half_length + 2 * thick};
    test::Played played(swing.free_rod());
    EXPECT_EQ(played.advance(1).substeps, 1) << turn;
    EXPECT_NEAR(angle(played, 1), turn, 1e-9) << turn;
  }
}

// A box as closed surface, its vertices numbered from `first`.
std::string box_as_obj(const Vec3& low, const Vec3& high, int first) {
  std::ostringstream text;
  for (int i = 0; i < 8; ++i)
    text << "v " << (i % 2 == 0 ? low : high)[0] << ' ' << (i / 2 % 2 == 0 ? low : high)[1] << ' '
         << (i < 4 ? low : high)[2] << '\n';
  constexpr std::array<std::array<int, 3>, 12> faces{{{0, 2, 3},
                                                      {0, 3, 1},
                                                      {4, 5, 7},
                                                      {4, 7, 6},
                                                      {0, 1, 5},
                                                      {0, 5, 4},
                                                      {2, 6, 7},
                                                      {2, 7, 3},
                                                      {0, 4, 6},
                                                      {0, 6, 2},
                                                      {1, 3, 7},
                                                      {1, 7, 5}}};
  for (const auto& face : faces)
    text << "f " << first + face[0] << ' ' << first + face[1] << ' ' << first + face[2] << '\n';
  return text.str();
}

// What pushes it elsewhere does not keep it off: the rod lies on the floor that the post stands on, of one mesh. What
// is left of its energy is what an impact without bounce at the post's radius leaves.
TEST(CurvedWays, AnObjectThatBearsTheRodIsMetElsewhere) {
  constexpr double radius = 0.4945, turn = 0.4;  // between 0.490, its chord, and 0.5
  const std::string file = testing::TempDir() + "simrun_floor_and_post.obj";
  std::ofstream(file) << box_as_obj({-1, -1, -0.1}, {1, 1, 0}, 1)
                      << box_as_obj({radius - 0.003, -0.003, 0.002}, {radius + 0.003, 0.003, 0.1}, 9);
  test::Played played(test::with(R"({ "gravity": [0, 0, -9.81], "time": { "step": 0.005, "duration": 0.025 },
    "materials": { "m": { "density": 1000 } },
    "meshes": { "rod": { "generate": "box", "size": [1, 0.004, 0.02], "cells": [10, 1, 1] }, "f": { "file": "FILE" } },
    "objects": [ { "name": "floor", "type": "fixed", "mesh": "f" },
                 { "name": "rod", "type": "rigid", "mesh": "rod", "material": "m", "position": [0, 0, 0.0101],
                   "angular_velocity": [0, 0, RATE], "rotation": { "degrees": -80 } } ],
    "contact": { "friction": 0 } })",
                                 {{"FILE", file}, {"RATE", std::to_string(turn / 0.005)}}));
  std::filesystem::remove(file);
  const RigidBody& rod = played.model.rigid[0];
  const double before = kinetic_energy(rod, played.state.rigid[0]);
  played.advance(5);
  EXPECT_NEAR(kinetic_energy(rod, played.state.rigid[0]), before / (1 + 12 * radius * radius), 0.03 * before);
}

// Whole turns end where they began.
TEST(CurvedWays, ARodThatTurnsByWholeTurnsInAStepMeetsWhatStandsInItsWay) {
  for (const double turns : {0.9, 1.0, 2.0}) {
    const double turn = 2 * std::numbers::pi * turns;
    Swing swing{turn, 0.3};
    swing.of_post = 1.3;
    test::Played played(swing.free_rod());
    const double spin = played.state.rigid[0].spin.norm();
    EXPECT_GT(played.advance(1).substeps, 1) << turns;
    EXPECT_LT(played.state.rigid[0].spin.norm(), 0.7 * spin) << turns;
  }
}

}  // namespace curved_ways_test
}  // namespace sim
