// Schemes of time integration against what they promise: order, energy, balance of the true forces, equilibrium.
#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>
#include <cmath>
#include <complex>

#include "elasticity/assembly.hpp"
#include "mesh/generate.hpp"
#include "step/step.hpp"
#include "support/loads.hpp"
#include "support/objects.hpp"

namespace sim {
namespace time_scheme_test {

constexpr double g = 9.81;

Options options_of(TimeScheme scheme, double dt, double radius = 0.5) {
  Options options;
  options.dt = dt;
  options.time = {scheme, radius};
  return options;
}

void run(const Model& model, const Options& options, int steps, State& state, Scratch& scratch) {
  for (int n = 0; n < steps; ++n) {
    const StepReport report = step(model, options, state, scratch);
    ASSERT_EQ(report.status, StepStatus::converged) << report.reason;
    ASSERT_TRUE(report.accepted);
  }
}

// A soft beam held at one end, which sags and swings by a good part of its length.
Model beam(double gravity) {
  Model model = test::one_body(generate(BoxShape{.size = {0.5, 0.05, 0.05}, .cells = {8, 1, 1}}),
                               {.name = "soft", .young = 3e5, .poisson = 0.3, .density = 1000});
  model.gravity = {0, 0, -gravity};
  model.prescribed.push_back({test::vertices_where(model, [](const Vec3& X) { return X[0] < -0.249; }), {}});
  finish_model(model);
  return model;
}

VecX beam_after(TimeScheme scheme, double dt, double time, double radius = 0.5) {
  const Model model = beam(2);
  State state = initial_state(model);
  Scratch scratch;
  run(model, options_of(scheme, dt, radius), static_cast<int>(std::lround(time / dt)), state, scratch);
  return state.x;
}

double order(TimeScheme scheme) {
  const VecX coarse = beam_after(scheme, 0.002, 0.2), middle = beam_after(scheme, 0.001, 0.2),
             fine = beam_after(scheme, 0.0005, 0.2);
  return std::log2((coarse - middle).norm() / (middle - fine).norm());
}

TEST(TimeScheme, ImplicitEulerIsOfFirstOrder) {
  EXPECT_NEAR(order(TimeScheme::implicit_euler), 1, 0.25);
}

TEST(TimeScheme, GeneralizedAlphaIsOfSecondOrder) {
  EXPECT_NEAR(order(TimeScheme::generalized_alpha), 2, 0.25);
}

// The eigenvalues of a step of x'' = -z^2 x, z = omega dt, by the two formulas of the header.
Eigen::Vector3cd amplification(const AlphaNumbers& a, double z) {
  Mat3 end, start;
  end << 1, 0, -a.beta, 0, 1, -a.gamma, (1 - a.force) * z * z, 0, 1 - a.mass;
  start << 1, 1, 0.5 - a.beta, 0, 1, 1 - a.gamma, -a.force * z * z, 0, -a.mass;
  return Mat3(end.inverse() * start).eigenvalues();
}

TEST(TimeScheme, TheStiffestVibrationsKeepTheSpectralRadius) {
  for (const double radius : {0.0, 0.3, 0.8, 1.0})
    EXPECT_NEAR(amplification(AlphaNumbers(radius), 1e7).cwiseAbs().maxCoeff(), radius, 2e-3);
}

TEST(TimeScheme, OfARadiusOfOneConservesTheEnergyOfSmallVibrations) {
  const Model model = beam(1e-3);
  State state = initial_state(model);
  Scratch scratch;
  const Options options = options_of(TimeScheme::generalized_alpha, 0.005, 1);
  const auto energy = [](const StepReport& r) { return r.kinetic_energy + r.elastic_energy + r.potential_energy; };
  const StepReport first = step(model, options, state, scratch);
  double most = 0;
  for (int n = 0; n < 1000; ++n) {
    const StepReport r = step(model, options, state, scratch);
    ASSERT_EQ(r.status, StepStatus::converged);
    EXPECT_NEAR(energy(r), energy(first), 2e-3 * std::max(most, r.kinetic_energy));
    most = std::max(most, r.kinetic_energy);
  }
}

TEST(TimeScheme, WhatGeneralizedAlphaMovesFromStepToStepAddsUpToNothing) {
  const Model model = beam(2);
  State state = initial_state(model);
  Scratch scratch;
  Vec3 scheme = Vec3::Zero(), before = Vec3::Zero();
  double most = 0, all = 0;
  for (int n = 0; n < 500; ++n) {
    const StepReport r = step(model, options_of(TimeScheme::generalized_alpha, 0.004), state, scratch);
    ASSERT_EQ(r.status, StepStatus::converged);
    scheme += r.impulse_scheme;
    all += r.impulse_scheme.norm();
    most = std::max(most, (r.momentum - before).norm());
    before = r.momentum;
  }
  EXPECT_LT(scheme.norm(), most);  // dt |M a| / 2 of the first and the last step
  EXPECT_GT(all, 5 * most);
}

// m (v1 - v0) = dt (f(x1) + m g), with f by itself.
TEST(TimeScheme, ImplicitEulerBalancesTheForcesAtItsEndThroughLargeTurns) {
  for (const MaterialModel law : {MaterialModel::corotational, MaterialModel::neo_hookean}) {
    Model model = test::one_body(
        generate(BoxShape{.size = {0.5, 0.05, 0.05}, .cells = {8, 1, 1}}),
        {.name = "soft", .model = law, .stiffness = Stiffness::exact, .young = 1e5, .poisson = 0.3, .density = 1000});
    model.gravity = {0, 0, -g};
    model.prescribed.push_back({test::vertices_where(model, [](const Vec3& X) { return X[0] < -0.249; }), {}});
    finish_model(model);
    State state = initial_state(model);
    Scratch scratch;
    const double dt = 0.04;
    for (int n = 0; n < 12; ++n) {
      const State before = state;
      run(model, options_of(TimeScheme::implicit_euler, dt), 1, state, scratch);
      const VecX f = elastic_force(model.elastic, state.x);
      double missed = 0, inertia = 0;
      for (const Index i : model.plan.vertex_of_block) {
        const double m = model.elastic.mass[i];
        const Vec3 change = m * (block(state.v, i) - block(before.v, i));
        missed += (change - dt * (block(f, i) + m * model.gravity)).squaredNorm();
        inertia += change.squaredNorm();
      }
      EXPECT_LT(std::sqrt(missed), 1e-4 * std::sqrt(inertia)) << n;
    }
  }
}

// Both kinds of damping are had at v1: what they take is what is lost, but for the scheme's second order.
TEST(TimeScheme, DampingTakesWhatIsLostToSecondOrder) {
  for (const bool of_stiffness : {true, false}) {
    const auto by_scheme = [&](double dt) {
      Model model = test::one_body(generate(BoxShape{.size = {0.5, 0.05, 0.05}, .cells = {10, 2, 2}}),
                                   {.name = "soft",
                                    .young = 1e6,
                                    .poisson = 0.3,
                                    .density = 1000,
                                    .mass_damping = of_stiffness ? 0.0 : 4,
                                    .stiffness_damping = of_stiffness ? 0.004 : 0});
      model.gravity = {0, 0, -1};
      model.prescribed.push_back({test::vertices_where(model, [](const Vec3& X) { return X[0] < -0.249; }), {}});
      finish_model(model);
      State state = initial_state(model);
      Scratch scratch;
      double scheme = 0, damping = 0;
      for (int n = 0; n < static_cast<int>(std::lround(0.6 / dt)); ++n) {
        const StepReport r = step(model, options_of(TimeScheme::generalized_alpha, dt), state, scratch);
        EXPECT_EQ(r.status, StepStatus::converged);
        scheme += r.dissipation_scheme;
        damping += r.dissipation_damping;
      }
      EXPECT_GT(damping, 20 * std::abs(scheme));
      return std::abs(scheme);
    };
    EXPECT_GT(by_scheme(0.004) / by_scheme(0.002), 3);
  }
}

TEST(TimeScheme, ARigidBodyFallsOnItsParabola) {
  for (const double dt : {0.02, 0.01}) {
    Model model;
    model.gravity = {0, 0, -g};
    model.materials = {{.name = "m"}};
    model.initial_velocity.resize(0);
    test::add(model, "cube", ObjectType::rigid, generate(BoxShape{.size = {0.1, 0.1, 0.1}, .cells = {1, 1, 1}}),
              {0, 0, 0}, {1, 0, 2});
    finish_model(model);
    State state = initial_state(model);
    Scratch scratch;
    run(model, options_of(TimeScheme::generalized_alpha, dt), static_cast<int>(std::lround(0.5 / dt)), state,
        scratch);
    // Its first step is one of implicit Euler, and nothing else is off.
    EXPECT_NEAR(state.rigid[0].center[2], 2 * 0.5 - 0.5 * g * 0.25 - 0.5 * g * dt * dt, 1e-9);
    EXPECT_NEAR(state.rigid[0].velocity[2], 2 - g * 0.5, 1e-9);
    EXPECT_NEAR(state.rigid[0].center[0], 0.5, 1e-9);
  }
}

Model cube_over_floor(ObjectType type, double height, const Vec3& velocity) {
  Model model;
  model.gravity = {0, 0, -g};
  model.materials = {{.name = "m", .young = 3e5, .poisson = 0.3, .density = 1000}};
  model.friction = 0.5;
  model.initial_velocity.resize(0);
  test::add_object(model, "floor", ObjectType::fixed, generate(SlabShape{.size = {4, 4}}), {0, 0, -0.05});
  test::add(model, "cube", type, generate(BoxShape{.size = {0.1, 0.1, 0.1}, .cells = {2, 2, 2}}),
            {0.01, 0.02, 0.05 + height}, velocity);
  finish_model(model);
  return model;
}

// A box that tumbles under a torque. (With the torque of the end alone its turns were of first order.)
TEST(TimeScheme, ARigidBodyIsTurnedByTorquesToSecondOrder) {
  const auto turned = [](double dt) {
    Model model;
    model.materials = {{.name = "wood", .young = 1e9, .poisson = 0.3, .density = 1000}};
    model.gravity.setZero();
    test::add(model, "box", ObjectType::rigid, generate(BoxShape{.size = {0.1, 0.2, 0.4}, .cells = {1, 1, 1}}),
              {0, 0, 0})
        .angular_velocity = {3, 1, 2};
    finish_model(model);
    model.loads.push_back(test::on_rigid(model, LoadKind::torque, {0.2, 0.5, -0.3}));
    State state = initial_state(model);
    Scratch scratch;
    double work = 0;
    const double before = measure(model, state).kinetic_energy;
    for (int n = 0; n < std::lround(0.4 / dt); ++n) {
      const StepReport report = step(model, options_of(TimeScheme::generalized_alpha, dt), state, scratch);
      EXPECT_EQ(report.status, StepStatus::converged) << report.reason;
      work += report.work_loads;
    }
    EXPECT_NEAR(measure(model, state).kinetic_energy - before, work, 0.01 * work);
    return state.x;
  };
  const VecX coarse = turned(0.004), middle = turned(0.002), fine = turned(0.001);
  EXPECT_NEAR(std::log2((coarse - middle).norm() / (middle - fine).norm()), 2, 0.25);
}

// Without the rule for what has hit something it is thrown back with up to its whole speed.
TEST(TimeScheme, WhatStopsAtAnImpactIsNotThrownBack) {
  for (const double dt : {0.01, 0.004, 0.001}) {
    const Model model = cube_over_floor(ObjectType::rigid, 0.1, {0, 0, 0});
    State state = initial_state(model);
    Scratch scratch;
    double highest = 0;
    for (int n = 0; n < static_cast<int>(0.3 / dt); ++n) {
      run(model, options_of(TimeScheme::generalized_alpha, dt), 1, state, scratch);
      if (state.time > 0.16) highest = std::max(highest, std::abs(state.rigid[0].velocity[2]));
    }
    EXPECT_LT(highest, 1e-3) << dt;
    EXPECT_NEAR(state.rigid[0].center[2], 0.05, 1e-4);
  }
}

TEST(TimeScheme, MomentumIsThatOfTheImpulsesToRounding) {
  for (const ObjectType type : {ObjectType::rigid, ObjectType::deformable}) {
    const Model model = cube_over_floor(type, 0.01, {0.5, 0, -1});
    State state = initial_state(model);
    Scratch scratch;
    Vec3 before = measure(model, state).momentum;
    int second_order = 0;
    for (int n = 0; n < 100; ++n) {
      const StepReport r = step(model, options_of(TimeScheme::generalized_alpha, 0.002), state, scratch);
      ASSERT_EQ(r.status, StepStatus::converged) << r.reason;
      const Vec3 given = r.impulse_external + r.impulse_prescribed + r.impulse_left_over + r.impulse_scheme;
      EXPECT_LT((r.momentum - before - given).norm(), 1e-12 * (1 + r.momentum.norm()));
      before = r.momentum;
      second_order += r.first_order == 0 ? 1 : 0;
    }
    EXPECT_GT(second_order, 50);
    EXPECT_LT(second_order, 100);
  }
}

// Of a linear body the mean way of its lower face is exact on any mesh: what a traction there does to the weight (a
// linear function), is what the weight does there.
TEST(QuasiStatic, ABarHangsAsLongAsTheoryHasIt) {
  const double young = 2e7, length = 0.4;
  Model model = test::one_body(generate(BoxShape{.size = {0.1, 0.1, 0.4}, .cells = {2, 2, 4}}),
                               {.name = "m", .young = young, .poisson = 0, .density = 1000});
  model.gravity = {0, 0, -g};
  model.prescribed.push_back({test::vertices_where(model, [](const Vec3& X) { return X[2] > 0.199; }), {}});
  finish_model(model);
  State state = initial_state(model);
  Scratch scratch;
  for (const double dt : {1.0, 1e-3}) {  // how long a step lasts says nothing about equilibrium
    run(model, options_of(TimeScheme::quasi_static, dt), 1, state, scratch);
    double way = 0, area = 0;
    for (const Triangle& t : model.mesh.triangles) {
      const Vec3 a = model.mesh.vertices[t[0]], b = model.mesh.vertices[t[1]], c = model.mesh.vertices[t[2]];
      if (std::max({a[2], b[2], c[2]}) > -0.199) continue;
      const double third = (b - a).cross(c - a).norm() / 6;
      for (const Index i : t) way += third * (model.mesh.vertices[i][2] - state.x[3 * i + 2]);
      area += 3 * third;
    }
    const double extension = 1000 * g * length * length / (2 * young);
    EXPECT_NEAR(way / area, extension, 1e-3 * extension);
    EXPECT_EQ(state.v.norm(), 0);
  }
}

TEST(QuasiStatic, FindsTheForcesOfADeepSagInBalance) {
  Model model = test::one_body(generate(BoxShape{.size = {0.5, 0.05, 0.05}, .cells = {10, 1, 1}}),
                               {.name = "m", .young = 1e5, .poisson = 0.3, .density = 1000});
  model.gravity = {0, 0, -g};
  model.prescribed.push_back({test::vertices_where(model, [](const Vec3& X) { return X[0] < -0.249; }), {}});
  finish_model(model);
  State state = initial_state(model);
  Scratch scratch;
  run(model, options_of(TimeScheme::quasi_static, 0.1), 1, state, scratch);
  const VecX f = elastic_force(model.elastic, state.x);
  double missed = 0, weight = 0, lowest = 0;
  for (const Index i : model.plan.vertex_of_block) {
    missed += (block(f, i) + model.elastic.mass[i] * model.gravity).squaredNorm();
    weight += (model.elastic.mass[i] * model.gravity).squaredNorm();
    lowest = std::min(lowest, state.x[3 * i + 2]);
  }
  EXPECT_LT(std::sqrt(missed), 1e-3 * std::sqrt(weight));
  EXPECT_LT(lowest, -0.3);  // it hangs down
}

TEST(QuasiStatic, LaysDownWhatFloatsAndHoldsWhatFrictionHolds) {
  for (const ObjectType type : {ObjectType::rigid, ObjectType::deformable}) {
    Model model = cube_over_floor(type, 0.03, {0, 0, 0});
    model.gravity = {0.45 * g, 0, -g};  // friction 0.5
    State state = initial_state(model);
    Scratch scratch;
    run(model, options_of(TimeScheme::quasi_static, 0.1), 1, state, scratch);
    const double landed = state.x[3 * model.objects[1].vertices.begin];
    run(model, options_of(TimeScheme::quasi_static, 0.1), 5, state, scratch);
    EXPECT_NEAR(state.x[3 * model.objects[1].vertices.begin], landed, 1e-4);
    EXPECT_EQ(state.v.norm(), 0);
  }
}

TEST(QuasiStatic, TellsWhatNothingHolds) {
  for (const ObjectType type : {ObjectType::rigid, ObjectType::deformable}) {
    Model model = cube_over_floor(type, 2.5e-6, {0, 0, 0});
    model.gravity = {0.6 * g, 0, -g};
    State state = initial_state(model);
    Scratch scratch;
    Options options = options_of(TimeScheme::quasi_static, 0.1);
    options.contact.most_halvings = 1;
    const VecX before = state.x;
    const StepReport report = step(model, options, state, scratch);
    EXPECT_FALSE(report.accepted);
    EXPECT_NE(report.status, StepStatus::converged);
    EXPECT_NE(report.reason.find("cube"), std::string::npos) << report.reason;
    EXPECT_EQ(state.x, before);
  }
}

TEST(QuasiStatic, TellsOfABodyWithNothingBelow) {
  for (const ObjectType type : {ObjectType::rigid, ObjectType::deformable}) {
    Model model = cube_over_floor(type, 1, {0, 0, 0});
    model.gravity = {0, 0, g};  // away from the floor
    State state = initial_state(model);
    Scratch scratch;
    const StepReport report = step(model, options_of(TimeScheme::quasi_static, 0.1), state, scratch);
    EXPECT_FALSE(report.accepted);
    EXPECT_NE(report.reason.find("nothing holds \"cube\""), std::string::npos) << report.reason;
  }
}

// A rod pulled to more than its double length in one step, far outside of where its first linearisation holds.
TEST(QuasiStatic, TheSearchLeadsAStrongStretchToItsEnd) {
  for (const MaterialModel law : {MaterialModel::neo_hookean, MaterialModel::mooney_rivlin}) {
    Model model = test::one_body(
        generate(BoxShape{.size = {0.4, 0.1, 0.1}, .cells = {8, 2, 2}}),
        {.name = "m", .model = law, .stiffness = Stiffness::exact, .young = 1e5, .poisson = 0.45, .density = 1000});
    model.prescribed.push_back({test::vertices_where(model, [](const Vec3& X) { return X[0] < -0.199; }), {}});
    MotionSpec pull;
    pull.velocity = {5, 0, 0};
    model.prescribed.push_back(
        {test::vertices_where(model, [](const Vec3& X) { return X[0] > 0.199; }), Motion(pull)});
    finish_model(model);
    State state = initial_state(model);
    Scratch scratch;
    run(model, options_of(TimeScheme::quasi_static, 0.1), 1, state, scratch);
    const VecX f = elastic_force(model.elastic, state.x);
    double missed = 0, pulled = 0;
    for (Index i = 0; i < static_cast<Index>(model.mesh.vertices.size()); ++i)
      (model.plan.block_of_vertex[i] < 0 ? pulled : missed) += block(f, i).squaredNorm();
    EXPECT_LT(std::sqrt(missed), 1e-5 * std::sqrt(pulled));
  }
}

}  // namespace time_scheme_test
}  // namespace sim
