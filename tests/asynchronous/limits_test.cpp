// Strain limits as layers: what is soft holds at its limit, and nothing else changes.
#include <gtest/gtest.h>

#include "asynchronous/played.hpp"
#include "mesh/generate.hpp"
#include "model/measure.hpp"

namespace sim {
namespace limits_test {

using test::cable;
using test::Played;

// Ten soft segments of 0.1 m and 0.1 kg.
Played soft_chain(std::array<double, 2> limit) {
  Played played = cable(std::vector<double>(10, 0.1), 5);
  played.model.materials[0].strain_limit = limit;
  played.options.dt = 0.01;
  return played;
}

std::array<double, 2> shortest_and_longest(const Played& played) {  // parts of the length at rest
  std::array<double, 2> range{1e9, 0};
  for (const Spring& spring : played.model.elastic.springs) {
    const auto [a, b] = spring.vertices;
    const double ratio = (block(played.state.x, b) - block(played.state.x, a)).norm() / spring.rest_length;
    range = {std::min(range[0], ratio), std::max(range[1], ratio)};
  }
  return range;
}

TEST(StrainLimits, HoldASoftChainThatHangs) {
  double longest_free = 0, limited = 0;  // limits that push, mean of the last steps: a chain without damping swings
  for (const double limit : {1.0, 0.1}) {
    Played played = soft_chain({1, limit});
    played.model.gravity = {0, 0, -9.81};
    played.model.prescribed.push_back({{0}, Motion()});
    played.begin();
    for (int n = 0; n < 100; ++n) {
      const StepReport r = played.advance(1);
      const double longest = shortest_and_longest(played)[1];
      longest_free = std::max(longest_free, longest);
      if (limit == 1) continue;
      ASSERT_LT(longest, 1.1) << n;
      EXPECT_LT(r.max_strain, 0.1);
      EXPECT_EQ(r.contacts, 0);
      if (n >= 50) {
        limited += r.limited / 50.0;
        EXPECT_GT(r.events.kicks_pair, 0);
      }
    }
    if (limit == 1) {
      EXPECT_GT(longest_free, 1.5);
    }
  }
  EXPECT_GT(limited, 5);
}

TEST(StrainLimits, KeepMomentaAndEnergy) {
  Played played = soft_chain({0.1, 0.1});
  played.begin();
  for (Index i = 0; i < 11; ++i)
    block(played.state.v, i) = Vec3(std::cos(2.0 * i), std::sin(3.0 * i), std::cos(5.0 * i)) + Vec3(1, 2, 3);
  const Measures start = measure(played.model, played.state);
  double most = 0;
  for (int n = 0; n < 100; ++n) {
    const StepReport r = played.advance(1);
    ASSERT_LT((r.momentum - start.momentum).norm(), 1e-13);
    ASSERT_LT((r.angular_momentum - start.angular_momentum).norm(), 1e-13);
    const auto [shortest, longest] = shortest_and_longest(played);
    ASSERT_GT(shortest, 0.9);
    ASSERT_LT(longest, 1.1);
    most = std::max(most, std::abs(r.kinetic_energy + r.elastic_energy + r.contact_energy - start.kinetic_energy));
  }
  EXPECT_LT(most, 0.05 * start.kinetic_energy);
}

TEST(StrainLimits, AreTheSameForAllCullers) {
  std::vector<State> ends;
  for (const Culler culler : {Culler::windows, Culler::kds, Culler::all_pairs}) {
    Played played = soft_chain({0.1, 0.1});
    played.model.gravity = {0, 0, -9.81};
    played.model.prescribed.push_back({{0}, Motion()});
    played.options.detect_collisions = true;
    played.options.asynchronous.max_layers = 12;
    played.options.asynchronous.restitution = 0.3;
    played.options.asynchronous.culler = culler;
    played.begin();
    ASSERT_LT(played.advance(40).events.deepest, 12);
    ends.push_back(played.state);
  }
  EXPECT_EQ(ends[0].x, ends[1].x);
  EXPECT_EQ(ends[0].v, ends[1].v);
  EXPECT_EQ(ends[0].x, ends[2].x);
  EXPECT_EQ(ends[0].v, ends[2].v);
}

TEST(StrainLimits, EndTheRunWhereTheyCannotBeKept) {
  Played played = soft_chain({1, 0.1});
  played.model.prescribed.push_back({{0}, Motion()});
  played.options.asynchronous.max_layers = 60;
  played.begin();
  for (Index i = 1; i < 11; ++i) block(played.state.v, i) = Vec3(0.1 * i * 300, 0, 0);
  const StepReport r = step(played.model, played.options, played.state, played.scratch);
  EXPECT_EQ(r.status, StepStatus::layer_limit);
  EXPECT_NE(r.reason.find("strain limit"), std::string::npos) << r.reason;
}

}  // namespace limits_test
}  // namespace sim
