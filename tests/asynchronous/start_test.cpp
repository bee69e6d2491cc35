// Scenes that begin nearer than layers reach, and what is told of them.
#include <gtest/gtest.h>

#include <limits>
#include <tuple>

#include "asynchronous/advice.hpp"
#include "asynchronous/kick_plan.hpp"
#include "asynchronous/played.hpp"
#include "mesh/generate.hpp"

namespace sim {
namespace start_test {

using test::Played;
using test::SchemeLedger;
using test::triangle_above_floor;

// By no more than distances are rounded, which is up to the compiler: weights of points in the large triangle of the
// floor add up to one within some ulps, and so far the height is known.
TEST(Start, NothingIsPushedWhereItBegins) {
  const double height = 0.03, rounding = 4 * std::numeric_limits<double>::epsilon() * height;
  Played played = triangle_above_floor(height, {0.1, 0.2, 0});  // layers reach 0.1 m
  played.begin();
  const VecX v = played.state.v;
  for (int n = 0; n < 20; ++n) {
    const StepReport r = played.advance(1);
    EXPECT_LE(r.contact_energy, 3 * 0.5 * 1000 * rounding * rounding);
  }
  EXPECT_LT((played.state.v - v).norm(), 1e-13);
}

TEST(Start, AllPairsOfTwoObjectsPushFromTheSameDistanceOn) {
  Played played = triangle_above_floor(0.03, {0, 0, 0});
  test::add(played.model, ObjectType::deformable, test::one_triangle({0, 0, 0.11}, {1, 0, 0.12}, {0.5, 0.5, 0.13}),
            0);
  played.begin();
  const Thickness thickness = find_thickness(played.model, 0.1);
  ASSERT_EQ(thickness.close.size(), 2);
  EXPECT_NEAR(thickness.between(0, 1), 0.03, 1e-15);
  EXPECT_NEAR(thickness.between(2, 0), 0.08, 1e-15);
  EXPECT_EQ(thickness.between(1, 2), 0.1);
  for (const Index vertex : {0, 1, 2})
    EXPECT_EQ(pair_thickness(played.model, thickness, ContactKind::vertex_face, {vertex, 3, 4, 5}),
              thickness.between(0, 1));
}

TEST(Start, WhatBeginsNearRestsAndSlidesAsOtherThingsDo) {
  const double mu = 0.3, angle = 30 * M_PI / 180;
  Played played = triangle_above_floor(0.03, {0, 0, 0});
  EXPECT_NEAR(test::gained_on_slope(played, angle, mu, 50), 0.8 * 10 * (std::sin(angle) - mu * std::cos(angle)),
              0.02 * 8 * 0.24);
  EXPECT_GT(played.state.x[2], 0.01);
  EXPECT_LT(played.state.x[2], 0.03);
}

TEST(Start, ItIsToldWhichObjectsAndWhichThicknessWouldSuit) {
  Played played = triangle_above_floor(0.03, {0, 0, 0});
  played.begin();
  const AsyncAdvice advice = advise(played.model, played.options);
  ASSERT_EQ(advice.warnings.size(), 1);
  for (const char* part :
       {"\"object0\" and \"object1\"", "0.03 m apart", "acm.thickness, 0.1 m", "acm.thickness 0.03"})
    EXPECT_NE(advice.warnings[0].find(part), std::string::npos) << advice.warnings[0];
  Played far = triangle_above_floor(0.11, {0, 0, 0});
  far.begin();
  EXPECT_TRUE(advise(far.model, far.options).warnings.empty());
}

TEST(Start, ItIsToldThatSheetsComeNearerThanTheyAreThick) {
  Played played = triangle_above_floor(1, {0, 0, 0});
  played.model.objects[0].thickness = 0.11;
  played.begin();
  const AsyncAdvice advice = advise(played.model, played.options);
  ASSERT_EQ(advice.warnings.size(), 1);
  for (const char* part : {"acm.thickness 0.1 m", "\"object0\"", "0.11 m"})
    EXPECT_NE(advice.warnings[0].find(part), std::string::npos) << advice.warnings[0];
  played.model.objects[0].thickness = 0.1;
  EXPECT_TRUE(advise(played.model, played.options).warnings.empty());
}

// In layer acm.rest_depth, 8, the weight of 30 N.
TEST(Start, ItIsToldWhichStiffnessCarriesAllThereIs) {
  Played played = triangle_above_floor(1, {0, 0, 0});
  played.model.gravity = {0, 0, -10};
  played.begin();
  const AsyncAdvice advice = advise(played.model, played.options);
  ASSERT_EQ(advice.warnings.size(), 1);
  EXPECT_NE(advice.warnings[0].find("acm.stiffness 1000 N/m"), std::string::npos) << advice.warnings[0];
  EXPECT_NE(advice.warnings[0].find("with 7.4 one pair carries"), std::string::npos) << advice.warnings[0];
  played.options.asynchronous.stiffness = 7.4;
  EXPECT_TRUE(advise(played.model, played.options).warnings.empty());
  EXPECT_NEAR(layers_under(7.4, 0.1, 30), 8, 0.1);
}

// What steps of kicks are without damping they are with as much as is told to cost nothing, and shorter with more.
TEST(Start, ItIsToldHowMuchDampingOfTheStiffnessCostsNothing) {
  Played played = triangle_above_floor(1, {0, 0, 0});
  played.model.friction = 0.3;
  played.options.asynchronous.stiffness = 60;
  played.begin();
  const double shortest = make_kick_plan(played.model, played.options).damped[0].shortest;
  const double free = make_kick_plan(played.model, played.options).damped[0].free;
  EXPECT_NE(advise(played.model, played.options).description.find("\"m\" swinging"), std::string::npos);
  for (const auto& [part, same] : {std::pair{0.999, true}, {1.01, false}}) {
    played.model.materials[0].stiffness_damping = part * free;
    played.begin();
    const double damped = make_kick_plan(played.model, played.options).damped[0].shortest;
    EXPECT_EQ(damped >= shortest * (1 - 1e-12), same) << part << " " << damped << " " << shortest;
  }
  EXPECT_EQ(advise(played.model, played.options).description.find("swinging"), std::string::npos);
}

TEST(Start, WhatAdviceHasFoundIsNotLookedForAgain) {
  Played played = triangle_above_floor(0.03, {0, 0, 0}), told = triangle_above_floor(0.03, {0, 0, 0});
  told.begin();
  told.scratch.thickness = advise(told.model, told.options).thickness;
  told.scratch.thickness.close[0].distance = 0.02;  // not what would be found
  told.advance(1);
  EXPECT_EQ(told.scratch.thickness.close[0].distance, 0.02);
  played.begin();
  played.advance(1);
  EXPECT_NEAR(played.scratch.thickness.close[0].distance, 0.03, 1e-15);
}

TEST(Start, ItIsToldWhenStiffnessDampingRulesTheClocks) {
  Played played = triangle_above_floor(1, {0, 0, 0});
  played.model.materials[0].stiffness_damping = 1;
  played.begin();
  const AsyncAdvice advice = advise(played.model, played.options);
  ASSERT_EQ(advice.warnings.size(), 1);
  EXPECT_NE(advice.warnings[0].find("stiffness damping 1 s of material \"m\""), std::string::npos);
  played.model.materials[0].stiffness_damping = 1e-6;
  played.begin();
  EXPECT_TRUE(advise(played.model, played.options).warnings.empty());
}

TEST(Start, ItIsToldThatWhatIsOfAnotherCullerDoesNothing) {
  Played played = triangle_above_floor(1, {0, 0, 0});
  played.begin();
  for (const Culler culler : {Culler::windows, Culler::kds}) {
    for (const auto& [vagueness, axes, name] :
         {std::tuple{2.0, 18, "acm.vagueness does"}, {0.0, 6, "acm.axes does"}, {0.0, 18, ""}}) {
      played.options.asynchronous.culler = culler;
      played.options.asynchronous.vagueness = vagueness;
      played.options.asynchronous.axes = axes;
      const std::vector<std::string> told = advise(played.model, played.options).warnings;
      const bool expected = culler == Culler::windows && *name != '\0';
      ASSERT_EQ(told.size(), expected ? 1 : 0) << name;
      if (expected) {
        EXPECT_EQ(told[0].find(name), 0) << told[0];
      }
    }
  }
}

TEST(Start, ItIsToldThatFreeClocksNeedSmallerSteps) {
  Played played = triangle_above_floor(1, {0, 0, 0});
  played.options.asynchronous.clocks = Clocks::free;
  played.begin();
  ASSERT_EQ(advise(played.model, played.options).warnings.size(), 1);
  played.options.asynchronous.elastic_fraction = 0.1;
  EXPECT_TRUE(advise(played.model, played.options).warnings.empty());
}

// A spring that is pressed slowly on a floor: its contact pushes at some ticks and not at others, and what it holds
// is not to grow by more than it was given.
TEST(Restitution, MakesNoEnergyWhereTheLoadGrowsSlowly) {
  for (const double restitution : {0.0, 0.3}) {
    Played played = test::cable({1}, 20);
    Model& model = played.model;
    model.mesh.vertices = {{0, 0, 0.11}, {0, 0, 1.11}};
    model.materials[0].mass_damping = 5;
    test::add(model, ObjectType::fixed, test::one_triangle({-50, -50, 0}, {100, -50, 0}, {-50, 100, 0}), -1);
    MotionSpec spec;
    spec.velocity = {0, 0, -0.05};
    model.prescribed.push_back({{1}, Motion(spec)});
    played.options.detect_collisions = true;
    played.options.asynchronous = {.thickness = 0.1, .stiffness = 10, .restitution = restitution};
    played.options.dt = 0.02;
    played.begin();
    SchemeLedger scheme;
    double elastic = 0;
    for (int n = 0; n < 400; ++n) {
      const StepReport r = played.advance(1);
      scheme.add(r);
      elastic = r.elastic_energy;
    }
    EXPECT_GT(elastic, 0.2);
    EXPECT_LT(scheme.made, 0.01 * elastic) << restitution;
  }
}

// What falls on a floor, tumbles and comes to rest: whatever comes back of its energy, none is made, and it rests
// where its weight is carried.
TEST(Restitution, ABoxThatFallsOnAFloorGetsNoEnergyFromNothing) {
  for (const double restitution : {0.0, 0.3, 0.9, 1.0}) {
    for (const double friction : {0.0, 0.3}) {
      Played played;
      Model& model = played.model;
      model.gravity = {0, 0, -9.81};
      model.friction = friction;
      model.materials = {{.name = "m", .young = 5e5, .poisson = 0.3, .density = 1000}};
      if (restitution == 0 && friction > 0) model.materials[0].mass_damping = 8;
      Mesh box = generate(BoxShape{.size = {0.1, 0.1, 0.1}, .cells = {2, 2, 2}});
      const Eigen::AngleAxisd turn(0.2, Vec3(1, 2, 0).normalized());
      for (Vec3& x : box.vertices) x = turn * x + Vec3(0.01, 0.02, 0.09);
      test::add(model, ObjectType::deformable, box, 0);
      test::add(model, ObjectType::fixed, test::one_triangle({-5, -5, 0}, {10, -5, 0}, {-5, 10, 0}), -1);
      played.options.detect_collisions = true;
      played.options.dt = 0.005;
      played.options.asynchronous = {.thickness = 2e-3, .stiffness = 150, .restitution = restitution};
      played.begin();
      SchemeLedger scheme;
      StepReport r;
      for (int n = 0; n < 200; ++n) {
        r = played.advance(1);
        scheme.add(r);
      }
      const double in_play = 0.03 * 9.81;  // J, of the fall
      EXPECT_LT(scheme.made, 0.01 * in_play) << restitution << " " << friction;
      if (restitution == 0 && friction > 0) {
        EXPECT_LT(r.kinetic_energy, 1e-3 * in_play);
      }
      if (restitution == 1 && friction == 0) {
        EXPECT_NEAR(scheme.taken, 0, 0.01 * in_play);
      }
    }
  }
}

}  // namespace start_test
}  // namespace sim
