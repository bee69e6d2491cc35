// Friction of thick cables acts at their middle on both sides (model/lever.hpp).
#include <cmath>
#include <numbers>

#include "output/object_records.hpp"
#include "support/paths.hpp"
#include "support/played.hpp"

namespace sim {
namespace lever_test {

using test::arc;
using test::over_a_drum;
using test::Played;
using test::with;

constexpr double pi = std::numbers::pi;

// A rope of 4 cm hits a slab that floats, obliquely. What friction gives the one and takes from the other acts on one
// line: 0.02 m apart it would change the angular momentum of both by 0.02 m times the impulse of friction.
TEST(Lever, AngularMomentumOfARopeAndARigidSlabStays) {
  Played run(R"({"time": {"step": 0.00025, "duration": 1}, "gravity": [0, 0, 0],
    "materials": {"m": {"model": "cable", "stretch": 1e4, "density": 1000, "thickness": 0.04},
                  "s": {"density": 1000, "young": 1e7, "poisson": 0.3}},
    "meshes": {"c": {"generate": "path", "points": [[-0.1, 0, 0], [0.1, 0, 0]], "segments": 5},
               "b": {"generate": "box", "size": [0.6, 0.1, 0.04], "cells": [6, 1, 1]}},
    "objects": [{"name": "rope", "mesh": "c", "material": "m", "position": [0, 0, 0.0405], "velocity": [1, 0, -0.3]},
                {"name": "slab", "type": "rigid", "mesh": "b", "material": "s"}],
    "contact": {"friction": 0.5}})");
  const Measures before = measure(run.model, run.state);
  const Object& rope = run.model.objects[0];
  const auto along = [&] {
    double sum = 0;
    for (Index i = rope.vertices.begin; i < rope.vertices.end; ++i)
      sum += run.model.elastic.mass[i] * block(run.state.v, i).x();
    return sum;
  };
  const double p = along();
  run.advance(160);
  const double friction = p - along();
  ASSERT_GT(friction, 0.1 * p);
  const Vec3 change = measure(run.model, run.state).angular_momentum - before.angular_momentum;
  EXPECT_LT(change.norm(), 0.05 * 0.02 * friction) << change.transpose();
}

// What lies on a drum that turns and sticks goes with w (r + h / 2).
TEST(Lever, ARopeThatSticksToADrumGoesWithThePitchRadius) {
  constexpr double r = 0.1, h = 0.04, w = pi / 2;
  Played run(with(R"({"time": {"step": 0.001, "duration": 1}, "gravity": [0, 0, -9.81],
    "materials": {"m": {"model": "cable", "stretch": 1e4, "density": 1000, "thickness": 0.04, "damping": {"mass": 0}}},
    "meshes": {"c": {"generate": "path", "points": POINTS, "segments": 10},
               "d": {"generate": "cylinder", "radius": 0.1, "length": 0.2, "segments": 180}},
    "objects": [{"name": "rope", "mesh": "c", "material": "m"},
                {"name": "drum", "type": "scripted", "mesh": "d", "rotation": {"axis": [1, 0, 0], "degrees": 90},
                 "motion": {"axis": [0, 1, 0], "degrees_per_second": 90}}],
    "contact": {"friction": 0.9}})",
                  {{"POINTS", "[" + arc(r + h / 2 + 2e-4, 75, 115, 20) + "]"}}));
  run.advance(100);
  for (Index i = 0; i < 11; ++i) {
    const Vec3 x = run.at(i), v = block(run.state.v, i);
    EXPECT_NEAR(x.norm(), r + h / 2, 1e-3) << i;
    EXPECT_NEAR(Vec3(0, 1, 0).dot(x.cross(v)) / x.squaredNorm(), w, 0.01 * w) << i;
  }
}

// A drum that turns under a belt: its torque is the balance of moments of the belt about the axis.
TEST(Lever, TheTorqueOfABeltOnADrumIsThatOfItsPulls) {
  constexpr double r = 0.1, h = 0.02, middle = r + h / 2 + 1e-4;
  Played run(with(R"({"time": {"step": 0.02, "duration": 1, "scheme": "quasi-static"}, "gravity": [0, 0, 0],
    "materials": {"m": {"model": "cable", "stretch": 1e5, "density": 1000, "thickness": 0.02}},
    "meshes": {"c": {"generate": "path", "points": POINTS, "segments": 60},
               "d": {"generate": "cylinder", "radius": 0.1, "length": 0.1, "segments": 180}},
    "objects": [{"name": "belt", "mesh": "c", "material": "m", "boundary": [{"list": [0]}],
                 "loads": [{"force": [0, 0, -5], "list": [60]}]},
                {"name": "drum", "type": "scripted", "mesh": "d", "rotation": {"axis": [1, 0, 0], "degrees": 90},
                 "motion": {"axis": [0, 1, 0], "degrees_per_second": 20}}],
    "contact": {"friction": 0.3}})",
                  {{"POINTS", over_a_drum(middle, 0.05, 0.05)}}));
  const StepReport report = run.advance(6);
  const std::vector<double> tension = run.tension();
  ASSERT_GT(tension.front() - tension.back(), 5.0);
  const std::vector<ObjectRow> rows = object_rows(run.model, run.state, run.scratch.solved, report);
  const double pulls = tension.front() - tension.back();
  EXPECT_NEAR(std::abs(rows[1].contact_torque.y()), pulls * (r + h / 2), 0.01 * pulls * r);
  // Its motor does the work of that torque.
  EXPECT_NEAR(std::abs(rows[1].contact_work), std::abs(rows[1].contact_torque.y()) * 20 * pi / 180 * 0.02,
              0.02 * std::abs(rows[1].contact_work));
  EXPECT_NEAR(report.work_prescribed, -rows[1].contact_work, 0.02 * report.work_prescribed);
}

}  // namespace lever_test
}  // namespace sim
