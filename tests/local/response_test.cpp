// One pass of the response, against what can be worked out by hand.
#include "local/response.hpp"

#include "local/bodies.hpp"

namespace sim {
namespace response_test {

// Two tets of vertices of 1 kg each: the first vertex of the second lies below the middle of the first one's face
// 0 1 2, by 1 mm.
struct Overlap {
  Model model;
  State state;
  LocalScratch s;
  StepReport report;
  Options options = test::local_options(1e-3);

  Overlap() {
    Mesh tet;
    tet.vertices = {Vec3(0, 0, 0), Vec3(1, 0, 0), Vec3(0, 1, 0), Vec3(0, 0, -1)};
    tet.tets = {{0, 1, 3, 2}};
    tet.triangles = {{0, 1, 2}, {0, 3, 1}, {1, 3, 2}, {0, 2, 3}};
    if (six_volume(tet.vertices[0], tet.vertices[1], tet.vertices[3], tet.vertices[2]) < 0) tet.tets = {{0, 1, 2, 3}};
    model.materials = {test::soft};
    test::add(model, "a", ObjectType::deformable, tet, Vec3::Zero());
    test::add(model, "b", ObjectType::deformable, tet, Vec3(1.0 / 3, 1.0 / 3, 1.001));
    finish_model(model);
    model.elastic.mass.setOnes();
    state = initial_state(model);
    const auto vertices = static_cast<std::size_t>(model.mesh.vertices.size());
    s.x1 = state.x;
    s.x1[3 * 7 + 2] = -1e-3;  // 7: the lowest of b
    s.moved.setZero(state.x.size());
    s.moved_before.setZero(state.x.size());
    s.is_in_play.assign(vertices, 0);
    s.shift.setZero(state.x.size());
    s.weight.assign(vertices, 0.0);
    s.known_free.assign(vertices, 1);
    model.friction = 0;
  }
  Contact middle_of_face() const {
    Contact contact;
    contact.id = 1;
    contact.vertices = {7, 0, 1, 2};
    contact.weights = {1, -1.0 / 3, -1.0 / 3, -1.0 / 3};
    return contact;
  }
  void push_once(const std::vector<Contact>& contacts) {
    state.contacts.contacts = contacts;
    s.pushed.clear();
    for (const Contact& contact : contacts) s.pushed.push_back({.id = contact.id});
    push();
  }
  void push() {
    LocalPart part{model, options, 1e-3, 1e-3, state, s, report};
    find_holds(model, 0, s.guides);
    sim::push(part);
  }
  Vec3 momentum() const {
    Vec3 sum = Vec3::Zero();
    for (Index i = 0; i < 8; ++i) sum += block(s.moved, i);
    return sum;
  }
};

TEST(Response, OnePassClosesAnOverlap) {
  Overlap o;
  const Contact contact = o.middle_of_face();
  o.push_once({contact});
  EXPECT_NEAR(gap(contact, o.s.x1), 0, 1e-15);
  EXPECT_LT(o.momentum().norm(), 1e-18);
  EXPECT_NEAR(block(o.s.moved, 7).z(), 0.75e-3, 1e-15);   // 1 kg against the 3 kg of the face
  EXPECT_NEAR(o.s.pushed[0].now.normal, 0.75e-3, 1e-15);  // mu_a d_a
}

// Whatever masses its corners have: no torque about where it touches.
TEST(Response, AForceActsWhereTheContactIs) {
  Overlap o;
  o.model.elastic.mass[1] = 7;
  o.model.elastic.mass[2] = 0.1;
  const Contact contact = o.middle_of_face();
  o.push_once({contact});
  EXPECT_NEAR(gap(contact, o.s.x1), 0, 1e-15);
  Vec3 angular = Vec3::Zero();
  for (const Index i : {0, 1, 2, 7})
    angular += o.model.elastic.mass[i] * block(o.state.x, i).cross(block(o.s.moved, i));
  EXPECT_LT(angular.norm(), 1e-16);
  EXPECT_NEAR(block(o.s.moved, 2).z(), 70 * block(o.s.moved, 1).z(), 1e-15);
}

TEST(Response, TheSameContactTwiceIsAnsweredAsOne) {
  Overlap o;
  Contact contact = o.middle_of_face(), twin = contact;
  twin.id = 2;
  o.push_once({contact, twin});
  EXPECT_NEAR(gap(contact, o.s.x1), 0, 1e-15);
  EXPECT_NEAR(o.s.pushed[0].now.normal + o.s.pushed[1].now.normal, 0.75e-3, 1e-15);
}

// It was pushed by 2 mm. Where it is 1 mm too far, half of that is taken back; where it is 3 mm too far, all of it
// is.
TEST(Response, WhatWasPushedTooFarIsTakenBack) {
  for (const double gap_then : {1e-3, 3e-3}) {
    Overlap o;
    o.s.x1[3 * 7 + 2] = gap_then;
    const Contact contact = o.middle_of_face();
    o.state.contacts.contacts = {contact};
    o.s.pushed = {{.id = contact.id}};
    o.s.pushed[0].now.normal = 1.5e-3;  // 2 mm of 0.75 kg
    o.s.pushed[0].now.total = 1.5e-3 * contact.n;
    o.push();
    EXPECT_NEAR(gap(contact, o.s.x1), std::max(0.0, gap_then - 2e-3), 1e-15);
    EXPECT_NEAR(o.s.pushed[0].now.normal, gap_then < 2e-3 ? 0.75e-3 : 0, 1e-15);
    EXPECT_LT(o.momentum().norm(), 1e-18);
  }
}

TEST(Response, WhatIsToldHowToMoveTakesNoShare) {
  Overlap o;
  test::pin(o.model, [](const Vec3& X) { return X.z() <= 0; });
  finish_model(o.model);
  o.model.elastic.mass.setOnes();
  const Contact contact = o.middle_of_face();
  o.push_once({contact});
  EXPECT_NEAR(gap(contact, o.s.x1), 0, 1e-15);
  for (const Index i : {0, 1, 2}) EXPECT_TRUE(block(o.s.moved, i).isZero(0));
}

TEST(Response, AStrainLimitBetweenTwoVerticesIsClosed) {
  Overlap o;
  Contact limit;
  limit.kind = ContactKind::limit;
  limit.id = 1;
  limit.vertices = {0, 1, 0, 0};
  limit.weights = {1, -1, 0, 0};
  limit.thickness = -0.9;  // 0 and 1 are 1 m apart, 10 % too far
  o.push_once({limit});
  EXPECT_NEAR((block(o.s.x1, 0) - block(o.s.x1, 1)).norm(), 0.9, 1e-15);
  EXPECT_LT(o.momentum().norm(), 1e-16);
}

TEST(Response, FrictionTakesBackTheSlipUpToCoulombsBound) {
  for (const double slip : {1e-4, 1e-2}) {
    Overlap o;
    o.model.friction = 0.5;
    o.s.x1[3 * 7] += slip;
    const Contact contact = o.middle_of_face();
    o.push_once({contact});
    const double taken = slip + 1.0 / 3 - (o.s.x1[3 * 7] - 0.0);
    if (slip < 0.5 * 1e-3) {
      EXPECT_NEAR(taken, 0.75 * slip, 1e-15);  // the share of 1 kg against 3
    } else {
      EXPECT_NEAR(taken, 0.75 * 0.5e-3, 1e-15);  // mu d_a
    }
    EXPECT_LT(o.momentum().norm(), 1e-17);
  }
}

}  // namespace response_test
}  // namespace sim
