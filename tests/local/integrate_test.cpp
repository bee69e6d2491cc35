// Free motion: against the closed form of the scheme, and against what it must conserve.
#include <cmath>

#include "local/bodies.hpp"
#include "model/measure.hpp"

namespace sim {
namespace integrate_test {

// A mass on a spring along x: one segment of a cable whose first end is pinned.
struct Oscillator {
  Model model;
  double omega = 0, length = 0.1;

  Oscillator() {
    Material wire{.name = "wire", .model = MaterialModel::cable, .density = 1000};
    wire.thickness = 0.01;
    wire.stretch = 50;
    model.gravity.setZero();
    model.materials = {wire};
    model.mesh.vertices = {Vec3(0, 0, 0), Vec3(length, 0, 0)};
    model.mesh.triangles = {{0, 1, 1}};
    model.objects.push_back({.name = "wire",
                             .type = ObjectType::deformable,
                             .material = 0,
                             .vertices = {0, 2},
                             .tets = {0, 0},
                             .triangles = {0, 1},
                             .thickness = wire.thickness});
    model.initial_velocity = VecX::Zero(6);
    test::pin(model, [](const Vec3& X) { return X.x() < 0.05; });
    finish_model(model);
    omega = std::sqrt(wire.stretch / model.elastic.mass[1]);
  }
  State stretched(double by) const {
    State state = initial_state(model);
    state.x[3] += by;
    return state;
  }
  double strain(const State& state) const { return state.x[3] - length; }
};

TEST(Verlet, AnOscillatorHasTheFrequencyOfTheScheme) {
  const Oscillator one;
  for (const double step : {0.1, 0.7, 1.5}) {  // omega h
    const double h = step / one.omega;
    State state = one.stretched(1e-3);
    LocalScratch scratch;
    const double twice_cos = 2 * (1 - 0.5 * step * step);
    double before = one.strain(state), largest = 0;
    const auto invariant = [&] {
      const double v = state.v[3], x = one.strain(state);
      return v * v + one.omega * one.omega * (1 - 0.25 * step * step) * x * x;
    };
    const double start = invariant();
    test::verlet_part(one.model, h, state, scratch);
    for (int n = 0; n < 1000; ++n) {
      const double now = one.strain(state);
      test::verlet_part(one.model, h, state, scratch);
      EXPECT_NEAR(one.strain(state) + before, twice_cos * now, 1e-13) << step;
      largest = std::max(largest, std::abs(invariant() / start - 1));
      before = now;
    }
    EXPECT_LT(largest, 1e-10) << step;
  }
}

TEST(Verlet, IsStableJustBelowItsLimitAndNotAbove) {
  const Oscillator one;
  for (const double step : {1.99, 2.01}) {
    State state = one.stretched(1e-6);
    LocalScratch scratch;
    double largest = 0;
    for (int n = 0; n < 400; ++n) {
      test::verlet_part(one.model, step / one.omega, state, scratch);
      largest = std::max(largest, std::abs(one.strain(state)));
    }
    if (step < 2) {
      EXPECT_LT(largest, 2e-5);
    } else {
      EXPECT_GT(largest, 1e-3);
    }
  }
}

// (12) of the paper: x1 = 2 x0 - x_before + h^2/m (p + F).
TEST(Verlet, HasThePositionsOfThePaper) {
  Model model = test::one_body(generate(TorusShape{}), test::soft);
  model.gravity = {0, 0, -9.81};
  for (Index i = 0; i < 72; ++i)
    block(model.initial_velocity, i) = Vec3(0.3, 0, 0) + Vec3(2 * model.mesh.vertices[i].x(), 0, 0);
  finish_model(model);
  constexpr double h = 2e-4;
  State state = initial_state(model);
  LocalScratch scratch;
  VecX before = state.x;
  test::verlet_part(model, h, state, scratch);
  double largest = 0;
  for (int n = 0; n < 300; ++n) {
    const VecX now = state.x, force = elastic_force(model.elastic, now);
    test::verlet_part(model, h, state, scratch);
    for (Index i = 0; i < 72; ++i) {
      const Vec3 expected =
          2 * block(now, i) - block(before, i) + h * h * (model.gravity + block(force, i) / model.elastic.mass[i]);
      largest = std::max(largest, (block(state.x, i) - expected).norm());
    }
    before = now;
  }
  EXPECT_LT(largest, 1e-14);
}

// The same with contacts, F h^2/m = Delta, over 1,000 parts: passes until nothing collides, and one pass as
// published.
TEST(Verlet, HasThePositionsOfThePaperWithContacts) {
  for (const bool as_published : {false, true}) {
    const Model model = test::ring_over_floor(test::soft, Vec3(0.2, 0, -0.5));
    constexpr double h = 1e-4;
    Options options = test::local_options(h);
    options.contact.as_published = as_published;
    State state = initial_state(model);
    LocalScratch s;
    VecX before = state.x;
    double largest = 0;
    int touched = 0;
    for (int n = 0; n < 1000; ++n) {
      const VecX now = state.x, force = elastic_force(model.elastic, now);
      state = test::part_with_contacts(model, options, state, s);
      touched += s.moved.isZero(0) ? 0 : 1;
      for (Index i = 0; n > 0 && i < 72; ++i) {
        const Vec3 expected = 2 * block(now, i) - block(before, i) + Vec3(block(s.moved, i)) +
                              h * h * (model.gravity + block(force, i) / model.elastic.mass[i]);
        largest = std::max(largest, (block(state.x, i) - expected).norm());
      }
      before = now;
    }
    EXPECT_LT(largest, 1e-13) << as_published;
    EXPECT_GT(touched, 50) << as_published;
  }
}

TEST(ImplicitIntegrator, DampsAnOscillatorByItsFactor) {
  const Oscillator one;
  const double step = 0.5, h = step / one.omega;
  Options options = test::local_options(h);
  options.local.integrator = LocalIntegrator::implicit_euler;
  options.detect_collisions = false;
  State state = one.stretched(1e-4);
  LocalScratch scratch;
  test::take_steps(one.model, options, 1, state, scratch);
  const auto size = [&] { return std::hypot(one.omega * one.strain(state), state.v[3]); };
  for (int n = 0; n < 20; ++n) {
    const double before = size();
    test::take_steps(one.model, options, 1, state, scratch);
    EXPECT_NEAR(size() / before, 1 / std::sqrt(1 + step * step), 1e-6);
  }
}

TEST(Verlet, ARingInFreeFlightKeepsMomentaAndEnergy) {
  Model model = test::one_body(generate(TorusShape{}), test::soft);
  const Vec3 omega(3, -2, 5), drift(0.7, 0.3, -0.4);
  for (Index i = 0; i < 72; ++i) {
    const Vec3& X = model.mesh.vertices[i];
    block(model.initial_velocity, i) = drift + omega.cross(X) + Vec3(4 * X.x(), 0, 0);
  }
  finish_model(model);
  Options options = test::local_options(3e-3);
  options.detect_collisions = false;
  State state = initial_state(model);
  LocalScratch scratch;
  const Measures start = measure(model, state);
  const double energy = start.kinetic_energy;
  std::array<double, 3> mean{};
  constexpr int steps = 1200;
  for (int n = 0; n < steps; ++n) {
    const StepReport r = test::take_steps(model, options, 1, state, scratch);
    ASSERT_GT(r.substeps, 1);  // in parts
    mean[static_cast<std::size_t>(3 * n / steps)] += (r.kinetic_energy + r.elastic_energy) / energy * 3 / steps;
    ASSERT_LT((r.momentum - start.momentum).norm(), 1e-11 * start.momentum.norm());
    ASSERT_LT((r.angular_momentum - start.angular_momentum).norm(), 1e-11 * start.angular_momentum.norm());
    ASSERT_NEAR(r.kinetic_energy + r.elastic_energy, energy, 0.02 * energy);
  }
  EXPECT_NEAR(mean[2], mean[0], 1e-4);
}

TEST(Parts, AreShortEnoughForTheStiffestVibration) {
  const Oscillator one;  // its bound is that of both ends free: sqrt(2) omega
  FrequencyBuffer buffer;
  const State state = initial_state(one.model);
  EXPECT_NEAR(largest_frequency(one.model.elastic, one.model.plan, one.model.mesh.vertices, state.x, buffer),
              std::sqrt(2.0) * one.omega, 1e-9 * one.omega);
  const Options options = test::local_options(10 / one.omega);
  EXPECT_EQ(parts_of_step(one.model, options, state.x, buffer), 9);  // 10 sqrt(2) / 1.6
}

}  // namespace integrate_test
}  // namespace sim
