// The laws of rubber through the time step: pulled blocks against closed forms (pressed ones would tip over), and
// blocks that are turned inside out.
#include <gtest/gtest.h>

#include <cmath>

#include "math/random.hpp"
#include "mesh/generate.hpp"
#include "model/measure.hpp"
#include "step/step.hpp"
#include "support/loads.hpp"
#include "support/models.hpp"

namespace sim {
namespace rubber_test {

constexpr double side = 0.1, young = 1e5;  // m, Pa

Model cube(const Material& material) {
  return test::one_body(generate(BoxShape{.size = {side, side, side}, .cells = {3, 3, 3}}), material);
}

double extent(const VecX& x, int axis) {
  double low = x[axis], high = low;
  for (Eigen::Index i = axis; i < x.size(); i += 3) {
    low = std::min(low, x[i]);
    high = std::max(high, x[i]);
  }
  return high - low;
}

struct Stretches {
  double along, across;
};

// A cube, held by nothing, pulled at both ends by a force along z a rest area. The medium damps it until it rests: it
// swings about the line of the forces, too.
Stretches pulled(Material material, double force) {
  material.mass_damping = 10;
  Model model = cube(material);
  finish_model(model);
  model.loads.push_back(test::traction(model, {0, 0, force}, [](const Vec3& X) { return X.z() > 0.49 * side; }));
  model.loads.push_back(test::traction(model, {0, 0, -force}, [](const Vec3& X) { return X.z() < -0.49 * side; }));
  State state = initial_state(model);
  Scratch scratch;
  for (int n = 0; n < 1000; ++n) {
    const StepReport report = step(model, {.dt = 0.01, .detect_collisions = false}, state, scratch);
    EXPECT_EQ(report.status, StepStatus::converged) << report.reason;
  }
  return {extent(state.x, 2) / side, extent(state.x, 0) / side};
}

// The paper's constants mu' = 4/3 mu, lambda' = lambda + 5/6 mu and alpha = 1 + 3/4 mu' / lambda'. The square x of
// the sides' stretch makes them free of stress, 2 lambda' s^2 x^2 + (2 mu' + lambda' s (s (s^2 + 1) - 2 alpha)) x +
// mu' s^2 - lambda' s alpha (s^2 + 1) = 0.
TEST(StableNeoHookean, APulledBlockHasTheStretchOfTheClosedForm) {
  const Material material{.model = MaterialModel::stable_neo_hookean, .young = young, .poisson = 0.3};
  const Lame small = lame(material);
  const double mu = 4.0 / 3 * small.mu, lambda = small.lambda + 5.0 / 6 * small.mu, alpha = 1 + 0.75 * mu / lambda;
  for (const double s : {1.3, 1.8}) {
    const double b = 2 * mu + lambda * s * (s * (s * s + 1) - 2 * alpha);
    const double c = mu * s * s - lambda * s * alpha * (s * s + 1);
    const double x = (-b + std::sqrt(b * b - 8 * lambda * s * s * c)) / (4 * lambda * s * s);
    const double force = mu * (1 - 1 / (s * s + 2 * x + 1)) * s + lambda * (s * x - alpha) * x;
    const Stretches found = pulled(material, force);
    EXPECT_NEAR(found.along, s, 1e-8);
    EXPECT_NEAR(found.across, std::sqrt(x), 1e-8);
  }
}

// Of a pull s and sides of the square x: 2 c1 x + 2 c2 x (s^2 + x) - m + L ln(s x) = 0 gives L.
TEST(MooneyRivlin, APulledBlockHasTheStretchOfTheClosedForm) {
  for (const double s : {1.3, 1.8}) {
    const double mu = 4e4, share = 0.3, c2 = 0.5 * share * mu, c1 = 0.5 * mu - c2, m = 2 * c1 + 4 * c2;
    const double x = 1.1 / s;
    const double L = (m - 2 * c1 * x - 2 * c2 * x * (s * s + x)) / std::log(s * x);
    const double lambda = L + 4 * c2, poisson = lambda / (2 * (lambda + mu));
    const Material material{.model = MaterialModel::mooney_rivlin,
                            .young = 2 * mu * (1 + poisson),
                            .poisson = poisson,
                            .c2_share = share};
    const Stretches found = pulled(material, 2 * c1 * s + 4 * c2 * s * x + (L * std::log(s * x) - m) / s);
    EXPECT_NEAR(found.along, s, 1e-8);
    EXPECT_NEAR(found.across, std::sqrt(x), 1e-8);
  }
}

// ---- inside out

Material stable() {
  return {.name = "stable",
          .model = MaterialModel::stable_neo_hookean,
          .young = young,
          .poisson = 0.3,
          .mass_damping = 2,
          .stiffness_damping = 0.01};
}

void expect_recovery(const char* how, const std::function<Vec3(const Vec3&)>& where) {
  Model model = cube(stable());
  finish_model(model);
  State state = initial_state(model);
  for (Index i = 0; i < static_cast<Index>(model.mesh.vertices.size()); ++i)
    block(state.x, i) = where(model.mesh.vertices[i]);
  const Measures start = measure(model, state);
  EXPECT_LE(start.volumes.of_all.ratio, 0) << how;
  Scratch scratch;
  StepReport report;
  for (int n = 0; n < 400; ++n) {
    report = step(model, {.dt = 0.01, .detect_collisions = false}, state, scratch);
    ASSERT_EQ(report.status, StepStatus::converged) << how << ": " << report.reason;
  }
  EXPECT_EQ(report.inverted, 0) << how;
  EXPECT_NEAR(report.min_volume_ratio, 1, 1e-6) << how;
  EXPECT_LT(report.elastic_energy, 1e-9 * start.elastic_energy) << how;
}

TEST(StableNeoHookean, ACubePressedFlatRecovers) {
  expect_recovery("flat", [](const Vec3& X) { return Vec3(X.x(), X.y(), 0); });
}

TEST(StableNeoHookean, ACubeTurnedInsideOutRecovers) {
  expect_recovery("mirrored", [](const Vec3& X) { return Vec3(X.x(), X.y(), -X.z()); });
  expect_recovery("half through", [](const Vec3& X) { return Vec3(X.x(), X.y(), X.z() > 0 ? -2 * X.z() : X.z()); });
}

TEST(StableNeoHookean, ACubeOfVerticesThrownAboutRecovers) {
  Random random(4);
  expect_recovery("thrown about", [&](const Vec3&) {
    return Vec3(0.5 * side * Vec3(random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1)));
  });
}

}  // namespace rubber_test
}  // namespace sim
