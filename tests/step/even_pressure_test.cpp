// Rigid bodies that slide on a face: friction is that of even pressure, or of pressure that changes linearly where
// the friction itself tilts the body, by every method alike. Closed forms, and integrals of them by quadrature.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "mesh/generate.hpp"
#include "mesh/refine.hpp"
#include "step/step.hpp"
#include "support/discs.hpp"
#include "support/loads.hpp"
#include "support/methods.hpp"
#include "support/objects.hpp"

namespace sim {
namespace even_pressure_test {

using test::add_object;

constexpr double g = 9.81, mu = 0.2, dt = 1e-3, above = 2e-6;  // above: the floor, m
// They lie beside the diagonal of the floor: along an edge that passes beneath, some vertices have no contact, and a
// disc is slowed by 5 % too much (docs/known-misses.md).

struct Motion2 {
  Vec3 velocity{0, 0, 0};
  double spin = 0;  // rad/s, about z
};

Model on_a_floor(const Mesh& mesh, double height, const Motion2& motion, double slope = 0, double friction = mu) {
  Model model;
  model.materials = {{.name = "stone", .young = 5e5, .poisson = 0.2, .density = 1000}};
  model.initial_velocity.resize(0);
  model.friction = friction;
  model.gravity = g * Vec3(std::sin(slope), 0, -std::cos(slope));
  add_object(model, "floor", ObjectType::fixed, generate(SlabShape{.size = {20, 20}}), {0, 0, -0.05});
  Object& body =
      test::add(model, "body", ObjectType::rigid, mesh, {1.013, -0.507, 0.5 * height + above}, motion.velocity);
  body.angular_velocity = {0, 0, motion.spin};
  finish_model(model);
  return model;
}

struct EvenPressure : testing::TestWithParam<std::string> {
  Options options() const {
    Options options{.dt = dt};
    options.contact.method = method_by_name(GetParam());
    return options;
  }

  State after(const Model& model, int steps) const {
    State state = initial_state(model);
    Scratch scratch;
    for (int n = 0; n < steps; ++n) {
      const StepReport report = step(model, options(), state, scratch);
      EXPECT_EQ(report.status, StepStatus::converged) << "step " << report.step << ": " << report.reason;
      if (report.status != StepStatus::converged) break;
    }
    return state;
  }

  // rad/s2, of what spins flat.
  double slows_by(const Mesh& mesh, double height) const {
    constexpr double before = 20;
    constexpr int steps = 100;
    const Model model = on_a_floor(mesh, height, {.spin = before});
    const State state = after(model, steps);
    EXPECT_LT((state.rigid[0].center - initial_state(model).rigid[0].center).head<2>().norm(), 2e-5);
    return (before - angular_velocity(model.rigid[0], state.rigid[0]).z()) / (dt * steps);
  }
};

// The distance from the middle that friction acts at in the mean, by even pressure, is 2 R / 3 of a disc.
TEST_P(EvenPressure, SlowsADiscThatSpins) {
  const double R = 0.1;
  const Mesh disc = generate(CylinderShape{.radius = R, .length = 0.03, .segments = 32});
  const double expected = mu * g * (2 * R / 3) / (R * R / 2);
  EXPECT_NEAR(slows_by(disc, 0.03), expected, 0.02 * expected);
}

TEST_P(EvenPressure, SlowsARingThatSpins) {
  const double R = 0.11, r = 0.09;
  const Mesh ring = generate(TorusShape{.segments = 36, .major_radius = 0.1, .side = 0.02});
  const double expected = mu * g * (2.0 / 3) * (R * R * R - r * r * r) / (R * R - r * r) / ((R * R + r * r) / 2);
  EXPECT_NEAR(slows_by(ring, 0.02), expected, 0.02 * expected);
}

// Of a square of side a it is a (sqrt 2 + ln(1 + sqrt 2)) / 6.
TEST_P(EvenPressure, SlowsASquareThatSpins) {
  const double a = 0.2;
  const Mesh brick = generate(BoxShape{.size = {a, a, 0.03}, .cells = {6, 6, 1}});
  const double expected = mu * g * a * (std::numbers::sqrt2 + std::log(1 + std::numbers::sqrt2)) / 6 / (a * a / 6);
  EXPECT_NEAR(slows_by(brick, 0.03), expected, 0.02 * expected);
}

// As most files have it: eight vertices bear at the corners, and are slowed by sqrt(2) / 2 a instead.
TEST_P(EvenPressure, SlowsARefinedBoxOfEightVerticesThatSpins) {
  const double a = 0.2;
  Mesh brick = generate(BoxShape{.size = {a, a, 0.03}, .cells = {1, 1, 1}});
  refine(brick, 3);
  const double expected = mu * g * a * (std::numbers::sqrt2 + std::log(1 + std::numbers::sqrt2)) / 6 / (a * a / 6);
  EXPECT_NEAR(slows_by(brick, 0.03), expected, 0.02 * expected);
}

// Velocity and spin of a disc that does both: each slows the less the faster the other is.
Motion2 disc_after(Motion2 motion, double R, double height, double time) {
  constexpr int rings = 40, rays = 60;
  const double h = 1e-3;
  Vec2 v = motion.velocity.head<2>();
  for (double t = 0; t < time - 0.5 * h; t += h) {
    Vec2 force = Vec2::Zero(), load = Vec2::Zero();  // load: where it acts
    double torque = 0;
    for (int pass = 0; pass < 5; ++pass) {
      force.setZero();
      torque = 0;
      for (int i = 0; i < rings; ++i) {
        for (int j = 0; j < rays; ++j) {
          const double r = R * (i + 0.5) / rings, angle = 2 * std::numbers::pi * (j + 0.5) / rays;
          const Vec2 x(r * std::cos(angle), r * std::sin(angle));
          const Vec2 slip = v + motion.spin * Vec2(-x[1], x[0]);
          // Even pressure carries a load in the middle, what is linear one beside it.
          const double part = 2 * r / (R * rings) / rays * (1 + 4 * load.dot(x) / (R * R));
          const Vec2 friction = -mu * g * part * slip.normalized();
          force += friction;
          torque += x[0] * friction[1] - x[1] * friction[0];
        }
      }
      load = -0.5 * height / g * force;
    }
    v += h * force;
    motion.spin += h * torque / (R * R / 2);
  }
  motion.velocity.head<2>() = v;
  return motion;
}

TEST_P(EvenPressure, SlowsADiscThatSpinsAndSlides) {
  const double R = 0.1, height = 0.01;
  constexpr int steps = 200;
  const Motion2 before{.velocity = {1, 0, 0}, .spin = 15};
  const Model model =
      on_a_floor(generate(CylinderShape{.radius = R, .length = height, .segments = 48}), height, before);
  const State state = after(model, steps);
  const Motion2 expected = disc_after(before, R, height, dt * steps);
  // Of what each has lost.
  EXPECT_NEAR(state.rigid[0].velocity.x(), expected.velocity.x(), 0.02 * (1 - expected.velocity.x()));
  EXPECT_NEAR(state.rigid[0].velocity.y(), expected.velocity.y(), 0.02 * (1 - expected.velocity.x()));
  EXPECT_NEAR(angular_velocity(model.rigid[0], state.rigid[0]).z(), expected.spin, 0.02 * (15 - expected.spin));
}

// As a whole it goes as it must from some of its 513 contacts, and conjugate residuals ended with those: it was
// slowed by 5 to 9 % too little, and went sideways.
TEST_P(EvenPressure, SlowsADiscOfManyVerticesThatSpinsFastAndSlides) {
  if (GetParam() == "ica") GTEST_SKIP() << "513 contacts on one body take it a minute";
  const double R = 0.1, height = 0.02;
  constexpr int steps = 200;
  for (const double speed : {0.5, 2.0}) {
    const Motion2 before{.velocity = {speed, 0, 0}, .spin = 40};
    const Model model = on_a_floor(test::disc_of_rings(R, height, 8, 64), height, before);
    const State state = after(model, steps);
    const Motion2 expected = disc_after(before, R, height, dt * steps);
    const double lost = speed - expected.velocity.x();
    EXPECT_NEAR(state.rigid[0].velocity.x(), expected.velocity.x(), 0.04 * lost) << speed;
    EXPECT_NEAR(state.rigid[0].velocity.y(), expected.velocity.y(), 0.04 * lost) << speed;
    EXPECT_NEAR(angular_velocity(model.rigid[0], state.rigid[0]).z(), expected.spin, 0.02 * (40 - expected.spin));
  }
}

// Friction at the floor tips it forwards: the load is mu h / 2 ahead of the middle, and pressure linear.
TEST_P(EvenPressure, LetsABrickSlideStraightWithItsLoadAhead) {
  const Vec3 size(0.2, 0.1, 0.06);
  constexpr int steps = 200;
  const Model model =
      on_a_floor(generate(BoxShape{.size = size, .cells = {6, 3, 2}}), size.z(), {.velocity = {1, 0, 0}});
  const double y = initial_state(model).rigid[0].center.y();
  const State state = after(model, steps);
  EXPECT_NEAR(state.rigid[0].velocity.x(), 1 - mu * g * dt * steps, 1e-3 * mu * g * dt * steps);
  EXPECT_NEAR(state.rigid[0].center.y(), y, 2e-6);
  EXPECT_LT(angular_velocity(model.rigid[0], state.rigid[0]).norm(), 1e-3);
  double load = 0, moment = 0;
  for (const Contact& contact : state.contacts.contacts) {
    Vec3 at = Vec3::Zero();  // on the floor
    for (int k = 0; k < 4; ++k) {
      if (model.surface.vertex_body[contact.vertices[k]] >= 0)
        at += std::abs(contact.weights[k]) * block(state.x, contact.vertices[k]);
    }
    load += contact.lambda;
    moment += contact.lambda * (at.x() - state.rigid[0].center.x());
  }
  EXPECT_NEAR(moment / load, mu * size.z() / 2, 0.02 * mu * size.z() / 2);
}

TEST_P(EvenPressure, HoldsABrickBelowTheFrictionAngleAndLetsItGoAbove) {
  const Mesh brick = generate(BoxShape{.size = {0.2, 0.1, 0.06}, .cells = {6, 3, 2}});
  constexpr int steps = 200;
  for (const double part : {0.99, 1.01}) {
    const double slope = std::atan(part * mu);
    const State state = after(on_a_floor(brick, 0.06, {}, slope), steps);
    const double a = g * (std::sin(slope) - mu * std::cos(slope));
    EXPECT_NEAR(state.rigid[0].velocity.x(), std::max(0.0, a) * dt * steps, 1e-3 * mu * g * dt * steps) << part;
  }
}

// A square bar in a square bush, pushed along it under a couple: the lips of two opposite walls bear M / length each,
// along all of the bar's width, and the walls beside it nothing. Some contacts at one end of each lip, and the walls
// beside for the moment of that, bear the couple, too: friction was up to twice as much, and held the bar.
TEST_P(EvenPressure, OfABarUnderACoupleInItsBushIsThatOfItsLips) {
  if (GetParam() == "ica") GTEST_SKIP() << "contacts brace each other on its pyramid (docs/known-misses.md)";
  constexpr double width = 0.04, length = 0.1, bush = 0.05, play = 20e-6, couple = 2, push = 50, friction = 0.5;
  constexpr int steps = 20;
  Model model;
  model.initial_velocity.resize(0);
  model.friction = friction;
  model.gravity = {0, 0, 0};
  model.materials = {{.name = "steel", .young = 2e11, .poisson = 0.3, .density = 7800}};
  const Mesh wall = generate(BoxShape{.size = {width / 2, 2 * width, bush}, .cells = {1, 1, 1}});
  const double at = 0.75 * width + play / 2;
  for (int side = 0; side < 4; ++side) {
    const Mat3 turn = Eigen::AngleAxisd(side * std::numbers::pi / 2, Vec3::UnitZ()).toRotationMatrix();
    Mesh turned = wall;
    for (Vec3& x : turned.vertices) x = turn * x;
    add_object(model, "wall" + std::to_string(side), ObjectType::fixed, turned, turn * Vec3(at, 0, 0));
  }
  add_object(model, "bar", ObjectType::rigid, generate(BoxShape{.size = {width, width, length}, .cells = {2, 2, 6}}),
             {0, 0, 0});
  finish_model(model);
  for (const auto& [kind, value] :
       {std::pair(LoadKind::torque, Vec3(couple, 0, 0)), {LoadKind::force, Vec3(0, 0, push)}}) {
    model.loads.push_back(test::on_rigid(model, kind, value));
    model.loads.back().object = 4;
  }
  const State state = after(model, steps);
  const double mass = 7800 * width * width * length, expected = (push - 2 * friction * couple / bush) / mass;
  EXPECT_NEAR(state.rigid[0].velocity.z(), expected * dt * steps, 0.05 * expected * dt * steps);
}

INSTANTIATE_TEST_SUITE_P(Of, EvenPressure, testing::Values("auto", "cr-full", "cr-diag", "exact", "ica"),
                         test::name_of_method);

}  // namespace even_pressure_test
}  // namespace sim
