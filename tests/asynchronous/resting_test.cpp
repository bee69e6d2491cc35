// Clocks that follow contacts, and what is squeezed: it sticks where friction is enough, and gets no energy of
// clocks.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "asynchronous/played.hpp"
#include "mesh/generate.hpp"
#include "model/measure.hpp"

namespace sim {
namespace resting_test {

using test::Played;
using test::SchemeLedger;

constexpr double step = 0.005;

// A cube of 0.1 m and 1 kg, `gap` over a floor; with a plate that comes down on it, as far from it, where it has a
// speed, until it is to stand still.
Played cube(Index cells, double gap, double friction, double plate_speed, double damping = 0, double until = 10) {
  Played played;
  Model& model = played.model;
  model.gravity.setZero();
  model.friction = friction;
  model.materials = {{.name = "m", .young = 5e5, .poisson = 0.3, .density = 1000, .stiffness_damping = damping}};
  Mesh box = generate(BoxShape{.size = {0.1, 0.1, 0.1}, .cells = {cells, cells, cells}});
  for (Vec3& x : box.vertices) x[2] += 0.05 + gap;
  test::add(model, ObjectType::deformable, box, 0);
  test::add(model, ObjectType::fixed, test::one_triangle({-5, -5, 0}, {10, -5, 0}, {-5, 10, 0}), -1);
  if (plate_speed > 0) {
    const double z = 0.1 + 2 * gap;
    MotionSpec spec;
    spec.translation_expression = {"0", "0",
                                   std::to_string(-plate_speed) + " * min(t, " + std::to_string(until) + ")"};
    test::add(model, ObjectType::scripted, test::one_triangle({-5, -5, z}, {-5, 10, z}, {10, -5, z}), -1,
              {0, 0, -plate_speed}, Motion(spec));
  }
  played.options.detect_collisions = true;
  played.options.dt = step;
  return played;
}

// Of what begins `gap` over the floor, planned as a step does.
struct Planned {
  Played played;
  PairRules rules() {
    AsyncScratch& s = played.scratch;
    return {played.model, s.plan, s.law, s.thickness, played.options.asynchronous.contact_fraction};
  }
  explicit Planned(Played&& some) : played(std::move(some)) {
    played.begin();
    AsyncScratch& s = played.scratch;
    s.plan = make_kick_plan(played.model, played.options);
    s.law = make_law(played.options);
    s.thickness = {played.options.asynchronous.thickness, {}};  // as if it had come from farther away
    follow(played.model, played.options, played.state.x, levels_of_contacts(rules(), played.state.x, s.resting),
           s.plan);
  }
};

TEST(Resting, WhatALayerPushesTicksAsOftenAsIt) {
  constexpr Index n = 6;
  const double thickness = Options{}.asynchronous.thickness;
  const double gap = 0.5 * (std::pow(n, -0.25) + std::pow(n + 1, -0.25)) * thickness;
  Planned planned(cube(4, gap, 0.3, 0));
  const Played& p = planned.played;
  const KickPlan& plan = p.scratch.plan;
  const KickPlan alone = make_kick_plan(p.model, p.options);
  const AsyncOptions& o = p.options.asynchronous;
  Index below = 0;
  for (Index i = 0; i < 125; ++i) {
    if (p.model.mesh.vertices[i][2] > gap + 1e-9) {
      EXPECT_EQ(plan.contact_level[i], 0) << i;
      continue;
    }
    ++below;
    const double first = o.contact_fraction * 2 * std::sqrt(p.model.elastic.mass[i] / o.stiffness);
    const double h = length_of(plan.steady_level[i], step);
    EXPECT_LE(h, first * std::pow(n, -1.5) * (1 + 1e-12)) << i;
    EXPECT_LT(h, steady_step(alone, i, step)) << i;
  }
  EXPECT_EQ(below, 25);
  for (Index tet = 0; tet < static_cast<Index>(p.model.mesh.tets.size()); ++tet) {
    std::uint8_t wanted = 0;
    for (const Index v : p.model.mesh.tets[tet]) wanted = std::max(wanted, plan.contact_level[v]);
    EXPECT_EQ(plan.corner_level[4 * tet], std::max(alone.corner_level[4 * tet], wanted)) << tet;
  }
}

TEST(Resting, ContactsThatTakeNothingChangeNoClock) {
  Played some = cube(2, 0.6 * Options{}.asynchronous.thickness, 0, 0);
  some.options.asynchronous.restitution = 1;
  Planned planned(std::move(some));
  const std::vector<std::uint8_t>& level = planned.played.scratch.plan.contact_level;
  EXPECT_EQ(std::count(level.begin(), level.end(), 0), static_cast<std::ptrdiff_t>(level.size()));
}

TEST(Resting, ClocksAreThoseOfBeforeWhereAContactHasOpened) {
  Planned planned(cube(3, 0.6 * Options{}.asynchronous.thickness, 0.3, 0));
  Played& p = planned.played;
  const KickPlan alone = make_kick_plan(p.model, p.options);
  EXPECT_NE(p.scratch.plan.steady_level, alone.steady_level);
  for (Index i = 0; i < 64; ++i) p.state.x[3 * i + 2] += 0.01;
  const auto again = [&] {
    return follow(p.model, p.options, p.state.x, levels_of_contacts(planned.rules(), p.state.x, p.scratch.resting),
                  p.scratch.plan);
  };
  EXPECT_TRUE(again());
  EXPECT_FALSE(again());
  EXPECT_EQ(p.scratch.plan.steady_level, alone.steady_level);
  EXPECT_EQ(p.scratch.plan.vertices.items, alone.vertices.items);
  EXPECT_EQ(p.scratch.plan.rows.of_corner, alone.rows.of_corner);
  EXPECT_EQ(p.scratch.plan.finest, alone.finest);
}

TEST(Resting, LayersTickWheneverTheirVerticesAreKicked) {
  Played some = cube(3, 0.6 * Options{}.asynchronous.thickness, 0.3, 0);
  some.options.asynchronous.rest_depth = 64;  // elements far finer than the first layers
  Planned planned(std::move(some));
  const Played& p = planned.played;
  Index seen = 0;
  for_each_near(p.model.surface, p.state.x, p.scratch.thickness.most, planned.played.scratch.resting,
                [&](const NearPair& near) {
                  ActivePair pair = make_active(planned.rules(), near.kind, near.pair);
                  ASSERT_TRUE(set_depth(p.scratch.law, 3, pair));
                  for (const Index v : near.vertices) {
                    if (p.model.elastic.mass[v] == 0) continue;
                    ++seen;
                    EXPECT_GE(pair.level.front(), p.scratch.plan.steady_level[v]);
                  }
                });
  EXPECT_GE(seen, 16);  // those below
}

// Hinges of a sheet of squares that has shrunk to `size`, as stiff as the frequency of what it has come to.
TEST(Clocks, OfWhatHasShrunkAreThoseOfItsFrequency) {
  Played played;
  Model& model = played.model;
  model.materials = {
      {.name = "s", .model = MaterialModel::edge_springs, .density = 1, .thickness = 1e-3, .stretch = 1, .bend = 10}};
  test::add(model, ObjectType::deformable, generate(SheetShape{.size = {1, 1}, .cells = {4, 4}}), 0);
  played.options.dt = step;
  played.begin();
  const KickPlan rest = make_kick_plan(model, played.options);
  constexpr auto hinge = static_cast<std::size_t>(ElementKind::hinge);
  for (const double size : {1.0, 0.9, 0.5, 0.2}) {
    KickPlan plan = rest;
    const VecX x = size * played.state.x;
    follow(model, played.options, x, std::vector<std::uint8_t>(plan.cap.size(), 0), plan);
    const ByKind omega = element_frequencies(model.elastic, x, model.surface.vertex_moves);
    for (std::size_t i = 0; i < omega[hinge].size(); ++i) {
      const double h = length_of(plan.element_level[hinge][i], step);
      EXPECT_LT(omega[hinge][i] * h, 2 * played.options.asynchronous.elastic_fraction * std::sqrt(2.0)) << size;
      if (size > 0.8) {
        EXPECT_EQ(plan.element_level[hinge][i], rest.element_level[hinge][i]) << size;
      }
    }
  }
}

// A plate squeezes a cube by a tenth. Kicks of its elements push its corners out again and again; friction that could
// hold them all the while holds them, however often elements tick, and without it they give way.
TEST(SqueezedByLayers, SticksWhereFrictionIsEnough) {
  const auto wider = [](double mu, Index rest_depth) {
    Played played = cube(2, 1.1e-3, mu, 0.05);
    played.options.asynchronous.rest_depth = rest_depth;
    played.begin();
    played.advance(44);  // 11 mm, of which 2.2 are gaps of the start
    double low = 0, high = 0;
    for (Index i = 0; i < 27; ++i) {
      if (block(played.state.x, i)[2] > 0.02) continue;
      low = std::min(low, block(played.state.x, i)[0]);
      high = std::max(high, block(played.state.x, i)[0]);
    }
    return (high - low) / 0.1 - 1;
  };
  EXPECT_GT(wider(0, 8), 0.02);  // nu times 9 %
  EXPECT_LT(std::abs(wider(1, 8)), 1e-3);
  EXPECT_LT(std::abs(wider(1, 24)), 1e-3);
}

// What the plate gives is in the cube, or friction and damping took it: clocks give nothing.
TEST(SqueezedByLayers, GetsNoEnergyOfItsClocks) {
  for (const double mu : {0.1, 0.3, 1.0}) {
    Played played = cube(3, 1.1e-3, mu, 0.05, mu > 0.2 ? 1e-4 : 0);
    played.begin();
    SchemeLedger scheme;
    double given = 0, rubbed = 0;
    for (int n = 0; n < 50; ++n) {
      const StepReport r = played.advance(1);
      given += r.work_prescribed;
      rubbed += r.dissipation_friction;
      scheme.add(r);
    }
    EXPECT_GT(given, 1) << mu;
    EXPECT_LT(scheme.made, 1e-3 * given) << mu;
    EXPECT_LT(std::abs(scheme.taken), 2e-3 * given) << mu;
    if (mu < 0.5) {
      EXPECT_GT(rubbed, 5e-3 * given) << mu;
    }
  }
}

// Pressed by 5 % and held, in 0.2 s: elements of other clocks push its vertices to and fro in turn, which is no
// motion that friction or damping could take energy from, and moves nothing that friction holds.
TEST(SqueezedByLayers, HeldStillItLosesNothingAndDoesNotCreep) {
  for (const double mu : {0.0, 0.6}) {
    SCOPED_TRACE(mu);
    Played played = cube(2, 1.1e-3, mu, 0.05, 2e-4, 0.144);
    played.begin();
    played.advance(60);
    const VecX there = played.state.x;
    double taken = 0, stored = 0;
    for (int n = 0; n < 10; ++n) {
      const StepReport r = played.advance(1);
      taken += std::abs(r.dissipation_friction) + std::abs(r.dissipation_damping) + std::abs(r.dissipation_scheme);
      stored = r.elastic_energy;
    }
    EXPECT_GT(stored, 0.3);
    EXPECT_LT(taken, 1e-4 * stored);
    if (mu > 0) {
      EXPECT_LT((played.state.x - there).head(81).lpNorm<Eigen::Infinity>(), 1e-6);
    }
  }
}

// On a floor with mu 1, and calm soon.
Played heavy_cube() {
  Played played = cube(1, 0.9e-3, 1, 0, 1e-4);
  played.model.gravity = {0, 0, -9.81};
  played.model.materials[0].mass_damping = 20;
  return played;
}

// A plate has pushed a cube on the floor sideways, by less than friction holds, and stands still: vertices that are
// in contacts with both stay, though the plate's layers push them at every tick.
TEST(Friction, HoldsVerticesThatAnotherContactPushes) {
  Played played = heavy_cube();
  Model& model = played.model;
  MotionSpec spec;
  spec.translation_expression = {"0.0013*min(t,0.1)/0.1", "0", "0"};
  const double x = -0.0512;
  test::add(model, ObjectType::scripted, test::one_triangle({x, -5, -5}, {x, 10, -5}, {x, -5, 10}), -1, {0.013, 0, 0},
            Motion(spec));
  played.begin();
  played.advance(60);
  const VecX there = played.state.x;
  double rubbed = 0, push = 0;
  for (int n = 0; n < 40; ++n) rubbed += std::abs(played.advance(1).dissipation_friction);
  for (const Contact& contact : played.scratch.solved) push = std::max(push, std::abs(contact.lambda * contact.n[0]));
  EXPECT_GT(push, 5);
  EXPECT_LT((played.state.x - there).head(24).lpNorm<Eigen::Infinity>(), 1e-6);
  EXPECT_LT(rubbed, 1e-6);
}

// The work of a load on what stands still is none, whatever its vertices do between ticks.
TEST(Friction, ALoadOnWhatItHoldsDoesNoWork) {
  Played played = heavy_cube();
  Model& model = played.model;
  Load load;
  load.object = 0;
  load.value[0].number = 5;
  for (Index i = 0; i < 8; ++i) load.vertices.push_back(i), load.share.push_back(0.125);
  model.loads.push_back(std::move(load));
  played.begin();
  played.advance(60);
  double worked = 0, taken = 0;
  for (int n = 0; n < 40; ++n) {
    const StepReport r = played.advance(1);
    worked += r.work_loads;
    taken += r.dissipation_scheme;
  }
  EXPECT_LT(std::abs(worked), 1e-5);  // in 0.2 s; a fall by 1 mm is worth 5e-3 J
  EXPECT_LT(std::abs(taken), 1e-5);
}

// Damping of the stiffness takes nothing of the bounce of a whole block on its layers: restitution does.
TEST(Resting, ABlockThatHasLandedComesToRest) {
  Played played = cube(2, 0.9e-3, 0, 0, 1e-4);
  played.model.gravity = {0, 0, -9.81};
  played.begin();
  played.advance(80);
  double kinetic = 0;
  for (int n = 0; n < 20; ++n) kinetic = std::max(kinetic, played.advance(1).kinetic_energy);
  EXPECT_LT(kinetic, 1e-8);  // 9e-3 J fell a millimetre
}

// Pushed to just below and just above what friction bears, by a field that acts on all of it.
TEST(Friction, HoldsUpToItsBoundAndNoFurther) {
  constexpr double mu = 0.4, g = 9.81;
  const auto gone = [&](double share) {
    Played played = cube(2, 0.9e-3, mu, 0, 1e-4);
    Vec3& gravity = played.model.gravity;
    gravity = {0, 0, -g};
    played.begin();
    played.advance(40);
    for (int n = 1; n <= 20; ++n) {
      gravity[0] = share * mu * g * n / 20;
      played.advance(1);
    }
    played.advance(80);
    const Vec3 before = measure(played.model, played.state).momentum;
    const double x = played.state.x[0];
    played.advance(40);
    return std::pair{played.state.x[0] - x, (measure(played.model, played.state).momentum - before)[0]};
  };
  EXPECT_LT(std::abs(gone(0.99).first), 1e-8);
  const double driven = 0.05 * mu * g * 40 * step;  // of 1 kg
  EXPECT_NEAR(gone(1.05).second, driven, 0.05 * driven);
}

// A cube that a plate has squeezed and then drawn sideways, by most of what friction bears, keeps its shear.
TEST(Friction, KeepsTheShearOfWhatIsSqueezed) {
  Played played = cube(2, 1.1e-3, 0.6, 0.05, 2e-4, 0.144);
  MotionSpec spec;
  spec.translation_expression = {"0.008 * min(max(t - 0.15, 0) / 0.1, 1)", "0", "-0.05 * min(t, 0.144)"};
  played.model.prescribed.back().motion = Motion(spec);
  played.begin();
  played.advance(110);
  const auto sideways = [&] {  // of the floor
    double force = 0, most = 0;
    for (const Contact& contact : played.scratch.solved) {
      if (!(contact.n[2] > 0)) continue;
      most += 0.6 * contact.lambda;
      force += contact.friction[0] * contact.t1[0] + contact.friction[1] * contact.t2[0];
    }
    return std::pair{std::abs(force), most};
  };
  const auto [before, most] = sideways();
  double rubbed = 0;
  for (int n = 0; n < 30; ++n) rubbed += std::abs(played.advance(1).dissipation_friction);
  EXPECT_GT(before, 0.55 * most);
  EXPECT_LT(before, 0.99 * most);
  const double after = sideways().first;
  EXPECT_NEAR(after, before, 1e-4 * before);
  EXPECT_LT(rubbed, 1e-6);
}

// A cube that comes down on an edge, spins and slides: in no step friction of a contact is more than Coulomb's.
TEST(Friction, IsNowhereMoreThanCoulombs) {
  constexpr double mu = 0.3;
  Played played = cube(3, 0.03, mu, 0, 1e-4);
  played.model.gravity = {0, 0, -9.81};
  const Mat3 turn = Eigen::AngleAxisd(0.5, Vec3(1, 0.4, 0.2).normalized()).toRotationMatrix();
  const Vec3 middle(0, 0, 0.08), spin(20, 10, 30);
  for (Index i = 0; i < 64; ++i) {
    Vec3& x = played.model.mesh.vertices[i];
    x = middle + turn * (x - middle);
    block(played.model.initial_velocity, i) = Vec3(1.5, 0.5, 0) + spin.cross(x - middle);
  }
  played.options.dt = 1e-3;
  played.begin();
  double pressed = 0, most = 0;
  int contacts = 0;
  for (int n = 0; n < 300; ++n) {
    played.advance(1);
    for (const Contact& contact : played.scratch.solved) {
      ++contacts;
      pressed = std::max(pressed, contact.lambda);
      most = std::max(most, std::hypot(contact.friction[0], contact.friction[1]) - mu * contact.lambda);
    }
  }
  EXPECT_GT(contacts, 100);
  EXPECT_LT(most, 1e-3 * pressed);
}

}  // namespace resting_test
}  // namespace sim
