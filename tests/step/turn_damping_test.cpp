// Stiffness damping under the schemes of Newton's method: what turns in a step loses nothing by it, what deforms
// does.
#include <gtest/gtest.h>

#include <cmath>

#include "elasticity/assembly.hpp"
#include "mesh/generate.hpp"
#include "step/step.hpp"
#include "support/models.hpp"

namespace sim {
namespace turn_damping_test {

Options options_of(TimeScheme scheme, double dt, double radius = 0.5) {
  Options options;
  options.dt = dt;
  options.time = {scheme, radius};
  options.detect_collisions = false;
  return options;
}

constexpr std::array<TimeScheme, 2> schemes{TimeScheme::implicit_euler, TimeScheme::generalized_alpha};
const char* name_of(TimeScheme scheme) {
  return scheme == TimeScheme::implicit_euler ? "implicit Euler" : "generalized alpha";
}

struct Sums {
  double most_elastic = 0, last_elastic = 0, kinetic = 0, damped = 0, scheme = 0;  // J
  std::uint64_t rounds = 0;
};
Sums go_on(const Model& model, const Options& options, State& state, int steps) {
  Scratch scratch;
  Sums sums;
  for (int n = 0; n < steps; ++n) {
    const StepReport report = step(model, options, state, scratch);
    EXPECT_EQ(report.status, StepStatus::converged) << report.reason;
    EXPECT_GE(report.dissipation_damping, 0);
    sums.most_elastic = std::max(sums.most_elastic, report.elastic_energy);
    sums.last_elastic = report.elastic_energy;
    sums.kinetic = report.kinetic_energy;
    sums.damped += report.dissipation_damping;
    sums.scheme += report.dissipation_scheme;
    sums.rounds += static_cast<std::uint64_t>(report.relinearizations);
  }
  return sums;
}

constexpr double dt = 3e-3;

Model stiff_block(double beta, double spin, MaterialModel law = MaterialModel::corotational) {
  Model model =
      test::one_body(generate(BoxShape{.size = {0.1, 0.1, 0.03}, .cells = {3, 3, 1}}), {.name = "stiff",
                                                                                        .model = law,
                                                                                        .stiffness = Stiffness::exact,
                                                                                        .young = 9e8,
                                                                                        .poisson = 0.3,
                                                                                        .density = 1000,
                                                                                        .stiffness_damping = beta});
  for (Index i = 0; i < static_cast<Index>(model.mesh.vertices.size()); ++i)
    block(model.initial_velocity, i) = Vec3(0, 0, spin).cross(model.mesh.vertices[i]);
  finish_model(model);
  return model;
}

// By 0.03 and 0.18 rad a step. It sets out without strain, so what settles it to the strain of its spin is about as
// much as that stores in the end.
TEST(TurnDamping, AFreeBlockThatSpinsIsStrainedAndDampedByItsSpinOnly) {
  for (const TimeScheme scheme : schemes) {
    for (const double angle : {0.03, 0.18}) {
      const Model damped = stiff_block(8.6e-4, angle / dt), bare = stiff_block(0, angle / dt);
      State state = initial_state(damped), other = initial_state(bare);
      const Sums with = go_on(damped, options_of(scheme, dt), state, 60),
                 without = go_on(bare, options_of(scheme, dt), other, 60);
      std::printf("%s, %.2f rad a step: elastic %.3g J, %.3g without damping; lost to damping %.3g of %.3g J\n",
                  name_of(scheme), angle, with.last_elastic, without.last_elastic, with.damped, with.kinetic);
      EXPECT_LT(with.most_elastic, 1.05 * without.most_elastic);
      EXPECT_NEAR(with.last_elastic, without.last_elastic, 0.02 * without.last_elastic);
      // What a scheme takes of the spin depends a little on the vibrations of setting out: 10 % by generalized alpha.
      EXPECT_NEAR(with.kinetic, without.kinetic, 0.01 * without.kinetic);
      EXPECT_LT(with.damped, 2 * without.most_elastic);
    }
  }
}

// With v = (rate X, 0, 0), which stretches it, and a spin about z.
Model soft_bar(MaterialModel law, double rate, double spin) {
  Model model =
      test::one_body(generate(BoxShape{.size = {0.3, 0.1, 0.1}, .cells = {3, 1, 1}}), {.name = "soft",
                                                                                       .model = law,
                                                                                       .stiffness = Stiffness::exact,
                                                                                       .young = 1e6,
                                                                                       .poisson = 0.3,
                                                                                       .density = 1000,
                                                                                       .stiffness_damping = 1e-3});
  for (Index i = 0; i < static_cast<Index>(model.mesh.vertices.size()); ++i) {
    const Vec3& X = model.mesh.vertices[i];
    block(model.initial_velocity, i) = Vec3(rate * X.x(), 0, 0) + Vec3(0, 0, spin).cross(X);
  }
  finish_model(model);
  return model;
}

// A vibration of a body that turns meanwhile loses what it loses where it does not turn.
TEST(TurnDamping, AVibrationLosesTheSameWhetherTheBodyTurnsOrNot) {
  for (const TimeScheme scheme : schemes) {
    std::array<double, 2> lost{};
    for (const bool turns : {false, true}) {
      const Model model = soft_bar(MaterialModel::corotational, 4, turns ? 4 : 0);
      State state = initial_state(model);
      lost[turns ? 1 : 0] = go_on(model, options_of(scheme, 5e-4), state, 200).damped;
    }
    std::printf("%s: a vibration loses %.5g J, turning %.5g J\n", name_of(scheme), lost[0], lost[1]);
    EXPECT_NEAR(lost[1], lost[0], 0.02 * lost[0]);
  }
}

// Stretched by a tenth, so that the stiffness is not that of rest.
double lost_in_a_vibration(MaterialModel law, double step) {
  const Model model = soft_bar(law, 20, 10);
  State state = initial_state(model);
  return go_on(model, options_of(TimeScheme::generalized_alpha, step), state,
               static_cast<int>(std::lround(0.032 / step)))
      .damped;
}

TEST(TurnDamping, WhatGeneralizedAlphaLosesIsOfSecondOrder) {
  for (const MaterialModel law : {MaterialModel::corotational, MaterialModel::neo_hookean}) {
    const double coarse = lost_in_a_vibration(law, 2.5e-4), middle = lost_in_a_vibration(law, 1.25e-4),
                 fine = lost_in_a_vibration(law, 6.25e-5);
    const double order = std::log2(std::abs((coarse - middle) / (middle - fine)));
    std::printf("lost to damping: %.6g, %.6g, %.6g J; order %.3g\n", coarse, middle, fine, order);
    EXPECT_GT(order, 1.7);
  }
}

// Those that nothing damps keep no rates of strain, and those that are damped only their own.
TEST(TurnDamping, RatesOfStrainAreKeptOfWhatIsDampedOnly) {
  for (const double beta : {0.0, 1e-3}) {
    const Model model = stiff_block(beta, 10);
    for (const TimeScheme scheme : schemes) {
      State state = initial_state(model);
      go_on(model, options_of(scheme, dt), state, 2);
      const bool kept = beta > 0 && scheme == TimeScheme::generalized_alpha;
      const auto numbers = kept ? 6 * static_cast<Eigen::Index>(model.elastic.tets.size()) : 0;
      EXPECT_EQ(state.history.strain_rate.size(), numbers);
      EXPECT_EQ(state.history.strain_acceleration.size(), numbers);
    }
  }
}

}  // namespace turn_damping_test
}  // namespace sim
