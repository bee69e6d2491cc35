// Loads against closed forms: on rigid bodies, and on elastic ones through the time step itself.
#include "model/loads.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "mesh/generate.hpp"
#include "mesh/surface.hpp"
#include "step/step.hpp"
#include "support/loads.hpp"
#include "support/models.hpp"
#include "support/objects.hpp"

namespace sim {
namespace loads_test {

constexpr double pi = std::numbers::pi;

using test::constant;
using test::on_rigid;
using test::pressure;
using test::traction;

const auto everywhere = [](const Vec3&) { return true; };

// ---- rigid bodies

Model one_rigid(const Mesh& mesh, double density) {
  Model model;
  model.gravity.setZero();
  model.materials = {{.density = density}};
  test::add(model, "body", ObjectType::rigid, mesh, Vec3::Zero());
  finish_model(model);
  return model;
}

TEST(Torque, TurnsAWheelAndItsPowerIsTorqueTimesAngularVelocity) {
  Model model = one_rigid(generate(CylinderShape{.radius = 0.3, .length = 0.1, .segments = 24}), 700);
  const RigidBody& wheel = model.rigid[0];
  const double inertia = (wheel.axes * wheel.inertia.asDiagonal() * wheel.axes.transpose())(2, 2);
  EXPECT_NEAR(inertia, 0.5 * wheel.mass * 0.09, 0.03 * inertia);  // of a round one
  const double torque = 2.5, dt = 0.01;
  model.loads.push_back(on_rigid(model, LoadKind::torque, {0, 0, torque}));
  State state = initial_state(model);
  Scratch scratch;
  for (int n = 1; n <= 50; ++n) {
    const StepReport report = step(model, {.dt = dt}, state, scratch);
    const double w = n * dt * torque / inertia;
    EXPECT_LT((angular_velocity(wheel, state.rigid[0]) - Vec3(0, 0, w)).norm(), 1e-12 * w);
    EXPECT_NEAR(report.work_loads / dt, torque * w, 1e-12 * torque * w);
    EXPECT_NEAR(report.kinetic_energy, 0.5 * inertia * w * w, 1e-12 * torque * w);
    EXPECT_NEAR(report.dissipation_scheme, 0.5 * inertia * std::pow(dt * torque / inertia, 2), 1e-12 * torque * w);
    EXPECT_LT((report.angular_impulse_external - Vec3(0, 0, dt * torque)).norm(), 1e-15);
    EXPECT_LT(report.momentum.norm(), 1e-15);
  }
}

TEST(Force, AtAPointOfARigidBodyPushesAndTurnsIt) {
  Model model = one_rigid(generate(BoxShape{.size = {2, 1, 1}, .cells = {1, 1, 1}}), 3);
  const RigidBody& body = model.rigid[0];
  const Vec3 force(0, 5, 0), arm(1, 0, 0);
  model.loads.push_back(on_rigid(model, LoadKind::force, force));
  model.loads.back().point = body.center + arm;
  State state = initial_state(model);
  Scratch scratch;
  const double dt = 1e-3;
  const StepReport report = step(model, {.dt = dt}, state, scratch);
  EXPECT_LT((state.rigid[0].velocity - dt * force / 6).norm(), 1e-15);
  EXPECT_LT((angular_velocity(body, state.rigid[0]) - dt * arm.cross(force) / (6 * 5.0 / 12)).norm(), 1e-12);
  EXPECT_LT((report.impulse_external - report.momentum).norm(), 1e-15);
  EXPECT_LT((report.angular_impulse_external - report.angular_momentum).norm(), 1e-15);
}

// A thruster goes in a circle: after a whole turn, what it gave is nothing.
TEST(Force, OnARigidBodyKeepsItsDirectionOrTurnsWithTheBody) {
  for (const bool follows : {false, true}) {
    Model model = one_rigid(generate(BoxShape{.cells = {1, 1, 1}}), 1);
    model.rigid[0].angular_velocity = {0, 0, 2 * pi};
    model.loads.push_back(on_rigid(model, LoadKind::force, {3, 0, 0}));
    model.loads.back().follows = follows;
    State state = initial_state(model);
    Scratch scratch;
    for (int n = 0; n < 1000; ++n) step(model, {.dt = 0.001}, state, scratch);
    if (follows) {
      EXPECT_LT(state.rigid[0].velocity.norm(), 1e-9);
    } else {
      EXPECT_LT((state.rigid[0].velocity - Vec3(3, 0, 0)).norm(), 1e-12);
    }
  }
}

TEST(Pressure, OnAWholeRigidBodyNeitherPushesNorTurnsIt) {
  Model model = one_rigid(generate(BoxShape{.size = {2, 1, 0.5}, .cells = {3, 2, 1}}), 1);
  model.rigid[0].angular_velocity = {1, 2, 3};
  model.loads.push_back(pressure(model, 1e5, true, everywhere));
  State state = initial_state(model);
  Scratch scratch;
  for (int n = 0; n < 20; ++n) {
    const StepReport report = step(model, {.dt = 0.01}, state, scratch);
    EXPECT_LT(report.impulse_external.norm() + report.angular_impulse_external.norm(), 1e-10);
    EXPECT_LT(std::abs(report.work_loads), 1e-10);
  }
}

TEST(Expression, OfALoadIsTakenAtTheMiddleOfTheStep) {
  Model model = one_rigid(generate(BoxShape{.cells = {1, 1, 1}}), 1);
  model.loads.push_back(on_rigid(model, LoadKind::force, Vec3::Zero()));
  model.loads.back().value[1].expression.emplace("6*t");
  State state = initial_state(model);
  Scratch scratch;
  for (int n = 0; n < 10; ++n) step(model, {.dt = 0.1}, state, scratch);
  EXPECT_NEAR(state.rigid[0].velocity[1], 3, 1e-13);
}

TEST(Expression, ThatIsNoNumberEndsTheStepWithTheObjectsName) {
  Model model = one_rigid(generate(BoxShape{.cells = {1, 1, 1}}), 1);
  model.loads.push_back(on_rigid(model, LoadKind::force, Vec3::Zero()));
  model.loads.back().value[0].expression.emplace("1/(t > 0.12 ? 0 : 1)");
  State state = initial_state(model);
  Scratch scratch;
  EXPECT_TRUE(step(model, {.dt = 0.1}, state, scratch).accepted);
  const StepReport report = step(model, {.dt = 0.1}, state, scratch);
  EXPECT_FALSE(report.accepted);
  EXPECT_EQ(report.status, StepStatus::breakdown);
  EXPECT_EQ(report.reason, "the loads of \"body\" are not finite numbers");
}

// ---- elastic bodies in equilibrium: each step without velocity is a Newton step

void equilibrate(const Model& model, int steps, State& state) {
  Scratch scratch;
  Options options{.dt = 1e3};
  options.linear.tolerance = 1e-12;
  options.detect_collisions = false;
  for (int n = 0; n < steps; ++n) {
    state.v.setZero();
    const StepReport report = step(model, options, state, scratch);
    ASSERT_EQ(report.status, StepStatus::converged) << report.reason;
  }
}

// With Poisson's ratio 0, so that its section stays; a bar clamped at x = 0.
Model bar(double length, double height, Index along, Index across, double young,
          Stiffness stiffness = Stiffness::rotated_linear) {
  Mesh mesh = generate(BoxShape{.size = {length, height, height}, .cells = {along, across, across}});
  for (Vec3& X : mesh.vertices) X.x() += length / 2;
  Model model =
      test::one_body(std::move(mesh), {.stiffness = stiffness, .young = young, .poisson = 0, .density = 1000});
  test::pin(model, [](const Vec3& X) { return X.x() < 1e-9; });
  return model;
}

auto end_of(double length) {
  return [length](const Vec3& X) { return X.x() > length - 1e-9; };
}

Vec3 mean_shift(const Model& model, const State& state, const std::function<bool(const Vec3&)>& chosen) {
  Vec3 sum = Vec3::Zero();
  const std::vector<Index> vertices = test::vertices_where(model, chosen);
  for (const Index i : vertices) sum += block(state.x, i) - model.mesh.vertices[i];
  return sum / static_cast<double>(vertices.size());
}

// Far beyond what would buckle it: only the exact stiffness knows that tension holds it straight.
TEST(Traction, StretchesABarByStressOverYoung) {
  constexpr double length = 1, young = 1e6, stress = 1e5;
  Model model = bar(length, 0.2, 5, 2, young, Stiffness::exact);
  model.loads.push_back(traction(model, {stress, 0, 0}, end_of(length)));
  finish_model(model);
  State state = initial_state(model);
  equilibrate(model, 25, state);
  for (std::size_t i = 0; i < model.mesh.vertices.size(); ++i) {
    const Vec3 X = model.mesh.vertices[i];
    EXPECT_LT((block(state.x, static_cast<Index>(i)) - Vec3(X.x() * (1 + stress / young), X.y(), X.z())).norm(),
              1e-9);
  }
}

TEST(BodyForce, IsAsWeightOfThatDensity) {
  constexpr double length = 1;
  std::array<State, 2> states;
  for (const bool by_gravity : {false, true}) {
    Model model = bar(length, 0.2, 5, 2, 1e5);
    if (by_gravity) {
      model.gravity = {0, 0, -9.81};
    } else {
      Load load;
      load.kind = LoadKind::body_force;
      load.value = constant({0, 0, -9810});
      finish_model(model);
      for (std::size_t i = 0; i < model.mesh.vertices.size(); ++i) {
        load.vertices.push_back(static_cast<Index>(i));
        load.share.push_back(model.elastic.mass[static_cast<Eigen::Index>(i)] / 1000);
      }
      model.loads.push_back(std::move(load));
    }
    finish_model(model);
    State& state = states[by_gravity ? 1 : 0];
    state = initial_state(model);
    Scratch scratch;
    for (int n = 0; n < 40; ++n) step(model, {.dt = 0.005}, state, scratch);
  }
  Model at_rest = bar(length, 0.2, 5, 2, 1e5);
  finish_model(at_rest);
  EXPECT_GT((states[0].x - initial_state(at_rest).x).norm(), 0.1);
  EXPECT_LT((states[0].x - states[1].x).norm(), 1e-9);
}

struct Tip {
  double length = 1, height = 0.1, young = 1e6;
  double inertia() const { return std::pow(height, 4) / 12; }
  double shear_stiffness() const { return 5.0 / 6 * (young / 2) * height * height; }  // Timoshenko's kappa G A
};

double deflection(const Tip& tip, Index across, double force) {
  Model model = bar(tip.length, tip.height, 10 * across, across, tip.young);
  model.loads.push_back(traction(model, {0, 0, -force / (tip.height * tip.height)}, end_of(tip.length)));
  finish_model(model);
  State state = initial_state(model);
  equilibrate(model, 3, state);
  return -mean_shift(model, state, end_of(tip.length)).z();
}

TEST(Traction, AtTheTipOfABeamBendsItAsBeamTheoryHasIt) {
  const Tip tip;
  const double force = 1e-3;
  const double theory =
      force * std::pow(tip.length, 3) / (3 * tip.young * tip.inertia()) + force * tip.length / tip.shear_stiffness();
  double errors[3] = {};
  for (int k = 0; k < 3; ++k) errors[k] = theory / deflection(tip, 2 << k, force) - 1;
  const double order = std::log2((errors[0] - errors[1]) / (errors[1] - errors[2]));
  std::printf("beam: too stiff by %.2f %%, %.2f %%, %.2f %% with 2, 4, 8 cells across; order %.2f\n", 100 * errors[0],
              100 * errors[1], 100 * errors[2], order);
  EXPECT_LT(std::abs(errors[2]), 0.06);
  EXPECT_GT(order, 1.7);
  EXPECT_LT(std::abs(errors[2] + (errors[2] - errors[1]) / 3), 0.01);  // in the limit
}

// Forces in equal parts are not tractions: what they add up to is.
TEST(Force, OnVerticesIsSharedEquallyAndBendsABeamAlike) {
  const Tip tip;
  const double force = 1e-3;
  Model model = bar(tip.length, tip.height, 20, 2, tip.young);
  Load load;
  load.value = constant({0, 0, -force});
  load.vertices = test::vertices_where(model, end_of(tip.length));
  load.share.assign(load.vertices.size(), 1.0 / static_cast<double>(load.vertices.size()));
  model.loads.push_back(std::move(load));
  finish_model(model);
  State state = initial_state(model);
  equilibrate(model, 3, state);
  EXPECT_NEAR(-mean_shift(model, state, end_of(tip.length)).z() / deflection(tip, 2, force), 1, 0.01);
}

// A column with a small force across its tip. Six tets a cell bend more easily along one diagonal of the section than
// along the other, so that is the way it goes; the bending stiffness is that of the same mesh.
struct Column {
  Tip tip{.length = 1, .height = 0.05};
  Vec3 side{0, 0, 0};

  // The way of the tip to the side after each step towards equilibrium.
  std::vector<double> ways(double load, int steps) const {
    const double across = 1e-7;
    Model model = bar(tip.length, tip.height, 40, 2, tip.young);
    const Vec3 force = across * side - Vec3(load, 0, 0);
    model.loads.push_back(traction(model, force / (tip.height * tip.height), end_of(tip.length)));
    finish_model(model);
    State state = initial_state(model);
    std::vector<double> found;
    for (int n = 0; n < steps; ++n) {
      equilibrate(model, 1, state);
      found.push_back(mean_shift(model, state, end_of(tip.length)).dot(side));
    }
    return found;
  }
  double bent(double load, int steps) const { return ways(load, steps).back(); }
  double euler() const {
    const double stiffness = 1e-7 / bent(0, 3) * std::pow(tip.length, 3) / 3;  // E I
    return pi * pi * stiffness / (4 * tip.length * tip.length);
  }
};

Column column() {
  Column one, other;
  one.side = Vec3(0, 1, 1).normalized();
  other.side = Vec3(0, 1, -1).normalized();
  return one.bent(0, 3) > other.bent(0, 3) ? one : other;
}

// Of a cantilever with loads along and across its tip: 3 (tan u - u) / u^3 times the deflection without the one along
// it, u = L sqrt(P / E I).
TEST(Traction, AlongAColumnMakesItSofterAsBeamTheoryHasIt) {
  const Column bar = column();
  const double alone = bar.bent(0, 3), euler = bar.euler();
  for (const double part : {0.25, 0.5, 0.7}) {
    const double u = pi / 2 * std::sqrt(part), theory = 3 * (std::tan(u) - u) / (u * u * u);
    EXPECT_NEAR(bar.bent(part * euler, 50) / alone, theory, 0.02 * theory) << part;
  }
}

// Below Euler's load steps towards equilibrium become shorter; above it the straight column is none.
TEST(Traction, BucklesAColumnAtEulersLoad) {
  const Column bar = column();
  const double euler = bar.euler();
  for (const double part : {0.97, 1.03}) {
    const std::vector<double> way = bar.ways(part * euler, 42);
    const double growth = (way[41] - way[40]) / (way[40] - way[39]);
    std::printf("column: at %.2f of Euler's load a step is %.4f of the one before\n", part, growth);
    EXPECT_EQ(growth < 1, part < 1);
    EXPECT_NEAR(growth, part, 0.02);
  }
}

// ---- pressure

// A tube along z without a seam, its ends free.
Mesh tube(double inner, double outer, double length, const std::array<Index, 3>& cells) {
  const auto [around, through, along] = cells;
  Mesh mesh;
  for (Index k = 0; k <= along; ++k) {
    for (Index j = 0; j <= through; ++j) {
      const double r = inner * std::pow(outer / inner, static_cast<double>(j) / through);
      for (Index i = 0; i < around; ++i) {
        const double a = 2 * pi * i / around;
        mesh.vertices.emplace_back(r * std::cos(a), r * std::sin(a), length * k / along - length / 2);
      }
    }
  }
  const auto at = [&](Index i, Index j, Index k) { return i % around + around * (j + (through + 1) * k); };
  constexpr int orders[6][3] = {{0, 1, 2}, {1, 2, 0}, {2, 0, 1}, {0, 2, 1}, {2, 1, 0}, {1, 0, 2}};
  for (Index k = 0; k < along; ++k) {
    for (Index j = 0; j < through; ++j) {
      for (Index i = 0; i < around; ++i) {
        for (const auto& order : orders) {  // Kuhn: along the axes from the lowest corner to the highest
          std::array<Index, 3> step{i, j, k};
          Tet tet{at(i, j, k)};
          for (int c = 0; c < 3; ++c) {
            ++step[order[c]];
            tet[c + 1] = at(step[0], step[1], step[2]);
          }
          const std::vector<Vec3>& x = mesh.vertices;
          if (six_volume(x[tet[0]], x[tet[1]], x[tet[2]], x[tet[3]]) < 0) std::swap(tet[2], tet[3]);
          mesh.tets.push_back(tet);
        }
      }
    }
  }
  mesh.triangles = extract_surface(mesh.tets);
  return mesh;
}

// Mean way outward of the inner surface. Lame, the ends free:
//     u(r) = p a^2 r / (E (b^2 - a^2)) ((1 - nu) + (1 + nu) b^2 / r^2)
struct Tube {
  double a = 0.1, b = 0.2, young = 1e6, nu = 0.3, p = 100;

  double lame(double r) const {
    return p * a * a * r / (young * (b * b - a * a)) * ((1 - nu) + (1 + nu) * b * b / (r * r));
  }
  double way(const std::array<Index, 3>& cells) const {
    Model model = test::one_body(tube(a, b, 0.06, cells), {.young = young, .poisson = nu, .density = 1000});
    const auto is_inside = [&](const Vec3& X) { return std::hypot(X.x(), X.y()) < a + 1e-9; };
    model.loads.push_back(pressure(model, p, true, is_inside));
    finish_model(model);
    State state = initial_state(model);
    Scratch scratch;
    Options options{.dt = 1};
    options.linear.tolerance = 1e-10;
    for (int n = 0; n < 4; ++n) {
      state.v.setZero();
      EXPECT_EQ(step(model, options, state, scratch).status, StepStatus::converged);
    }
    double sum = 0;
    const std::vector<Index> inside = test::vertices_where(model, is_inside);
    for (const Index i : inside) {
      const Vec3 X = model.mesh.vertices[i], u = block(state.x, i) - X;
      sum += (u.x() * X.x() + u.y() * X.y()) / a;
    }
    return sum / static_cast<double>(inside.size());
  }
};

TEST(Pressure, InflatesATubeAsLameHasIt) {
  const Tube tube;
  const double theory = tube.lame(tube.a);
  const double coarse = tube.way({32, 4, 2}) / theory - 1, fine = tube.way({64, 8, 4}) / theory - 1;
  std::printf("tube: off Lame by %.2f %% and %.2f %% with 4 and 8 cells through its wall\n", 100 * coarse,
              100 * fine);
  EXPECT_LT(std::abs(fine), 0.02);
  EXPECT_LT(std::abs(fine), 0.35 * std::abs(coarse));      // of second order
  EXPECT_LT(std::abs(fine + (fine - coarse) / 3), 0.003);  // in the limit
}

// Of a ball that swells: work of the pressure over p times the change of volume, less 1.
double excess_work(bool follows, double dt) {
  constexpr double p = -2e4, duration = 0.01;  // about where it turns
  Model model = test::one_body(generate(SphereShape{.radius = 0.1, .resolution = 3}),
                               {.young = 1e5, .poisson = 0.3, .density = 1000});
  model.loads.push_back(pressure(model, p, follows, everywhere));
  finish_model(model);
  State state = initial_state(model);
  Scratch scratch;
  const auto volume = [&] {
    std::vector<Vec3> x;
    for (std::size_t i = 0; i < model.mesh.vertices.size(); ++i)
      x.emplace_back(block(state.x, static_cast<Index>(i)));
    return mass_properties(x, model.mesh.triangles, 1).mass;
  };
  const double start = volume();
  double work = 0;
  for (int n = 0; n < std::lround(duration / dt); ++n) {
    const StepReport report = step(model, {.dt = dt}, state, scratch);
    EXPECT_TRUE(report.accepted);
    work += report.work_loads;
  }
  EXPECT_GT(volume(), 1.1 * start);
  return work / (-p * (volume() - start)) - 1;
}

// Pressure of a closed surface has a potential, p V: what it gives is -p times the change of volume.
TEST(Pressure, ThatFollowsGivesWhatTheVolumeTakes) {
  const double coarse = excess_work(true, 1e-4), fine = excess_work(true, 5e-5), still = excess_work(false, 5e-5);
  std::printf(
      "ball: pressure gives %.3f %% and %.3f %% too much at steps of 0.1 and 0.05 ms, %.1f %% where it does not "
      "follow\n",
      100 * coarse, 100 * fine, 100 * still);
  EXPECT_LT(std::abs(fine), 0.01);
  EXPECT_LT(std::abs(fine), 0.6 * std::abs(coarse));  // of first order
  EXPECT_LT(still, -0.04);
}

}  // namespace loads_test
}  // namespace sim
