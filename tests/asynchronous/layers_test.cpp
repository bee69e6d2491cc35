// Layers and clocks know no mesh: sums against closed forms, and whole numbers.
#include "asynchronous/layers.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "asynchronous/clock.hpp"

namespace sim {
namespace layers_test {

constexpr double r1 = 1000, eta1 = 0.1;

TEST(Layers, ExactlyTheOutermostNPushBetweenTheirThicknesses) {
  const Layers layers = make_layers(r1, 100);
  for (Index n = 1; n <= 100; ++n) {
    const double outer = eta1 * std::pow(n, -0.25), inner = eta1 * std::pow(n + 1, -0.25);
    EXPECT_EQ(layers_at(layers, 0.5 * (outer + inner), eta1), n);
  }
  EXPECT_EQ(layers_at(layers, 1.01 * eta1, eta1), 0);
  EXPECT_EQ(layers_at(layers, 0, eta1), layers.most() + 1);
}

TEST(Layers, ForceIsMinusTheGradientOfTheEnergy) {
  const Layers layers = make_layers(r1, 100);
  for (const double d : {0.09, 0.07, 0.051, 0.04}) {
    const double step = 1e-7;
    const double slope =
        (layers_energy(layers, d - step, eta1, 100) - layers_energy(layers, d + step, eta1, 100)) / (2 * step);
    const double force = layers_force(layers, d, eta1, 100);
    EXPECT_NEAR(slope, force, 1e-6 * force) << d;
  }
}

TEST(Layers, ClosedFormsAreThoseOfTheSums) {
  const Layers layers = make_layers(r1, 1000);
  for (const double n : {50.0, 200.0, 800.0}) {
    const double d = eta1 * std::pow(n, -0.25);
    EXPECT_NEAR(layers_of_impact(r1, eta1, layers_energy(layers, d, eta1, 1000)), n, 0.05 * n);
    EXPECT_NEAR(layers_under(r1, eta1, layers_force(layers, d, eta1, 1000)), n, 0.05 * n);
  }
}

TEST(Clocks, RoundDownToAPartOfTheStepThatIsAPowerOfTwo) {
  EXPECT_EQ(level_of(2, 1), 0);
  EXPECT_EQ(level_of(1, 1), 0);
  EXPECT_EQ(level_of(0.999, 1), 1);
  EXPECT_EQ(level_of(0.5, 1), 1);
  EXPECT_EQ(level_of(0.26, 1), 2);
  EXPECT_EQ(level_of(0.25, 1), 2);
  EXPECT_EQ(level_of(0, 1), finest_level + 1);
}

TEST(Clocks, ALevelTicksAtTheMultiplesOfItsStep) {
  EXPECT_EQ(coarsest_at(0), 0);
  EXPECT_EQ(coarsest_at(ticks_a_step), 0);
  EXPECT_EQ(coarsest_at(ticks_a_step / 2), 1);
  EXPECT_EQ(coarsest_at(3 * ticks_a_step / 8), 3);
  EXPECT_EQ(coarsest_at(1), finest_level);
}

}  // namespace layers_test
}  // namespace sim
