// Clocks of any length, against symplectic Euler written out.
#include <gtest/gtest.h>

#include <cmath>

#include "asynchronous/played.hpp"
#include "mesh/generate.hpp"
#include "model/measure.hpp"

namespace sim {
namespace free_clocks_test {

using test::cable;
using test::Played;

TEST(FreeClocks, TickAtMultiplesFromTheStartOfTheRun) {
  EXPECT_EQ(next_multiple(7, 0, 0), 7);
  EXPECT_EQ(next_multiple(7, 7, 0), 14);
  EXPECT_EQ(next_multiple(7, 0, 100), 5);
  EXPECT_EQ(next_multiple(7, 4, 100), 5);
  EXPECT_EQ(next_multiple(7, 5, 100), 12);
  EXPECT_EQ(period_of(1, 0.25), ticks_a_step);
  EXPECT_EQ(period_of(0.25 / 1024, 0.25), ticks_a_step / 1024);
}

Played oscillator() {
  Played played = cable({1}, 50);
  played.model.prescribed.push_back({{0}, Motion()});
  played.options.dt = 0.1;
  played.options.asynchronous.clocks = Clocks::free;
  played.options.asynchronous.elastic_fraction = 0.22;
  played.begin();
  played.state.x[3] = 1.25;
  return played;
}

// A step is no whole number of its ticks: what is left over goes on into the next one.
TEST(FreeClocks, AnOscillatorIsThatOfDriftAndKick) {
  Played played = oscillator();
  const double omega = std::sqrt(50 / 0.5), h = 0.22 * 2 / omega;
  ASSERT_GT(std::abs(std::remainder(played.options.dt, h)), 0.1 * h);
  double x = 0.25, v = 0, time = 0;
  for (int n = 1; n <= 1000; ++n) {
    played.advance(1);
    const double now = n * played.options.dt;
    while (time + h <= now + 1e-9 * h) {
      x += h * v;
      v -= h * omega * omega * x;
      time += h;
    }
    ASSERT_NEAR(played.state.x[3] - 1, x + (now - time) * v, 1e-8) << n;
  }
}

TEST(FreeClocks, ThrowingScratchAwayChangesNoBit) {
  Played kept = oscillator(), thrown = oscillator();
  for (int n = 0; n < 50; ++n) {
    kept.advance(1);
    thrown.scratch = {};
    thrown.advance(1);
    ASSERT_EQ(kept.state.x, thrown.state.x);
    ASSERT_EQ(kept.state.v, thrown.state.v);
  }
}

VecX place_after(double time, double dt, double fraction, Clocks clocks) {
  Played played = cable({1, 0.3, 2, 0.15}, 50);
  played.model.prescribed.push_back({{0}, Motion()});
  played.model.gravity = {0, 0, -9.81};
  played.options.dt = dt;
  played.options.asynchronous.elastic_fraction = fraction;
  played.options.asynchronous.clocks = clocks;
  played.begin();
  played.advance(static_cast<int>(std::lround(time / dt)));
  return played.state.x;
}

TEST(FreeClocks, AreOfFirstOrder) {
  const VecX exact = place_after(0.5, 0.05 / 64, 0.25 / 64, Clocks::binary);
  const double coarse = (place_after(0.5, 0.0125, 0.02, Clocks::free) - exact).norm();
  const double fine = (place_after(0.5, 0.0125 / 8, 0.02 / 8, Clocks::free) - exact).norm();
  EXPECT_GT(coarse / fine, 5);  // 8
  EXPECT_LT(coarse / fine, 12);
}

TEST(FreeClocks, KeepMomentaAndEnergyAndTheLedgerCloses) {
  Played played;
  Model& model = played.model;
  model.gravity = {0, 0, -10};
  model.materials = {{.name = "m", .young = 1e5, .poisson = 0.3, .density = 1000}};
  test::add(model, ObjectType::deformable, generate(BoxShape{.size = {0.2, 0.1, 0.15}, .cells = {3, 2, 2}}), 0,
            {1, 2, 3});
  played.options.detect_collisions = false;
  played.options.dt = 0.01;
  played.options.asynchronous.clocks = Clocks::free;
  played.options.asynchronous.elastic_fraction = 0.1;
  played.begin();
  for (Index i = 0; i < static_cast<Index>(model.mesh.vertices.size()); ++i)
    block(played.state.v, i) +=
        Vec3(5, -3, 4).cross(block(played.state.x, i)) + Vec3(block(played.state.x, i)[2], 0, 0);
  Measures before = measure(model, played.state);
  const double energy = before.kinetic_energy + before.elastic_energy + before.potential_energy;
  // Drift and kick give what falls g^2 h / 2 a kilogram and second, h the step of gravity.
  const KickPlan plan = make_kick_plan(model, played.options);
  double mass_times_h = 0;
  for (Index i = 0; i < static_cast<Index>(model.mesh.vertices.size()); ++i)
    mass_times_h += model.elastic.mass[i] * steady_step(plan, i, played.options.dt);
  EXPECT_LT(mass_times_h, 0.1 * played.options.dt * model.elastic.mass.sum());
  for (int n = 0; n < 100; ++n) {
    const StepReport r = played.advance(1);
    ASSERT_LT((r.momentum - before.momentum - r.impulse_external).norm(), 1e-12) << n;
    ASSERT_LT((r.angular_momentum - before.angular_momentum - r.angular_impulse_external).norm(), 1e-12) << n;
    const double given = 0.5 * 100 * mass_times_h * r.time;
    EXPECT_NEAR(r.kinetic_energy + r.elastic_energy + r.potential_energy, energy + given, 0.01 * energy) << n;
    before = measure(model, played.state);
  }
}

}  // namespace free_clocks_test
}  // namespace sim
