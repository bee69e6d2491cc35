// Work of generalized alpha along the way of the middle of a step: nothing may be left of what goes to and fro.
#include "step/work_forces.hpp"
#include "step/step.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <utility>

#include "bodies/expression.hpp"
#include "mesh/generate.hpp"
#include "support/loads.hpp"
#include "support/objects.hpp"

namespace sim {
namespace work_forces_test {

constexpr double hertz = 20;
const Material stone{.name = "stone", .young = 1e7, .poisson = 0.2, .density = 1000};

Mesh cube(double side, Index cells) {
  return generate(BoxShape{.size = {side, side, side}, .cells = {cells, cells, cells}});
}

Options steps_of(double dt) {
  return {.dt = dt, .time = {.scheme = TimeScheme::generalized_alpha}};
}

struct Sums {
  double prescribed = 0, loads = 0, scheme = 0, correction = 0;
  double to_and_fro = 0;  // J: the largest that prescribed motion and loads have given by any step
};

Sums run(const Model& model, double dt, int steps, State& state) {
  Sums sum;
  Scratch scratch;
  for (int n = 0; n < steps; ++n) {
    const StepReport r = step(model, steps_of(dt), state, scratch);
    EXPECT_EQ(r.status, StepStatus::converged) << r.reason;
    sum.prescribed += r.work_prescribed;
    sum.loads += r.work_loads;
    sum.scheme += r.dissipation_scheme;
    sum.correction += r.work_correction;
    sum.to_and_fro = std::max(sum.to_and_fro, std::abs(sum.prescribed + sum.loads));
  }
  return sum;
}

MotionSpec shaking(const char* z) {
  MotionSpec spec;
  spec.translation_expression = {"0", "0", z};
  return spec;
}

// A block stands on a floor that vibrates along its normal, with half the acceleration of gravity. It does not slide,
// and in a whole period gets back what it gave. With the force of the end of a step this was a part of some pi w dt /
// 2 in each: 2 of these energies in 10 periods.
TEST(WorkForces, OfAFloorThatVibratesAreNothingInAPeriod) {
  for (const ObjectType type : {ObjectType::rigid, ObjectType::deformable}) {
    for (const double dt : {1e-3, 5e-4}) {
      Model model;
      model.gravity = {0, 0, -9.81};
      model.materials = {stone};
      model.friction = 0.3;
      test::add_object(model, "floor", ObjectType::scripted, generate(SlabShape{.size = {1, 1}}), {0, 0, -0.05},
                       Motion(shaking("0.00031*(1-cos(2*pi*20*t))")));
      test::add_object(model, "block", type, cube(0.1, 2), {0, 0, 0.05 + 2.5e-6});
      finish_model(model);
      State state = initial_state(model);
      const int periods = 10, steps = static_cast<int>(std::lround(periods / hertz / dt));
      run(model, dt, steps / periods, state);  // it lands: what it fell by, m g 2.5 um, is lost
      const Sums sum = run(model, dt, steps, state);
      const double angle = 2 * std::numbers::pi * hertz * dt;
      EXPECT_LT(std::abs(sum.prescribed), angle * angle * sum.to_and_fro) << dt;
      EXPECT_LT(std::abs(sum.scheme), angle * angle * sum.to_and_fro) << dt;
    }
  }
}

// F cos(w t) on a free body: v = F / (m w) sin(w t), all energy comes back.
TEST(WorkForces, OfALoadThatComesAndGoesAreNothingInAPeriod) {
  for (const ObjectType type : {ObjectType::rigid, ObjectType::deformable}) {
    Model model;
    model.gravity.setZero();
    model.materials = {stone};
    test::add_object(model, "block", type, cube(0.1, 2), {0, 0, 0});
    finish_model(model);
    Load load;
    load.kind = LoadKind::body_force;
    load.object = 0;
    load.value[0].expression.emplace("1e5*cos(2*pi*20*t)");
    if (type == ObjectType::rigid) {
      load.share = {0.001};
    } else {
      const Index all = static_cast<Index>(model.mesh.vertices.size());
      for (Index i = 0; i < all; ++i) load.vertices.push_back(i);
      for (Index i = 0; i < all; ++i) load.share.push_back(model.elastic.mass[i] / stone.density);
    }
    model.loads.push_back(std::move(load));
    State state = initial_state(model);
    const double dt = 1e-3, angle = 2 * std::numbers::pi * hertz * dt;
    const Sums sum = run(model, dt, 500, state);
    const double most = std::pow(100 / (2 * std::numbers::pi * hertz), 2) / 2;
    EXPECT_NEAR(sum.to_and_fro, most, 0.05 * most);
    // The first step is one of Euler's: it gets the whole of its force, and keeps half of that motion.
    EXPECT_LT(std::abs(sum.loads), 2 * angle * angle * most);
    EXPECT_LT(std::abs(sum.scheme), 2 * angle * angle * most);
  }
}

// A bar is a spring that an end pulls, so slowly that inertia is nothing: k way^2 / 2. Only the first step, of
// Euler's, pulls with the force of its end, which is k way^2 / 2 n^2 too much.
TEST(WorkForces, OfAPulledBarAreThoseOfASpring) {
  const double dt = 1e4, way = 0.01, energy = 0.5 * 1e6 * 0.01 * way * way;
  for (const int n : {4, 8, 16}) {
    Model bar = test::one_body(generate(BoxShape{.size = {1, 0.1, 0.1}, .cells = {6, 1, 1}}),
                               {.young = 1e6, .poisson = 0, .density = 1000});
    test::pin(bar, [](const Vec3& X) { return X.x() < -0.49; });
    MotionSpec pull;
    pull.velocity = {way / (n * dt), 0, 0};
    bar.prescribed.push_back({test::vertices_where(bar, [](const Vec3& X) { return X.x() > 0.49; }), Motion(pull)});
    finish_model(bar);
    State state = initial_state(bar);
    state.v.setZero();
    const Sums sum = run(bar, dt, n, state);
    EXPECT_NEAR(sum.prescribed, energy * (1 + 1.0 / (n * n)), 1e-9 * energy) << n;
    EXPECT_NEAR(sum.scheme, energy / (n * n), 1e-9 * energy) << n;
  }
}

// Vertices that all go as prescribed have the work that changes their motion.
TEST(WorkForces, OfVerticesThatAreShakenAreTheChangeOfTheirMotion) {
  Model model = test::one_body(cube(0.1, 2), stone);
  model.prescribed.push_back(
      {test::vertices_where(model, [](const Vec3&) { return true; }), Motion(shaking("0.002*(1-cos(2*pi*20*t))"))});
  finish_model(model);
  State state = initial_state(model);
  Scratch scratch;
  step(model, steps_of(1e-3), state, scratch);  // of Euler's
  for (int n = 0; n < 40; ++n) {
    const double before = measure(model, state).kinetic_energy;
    const StepReport r = step(model, steps_of(1e-3), state, scratch);
    EXPECT_NEAR(r.work_prescribed, r.kinetic_energy - before, 1e-12);
  }
}

}  // namespace work_forces_test
}  // namespace sim
