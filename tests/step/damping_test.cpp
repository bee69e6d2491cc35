// Stiffness damping through the time step: vibrations at the closed form's rate, bodies that turn not at all.
#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>
#include <cmath>
#include <numbers>

#include "elasticity/assembly.hpp"
#include "mesh/generate.hpp"
#include "step/step.hpp"
#include "support/models.hpp"

namespace sim {
namespace damping_test {

class StiffnessDamped : public testing::TestWithParam<MaterialModel> {
 protected:
  Material material(double young, double beta) const {
    return {.model = GetParam(),
            .stiffness = GetParam() == MaterialModel::corotational ? Stiffness::rotated_linear : Stiffness::exact,
            .young = young,
            .poisson = 0.3,
            .density = 1000,
            .stiffness_damping = beta};
  }
};
constexpr std::array<const char*, 4> names{"Corotational", "NeoHookean", "StableNeoHookean", "MooneyRivlin"};
INSTANTIATE_TEST_SUITE_P(Models, StiffnessDamped,
                         testing::Values(MaterialModel::corotational, MaterialModel::neo_hookean,
                                         MaterialModel::stable_neo_hookean, MaterialModel::mooney_rivlin),
                         [](const auto& test) { return names[static_cast<std::size_t>(test.param)]; });

struct Mode {
  double omega = 0;  // rad/s
  VecX shape;        // of mass 1
};

// The lowest vibration of a free body: K v = omega^2 M v, from the step's own A = M + dt^2 K at rest.
Mode lowest_mode(const Model& model) {
  const State state = initial_state(model);
  ElementBuffer buffer;
  BlockMatrix A;
  VecX b;
  assemble(model.elastic, model.plan, {state.x, state.v, state.v, Vec3::Zero(), 1}, buffer, A, b);
  const Eigen::Index size = state.x.size();
  Eigen::MatrixXd K = Eigen::MatrixXd::Zero(size, size), M = K;
  const double beta = model.materials[0].stiffness_damping;
  for (Index r = 0; r < A.rows(); ++r) {
    const Index row = model.plan.vertex_of_block[r];
    M.block<3, 3>(3 * row, 3 * row).diagonal().setConstant(model.elastic.mass[row]);
    for (Index k = A.row_begin[r]; k < A.row_begin[r + 1]; ++k)
      K.block<3, 3>(3 * row, 3 * model.plan.vertex_of_block[A.column[k]]) = A.at(k) / (1 + beta);
  }
  K -= M / (1 + beta);
  const Eigen::GeneralizedSelfAdjointEigenSolver<Eigen::MatrixXd> eigen(K, M);
  constexpr int rigid_motions = 6;
  return {std::sqrt(eigen.eigenvalues()[rigid_motions]), eigen.eigenvectors().col(rigid_motions)};
}

Model block_of(const Material& material) {
  Model model = test::one_body(generate(BoxShape{.size = {0.3, 0.2, 0.1}, .cells = {3, 2, 1}}), material);
  finish_model(model);
  return model;
}

struct Swing {
  std::vector<double> way;   // of the mode, over its first
  std::vector<double> rate;  // of the same, over omega
};
Swing swing(const Model& model, const Mode& mode, double dt, int steps,
            TimeScheme scheme = TimeScheme::semi_implicit) {
  State state = initial_state(model);
  const VecX rest = state.x;
  const double amplitude = 1e-7 / mode.shape.cwiseAbs().maxCoeff();  // m: strains that linear elasticity has, too
  state.x += amplitude * mode.shape;
  Scratch scratch;
  Swing result;
  VecX weighted = mode.shape;
  for (Index i = 0; i < static_cast<Index>(model.elastic.mass.size()); ++i)
    block(weighted, i) *= model.elastic.mass[i];
  for (int n = 0; n < steps; ++n) {
    const StepReport report =
        step(model, {.dt = dt, .time = {.scheme = scheme}, .detect_collisions = false}, state, scratch);
    EXPECT_EQ(report.status, StepStatus::converged) << report.reason;
    result.way.push_back(weighted.dot(state.x - rest) / amplitude);
    result.rate.push_back(weighted.dot(state.v) / amplitude / mode.omega);
  }
  return result;
}

// v1 = (v0 - dt w^2 x0) / (1 + dt beta w^2 + dt^2 w^2), x1 = x0 + dt v1.
TEST_P(StiffnessDamped, AVibrationGoesAsTheStepOfOneOscillatorDoes) {
  const Model model = block_of(material(1e6, 0.002));
  const Mode mode = lowest_mode(model);
  const double dt = 0.2 / mode.omega, w2 = mode.omega * mode.omega;
  for (const TimeScheme scheme : {TimeScheme::semi_implicit, TimeScheme::implicit_euler}) {
    const Swing found = swing(model, mode, dt, 60, scheme);
    double x = 1, v = 0;
    for (std::size_t n = 0; n < found.way.size(); ++n) {
      v = (v - dt * w2 * x) / (1 + dt * 0.002 * w2 + dt * dt * w2);
      x += dt * v;
      EXPECT_NEAR(found.way[n], x, 1e-5) << "step " << n + 1;
      EXPECT_NEAR(found.rate[n], v / mode.omega, 1e-5) << "step " << n + 1;
    }
    EXPECT_LT(std::abs(x) + std::abs(v) / mode.omega, 0.5);
  }
}

// Over two half periods the energy falls by exp(-2 zeta omega t), zeta = beta omega / 2, besides what the scheme
// takes.
TEST_P(StiffnessDamped, AVibrationLosesByTheRatioBetaOmegaOverTwo) {
  const Mode mode = lowest_mode(block_of(material(1e6, 0)));
  const double zeta = 0.05, beta = 2 * zeta / mode.omega;
  const int steps = 800;
  const double t = 2 * std::numbers::pi / mode.omega, dt = t / steps;
  for (const TimeScheme scheme :
       {TimeScheme::semi_implicit, TimeScheme::implicit_euler, TimeScheme::generalized_alpha}) {
    const auto loss = [&](double damping) {  // ln of energy
      const Swing found = swing(block_of(material(1e6, damping)), mode, dt, steps, scheme);
      return -std::log(found.way.back() * found.way.back() + found.rate.back() * found.rate.back());
    };
    EXPECT_NEAR((loss(beta) - loss(0)) / (2 * mode.omega * t), zeta, 0.01 * zeta);
  }
}

// ---- turns

constexpr double spin = 20;  // rad/s

// The axis of the largest moment of inertia of its vertices, which is not quite that of the box.
Vec3 steady_axis(const Model& model) {
  Mat3 inertia = Mat3::Zero();
  for (Index i = 0; i < static_cast<Index>(model.mesh.vertices.size()); ++i) {
    const Vec3& arm = model.mesh.vertices[i];  // the centre of mass is the origin
    inertia += model.elastic.mass[i] * (arm.squaredNorm() * Mat3::Identity() - arm * arm.transpose());
  }
  return Eigen::SelfAdjointEigenSolver<Mat3>(inertia).eigenvectors().col(2);
}

// Turns about that axis, so that it may settle as it turns: stretched by some percent. About another it would wobble,
// which strains it anew in every turn and is damped.
Model spinning_block(const Material& material) {
  Model model = test::one_body(generate(BoxShape{.size = {0.3, 0.3, 0.1}, .cells = {3, 3, 1}}), material);
  finish_model(model);
  const Vec3 w = spin * steady_axis(model);
  for (Index i = 0; i < static_cast<Index>(model.mesh.vertices.size()); ++i)
    block(model.initial_velocity, i) = w.cross(model.mesh.vertices[i]);
  return model;
}

struct Spin {
  double kinetic = 0, elastic = 0, damped = 0;  // J; the last one over all steps
  double angular = 0;                           // kg m^2/s
};
Spin go_on(const Model& model, State& state, double dt, int steps) {
  Scratch scratch;
  Spin result;
  for (int n = 0; n < steps; ++n) {
    const StepReport report = step(model, {.dt = dt, .detect_collisions = false}, state, scratch);
    EXPECT_EQ(report.status, StepStatus::converged) << report.reason;
    result.kinetic = report.kinetic_energy;
    result.elastic = report.elastic_energy;
    result.damped += report.dissipation_damping;
    result.angular = report.angular_momentum.norm();
  }
  return result;
}

TEST_P(StiffnessDamped, AStretchedBodyThatSpinsKeepsItsEnergyAndAngularMomentum) {
  constexpr double beta = 0.01, dt = 1e-3;
  const Model damped = spinning_block(material(1e5, beta)), bare = spinning_block(material(1e5, 0));
  State state = initial_state(damped);
  const Spin settled = go_on(damped, state, dt, 1000);
  ASSERT_GT(settled.elastic, 1e-3 * settled.kinetic);  // stretched
  State other = state;
  const Spin with = go_on(damped, state, dt, 1000), without = go_on(bare, other, dt, 1000);
  std::printf("spinning block: damping takes %.3g of its energy in 20 rad; energy %.3g, angular momentum %.3g off\n",
              with.damped / with.kinetic, with.kinetic / without.kinetic - 1, with.angular / without.angular - 1);
  EXPECT_GE(with.damped, 0);
  EXPECT_LT(with.damped, 1e-6 * with.kinetic);
  EXPECT_NEAR(with.kinetic / without.kinetic, 1, 1e-5);
  EXPECT_NEAR(with.angular / without.angular, 1, 1e-5);
}

// As what holds it together is the same in its own axes. (The straight way of a step would strain it by (w dt)^2 / 2,
// docs/decisions/turning.md.)
TEST_P(StiffnessDamped, ABodyThatTurnsAboutAPinnedAxisLosesNothing) {
  std::vector<double> lost;
  for (const double dt : {2e-3, 1e-3}) {
    Model model =
        test::one_body(generate(BoxShape{.size = {0.3, 0.3, 0.1}, .cells = {2, 2, 1}}), material(1e5, 0.01));
    for (Index i = 0; i < static_cast<Index>(model.mesh.vertices.size()); ++i)
      block(model.initial_velocity, i) = Vec3(0, 0, spin).cross(model.mesh.vertices[i]);
    test::pin(model, [](const Vec3& X) { return std::hypot(X.x(), X.y()) < 1e-9; });
    ASSERT_EQ(model.prescribed[0].vertices.size(), 2U);
    finish_model(model);
    State state = initial_state(model);
    const int steps = static_cast<int>(std::lround(0.2 / dt));
    const Spin settled = go_on(model, state, dt, 2 * steps);
    ASSERT_GT(settled.elastic, 1e-3 * settled.kinetic);
    const Spin after = go_on(model, state, dt, steps);
    lost.push_back(after.damped / after.kinetic);
  }
  std::printf("pinned axis: damping takes %.3g and %.3g of the energy in 4 rad\n", lost[0], lost[1]);
  EXPECT_LT(lost[0], 1e-4);
  EXPECT_LT(lost[1], 1e-4);
}

}  // namespace damping_test
}  // namespace sim
