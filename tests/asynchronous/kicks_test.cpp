// Bodies without contact, against closed forms and against leapfrog written out.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "asynchronous/played.hpp"
#include "elasticity/damped_forces.hpp"
#include "elasticity/element_at.hpp"
#include "math/parallel.hpp"
#include "mesh/generate.hpp"
#include "model/measure.hpp"

namespace sim {
namespace kicks_test {

using test::cable;
using test::Played;

TEST(Kicks, AnOscillatorIsThatOfLeapfrog) {
  Played played = cable({1}, 50);
  played.model.prescribed.push_back({{0}, Motion()});
  played.options.dt = 0.1;
  played.begin();
  played.state.x[3] = 1.25;
  const double omega = std::sqrt(50 / 0.5);  // rad/s, of half a kilogram
  for (int n = 1; n <= 1000; ++n) {
    played.advance(1);
    const int ticks = 1 << played.scratch.plan.finest;
    const double h = played.options.dt / ticks;
    const double phase = std::acos(1 - 0.5 * omega * omega * h * h);
    ASSERT_NEAR(played.state.x[3] - 1, 0.25 * std::cos(n * ticks * phase), 1e-11) << n;
  }
}

TEST(Kicks, ClocksFollowTheFrequencyOfTheElement) {
  Played played = cable({1}, 50);
  played.model.prescribed.push_back({{0}, Motion()});
  played.options.dt = 0.1;
  played.begin();
  played.advance(1);
  const double longest = 0.25 * 2 / std::sqrt(50 / 0.5);
  const double h = played.options.dt / (1 << played.scratch.plan.finest);
  EXPECT_LE(h, longest);
  EXPECT_GT(2 * h, longest);
}

// Hinges over right angles do not move one of their corners, but for rounding: that is not to make a clock.
TEST(Kicks, ClocksOfSheetsAreTheSameHoweverTheyLie) {
  std::vector<int> finest;
  for (const double angle : {0.0, 0.3, 1.1}) {
    Played played;
    played.model.materials = {{.name = "m",
                               .model = MaterialModel::edge_springs,
                               .density = 1,
                               .thickness = 0.1,
                               .stretch = 100,
                               .bend = 10}};
    Mesh mesh = generate(SheetShape{.size = {1, 0.7}, .cells = {5, 6}, .pattern = SheetPattern::grid});
    for (Vec3& x : mesh.vertices) x = Eigen::AngleAxisd(angle, Vec3(1, 2, 3).normalized()) * x;
    test::add(played.model, ObjectType::deformable, mesh, 0);
    played.options.detect_collisions = false;
    played.begin();
    played.advance(1);
    finest.push_back(played.scratch.plan.finest);
  }
  EXPECT_GT(finest[0], 0);
  EXPECT_EQ(finest[1], finest[0]);
  EXPECT_EQ(finest[2], finest[0]);
}

// Half a kick of all springs and of gravity.
void kick_half(const Model& model, double dt, const VecX& x, VecX& v) {
  const ElasticBodies& bodies = model.elastic;
  std::vector<double> impulse(3 * bodies.numbering.vertex.size());
  for (std::size_t s = 0; s < bodies.springs.size(); ++s)
    element_forces(bodies.springs[s], corners_at(bodies.springs[s], x), &impulse[6 * s]);
  for (double& number : impulse) number *= 0.5 * dt;
  for (Index i = 0; i < static_cast<Index>(bodies.mass.size()); ++i) {
    Vec3 sum = Vec3::Zero();
    for (const Index corner : bodies.numbering.corners_at(i)) sum += Eigen::Map<Vec3>(&impulse[3 * corner]);
    sum += 0.5 * dt * (bodies.mass[i] * model.gravity);
    block(v, i) += 1 / bodies.mass[i] * sum;
  }
}

TEST(Kicks, EqualClocksAreLeapfrog) {
  Played played = cable({1, 1, 1, 1}, 50);
  played.model.gravity = {0, 0, -9.81};
  played.options.dt = 0.0078125;  // no product of it with a whole number of ticks is rounded
  played.begin();
  for (Index i = 0; i < 5; ++i) block(played.state.x, i) += 0.1 * Vec3(std::sin(i), std::cos(3 * i), 0.2 * i);
  VecX x = played.state.x, v = played.state.v;
  played.advance(20);
  ASSERT_EQ(played.scratch.plan.finest, 0);
  for (int n = 0; n < 20; ++n) {
    kick_half(played.model, played.options.dt, x, v);
    x += played.options.dt * v;
    kick_half(played.model, played.options.dt, x, v);
  }
  EXPECT_LT((played.state.x - x).norm(), 1e-14);
  EXPECT_LT((played.state.v - v).norm(), 1e-13);
}

// A sheet whose cells shrink along x, with hinges, no contact.
Played uneven_sheet(std::array<Index, 2> cells) {
  Played played;
  played.model.gravity = {0, 0, -9.81};
  played.model.materials = {{.name = "m",
                             .model = MaterialModel::edge_springs,
                             .density = 1,
                             .thickness = 0.1,
                             .stretch = 100,
                             .bend = 1e-3,
                             .mass_damping = 0.3,
                             .stiffness_damping = 1e-6}};
  Mesh mesh = generate(SheetShape{.size = {1, 1}, .cells = cells, .pattern = SheetPattern::equilateral});
  for (Vec3& x : mesh.vertices) x[0] = std::exp(x[0]);
  test::add(played.model, ObjectType::deformable, mesh, 0);
  played.options.detect_collisions = false;
  played.options.dt = 0.01;
  played.begin();
  for (Index i = 0; i < static_cast<Index>(played.model.mesh.vertices.size()); ++i)
    block(played.state.x, i) += 5e-4 * Vec3(std::sin(i), std::cos(3 * i), std::sin(7 * i));
  return played;
}

// One tick of leapfrog with many clocks, an element after the other.
struct WrittenOut {
  const Model& model;
  const KickPlan& plan;
  VecX x, v;
  double dt;
  std::array<VecX, finest_level + 1> last{};  // x when the clocks of a level ticked last, in this step

  template <class Thin>
  void kick_all(const std::vector<Thin>& elements, ElementKind kind, int level, double part) {
    constexpr std::size_t corners = std::tuple_size_v<decltype(Thin::vertices)>;
    for (Index e = 0; e < static_cast<Index>(elements.size()); ++e) {
      const int own = plan.corner_level[model.elastic.numbering.corner_of(kind, e)];
      if (own < level) continue;
      std::array<double, 3 * corners> forces{};
      const double h = part * std::ldexp(dt, -own);
      const VecX rate = last[own].size() == 0 ? VecX::Zero(x.size()) : VecX((x - last[own]) / h);
      damped_forces(elements[e], corners_at(elements[e], x), corners_at(elements[e], rate),
                    model.elastic.stiffness_damping[elements[e].material], forces.data());
      for (std::size_t k = 0; k < corners; ++k) {
        const Index i = elements[e].vertices[k];
        block(v, i) += h / model.elastic.mass[i] * Eigen::Map<const Vec3>(&forces[3 * k]);
      }
    }
  }

  void tick(int level, double part) {
    const auto damp = [&] {
      for (Index i = 0; i < static_cast<Index>(plan.steady_level.size()); ++i) {
        const double h = part * std::ldexp(dt, -plan.steady_level[i]);
        if (plan.steady_level[i] >= level)
          block(v, i) *= std::exp(-0.5 * h * model.elastic.damping_mass[i] / model.elastic.mass[i]);
      }
    };
    damp();
    kick_all(model.elastic.springs, ElementKind::spring, level, part);
    kick_all(model.elastic.hinges, ElementKind::hinge, level, part);
    std::fill(last.begin() + level, last.end(), x);
    for (Index i = 0; i < static_cast<Index>(plan.steady_level.size()); ++i)
      if (plan.steady_level[i] >= level) block(v, i) += part * std::ldexp(dt, -plan.steady_level[i]) * model.gravity;
    damp();
  }

  void step() {
    const int ticks = 1 << plan.finest;
    last = {};
    for (int n = 0; n <= ticks; ++n) {
      if (n > 0) x += dt / ticks * v;
      const bool end = n == 0 || n == ticks;
      tick(end ? 0 : plan.finest - std::countr_zero(static_cast<unsigned>(n)), end ? 0.5 : 1);
    }
  }
};

TEST(Kicks, SheetsOfManyClocksGoAsWrittenOut) {
  Played played = uneven_sheet({24, 24});
  played.scratch.plan = make_kick_plan(played.model, played.options);
  WrittenOut expected{played.model, played.scratch.plan, played.state.x, played.state.v, played.options.dt};
  const auto& levels = played.scratch.plan.corner_level;
  ASSERT_GE(*std::max_element(levels.begin(), levels.end()), *std::min_element(levels.begin(), levels.end()) + 3);
  ASSERT_GT(played.model.elastic.hinges.size(), std::size_t{elements_a_block});  // blocks that tick in part
  for (int n = 0; n < 3; ++n) expected.step();
  const VecX start = played.state.x;
  played.advance(3);
  EXPECT_GT((played.state.x - start).lpNorm<Eigen::Infinity>(), 1e-3);
  EXPECT_LT((played.state.x - expected.x).lpNorm<Eigen::Infinity>(), 1e-12);
  EXPECT_LT((played.state.v - expected.v).lpNorm<Eigen::Infinity>(), 1e-10);
}

// Its clocks differ from segment to segment. What it comes to has nothing to do with them, nor with its damping.
TEST(Kicks, ACableThatHangsFromUnlikeClocksBearsItsLoad) {
  for (const double damping : {1e-5, 1e-4, 1e-3}) {
    Played played = test::cable({0.0033, 0.0033, 0.0004, 0.0033}, 2e4);
    Model& model = played.model;
    model.materials[0].stiffness_damping = damping;
    model.materials[0].mass_damping = 200;
    model.prescribed.push_back({{0}, {}});
    model.gravity = {1e4, 0, 0};
    played.options.dt = 2e-3;
    played.options.asynchronous.elastic_fraction = 0.05;  // F h^2 / m, that vertices go to and fro, is 1e-3 of strain
    played.begin();
    const KickPlan plan = make_kick_plan(model, played.options);
    const auto& levels = plan.corner_level;
    ASSERT_GT(*std::max_element(levels.begin(), levels.end()), *std::min_element(levels.begin(), levels.end()));
    played.advance(300);
    double load = 0;
    for (std::size_t s = model.elastic.springs.size(); s-- > 0;) {
      const Spring& spring = model.elastic.springs[s];
      load += model.elastic.mass[spring.vertices[1]] * model.gravity[0];
      const double length =
          (block(played.state.x, spring.vertices[1]) - block(played.state.x, spring.vertices[0])).norm();
      EXPECT_NEAR(spring.stiffness * (length - spring.rest_length), load, 1e-3 * load) << s << " " << damping;
    }
  }
}

TEST(Kicks, TheSameBitsForAnyNumberOfThreads) {
  std::vector<Played> sheets;
  std::vector<StepReport> reports;
  for (const int threads : {1, 2, 4}) {
    set_thread_count(threads);
    reports.push_back(sheets.emplace_back(uneven_sheet({50, 60})).advance(2));
  }
  set_thread_count(1);
  ASSERT_GT(sheets[0].state.x.size(), 3 * 2048);  // several chunks of vertices
  for (std::size_t k = 1; k < sheets.size(); ++k) {
    EXPECT_EQ(sheets[k].state.x, sheets[0].state.x);
    EXPECT_EQ(sheets[k].state.v, sheets[0].state.v);
    EXPECT_EQ(reports[k].dissipation_damping, reports[0].dissipation_damping);
    EXPECT_EQ(reports[k].angular_impulse_external, reports[0].angular_impulse_external);
  }
}

VecX place_after(double time, double dt, double fraction) {
  Played played = cable({1, 0.3, 2, 0.15}, 50);
  played.model.prescribed.push_back({{0}, Motion()});
  played.model.gravity = {0, 0, -9.81};
  played.options.dt = dt;
  played.options.asynchronous.elastic_fraction = fraction;
  played.begin();
  played.advance(static_cast<int>(std::lround(time / dt)));
  return played.state.x;
}

TEST(Kicks, UnequalClocksAreOfSecondOrder) {
  const VecX exact = place_after(0.5, 0.05 / 64, 0.25 / 64);
  const double coarse = (place_after(0.5, 0.05, 0.25) - exact).norm();
  const double fine = (place_after(0.5, 0.0125, 0.0625) - exact).norm();
  EXPECT_GT(coarse / fine, 10);  // 16
  EXPECT_LT(coarse / fine, 22);
}

Played thrown_box() {
  Played played;
  played.model.gravity.setZero();
  played.model.materials = {{.name = "m", .young = 1e5, .poisson = 0.3, .density = 1000}};
  test::add(played.model, ObjectType::deformable, generate(BoxShape{.size = {0.2, 0.1, 0.15}, .cells = {4, 2, 3}}),
            0);
  played.options.detect_collisions = false;
  played.options.dt = 0.01;
  played.begin();
  for (Index i = 0; i < static_cast<Index>(played.model.mesh.vertices.size()); ++i) {
    const Vec3 X = block(played.state.x, i);
    block(played.state.v, i) = Vec3(1, 2, 3) + Vec3(5, -3, 4).cross(X) + 4 * Vec3(X[2], 0, X[0]);
  }
  return played;
}

TEST(Kicks, KeepMomentaAndEnergy) {
  Played played = thrown_box();
  const Measures start = measure(played.model, played.state);
  double first = 0, second = 0, kicks = 0;
  for (int n = 0; n < 400; ++n) {
    const StepReport r = played.advance(1);
    kicks += static_cast<double>(r.events.kicks_tet);
    const double energy = r.kinetic_energy + r.elastic_energy;
    (n < 200 ? first : second) += energy / 200;
    ASSERT_NEAR(energy, start.kinetic_energy + start.elastic_energy, 0.01 * start.kinetic_energy) << n;
    if (n == 399) {
      EXPECT_LT((r.momentum - start.momentum).norm(), 1e-12 * start.momentum.norm());
      EXPECT_LT((r.angular_momentum - start.angular_momentum).norm(), 1e-11 * start.angular_momentum.norm());
    }
  }
  EXPECT_GT(kicks, 1e6);
  EXPECT_NEAR(second, first, 2e-4 * first);
}

TEST(Kicks, AreTheSameBitsForAnyNumberOfThreads) {
  std::vector<VecX> ends;
  for (const int threads : {1, 2, 4}) {
    set_thread_count(threads);
    Played played = thrown_box();
    played.model.materials[0].stiffness_damping = 1e-4;
    played.begin();
    played.state.v = VecX::LinSpaced(played.state.v.size(), -1, 1);
    played.advance(20);
    ends.push_back(played.state.x);
  }
  set_thread_count(1);
  EXPECT_EQ(ends[0], ends[1]);
  EXPECT_EQ(ends[0], ends[2]);
}

TEST(Kicks, GravityGivesExactlyItsMomentum) {
  Played played = thrown_box();
  played.model.gravity = {0, 0, -10};
  played.begin();
  const double mass = played.model.elastic.mass.sum();
  EXPECT_NEAR(played.advance(100).momentum[2], -10 * mass, 1e-12 * mass);  // after 1 s
}

// Half of the damping before each kick of gravity and half after it: off by (alpha h)^2 / 24, h the step of gravity,
// and by a quarter of that in the two halves of the kick that is split.
TEST(Kicks, MassDampingIsOfSecondOrder) {
  for (const double fraction : {0.25, 0.125, 0.0625}) {
    Played played = thrown_box();
    played.model.gravity = {0, 0, -10};
    played.model.materials[0].mass_damping = 30;
    played.options.asynchronous.elastic_fraction = fraction;
    played.begin();
    const KickPlan plan = make_kick_plan(played.model, played.options);
    const auto longest = std::min_element(plan.steady_level.begin(), plan.steady_level.end());
    const auto shortest = std::max_element(plan.steady_level.begin(), plan.steady_level.end());
    const StepReport r = played.advance(10);
    const double exact = -10.0 / 30 * (1 - std::exp(-3.0)), reached = r.momentum[2] / played.model.elastic.mass.sum();
    const auto off = [&](int level) {
      const double h = length_of(level, 1);
      return std::pow(30 * h * played.options.dt, 2) / 24 * (1 - 0.75 * h);
    };
    EXPECT_LT((exact - reached) / exact, 1.01 * off(*longest)) << fraction << " " << int(*longest);
    EXPECT_GT((exact - reached) / exact, 0.99 * off(*shortest)) << fraction << " " << int(*shortest);
    EXPECT_GT(r.dissipation_damping, 0);
  }
}

// Vertices inside a body have no contacts whose clocks they keep up with; gravity is no longer in coming there.
TEST(Kicks, WhatFallsFreelyIsNotStrained) {
  for (const Clocks clocks : {Clocks::binary, Clocks::free}) {
    Played played;
    played.model.gravity = {1, -2, -9.81};
    played.model.materials = {{.name = "m", .young = 5e5, .poisson = 0.3, .density = 1000}};
    test::add(played.model, ObjectType::deformable, generate(BoxShape{.size = {0.1, 0.1, 0.1}, .cells = {3, 3, 3}}),
              0);
    played.options.dt = 0.005;
    played.options.asynchronous.clocks = clocks;
    played.begin();
    const Measures start = measure(played.model, played.state);
    for (int n = 0; n < 60; ++n) {
      const StepReport r = played.advance(1);
      ASSERT_LT(r.elastic_energy, clocks == Clocks::binary ? 1e-20 : 1e-8) << n;
      if (clocks == Clocks::binary) {
        ASSERT_NEAR(r.kinetic_energy + r.potential_energy, start.potential_energy, 1e-11) << n;
      }
    }
  }
}

TEST(Kicks, TheLedgerOfMomentumCloses) {
  Played played = thrown_box();
  MotionSpec spec;
  spec.velocity = {0.3, 0, 0.1};
  played.model.prescribed.push_back({{0, 1, 2, 3}, Motion(spec)});
  played.model.gravity = {0, 0, -10};
  played.model.materials[0].mass_damping = 1;
  played.begin();
  Measures before = measure(played.model, played.state);
  for (int n = 0; n < 30; ++n) {
    const StepReport r = played.advance(1);
    const Vec3 given = r.impulse_external + r.impulse_prescribed;
    const Vec3 turned = r.angular_impulse_external + r.angular_impulse_prescribed;
    ASSERT_LT((r.momentum - before.momentum - given).norm(), 1e-11) << n;
    ASSERT_LT((r.angular_momentum - before.angular_momentum - turned).norm(), 1e-11) << n;
    ASSERT_LT(std::abs(r.dissipation_scheme), 0.05 * std::abs(r.kinetic_energy + r.elastic_energy)) << n;
    before = measure(played.model, played.state);
  }
}

}  // namespace kicks_test
}  // namespace sim
