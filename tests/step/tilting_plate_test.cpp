// A block on a plate that tilts, the mesh edges of the two on each other, near each other and off each other: it
// slides when and as fast as in closed form.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "mesh/generate.hpp"
#include "step/step.hpp"
#include "support/objects.hpp"

namespace sim {
namespace tilting_plate_test {

using test::add_object;

constexpr double g = 9.81, degree = std::numbers::pi / 180;
constexpr double height = 0.05, above = 1e-6;  // m

struct Meshes {
  std::array<Index, 2> plate;  // cells
  std::array<Index, 3> block;
  Vec3 beside{0, 0, 0};  // m, the block's middle
};

const std::array<Meshes, 5> meshes{{{{20, 20}, {4, 4, 2}},
                                    {{20, 20}, {4, 4, 2}, {1e-4, 2e-4, 0}},
                                    {{20, 20}, {4, 4, 2}, {0.013, 0.021, 0}},
                                    {{20, 20}, {1, 1, 1}},
                                    {{1, 1}, {4, 4, 2}}}};

Model block_on_a_plate(const Meshes& of, ObjectType type, double friction, double degrees_per_second) {
  Model model;
  model.materials = {{.name = "stone", .young = 1e8, .poisson = 0.3, .density = 1000}};
  model.friction = friction;
  model.gravity = {0, 0, -g};
  MotionSpec tilt;
  tilt.axis = Vec3::UnitY();
  tilt.degrees_per_second = degrees_per_second;
  add_object(model, "plate", ObjectType::scripted, generate(SlabShape{.size = {1, 1}, .cells = of.plate}),
             {0, 0, -0.05}, Motion(tilt));
  test::add(model, "block", type, generate(BoxShape{.size = {0.1, 0.1, height}, .cells = of.block}),
            Vec3(0, 0, height / 2 + above) + of.beside);
  finish_model(model);
  return model;
}

// m, of the block's middle in the plate, down it, since it lay `beside`.
double way(const Model& model, const State& state, double tilt, double beside) {
  return test::middle(state.x, model.objects[1].vertices).dot(Vec3(std::cos(tilt), 0, -std::sin(tilt))) - beside;
}

// In the plate's frame, s down it and its middle h above the axis:  s'' = g sin a + w^2 s - mu N,
// N = g cos a - 2 w s' - w^2 h, and no motion before  g sin a + w^2 s > mu N.
double way_in_closed_form(double mu, double w, double start, double time) {
  constexpr int parts = 100000;
  const double dt = time / parts;
  double s = start, v = 0;
  for (int k = 0; k < parts; ++k) {
    const double a = w * (k + 0.5) * dt;
    const double N = g * std::cos(a) - 2 * w * v - w * w * height / 2;
    v += dt * std::max(g * std::sin(a) + w * w * s - mu * N, -v / dt);
    s += dt * v;
  }
  return s - start;
}

struct OnATiltingPlate : testing::TestWithParam<ObjectType> {
  // Ways at these times, one after the other.
  std::vector<double> ways(const Meshes& of, double mu, double degrees_per_second,
                           const std::vector<double>& times) const {
    const Model model = block_on_a_plate(of, GetParam(), mu, degrees_per_second);
    const Options options{.dt = 2e-3};
    State state = initial_state(model);
    Scratch scratch;
    std::vector<double> result;
    for (const double time : times) {
      while (state.time < time - options.dt / 2) {
        const StepReport report = step(model, options, state, scratch);
        EXPECT_EQ(report.status, StepStatus::converged) << "step " << report.step << ": " << report.reason;
        if (report.status != StepStatus::converged) return std::vector<double>(times.size());
      }
      result.push_back(way(model, state, degrees_per_second * degree * state.time, of.beside.x()));
    }
    return result;
  }
};

TEST_P(OnATiltingPlate, WithoutFrictionABlockSlidesAtOnce) {
  constexpr double rate = 5, time = 1;  // the way is g / (2 w^2) (sinh wt - sin wt) from the axis
  for (const Meshes& of : meshes) {
    const double expected = way_in_closed_form(0, rate * degree, of.beside.x(), time);
    EXPECT_NEAR(ways(of, 0, rate, {time})[0], expected, 0.02 * expected)
        << of.plate[0] << " cells, block of " << of.block[0] << ", beside by " << of.beside.x();
  }
}

// A second is 20 degrees: atan 0.3 is 16.7.
TEST_P(OnATiltingPlate, ABlockSlidesFromItsFrictionAngleOn) {
  constexpr double rate = 20, mu = 0.3;
  for (const Meshes& of : meshes) {
    const auto found = ways(of, mu, rate, {0.82, 1.1});
    EXPECT_LT(std::abs(found[0]), 1e-5);
    const double expected = way_in_closed_form(mu, rate * degree, of.beside.x(), 1.1);
    EXPECT_NEAR(found[1], expected, 0.03 * expected)
        << of.plate[0] << " cells, block of " << of.block[0] << ", beside by " << of.beside.x();
  }
}

INSTANTIATE_TEST_SUITE_P(Of, OnATiltingPlate, testing::Values(ObjectType::rigid, ObjectType::deformable),
                         [](const auto& tested) {
                           return tested.param == ObjectType::rigid ? "ARigidBlock" : "AnElasticBlock";
                         });

}  // namespace tilting_plate_test
}  // namespace sim
