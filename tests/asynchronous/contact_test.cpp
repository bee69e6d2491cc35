// Contact by layers: impacts, rest, friction.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <map>

#include "asynchronous/pair_force.hpp"
#include "asynchronous/played.hpp"
#include "collide/intersections.hpp"
#include "mesh/generate.hpp"
#include "model/measure.hpp"

namespace sim {
namespace contact_test {

using test::Played;
using test::triangle_above_floor;

double speed_after_bounce(double height, double restitution, double fraction) {
  Played played = triangle_above_floor(height, {0, 0, -10});
  played.options.asynchronous.restitution = restitution;
  played.options.asynchronous.contact_fraction = fraction;
  played.begin();
  played.advance(20);
  return played.state.v[2];
}

TEST(LayerContact, AnImpactComesBackWithItsSpeed) {
  double mean = 0, most = 0;
  constexpr int phases = 20;
  for (int k = 0; k < phases; ++k) {
    const double ratio = speed_after_bounce(0.3 + 0.1 * k / phases, 1, 0.1) / 10;
    mean += ratio / phases;
    most = std::max(most, std::abs(ratio - 1));
  }
  EXPECT_NEAR(mean, 1, 0.02);
  EXPECT_LT(most, 0.06);
}

TEST(LayerContact, RestitutionIsOfTheEnergy) {
  double mean = 0;
  for (int k = 0; k < 10; ++k) mean += speed_after_bounce(0.3 + 0.01 * k, 0.3, 0.02) / 10 / 10;
  EXPECT_NEAR(mean, std::sqrt(0.3), 0.03);
}

TEST(LayerContact, AnImpactGetsAsDeepAsItsEnergySays) {
  Played played = triangle_above_floor(0.35, {0, 0, -10});
  played.begin();
  Index deepest = 0;
  for (int n = 0; n < 20; ++n) deepest = std::max(deepest, played.advance(1).events.deepest);
  EXPECT_NEAR(deepest, layers_of_impact(1000, 0.1, 50), 1.5);
}

TEST(LayerContact, WhatRestsIsCarriedWithItsWeight) {
  Played played = triangle_above_floor(0.1, {0, 0, 0});
  played.model.gravity = {0, 0, -10};
  played.options.asynchronous.restitution = 0;
  played.begin();
  played.advance(100);
  double force = 0;
  for (int n = 0; n < 100; ++n) {
    played.advance(1);
    for (const Contact& c : played.scratch.solved) force += c.lambda / 100;
  }
  EXPECT_NEAR(force, 30, 0.3);
  const auto& pairs = played.scratch.table.pairs;  // at rest, in the first three octaves
  const StepEvents events = played.advance(1).events;
  std::int64_t in_layers = 0;
  for (const ActivePair& pair : pairs) {
    std::array<Vec3, 4> x;
    for (std::size_t k = 0; k < 4; ++k) x[k] = block(played.state.x, pair.vertices[k]);
    in_layers += nearest_of(pair, x).distance < pair.thickness ? 1 : 0;
  }
  EXPECT_GE(in_layers, 3);
  EXPECT_EQ(events.by_octave[0] + events.by_octave[1] + events.by_octave[2], in_layers);
  const Layers layers = make_layers(1000, 100);
  double low = 0.01, high = 0.1;
  for (int k = 0; k < 60; ++k) {
    const double d = 0.5 * (low + high);
    (layers_force(layers, d, 0.1, 100) > 10 ? low : high) = d;
  }
  EXPECT_NEAR(played.state.x[2], low, 0.1 * low);
  EXPECT_LT(std::abs(played.state.v[2]), 0.05);
}

// Every feature of both kinds of pairs: the way that the impulse points is minus the gradient of the energy.
TEST(LayerContact, ForcesAreGradientsForEveryFeature) {
  const ContactLaw law{make_layers(1000, 50), 1, false, 1};
  Random random(7);
  int seen = 0;
  for (int n = 0; n < 400; ++n) {
    for (const ContactKind kind : {ContactKind::vertex_face, ContactKind::edge_edge}) {
      std::array<Vec3, 4> x;
      for (Vec3& p : x) p = {random.uniform(), random.uniform(), random.uniform()};
      ActivePair pair;
      pair.kind = kind;
      pair.thickness = 0.3;
      pair.inverse_mass = 1;
      pair.longest_h = 1;
      pair.level.assign(20, 0);
      const double d = nearest_of(kind, x).distance;
      if (d > 0.28 || d < 0.15) continue;
      ++seen;
      const PairKick kick = pair_kick(law, x, {}, pair);
      for (std::size_t k = 0; k < 4; ++k) {
        for (int axis = 0; axis < 3; ++axis) {
          constexpr double step = 1e-6;
          std::array<Vec3, 4> low = x, high = x;
          low[k][axis] -= step;
          high[k][axis] += step;
          const double slope = (layers_energy(law.layers, nearest_of(kind, high).distance, 0.3, 20) -
                                layers_energy(law.layers, nearest_of(kind, low).distance, 0.3, 20)) /
                               (2 * step);
          EXPECT_NEAR(kick.weights[k] * kick.push[axis], -slope, 1e-3 * kick.push.norm() + 1e-3);
        }
      }
    }
  }
  EXPECT_GT(seen, 50);
}

TEST(LayerContact, ABlockSlidesDownASlopeAsCoulombHasIt) {
  const double mu = 0.3, angle = 30 * M_PI / 180;
  Played played = triangle_above_floor(0.0, {0, 0, 0});
  for (int i = 0; i < 3; ++i) played.model.mesh.vertices[i][2] = 0.064;
  EXPECT_NEAR(test::gained_on_slope(played, angle, mu, 20), 0.8 * 10 * (std::sin(angle) - mu * std::cos(angle)),
              0.02 * 8 * 0.24);
}

// Near the angle of friction: what drives the block is a seventieth of its friction. Without damping of the stiffness
// friction sets it swinging, under any method with steps short enough, and it slides two to four times as fast.
TEST(LayerContact, AnElasticBlockSlidesJustBeyondTheAngleOfFriction) {
  const double mu = 0.46, angle = 25 * M_PI / 180;
  Played played;
  played.model.materials = {{.name = "m", .young = 1e6, .poisson = 0.3, .density = 600, .stiffness_damping = 1e-4}};
  Mesh block = generate(BoxShape{.size = {0.2, 0.1, 0.05}, .cells = {4, 2, 1}});
  for (Vec3& x : block.vertices) x[2] += 0.0259;
  test::add(played.model, ObjectType::deformable, block, 0);
  test::add(played.model, ObjectType::fixed, test::one_triangle({-50, -50, 0}, {100, -50, 0}, {-50, 100, 0}), -1);
  played.options.dt = 0.005;
  const Measures before = [&] {
    test::gained_on_slope(played, angle, mu, 20);
    return measure(played.model, played.state);
  }();
  const StepReport after = played.advance(80);
  const double gained = (after.momentum - before.momentum)[0] / played.model.elastic.mass.sum();
  EXPECT_NEAR(gained, 0.4 * 10 * (std::sin(angle) - mu * std::cos(angle)), 5e-4 * 0.4 * 10 * mu * std::cos(angle));
}

TEST(LayerContact, ABlockStaysOnASlopeThatIsNotSteep) {
  Played played = triangle_above_floor(0.0, {0, 0, 0});
  Model& model = played.model;
  model.gravity = 10 * Vec3(std::sin(0.2), 0, -std::cos(0.2));
  model.friction = 0.5;
  for (int i = 0; i < 3; ++i) model.mesh.vertices[i][2] = 0.064;
  played.options.asynchronous.restitution = 0;
  played.begin();
  played.advance(200);
  EXPECT_LT(std::abs(played.state.x[0]), 0.04);  // a hundredth of what it would have slid
}

// A closed shell, an octahedron of which every face is four.
Mesh small_shell(double radius) {
  Mesh mesh;
  mesh.vertices = {{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1}};
  std::map<std::pair<Index, Index>, Index> middles;
  const auto middle = [&](Index a, Index b) {
    const auto [it, is_new] = middles.try_emplace(std::minmax(a, b), static_cast<Index>(mesh.vertices.size()));
    if (is_new) mesh.vertices.emplace_back((mesh.vertices[a] + mesh.vertices[b]).normalized());
    return it->second;
  };
  for (const Triangle& t :
       {Triangle{0, 2, 4}, {2, 1, 4}, {1, 3, 4}, {3, 0, 4}, {2, 0, 5}, {1, 2, 5}, {3, 1, 5}, {0, 3, 5}}) {
    const Index ab = middle(t[0], t[1]), bc = middle(t[1], t[2]), ca = middle(t[2], t[0]);
    for (const Triangle& part : {Triangle{t[0], ab, ca}, {ab, t[1], bc}, {ca, bc, t[2]}, {ab, bc, ca}})
      mesh.triangles.push_back(part);
  }
  for (Vec3& x : mesh.vertices) x *= radius;
  return mesh;
}

// A shell that bounces to and fro in another one: kicked more than a million times.
TEST(LayerContact, ShellsKeepTheirEnergyOverAMillionKicks) {
  Played played;
  Model& model = played.model;
  model.gravity.setZero();
  model.friction = 0;
  model.materials = {
      {.name = "m", .model = MaterialModel::shell, .young = 2e5, .poisson = 0.3, .density = 1000, .thickness = 2e-3}};
  Mesh inner = small_shell(0.05);
  for (Vec3& x : inner.vertices) x += Vec3(0.02, 0.01, -0.015);
  test::add(model, ObjectType::deformable, inner, 0, {0.5, -0.3, 0.2});
  Mesh outer = small_shell(0.12);
  outer.triangles.pop_back();  // what is in a closed one would overlap it
  test::add(model, ObjectType::deformable, outer, 0, {-0.1, 0.06, -0.04});
  played.options.asynchronous = {.thickness = 8e-3, .stiffness = 100, .restitution = 1, .contact_fraction = 0.05};
  played.options.dt = 0.01;
  played.begin();
  const Measures start = measure(model, played.state);
  double moving = 0;  // kg m/s, sum of m |v|
  for (Index i = 0; i < 18; ++i) moving += model.elastic.mass[i] * 0.62;
  constexpr int steps = 1500, parts = 10;
  std::array<double, parts> mean{};
  double kicks = 0, pushes = 0;
  for (int n = 0; n < steps; ++n) {
    const StepReport r = played.advance(1);
    const StepEvents& e = r.events;
    kicks += static_cast<double>(e.kicks_membrane + e.kicks_hinge + e.kicks_pair);
    pushes += static_cast<double>(e.kicks_pair);
    mean[n / (steps / parts)] += (r.kinetic_energy + r.elastic_energy + r.contact_energy) / (steps / parts);
    if (n % 10 == 0) {
      ASSERT_TRUE(find_overlaps(model.surface, played.state.x).empty()) << n;
    }
  }
  EXPECT_GT(kicks, 1e6);
  EXPECT_GT(pushes, 1e4);
  const Measures end = measure(model, played.state);
  EXPECT_LT((end.momentum - start.momentum).norm(), 1e-12 * moving);
  EXPECT_LT((end.angular_momentum - start.angular_momentum).norm(), 1e-12 * moving * 0.12);
  // Of the means. Energy wanders: with velocities that differ by 1e-12 the trend over such a run was -3.8e-4
  // to 2.5e-4 of it (25 runs), and by the scatter of the means half of these trends would be no chance.
  double slope = 0, squares = 0;
  for (int k = 0; k < parts; ++k) {
    slope += (k - 0.5 * (parts - 1)) * mean[k];
    squares += (k - 0.5 * (parts - 1)) * (k - 0.5 * (parts - 1));
  }
  slope /= squares;
  EXPECT_LT(std::abs(slope) * (parts - 1), 1e-3 * start.kinetic_energy);
  EXPECT_NEAR(mean.back(), start.kinetic_energy, 0.02 * start.kinetic_energy);
}

// A plate is driven through a floor, with a sheet in between.
TEST(LayerContact, WhatIsDrivenBeyondThePossibleEndsWithTheLayerLimit) {
  Played played = triangle_above_floor(0.2, {0, 0, 0});
  played.model.gravity = {0, 0, -1};
  played.options.asynchronous.max_layers = 60;
  MotionSpec spec;
  spec.velocity = {0, 0, -1};
  test::add(played.model, ObjectType::scripted, test::one_triangle({-2, -2, 0.4}, {-2, 4, 0.4}, {4, -2, 0.4}), -1,
            {0, 0, 0}, Motion(spec));
  played.begin();
  StepReport report;
  State before = played.state;
  for (int n = 0; n < 100 && report.accepted; ++n) {
    before = played.state;
    report = step(played.model, played.options, played.state, played.scratch);
    ASSERT_TRUE(find_overlaps(played.model.surface, played.state.x).empty()) << n;
  }
  EXPECT_FALSE(report.accepted);
  EXPECT_EQ(report.status, StepStatus::layer_limit);
  EXPECT_EQ(played.state.x, before.x);
  EXPECT_EQ(played.state.step, before.step);
}

}  // namespace contact_test
}  // namespace sim
