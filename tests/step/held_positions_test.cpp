// What sticking contacts of two bodies that move as wholes take back is one motion of the one past the other, of
// elastic ones one displacement, and what thick things keep of a contact is on its side.
#include "step/held_positions.hpp"

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <random>

#include "step/contact_problem.hpp"

namespace sim {
namespace held_positions_test {

// Vertices 3 to 14 of a body over the face of vertices 0 to 2 of another one.
struct TwoBodies {
  static constexpr Index first = 3, count = 12;
  Model model;
  VecX x = VecX::Zero(3 * (first + count));
  ContactSet set;
  std::mt19937 random{5};

  Vec3 any(double size) {
    std::uniform_real_distribution<double> uniform(-size, size);
    return {uniform(random), uniform(random), uniform(random)};
  }

  // Contacts in a plane, or with normals of their own.
  explicit TwoBodies(bool plane, ObjectType type = ObjectType::rigid) {
    model.objects.resize(2);
    model.objects[0].type = ObjectType::fixed;
    model.objects[1].type = type;
    model.surface.vertex_object.assign(static_cast<std::size_t>(first + count), 1);
    model.surface.vertex_moves.assign(static_cast<std::size_t>(first + count), 1);
    for (Index i = 0; i < first; ++i) {
      model.surface.vertex_object[i] = 0;
      block(x, i) = any(1);
    }
    for (Index i = 0; i < count; ++i) {
      const Index vertex = first + i;
      block(x, vertex) = any(0.1);
      if (plane) x[3 * vertex + 2] = 0;
      Contact contact;
      contact.id = contact_id(ContactKind::vertex_face, {vertex, 0});
      contact.state = FrictionState::sticking;
      contact.vertices = {vertex, 0, 1, 2};
      contact.weights = {1, -0.25, -0.25, -0.5};
      const Vec3 n = plane ? Vec3::UnitZ() : Vec3(any(1).normalized());
      contact.n = n;
      std::tie(contact.t1, contact.t2) = std::tuple_cat(tangents(n));
      set.contacts.push_back(contact);
    }
  }

  void slip(Contact& contact, const Vec3& way) { contact.slip = {way.dot(contact.t1), way.dot(contact.t2)}; }
  Vec3 point(const Contact& contact) const { return block(x, contact.vertices[0]); }
  Vec3 drift(const Contact& contact) const { return contact.drift[0] * contact.t1 + contact.drift[1] * contact.t2; }
};

TEST(HeldPositions, AMotionInThePlaneOfItsContactsIsTakenBackWhole) {
  TwoBodies two(true);
  const Vec3 a(1e-6, -2e-6, 0), b(0, 0, 3e-5);
  for (Contact& contact : two.set.contacts) two.slip(contact, a + b.cross(two.point(contact)));
  keep_drifts(two.model, two.x, two.set);
  for (const Contact& contact : two.set.contacts)
    EXPECT_LT((two.drift(contact) - (a + b.cross(two.point(contact)))).norm(), 1e-18);
}

// What is left of the slips is across all motions: no motion would come nearer.
TEST(HeldPositions, SlipsThatContradictEachOtherBecomeTheNearestMotion) {
  TwoBodies two(true);
  for (Contact& contact : two.set.contacts) two.slip(contact, two.any(1e-6));
  keep_drifts(two.model, two.x, two.set);
  Vec3 sum = Vec3::Zero(), moment = Vec3::Zero();
  double left = 0;
  for (const Contact& contact : two.set.contacts) {
    const Vec3 missed = contact.slip[0] * contact.t1 + contact.slip[1] * contact.t2 - two.drift(contact);
    sum += missed;
    moment += two.point(contact).cross(missed);
    left += missed.norm();
  }
  EXPECT_GT(left, 1e-6);
  EXPECT_LT(sum.norm(), 1e-12 * left);
  EXPECT_LT(moment.norm(), 1e-12 * left);
  // And they are one motion: taken as slips, they stay.
  const ContactSet before = two.set;
  for (Contact& contact : two.set.contacts) contact.slip = contact.drift;
  keep_drifts(two.model, two.x, two.set);
  for (std::size_t i = 0; i < before.contacts.size(); ++i)
    EXPECT_LT((two.drift(two.set.contacts[i]) - two.drift(before.contacts[i])).norm(), 1e-18);
}

TEST(HeldPositions, ContactsAreTheSameFromEitherSide) {
  TwoBodies one(false), other(false);
  one.set.contacts.resize(2);
  for (Contact& contact : one.set.contacts) one.slip(contact, one.any(1e-6));
  other.set.contacts = one.set.contacts;
  Contact& seen = other.set.contacts[1];
  seen.vertices = {0, seen.vertices[0], seen.vertices[0], seen.vertices[0]};
  block(other.x, 0) = one.point(one.set.contacts[1]);
  seen.n = -seen.n;
  seen.t1 = -seen.t1;
  seen.slip[1] = -seen.slip[1];  // of the one past the other, the other way: along t1 it is the same
  keep_drifts(one.model, one.x, one.set);
  keep_drifts(other.model, other.x, other.set);
  EXPECT_GT(one.drift(one.set.contacts[1]).norm(), 1e-8);
  EXPECT_LT((one.drift(one.set.contacts[0]) - other.drift(other.set.contacts[0])).norm(), 1e-18);
  EXPECT_LT((one.drift(one.set.contacts[1]) + other.drift(other.set.contacts[1])).norm(), 1e-18);
}

// A deformable body gives way between its contacts; what slides or is open takes nothing back.
TEST(HeldPositions, OthersKeepTheirOwn) {
  TwoBodies soft(true, ObjectType::deformable);
  for (Contact& contact : soft.set.contacts) soft.slip(contact, soft.any(1e-6));
  soft.set.contacts[0].state = FrictionState::open;
  soft.set.contacts[1].state = FrictionState::sliding;
  soft.set.contacts[1].slides = true;
  keep_drifts(soft.model, soft.x, soft.set);
  EXPECT_EQ(soft.set.contacts[0].drift, (std::array<double, 2>{}));
  EXPECT_EQ(soft.set.contacts[1].drift, (std::array<double, 2>{}));
  for (std::size_t i = 2; i < soft.set.contacts.size(); ++i) {
    for (int k = 0; k < 2; ++k) EXPECT_NEAR(soft.set.contacts[i].drift[k], soft.set.contacts[i].slip[k], 1e-18);
  }
}

// A vertex on two faces of a plane cannot go back two ways.
TEST(HeldPositions, ContactsOfOneElasticVertexTakeBackOneWay) {
  TwoBodies soft(true, ObjectType::deformable);
  soft.set.contacts.resize(2);
  Contact &one = soft.set.contacts[0], &other = soft.set.contacts[1];
  other.vertices[0] = one.vertices[0];
  soft.slip(one, Vec3(3e-6, 1e-6, 0));
  soft.slip(other, Vec3(1e-6, -1e-6, 0));
  keep_drifts(soft.model, soft.x, soft.set);
  for (const Contact& contact : soft.set.contacts) EXPECT_LT((soft.drift(contact) - Vec3(2e-6, 0, 0)).norm(), 1e-18);
}

// Any slips, of edges on edges: what is taken back is a displacement's, and what is not is across all of them.
TEST(HeldPositions, SlipsOfElasticBodiesBecomeThoseOfTheNearestDisplacement) {
  TwoBodies soft(true, ObjectType::deformable);
  for (Contact& contact : soft.set.contacts) {
    const Index vertex = contact.vertices[0];
    contact.vertices = {vertex, TwoBodies::first + (vertex - TwoBodies::first + 1) % 4, 0, 1};
    contact.vertices[0] = TwoBodies::first + (vertex - TwoBodies::first) % 4;
    contact.weights = {0.25, 0.75, -0.5, -0.5};
    soft.slip(contact, soft.any(1e-6));
  }
  keep_drifts(soft.model, soft.x, soft.set);
  VecX left = VecX::Zero(soft.x.size());
  double size = 0;
  for (const Contact& contact : soft.set.contacts) {
    const Vec3 missed = contact.slip[0] * contact.t1 + contact.slip[1] * contact.t2 - soft.drift(contact);
    for (int k = 0; k < 2; ++k) block(left, contact.vertices[k]) += contact.weights[k] * missed;
    size += missed.norm();
  }
  EXPECT_GT(size, 1e-6);
  EXPECT_LT(left.norm(), 0.01 * size);
  const ContactSet before = soft.set;
  for (Contact& contact : soft.set.contacts) contact.slip = contact.drift;
  keep_drifts(soft.model, soft.x, soft.set);
  for (std::size_t i = 0; i < before.contacts.size(); ++i)
    EXPECT_LT((soft.drift(soft.set.contacts[i]) - soft.drift(before.contacts[i])).norm(), 1e-8);
}

// 1.05 mm over or under a face, what keeps 1 mm between them: the normal has to point to where it is.
TEST(HeldPositions, AContactOfThickThingsThatWentRoundEachOtherEnds) {
  for (const double height : {1.05e-3, -1.05e-3}) {
    TwoBodies two(true, ObjectType::deformable);
    block(two.x, 0) = Vec3(-1, -1, 0);
    block(two.x, 1) = Vec3(1, -1, 0);
    block(two.x, 2) = Vec3(0, 1, 0);
    Contact contact = two.set.contacts[0];
    two.x[3 * contact.vertices[0] + 2] = height;
    contact.thickness = 1e-3;
    contact.gap = 0.05e-3;
    contact.eps2 = 1e-4;
    two.set.contacts = {contact};
    keep_for_next_step(two.model, two.x, {}, two.set);
    EXPECT_EQ(two.set.contacts.size(), height > 0 ? 1U : 0U);
  }
}

}  // namespace held_positions_test
}  // namespace sim
