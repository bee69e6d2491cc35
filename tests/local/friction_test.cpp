// Friction of local forces: a block on a slope below and above the angle of friction, and at rest. What takes the
// vibrations out is the damping of the material or the implicit integrator; without either a body creeps, as it does
// under conjugate residuals with steps that are too short to damp.
#include <cmath>

#include "local/bodies.hpp"
#include "model/measure.hpp"

namespace sim {
namespace friction_test {

constexpr double mu = 0.5, g = 9.81;

Model block_on_slope(double tangent, double stiffness_damping) {
  Material material{.name = "rubber", .young = 5e5, .poisson = 0.2, .density = 1000};
  material.stiffness_damping = stiffness_damping;
  Model model;
  model.materials = {material};
  model.friction = mu;
  const double angle = std::atan(tangent);
  model.gravity = g * Vec3(std::sin(angle), 0, -std::cos(angle));
  const Mesh block_of = generate(BoxShape{.size = {0.2, 0.2, 0.1}, .cells = {3, 3, 2}});
  test::add(model, "block", ObjectType::deformable, block_of, {0, 0, 0.05 + 1e-6});
  test::add(model, "floor", ObjectType::fixed, generate(SlabShape{.size = {40, 4}, .thickness = 0.1}), {0, 0, -0.05});
  finish_model(model);
  return model;
}

struct Slide {
  State state;
  Options options;
  LocalScratch scratch;
  const Model& model;
  Slide(const Model& given, double dt, LocalIntegrator integrator)
      : state(initial_state(given)), options(test::local_options(dt)), model(given) {
    options.local.integrator = integrator;
  }
  void go(double seconds) {
    const StepReport report =
        test::take_steps(model, options, static_cast<int>(std::lround(seconds / options.dt)), state, scratch);
    ASSERT_TRUE(report.accepted) << report.reason;
  }
  Vec3 middle() const {
    Vec3 sum = Vec3::Zero();
    for (Index i = model.objects[0].vertices.begin; i < model.objects[0].vertices.end; ++i)
      sum += model.elastic.mass[i] * block(state.x, i);
    return sum / model.elastic.mass.sum();
  }
  double place() const { return middle().x(); }
};

struct Way {
  const char* name;
  LocalIntegrator integrator;
  double stiffness_damping;  // s
};

class LocalSlope : public testing::TestWithParam<Way> {};

TEST_P(LocalSlope, HoldsOnePercentBelowTheAngleOfFriction) {
  const Model model = block_on_slope(0.99 * mu, GetParam().stiffness_damping);
  Slide slide(model, 0.002, GetParam().integrator);
  slide.go(1.4);
  const double place = slide.place();
  slide.go(0.2);
  EXPECT_NEAR(slide.place(), place, 0.2 * 1e-6);
}

TEST_P(LocalSlope, GoesDownAboveItAsCoulombSays) {
  const double angle = std::atan(1.2 * mu), expected = g * (std::sin(angle) - mu * std::cos(angle));
  const Model model = block_on_slope(1.2 * mu, GetParam().stiffness_damping);
  Slide slide(model, 0.002, GetParam().integrator);
  slide.go(0.2);
  std::array<double, 3> places{};
  for (double& place : places) {
    place = slide.place();
    slide.go(0.1);
  }
  EXPECT_NEAR((places[2] - 2 * places[1] + places[0]) / (0.1 * 0.1), expected, 0.005 * expected);
}

// Verlet has the half kick after the contacts: a body at rest has the velocity g h / 2, and does not move. Vertices
// on an edge of the floor, which have two contacts each, jitter within a small part of the gap.
TEST_P(LocalSlope, LetsABodyRest) {
  const Model model = block_on_slope(0, GetParam().stiffness_damping);
  Slide slide(model, 0.002, GetParam().integrator);
  slide.go(1);
  const VecX x = slide.state.x;
  const double middle = slide.middle().z();
  const StepReport report = test::take_steps(model, slide.options, 10, slide.state, slide.scratch);
  const double gap = slide.options.contact.tolerance.constraint;
  EXPECT_LT((slide.state.x - x).lpNorm<Eigen::Infinity>(), 0.1 * gap);
  EXPECT_NEAR(slide.middle().z(), middle, 0.01 * gap);
  const bool explicit_parts = GetParam().integrator == LocalIntegrator::verlet;
  const double kick = explicit_parts ? 0.5 * g * slide.options.dt / static_cast<double>(report.substeps) : 0;
  const double speed = measure(model, slide.state).momentum.z() / model.elastic.mass.sum();
  EXPECT_NEAR(speed, -kick, 0.01 * std::max(kick, gap / slide.options.dt));
}

INSTANTIATE_TEST_SUITE_P(Both, LocalSlope,
                         testing::Values(Way{"verlet", LocalIntegrator::verlet, 0.002},
                                         Way{"implicit", LocalIntegrator::implicit_euler, 0.0}),
                         [](const auto& way) { return way.param.name; });

// Put on the slope as it is, an undamped block bounces on its springs and creeps. The same way under conjugate
// residuals, the nearer the shorter the steps of both are.
TEST(LocalSlope, WithoutDampingCreepsAsUnderConjugateResiduals) {
  const Model model = block_on_slope(0.99 * mu, 0);
  constexpr double seconds = 0.1, dt = 5e-5;
  Slide local(model, dt, LocalIntegrator::verlet);
  const double start = local.place();
  local.go(seconds);
  const double way = local.place() - start;
  double before = 0;
  for (const double h : {4 * dt, dt}) {
    Options options{.dt = h};
    options.detection.separation = 1e-7;
    Slide exact(model, h, LocalIntegrator::verlet);
    Scratch scratch;
    for (int n = 0; n < std::lround(seconds / h); ++n) {
      const StepReport report = step(model, options, exact.state, scratch);
      ASSERT_EQ(report.status, StepStatus::converged) << report.reason;
    }
    const double off = std::abs((exact.place() - start) / way - 1);
    if (before > 0) {
      EXPECT_LT(off, 0.5 * before);
      EXPECT_LT(off, 0.1);
    }
    before = off;
  }
  EXPECT_GT(way, 1e-3);
}

}  // namespace friction_test
}  // namespace sim
