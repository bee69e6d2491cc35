// Whole steps: collisions, rest, friction, and that a run is the same however it is cut.
#include "local/step.hpp"

#include <cmath>

#include "collide/intersections.hpp"
#include "local/bodies.hpp"
#include "math/error.hpp"
#include "math/parallel.hpp"
#include "model/measure.hpp"
#include "scene/load.hpp"
#include "scene/loaded.hpp"

namespace sim {
namespace step_test {

Material damped() {
  Material material = test::soft;
  material.mass_damping = 8;
  return material;
}

// J: h^2 m a^2 / 8, by which the energy of velocity Verlet goes up where forces are large, and down again.
double missed_by_trapezoidal_rule(const Model& model, const VecX& elastic_force, double h) {
  double sum = 0;
  for (Index i = 0; i < static_cast<Index>(model.mesh.vertices.size()); ++i) {
    if (model.plan.block_of_vertex[i] < 0) continue;
    const double mass = model.elastic.mass[i];
    sum += h * h / 8 * mass * (Vec3(block(elastic_force, i)) / mass + model.gravity).squaredNorm();
  }
  return sum;
}

TEST(LocalStep, ARingFallsOnTheFloorAndComesToRestOnIt) {
  const Model model = test::ring_over_floor(damped(), Vec3(0, 0, -0.5));
  const Options options = test::local_options(1e-3);
  State state = initial_state(model);
  LocalScratch scratch;
  const double weight = 9.81 * model.elastic.mass.sum();
  double carried = 0;
  double lost = 0, most_lost = 0;  // J: by contacts and the scheme, but for what the trapezoidal rule misses
  double corrected = 0, least_corrected = 0;  // J: work of contacts
  const double in_play = measure(model, state).kinetic_energy + weight * 0.03;
  StepReport report;
  for (int n = 0; n < 700; ++n) {
    report = test::take_steps(model, options, 1, state, scratch);
    ASSERT_TRUE(report.accepted);
    ASSERT_TRUE(initial_intersections(model.surface, state.x).empty()) << "step " << report.step;
    lost += report.dissipation_scheme - report.work_correction;
    const double missed = missed_by_trapezoidal_rule(model, scratch.before.elastic, options.dt);
    most_lost = std::max(most_lost, lost + missed);
    ASSERT_GT(lost + missed, most_lost - 0.01 * in_play) << "step " << report.step;
    corrected += report.work_correction;
    least_corrected = std::min(least_corrected, corrected);
    ASSERT_LT(corrected, least_corrected + 1e-4 * in_play) << "step " << report.step;
    if (n < 600) continue;
    for (const Contact& contact : scratch.solved) carried += contact.lambda * contact.n.z() / 100;
  }
  EXPECT_GT(report.active, 0);
  EXPECT_LT(report.kinetic_energy, 1e-4);
  EXPECT_NEAR(carried, weight, 0.01 * weight);
}

// Its nodes have unlike masses, and three contacts lift each other.
TEST(LocalStep, ContactsOfAnEmbeddedBallMakeNoEnergy) {
  test::LoadedScene ball(R"({"time": {"step": 0.002, "duration": 1},
    "materials": {"r": {"young": 2e5, "poisson": 0.3, "density": 500}},
    "meshes": {"b": {"generate": "sphere", "radius": 0.1, "resolution": 6, "embed": {"cell": 0.05}}},
    "objects": [{"name": "ball", "mesh": "b", "material": "r", "position": [0, 0, 0.12]},
                {"name": "floor", "type": "fixed", "mesh": "half-space"}],
    "contact": {"friction": 0.4}, "solver": {"method": "local"}})");
  auto& [model, options, state, scratch] = ball;
  double corrected = 0, least_corrected = 0, most = 0, in_play = 0;  // J
  for (int n = 0; n < 80; ++n) {
    const StepReport report = test::take_steps(model, options, 1, state, scratch);
    corrected += report.work_correction;
    least_corrected = std::min(least_corrected, corrected);
    most = std::max(most, corrected - least_corrected);
    in_play = std::max(in_play, report.kinetic_energy + report.elastic_energy);
  }
  EXPECT_GT(in_play, 0.5);
  EXPECT_LT(most, 1e-3 * in_play);
}

TEST(LocalStep, TheLedgerHasTheMomentumToRounding) {
  const Model model = test::ring_over_floor(damped(), Vec3(0.4, 0, -0.5));
  State state = initial_state(model);
  LocalScratch scratch;
  Vec3 before = measure(model, state).momentum;
  for (int n = 0; n < 80; ++n) {
    const StepReport r = test::take_steps(model, test::local_options(1e-3), 1, state, scratch);
    const Vec3 missing = r.momentum - before - r.impulse_external - r.impulse_prescribed;
    ASSERT_LT(missing.norm(), 1e-13) << "step " << r.step;
    before = r.momentum;
  }
}

// Two bars of N cells that meet end to end with +-0.5 m/s.
Model meeting_bars(Index cells) {
  Model model;
  model.gravity.setZero();
  Material material = test::soft;
  material.poisson = 0;
  model.materials = {material};
  model.friction = 0;
  const Mesh bar = generate(BoxShape{.size = {0.2, 0.03, 0.03}, .cells = {cells, 1, 1}});
  test::add(model, "left", ObjectType::deformable, bar, Vec3(-0.1003, 0, 0), Vec3(0.5, 0, 0));
  test::add(model, "right", ObjectType::deformable, bar, Vec3(0.1004, 0.004, 0.003), Vec3(-0.5, 0, 0));
  finish_model(model);
  return model;
}

// The layers that touch stop: 1/(2N) of the energy.
TEST(LocalStep, TwoBarsThatMeetLoseTheEnergyOfTheirContactLayers) {
  double lost_before = 1;
  for (const Index cells : {4, 8}) {
    const Model model = meeting_bars(cells);
    State state = initial_state(model);
    LocalScratch scratch;
    const double energy = measure(model, state).kinetic_energy;
    const StepReport r = test::take_steps(model, test::local_options(2.5e-4), 8, state, scratch);
    const double lost = 1 - (r.kinetic_energy + r.elastic_energy) / energy;
    EXPECT_NEAR(lost * 2 * cells, 1, 0.25) << cells;
    EXPECT_LT(r.momentum.norm(), 1e-13);
    EXPECT_LT(lost, lost_before);
    lost_before = lost;
  }
}

// They part when the wave is back from their free ends, after 2 L/c, and exchange their speeds, the more of them the
// thinner the layers are.
TEST(LocalStep, TwoBarsThatMeetPartAfterTheWaveHasComeBack) {
  const double wave = std::sqrt(test::soft.young / test::soft.density), together = 2 * 0.2 / wave;
  double returned_before = 0;
  for (const Index cells : {8, 16, 32}) {
    const Model model = meeting_bars(cells);
    const Options options = test::local_options(2.5e-4);
    State state = initial_state(model);
    LocalScratch scratch;
    double first = 0, last = 0;
    for (int n = 0; n < 240; ++n) {
      const StepReport report = test::take_steps(model, options, 1, state, scratch);
      if (report.active == 0) continue;
      if (first == 0) first = report.time;
      last = report.time;
    }
    EXPECT_NEAR(last - first, together, 0.1 * together) << cells;
    double momentum = 0, mass = 0;
    for (Index i = model.objects[0].vertices.begin; i < model.objects[0].vertices.end; ++i) {
      momentum += model.elastic.mass[i] * state.v[3 * i];
      mass += model.elastic.mass[i];
    }
    const double returned = -momentum / mass / 0.5;
    EXPECT_GT(returned, returned_before) << cells;
    EXPECT_LE(returned, 1) << cells;
    returned_before = returned;
  }
  EXPECT_GT(returned_before, 0.9);
}

// Thrown along the floor it comes to rest after v^2 / (2 mu g).
TEST(LocalStep, ABlockSlidesAsFarAsCoulombSays) {
  Material material = test::soft;
  material.young = 1e6;
  material.stiffness_damping = 2e-4;
  Model model;
  model.materials = {material};
  model.friction = 0.5;
  const Mesh block_of = generate(BoxShape{.size = {0.2, 0.2, 0.05}, .cells = {3, 3, 1}});
  test::add(model, "block", ObjectType::deformable, block_of, {0, 0, 0.02501}, {0.6, 0, 0});
  test::add(model, "floor", ObjectType::fixed, generate(SlabShape{}), {0, 0, -0.05}, Vec3::Zero());
  finish_model(model);
  State state = initial_state(model);
  LocalScratch scratch;
  const double start = state.x[0];
  const StepReport r = test::take_steps(model, test::local_options(1e-3), 200, state, scratch);
  const double way = 0.6 * 0.6 / (2 * 0.5 * 9.81);
  EXPECT_NEAR(state.x[0] - start, way, 0.05 * way);
  EXPECT_LT(r.kinetic_energy, 1e-3);
}

TEST(LocalStep, GoesOnBitForBitWithoutItsMemoryAndOnAnyNumberOfThreads) {
  const Model model = test::ring_over_floor(test::soft, Vec3(0.4, 0, -0.5));
  const Options options = test::local_options(1e-3);
  const auto run = [&](int threads, bool forget) {
    set_thread_count(threads);
    State state = initial_state(model);
    LocalScratch scratch;
    test::take_steps(model, options, 60, state, scratch);
    if (!forget) {
      test::take_steps(model, options, 40, state, scratch);
    } else {
      LocalScratch fresh;
      test::take_steps(model, options, 40, state, fresh);
    }
    set_thread_count(1);
    return state;
  };
  const State once = run(1, false);
  ASSERT_FALSE(once.contacts.contacts.empty());
  for (const State& other : {run(1, true), run(2, false)}) {
    EXPECT_EQ(once.x, other.x);
    EXPECT_EQ(once.v, other.v);
    EXPECT_EQ(once.contacts.contacts.size(), other.contacts.contacts.size());
  }
}

TEST(LocalStep, EndsWhereItIsAskedToAndTakesNothing) {
  const Model model = test::ring_over_floor(test::soft, Vec3::Zero());
  Options options = test::local_options(1e-3);
  options.contact.stop = {[](const void*) { return true; }, nullptr};
  State state = initial_state(model);
  LocalScratch scratch;
  const StepReport report = step(model, options, state, scratch);
  EXPECT_EQ(report.status, StepStatus::interrupted);
  EXPECT_FALSE(report.accepted);
  EXPECT_EQ(state.step, 0);
}

std::string load_crate(const std::string& type, const std::string& more) {
  return load_error(R"({"materials": {"rubber": {}}, "meshes": {"box": {"generate": "box"}},
    "objects": [{"name": "crate", "mesh": "box", "material": "rubber", "type": ")" +
                    type + R"("}], "solver": {"method": "local"})" + more + "}");
}

TEST(LocalScene, WhatTheMethodCannotDoIsRefusedByName) {
  EXPECT_EQ(load_crate("deformable", ""), "");
  const std::string rigid = load_crate("rigid", "");
  EXPECT_NE(rigid.find("\"crate\" is rigid"), std::string::npos) << rigid;
  EXPECT_NE(rigid.find("auto"), std::string::npos) << rigid;
  EXPECT_NE(load_crate("deformable", R"(, "time": {"scheme": "quasi-static"})").find("/time/scheme"),
            std::string::npos);
}

TEST(LocalScene, VibrationsThatNothingTakesAreWarnedOf) {
  const auto warnings = [](const std::string& material, const std::string& more) {
    LoadReport report;
    load_model(parse_scene(R"({"materials": {"m": {)" + material + R"(}}, "meshes": {"box": {"generate": "box"}},
      "objects": [{"name": "crate", "mesh": "box", "material": "m"}])" +
                               more + "}",
                           "scene", "."),
               report);
    return report.warnings;
  };
  const std::string local = R"(, "solver": {"method": "local"})";
  ASSERT_EQ(warnings("", local).size(), 1u);
  EXPECT_EQ(warnings("", local)[0].find("material \"m\" has no damping, and the method \"local\""), 0u);
  EXPECT_TRUE(warnings(R"("damping": {"stiffness": 1e-3})", local).empty());
  EXPECT_TRUE(warnings("", local + R"(, "local": {"integrator": "implicit-euler"})").empty());
  EXPECT_TRUE(warnings("", local + R"(, "gravity": [0, 0, 0])").empty());
  EXPECT_TRUE(warnings("", "").empty());
}

}  // namespace step_test
}  // namespace sim
