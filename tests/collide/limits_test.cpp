// Strain limits as contacts.
#include "collide/limits.hpp"

#include <gtest/gtest.h>

#include "collide/scenes.hpp"

namespace sim {
namespace limits_test {

using namespace sim::test;

// An edge of 1 m that may be from 0.8 to 1.2 m long.
struct OneEdge {
  CollisionSurface surface;
  VecX x0;

  OneEdge() {
    CollideScene scene;
    scene.add({Vec3(0, 0, 0), Vec3(1, 0, 0)}, {{0, 1, 1}});
    surface = scene.surface();
    surface.limits.push_back(limit_length({0, 1}, 0, 1, {0.2, 0.2}));
    x0 = stacked(scene.x);
  }
  VecX with_end(const Vec3& end) const {
    VecX x = x0;
    block(x, 1) = end;
    return x;
  }
  std::vector<Hit> hits(const Vec3& end, const ContactSet& set = {}) const {
    std::vector<Hit> found;
    find_passed_limits(surface, set, with_end(end), found);
    return found;
  }
};

TEST(Limits, AreFoundWhereTheyArePassed) {
  const OneEdge edge;
  EXPECT_TRUE(edge.hits(Vec3(1.19, 0, 0)).empty());
  EXPECT_TRUE(edge.hits(Vec3(0, 0.81, 0)).empty());
  ASSERT_EQ(edge.hits(Vec3(0, 0, 1.21)).size(), 1u);
  EXPECT_EQ(edge.hits(Vec3(0, 0, 1.21))[0].pair, (Pair{0, 0}));
  EXPECT_EQ(edge.hits(Vec3(0, 0, 0.79))[0].pair, (Pair{0, 1}));
}

TEST(Limits, HaveTheirGapsAlongTheEdgeWhereTheMotionLeads) {
  const OneEdge edge;
  const VecX longer = edge.with_end(Vec3(0, 0, 1.5)), shorter = edge.with_end(Vec3(0.3, 0.4, 0));
  const Contact upper = make_limit(edge.surface, {0, 0}, edge.x0, longer);
  const Contact lower = make_limit(edge.surface, {0, 1}, edge.x0, shorter);
  EXPECT_NEAR(gap(upper, longer), -0.3, 1e-15);
  EXPECT_NEAR(gap(upper, edge.x0), 1.2, 1e-15);  // across to where it was
  EXPECT_NEAR(gap(lower, shorter), -0.3, 1e-15);
  EXPECT_NEAR(upper.eps2, 0.01, 1e-16);
  EXPECT_LT((upper.n.cross(upper.t1) - upper.t2).norm(), 1e-15);
  // Farther takes gap from the upper one and gives it to the lower one.
  EXPECT_LT(upper.n.dot(block(longer, 1)) * upper.weights[1], 0);
  EXPECT_GT(lower.n.dot(block(shorter, 1)) * lower.weights[1], 0);
}

// What turns has not passed a limit for that: along where it will point it was shorter than it is.
TEST(Limits, BeginWithTheGapOfTheirLength) {
  const OneEdge edge;
  const VecX turned = edge.with_end(0.79 * Vec3(std::cos(0.8), std::sin(0.8), 0));
  const Contact lower = make_limit(edge.surface, {0, 1}, edge.x0, turned);
  EXPECT_NEAR(lower.gap, 0.2, 1e-15);
  EXPECT_NEAR(gap(lower, edge.x0), std::cos(0.8) - 0.8, 1e-15);  // less than nothing
  const Contact upper = make_limit(edge.surface, {0, 0}, edge.x0, edge.with_end(Vec3(0, 1.21, 0)));
  EXPECT_NEAR(upper.gap, 0.2, 1e-15);
}

TEST(Limits, TurnWithTheirEdge) {
  const OneEdge edge;
  Contact upper = make_limit(edge.surface, {0, 0}, edge.x0, edge.with_end(Vec3(1.3, 0, 0)));
  const VecX x = edge.with_end(1.25 * Vec3(std::cos(0.2), std::sin(0.2), 0));
  EXPECT_NEAR(relinearise_limit(upper, x).done, 0.2 * 180 / 3.14159265358979, 1e-9);
  EXPECT_NEAR(upper.gap, -0.05, 1e-15);
}

TEST(Limits, BecomeContactsOnceAndKeepTheirScales) {
  const OneEdge edge;
  ContactSet set;
  const VecX x1 = edge.with_end(Vec3(0, 1.5, 0));
  EXPECT_EQ(add_contacts(edge.surface, edge.hits(Vec3(0, 1.5, 0)), edge.x0, x1, set), 1);
  EXPECT_EQ(add_contacts(edge.surface, edge.hits(Vec3(0, 1.5, 0)), edge.x0, x1, set), 0);
  ASSERT_EQ(set.contacts.size(), 1u);
  EXPECT_EQ(edge.hits(Vec3(0, 1.5, 0), set).size(), 1u);  // it is there and does nothing
  set.contacts[0].state = FrictionState::sliding;
  EXPECT_TRUE(edge.hits(Vec3(0, 1.5, 0), set).empty());
  set.contacts[0].eps2 = set.contacts[0].thickness = 0;  // as a checkpoint has them
  begin_step(edge.surface, set, edge.x0);
  EXPECT_NEAR(set.contacts[0].eps2, 0.01, 1e-16);
  EXPECT_EQ(set.contacts[0].thickness, -1.2);
  std::vector<Contact> limits;
  split_limits(set.contacts, limits);
  EXPECT_TRUE(set.contacts.empty());
  EXPECT_EQ(limits.size(), 1u);
}

TEST(Limits, OfEdgesThatAreToldAreNobodysBusiness) {
  OneEdge edge;
  std::fill(edge.surface.vertex_moves.begin(), edge.surface.vertex_moves.end(), 0);
  EXPECT_TRUE(edge.hits(Vec3(2, 0, 0)).empty());
}

}  // namespace limits_test
}  // namespace sim
