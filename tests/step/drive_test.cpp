// How loads count in what a step may miss.
#include <gtest/gtest.h>

#include <cmath>

#include "mesh/generate.hpp"
#include "step/step.hpp"
#include "support/loads.hpp"
#include "support/models.hpp"
#include "support/objects.hpp"

namespace sim {
namespace drive_test {

using test::on_rigid;
using test::traction;

// A cube on a floor under a load that acts as weight is solved as exactly as under weight.
TEST(Drive, OfALoadCountsAsWeightDoes) {
  struct Run {
    double settled = 0;  // m/s, at the end
    double force = 0;    // N, of the floor
    double iterations = 0;
  };
  const auto run = [](bool rigid, double gravity, double load_per_mass) {
    Model model;
    model.gravity = {0, 0, -gravity};
    model.materials = {{.young = 1e6, .poisson = 0.3, .density = 1000}};
    const Mesh cube = generate(BoxShape{.size = {0.1, 0.1, 0.1}, .cells = {2, 2, 2}});
    test::add(model, "cube", rigid ? ObjectType::rigid : ObjectType::deformable, cube, {0, 0, 0.050003});
    test::add(model, "floor", ObjectType::fixed, generate(SlabShape{.size = {1, 1}, .thickness = 0.1}),
              {0, 0, -0.05});
    finish_model(model);
    if (load_per_mass > 0) {
      // On 0.01 m^2, of a cube of 1 kg.
      model.loads.push_back(
          traction(model, {0, 0, -load_per_mass / 0.01}, [](const Vec3& X) { return X.z() > 0.1; }));
    }
    State state = initial_state(model);
    Scratch scratch;
    Options options{.dt = 0.002};
    Run result;
    double impulse = 0;
    for (int n = 0; n < 300; ++n) {
      const StepReport report = step(model, options, state, scratch);
      EXPECT_EQ(report.status, StepStatus::converged) << report.reason;
      result.iterations += report.iterations;
      if (n >= 200) impulse += report.impulse_prescribed[2];
      result.settled = report.momentum.norm();
    }
    result.force = impulse / (100 * options.dt);
    return result;
  };
  for (const bool rigid : {true, false}) {
    const double press = rigid ? 1e4 : 500;  // N
    const Run weight = run(rigid, 9.81, 0), light = run(rigid, 0, 9.81), heavy = run(rigid, 9.81, press);
    for (const auto& [result, force] :
         {std::pair(weight, 9.81), std::pair(light, 9.81), std::pair(heavy, press + 9.81)}) {
      EXPECT_NEAR(result.force, force, 0.001 * force) << rigid;
      EXPECT_LT(result.settled, 0.001 * 0.002 * force) << rigid;
    }
    std::printf(
        "cube on a floor: %.0f iterations under its weight, %.0f under a load alike, %.0f under one of %.0f N\n",
        weight.iterations, light.iterations, heavy.iterations, press);
    EXPECT_LT(light.iterations, 3 * weight.iterations + 300);
    EXPECT_LT(heavy.iterations, 3 * weight.iterations + 300);
  }
}

TEST(Drive, IsTheSumOfTheLoadsOverMassAndTheirTorqueOverTheRadiusOfGyration) {
  Model model;
  model.materials = {{.density = 2}};
  test::add(model, "body", ObjectType::rigid, generate(BoxShape{.cells = {1, 1, 1}}), Vec3::Zero());
  finish_model(model);
  model.loads.push_back(on_rigid(model, LoadKind::force, {3, 0, 0}));
  model.loads.push_back(on_rigid(model, LoadKind::force, {1, 0, 0}));
  const auto drive = [&] {
    LoadForces loads;
    const State state = initial_state(model);
    EXPECT_EQ(find_loads(model, state, 0.1, loads), -1);
    std::vector<double> found;
    Groups groups;
    find_bodies(model.plan.pattern, groups);
    drives(model, state, loads, groups.bodies, found);
    return found;
  };
  ASSERT_EQ(drive().size(), 2U);  // blocks of the velocity and of the angular velocity
  for (const double a : drive()) EXPECT_NEAR(a, 2, 1e-14);
  model.loads.push_back(on_rigid(model, LoadKind::torque, {0, 0, 10}));
  const double radius = std::sqrt(1 / 6.0);
  EXPECT_NEAR(drive()[0], 5 / radius, 1e-12);
  model.loads.clear();
  EXPECT_TRUE(drive().empty());
}

// What pushes least counts for a contact, and where nothing does, for a body what pushes most in its island.
TEST(Drive, OfAContactIsThatOfItsSideThatIsDrivenLess) {
  const std::vector<double> drive{5, 0, 20};
  const std::vector<Index> body{0, 1, 2, -1};
  const auto contact = [](Index one, Index other) {
    Contact c;
    c.vertices = {one, other, other, other};
    return c;
  };
  const Push with_gravity{10, drive, body}, without{0, drive, body};
  EXPECT_EQ(with_gravity.on(contact(2, 3)), 20);
  EXPECT_EQ(with_gravity.on(contact(2, 0)), 10);
  EXPECT_EQ(without.on(contact(2, 0)), 5);
  EXPECT_EQ(without.on(contact(2, 1)), 20);
  EXPECT_EQ(without.on(contact(1, 3)), 0);
  EXPECT_EQ(Push{10}.on(contact(0, 1)), 10);
}

}  // namespace drive_test
}  // namespace sim
