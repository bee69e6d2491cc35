// Which gap a contact aims at: its own where that is good, and a position is never asked for as a velocity that
// stays.
#include <gtest/gtest.h>

#include "step/contact_problem.hpp"
#include "step/tolerance.hpp"

namespace sim {
namespace target_gaps_test {

constexpr double eps2 = 5e-6, dt = 0.001;
const Vec3 gravity(0, 0, -9.81);
// Of a contact without an approach: 10 of a hundredth of dt^2 |g|.
constexpr double correction = 0.1 * dt * dt * 9.81;

// A vertex over a face in the plane z = 0, by `gap`.
struct Above {
  CollisionSurface surface;
  ContactOptions options;
  VecX v = VecX::Zero(12);
  ContactSet set;
  double step;

  explicit Above(double gap, double step_size = dt) : step(step_size) {
    surface.vertex_object = {0, 1, 1, 1};
    surface.vertex_body = {-1, -1, -1, -1};
    surface.vertex_moves = {1, 0, 0, 0};
    Contact contact;
    contact.vertices = {0, 1, 2, 3};
    contact.weights = {1, -0.25, -0.25, -0.5};
    contact.gap = gap;
    contact.lambda = 1;
    set.contacts = {contact};
  }
  TargetGapRule rule() const { return {surface, options, {gravity.norm()}, v, step}; }
  double target_gap() {
    set_target_gaps(rule(), set);
    return set.contacts[0].target_gap;
  }
  double target_gap_when_new() {
    set.contacts[0].lambda = set.contacts[0].target_gap = 0;
    set_target_gap_of_new_contacts(rule(), set);
    return set.contacts[0].target_gap;
  }
};

TEST(TargetGaps, AreTheGapsThatContactsHave) {
  for (const double part : {0.04, 0.1, 0.4, 0.7}) EXPECT_DOUBLE_EQ(Above(part * eps2).target_gap(), part * eps2);
}

TEST(TargetGaps, FallFromAbove) {
  EXPECT_DOUBLE_EQ(Above(0.9 * eps2).target_gap(), 0.7 * eps2);
  EXPECT_DOUBLE_EQ(Above(1).target_gap(), 0.7 * eps2);
}

TEST(TargetGaps, RiseAtMostByTheCorrection) {
  EXPECT_DOUBLE_EQ(Above(0.005 * eps2, 0.1 * dt).target_gap(), 0.005 * eps2 + 0.01 * correction);
  EXPECT_NEAR(Above(-1.5e-6).target_gap(), -1.5e-6 + correction, 1e-20);
  EXPECT_DOUBLE_EQ(Above(0.03 * eps2).target_gap(), 0.04 * eps2);  // and no farther than that
}

// As a velocity: a tenth of what gravity gives in the step, however short it is.
TEST(TargetGaps, AskForNoVelocityThatGravityDoesNotGiveInAStep) {
  for (const double step : {1e-2, 1e-3, 1e-4, 1e-5, 1e-6}) {
    Above above(0.01 * eps2);
    above.step = step;
    const double velocity = (above.target_gap() - 0.01 * eps2) / step;
    EXPECT_GT(velocity, 0) << step;
    EXPECT_LE(velocity, 0.1 * 9.81 * step * (1 + 1e-9)) << step;
  }
}

TEST(TargetGaps, RiseFasterInAnImpact) {
  Above above(-2e-6);
  block(above.v, 0) = Vec3(3, 0, -1.5);
  block(above.v, 2) = Vec3(0, 0, 2);  // a quarter of it counts: 2 m/s in all
  EXPECT_DOUBLE_EQ(above.target_gap(), -2e-6 + 0.1 * dt * 0.01 * 2);
}

TEST(TargetGaps, AsPublishedAreTheSafetyDistanceAtOnce) {
  for (const double gap : {-1e-6, 0.1 * eps2, 0.69 * eps2, 2 * eps2}) {
    Above above(gap);
    above.options.as_published = true;
    EXPECT_DOUBLE_EQ(above.target_gap(), eps2);
    EXPECT_DOUBLE_EQ(above.target_gap_when_new(), eps2);
  }
}

TEST(TargetGaps, OfANewContactAreItsOwnAndAtMostHalfOfEps2) {
  for (const Index body : {-1, 0}) {
    const auto is = [&](Above above, double expected) {
      above.surface.vertex_body[0] = body;
      EXPECT_DOUBLE_EQ(above.target_gap_when_new(), expected);
    };
    is(Above(0.01), 0.5 * eps2);
    is(Above(0.4 * eps2), 0.4 * eps2);
    is(Above(0.05 * eps2), 0.05 * eps2);
    is(Above(0.005 * eps2, 0.1 * dt), 0.005 * eps2 + 0.01 * correction);
  }
}

// The same vertex with another wall against its back, which it has a contact with.
Above between_walls(double gap) {
  Above above(gap);
  Contact behind = above.set.contacts[0];
  behind.n = -behind.n;
  behind.target_gap = behind.gap = 0.6 * eps2;
  above.surface.vertex_object.insert(above.surface.vertex_object.end(), 3, 2);
  above.surface.vertex_body.insert(above.surface.vertex_body.end(), 3, -1);
  above.surface.vertex_moves.insert(above.surface.vertex_moves.end(), 3, 0);
  behind.vertices = {0, 4, 5, 6};
  above.set.contacts.push_back(behind);
  return above;
}

TEST(TargetGaps, OfANewContactOfWhatHasPlayLeaveHalfOfIt) {
  for (const Index body : {-1, 0}) {
    const auto is = [&](double gap, double expected) {
      Above above = between_walls(gap);
      above.surface.vertex_body[0] = body;
      EXPECT_DOUBLE_EQ(above.target_gap_when_new(), expected);
    };
    is(0.01, 0.5 * eps2);
    is(0.6 * eps2, 0.3 * eps2);
    is(0.3 * eps2, 0.15 * eps2);
    is(0.05 * eps2, 0.04 * eps2);
  }
}

// A container has contacts on all of its sides; only what moves in it has play.
TEST(TargetGaps, OfANewContactOfWhatDoesNotMoveAreNoPlay) {
  Above above = between_walls(0.4 * eps2);
  above.set.contacts[1].vertices = {4, 1, 2, 3};  // another vertex at the back of the same wall
  EXPECT_DOUBLE_EQ(above.target_gap_when_new(), 0.4 * eps2);
}

// A rigid face bears on all of its vertices only where they end with one gap: that of what is nearest.
TEST(TargetGaps, OfNewContactsOfARigidFaceAreOne) {
  Above above = between_walls(0.6 * eps2);
  above.surface.vertex_body[0] = 0;
  Contact nearer = above.set.contacts[0];
  nearer.gap = 0.3 * eps2;
  nearer.target_gap = nearer.lambda = 0;
  above.set.contacts.push_back(nearer);
  EXPECT_DOUBLE_EQ(above.target_gap_when_new(), 0.15 * eps2);
  EXPECT_DOUBLE_EQ(above.set.contacts[2].target_gap, 0.15 * eps2);
}

// What pushes between the same two objects says where their faces are; else it keeps its own, wherever it is by now.
TEST(TargetGaps, OfWhatDoesNotPushAreThoseOfWhatDoesBetweenTheSameObjectsOrItsOwnOfBefore) {
  for (const Index body : {-1, 0}) {
    Above above(0.4 * eps2);
    above.surface.vertex_body[0] = body;
    above.set.contacts[0].lambda = 0;
    above.set.contacts[0].target_gap = 0.3 * eps2;
    Contact pushes = above.set.contacts[0];
    pushes.gap = 0.1 * eps2;
    pushes.lambda = 1;
    above.set.contacts.push_back(pushes);
    set_target_gaps(above.rule(), above.set);
    EXPECT_DOUBLE_EQ(above.set.contacts[0].target_gap, 0.1 * eps2);
    EXPECT_DOUBLE_EQ(above.set.contacts[1].target_gap, 0.1 * eps2);
    above.set.contacts[0].target_gap = 0.3 * eps2;
    above.surface.vertex_object = {0, 2, 2, 1};  // another pair: by its first and last vertex
    above.set.contacts[1].vertices = {0, 1, 2, 2};
    set_target_gaps(above.rule(), above.set);
    EXPECT_DOUBLE_EQ(above.set.contacts[0].target_gap, 0.3 * eps2);
  }
}

TEST(TargetGaps, OfWhatPushesOnARigidFaceAreTheirMean) {
  for (const Index body : {-1, 0}) {
    Above above(0.4 * eps2);
    above.surface.vertex_body[0] = body;
    Contact other = above.set.contacts[0];
    other.gap = 0.2 * eps2;
    above.set.contacts.push_back(other);
    set_target_gaps(above.rule(), above.set);
    EXPECT_DOUBLE_EQ(above.set.contacts[0].target_gap, (body < 0 ? 0.4 : 0.3) * eps2);
    EXPECT_DOUBLE_EQ(above.set.contacts[1].target_gap, 0.2 * eps2);  // nothing is raised
  }
}

TEST(TargetGaps, OfWhatPushesElasticBodiesQuasiStaticAreTheirMeanByForce) {
  for (const bool is_static : {true, false}) {
    Above above(0.6 * eps2);
    Contact other = above.set.contacts[0];
    other.gap = 0.2 * eps2;
    other.lambda = 3;
    above.set.contacts.push_back(other);
    TargetGapRule rule = above.rule();
    rule.is_static = is_static;
    set_target_gaps(rule, above.set);
    EXPECT_DOUBLE_EQ(above.set.contacts[0].target_gap, (is_static ? 0.3 : 0.6) * eps2);
    EXPECT_DOUBLE_EQ(above.set.contacts[1].target_gap, (is_static ? 0.3 : 0.2) * eps2);
  }
}

// By the frame that it has after it was followed, it begins nearer than it was asked to end.
TEST(TargetGaps, OfANewContactAreNoMoreThanItBeginsWith) {
  Above above(0.4 * eps2);
  VecX x0 = VecX::Zero(12);
  x0[2] = 0.3 * eps2;
  Contact& contact = above.set.contacts[0];
  contact.n = Vec3::UnitZ();
  contact.target_gap = 0.5 * eps2;
  bound_target_gaps(above.rule(), x0, above.set);
  EXPECT_DOUBLE_EQ(contact.target_gap, 0.3 * eps2);
  contact.target_gap = 0.5 * eps2;
  contact.raised = 1;  // it has been asked to keep off
  bound_target_gaps(above.rule(), x0, above.set);
  EXPECT_DOUBLE_EQ(contact.target_gap, 0.5 * eps2);
  contact.raised = 0;
  contact.age = 1;
  bound_target_gaps(above.rule(), x0, above.set);
  EXPECT_DOUBLE_EQ(contact.target_gap, 0.5 * eps2);
}

TEST(TargetGaps, ThatContactsHaveStayWhenOthersAreNew) {
  Above above(0.4 * eps2);
  above.set.contacts[0].target_gap = 0.6 * eps2;
  set_target_gap_of_new_contacts(above.rule(), above.set);
  EXPECT_DOUBLE_EQ(above.set.contacts[0].target_gap, 0.6 * eps2);
}

TEST(TargetGaps, GoByTheEps2OfTheContact) {
  Above above(2 * eps2);
  above.set.contacts[0].eps2 = 100 * eps2;
  EXPECT_DOUBLE_EQ(above.target_gap(), 2 * eps2 + correction);
}

// A vertex that falls by `way` through a face, with a contact of before that should have kept it off.
double raised_by(double way, double v) {
  const std::vector<Triangle> triangles{{1, 2, 3}};
  const std::vector<Index> object{0, 1, 1, 1};
  const std::vector<std::uint8_t> moves{1, 0, 0, 0};
  const CollisionSurface surface = make_surface(triangles, object, moves);
  VecX x0(12);
  x0 << 0.2, 0.2, 1e-6, 0, 0, 0, 1, 0, 0, 0, 1, 0;
  VecX x1 = x0;
  x1[2] -= way;
  const Hit hit{ContactKind::vertex_face, {0, 0}, 0.5};
  Above above(1e-6);
  block(above.v, 0) = Vec3(0, 0, v);
  Contact& contact = above.set.contacts[0];
  contact.id = contact_id(hit.kind, hit.pair);
  contact.pair = hit.pair;
  contact.target_gap = 2e-6;
  keep_off(surface, std::array{hit}, above.rule(), x0, x1, above.set);
  return contact.target_gap - 2e-6;
}

TEST(KeepOff, RaisesTheAimByAPartOfTheWayAtLeastByTheCorrectionAndAtMostByHalf) {
  EXPECT_NEAR(raised_by(1e-5, 0), correction, 1e-18);  // a twentieth of the way is less
  EXPECT_NEAR(raised_by(3e-5, 0), 0.05 * 3e-5, 1e-18);
  EXPECT_NEAR(raised_by(1e-3, 0), 0.5 * eps2, 1e-18);
  EXPECT_NEAR(raised_by(1e-5, -1.5), 0.1 * dt * 0.01 * 1.5, 1e-18);  // of an impact
  EXPECT_NEAR(raised_by(1e-5, -100), 0.5 * eps2, 1e-18);
}

// A vertex at z = begins over a face in the plane z = 0 that is to end at target_gap, asked for no corrections.
bool asks_for_less(double begins, double target_gap, const std::array<double, 2>& travel, ContactSet& set) {
  VecX x0 = VecX::Zero(12);
  block(x0, 0) = Vec3(0.25, 0.25, begins);
  block(x0, 2) = Vec3(1, 0, 0);
  block(x0, 3) = Vec3(0, 0.5, 0);
  set = Above(begins).set;
  set.contacts[0].target_gap = target_gap;
  set.contacts[0].c_t = travel;
  const Index which = 0;
  return ask_for_no_corrections({&which, 1}, x0, set);
}

TEST(TargetGaps, WithoutRoomContactsEndAsTheyBegan) {
  ContactSet set;
  EXPECT_TRUE(asks_for_less(0.1 * eps2, 0.3 * eps2, {}, set));
  EXPECT_DOUBLE_EQ(set.contacts[0].target_gap, 0.1 * eps2);
  EXPECT_LT(room_below_target(set.contacts[0], 0.02), 0.1 * eps2);  // and may not miss so much that they touch
}

TEST(TargetGaps, WithoutRoomNewContactsHoldFromTheStartOn) {
  ContactSet set;
  EXPECT_TRUE(asks_for_less(0.9 * eps2, 0.7 * eps2, {1e-5, -2e-5}, set));
  EXPECT_EQ(set.contacts[0].c_t, (std::array<double, 2>{}));
  EXPECT_DOUBLE_EQ(set.contacts[0].target_gap, 0.7 * eps2);
}

TEST(TargetGaps, WithoutRoomNothingElseIsAskedForLess) {
  ContactSet set;
  EXPECT_FALSE(asks_for_less(0.9 * eps2, 0.7 * eps2, {}, set));
  EXPECT_DOUBLE_EQ(set.contacts[0].target_gap, 0.7 * eps2);  // closes
  EXPECT_FALSE(asks_for_less(-0.1 * eps2, 0.2 * eps2, {}, set));
  EXPECT_DOUBLE_EQ(set.contacts[0].target_gap, 0.2 * eps2);  // has to come out
}

}  // namespace target_gaps_test
}  // namespace sim
