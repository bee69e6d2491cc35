// Which islands of a step are solved again: three cubes on a floor, with contacts as the test says.
#include "step/settling.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "mesh/generate.hpp"
#include "support/objects.hpp"

namespace sim {
namespace settling_test {

using test::add_object;

constexpr Index a = 0, b = 1, rigid = 2, ground = 3;  // objects

Model three_cubes() {
  Model model;
  model.materials = {{.name = "rubber", .young = 5e5, .poisson = 0.2, .density = 1000}};
  model.initial_velocity.resize(0);
  const Mesh cube = generate(BoxShape{.size = {0.1, 0.1, 0.1}, .cells = {1, 1, 1}});
  add_object(model, "a", ObjectType::deformable, cube, {0, 0, 0});
  add_object(model, "b", ObjectType::deformable, cube, {1, 0, 0});
  add_object(model, "rigid", ObjectType::rigid, cube, {2, 0, 0});
  add_object(model, "ground", ObjectType::fixed, generate(SlabShape{.size = {20, 20}}), {0, 0, -1});
  finish_model(model);
  return model;
}

struct Round {
  Model model = three_cubes();
  Groups groups;
  Division division;
  Settling settling;
  std::vector<Contact> contacts, updated;
  BlockMatrix L;

  Round() {
    find_bodies(model.plan.pattern, groups);
    prepare(model, groups.bodies, settling);
    begin(model, division);
    begin(division, settling);
    L.row_begin = {0};
  }

  Index vertex(Index object) const { return model.objects[object].vertices.begin; }
  Index row(Index object) const {
    if (object == rigid) return static_cast<Index>(model.plan.vertex_of_block.size());
    return model.plan.block_of_vertex[vertex(object)];
  }
  Index body(Index object) const { return groups.bodies.of_row[row(object)]; }
  bool is_restless(Index object) const { return settling.restless[body(object)] != 0; }

  // As it was solved (lambda 1), and as it is at the end of the round (lambda 2).
  void add_contact(Index one, Index other) {
    Contact contact;
    contact.id = contacts.size();
    contact.vertices = {vertex(one), vertex(other), vertex(other) + 1, vertex(other) + 2};
    contact.lambda = 1;
    contacts.push_back(contact);
    contact.lambda = 2;
    updated.push_back(contact);
    for (const Index object : {one, other})
      if (object != ground) L.column.push_back(row(object));
    L.row_begin.push_back(static_cast<Index>(L.column.size()));
  }
  Hit hit(Index one, Index other) const {
    return {ContactKind::vertex_face, {vertex(one), model.objects[other].triangles.begin}, 0.5};
  }
  bool settle(const std::vector<Hit>& hits, const std::vector<std::array<Index, 4>>& restless = {}) {
    find_groups(L, false, groups);
    return sim::settle(model.surface, hits, restless, {}, groups, settling, updated, contacts);
  }
  // As a check of the ways by which all vertices go by `way`, and `one` by `its_way`, would have it.
  std::vector<std::uint8_t> known_free(const Vec3& way = {0, 0, 0}, Index one = -1, const Vec3& its_way = {0, 0, 0}) {
    VecX x1 = way.replicate(static_cast<Eigen::Index>(model.surface.vertex_object.size()), 1);
    if (one >= 0) block(x1, one) = its_way;
    return find_known_free(x1, settling);
  }
  std::vector<double> lambdas() const {
    std::vector<double> found;
    for (const Contact& contact : contacts) found.push_back(contact.lambda);
    return found;
  }
};

TEST(Settling, InTheBeginningAllAreRestless) {
  Round round;
  for (const Index object : {a, b, rigid}) EXPECT_TRUE(round.is_restless(object));
  const Index ground_vertex = round.vertex(ground);
  EXPECT_TRUE(is_restless(round.settling, {round.vertex(rigid), ground_vertex, ground_vertex, ground_vertex}));
  EXPECT_FALSE(is_restless(round.settling, {ground_vertex, ground_vertex, ground_vertex, ground_vertex}));
  const std::vector<std::uint8_t> known_free = round.known_free();
  for (std::size_t i = 0; i < known_free.size(); ++i)
    EXPECT_EQ(known_free[i] != 0, round.model.surface.vertex_object[i] == ground) << i;  // cannot meet itself
}

TEST(Settling, EveryVertexOfABodyBelongsToIt) {
  const Round round;
  for (const Index object : {a, b, rigid}) {
    const Range vertices = round.model.objects[object].vertices;
    for (Index i = vertices.begin; i < vertices.end; ++i)
      EXPECT_EQ(round.settling.body_of_vertex[i], round.body(object)) << object;
  }
  EXPECT_EQ(round.settling.body_of_vertex[round.vertex(ground)], -1);
}

TEST(Settling, WithoutHitsAndRestlessContactsAllKeepWhatWasSolved) {
  Round round;
  round.add_contact(a, ground);
  round.add_contact(b, ground);
  EXPECT_FALSE(round.settle({}));
  for (const ContactGroup& group : round.groups.groups) EXPECT_TRUE(group.settled);
  EXPECT_EQ(round.lambdas(), (std::vector<double>{1, 1}));
  const std::vector<std::uint8_t> known_free = round.known_free();
  EXPECT_EQ(std::count(known_free.begin(), known_free.end(), 0), 0);
}

TEST(Settling, AHitWakesTheIslandThatItTouchesAndNoOther) {
  Round round;
  round.add_contact(a, ground);
  round.add_contact(b, ground);
  round.add_contact(a, ground);
  EXPECT_TRUE(round.settle({round.hit(a, ground)}));
  EXPECT_TRUE(round.is_restless(a));
  EXPECT_FALSE(round.is_restless(b));
  EXPECT_FALSE(round.groups.groups[0].settled);
  EXPECT_TRUE(round.groups.groups[1].settled);
  // Contacts of b as they were solved, those of a as they are now; in their order.
  EXPECT_EQ(round.lambdas(), (std::vector<double>{2, 1, 2}));
  // Pairs are looked at again where a body has to be solved again.
  const std::vector<std::uint8_t> known_free = round.known_free();
  EXPECT_EQ(known_free[round.vertex(a)], 0);
  EXPECT_EQ(known_free[round.vertex(b)], 1);
  EXPECT_EQ(known_free[round.vertex(ground)], 1);
}

TEST(Settling, LooksAgainAtWhatHasSettledAndGoesAnotherWay) {
  Round round;
  round.add_contact(a, ground);
  round.add_contact(b, ground);
  round.known_free({0.1, 0, 0});
  EXPECT_TRUE(round.settle({round.hit(a, ground)}));
  const Index moved = round.vertex(b), stays = moved + 1;
  std::vector<std::uint8_t> known_free = round.known_free({0.1, 0, 0}, moved, {0.1, 0, 1e-9});
  EXPECT_EQ(known_free[moved], 0);
  EXPECT_EQ(known_free[stays], 1);
  EXPECT_EQ(known_free[round.vertex(a)], 0);  // restless, although its way is the same
  known_free = round.known_free({0.1, 0, 0}, moved, {0.1, 0, 1e-9});
  EXPECT_EQ(known_free[moved], 1);  // that way has been looked at
}

TEST(Settling, AHitBetweenTwoIslandsWakesBoth) {
  Round round;
  round.add_contact(a, ground);
  round.add_contact(b, ground);
  round.add_contact(rigid, ground);
  EXPECT_TRUE(round.settle({round.hit(a, rigid)}));
  EXPECT_TRUE(round.is_restless(a));
  EXPECT_FALSE(round.is_restless(b));
  EXPECT_TRUE(round.is_restless(rigid));
  EXPECT_EQ(round.lambdas(), (std::vector<double>{2, 1, 2}));
}

TEST(Settling, WithOneBodyOfAnIslandAllOfItIsSolvedAgain) {
  Round round;
  round.add_contact(a, b);
  round.add_contact(rigid, ground);
  EXPECT_TRUE(round.settle({round.hit(a, ground)}));
  EXPECT_TRUE(round.is_restless(b));
  EXPECT_FALSE(round.is_restless(rigid));
  EXPECT_EQ(round.known_free()[round.vertex(b)], 0);
}

TEST(Settling, AContactThatHasTurnedWakesItsIsland) {
  Round round;
  round.add_contact(a, ground);
  round.add_contact(rigid, ground);
  EXPECT_TRUE(round.settle({}, {round.contacts[1].vertices}));
  EXPECT_FALSE(round.is_restless(a));
  EXPECT_TRUE(round.is_restless(rigid));
  EXPECT_EQ(round.lambdas(), (std::vector<double>{1, 2}));
}

TEST(Settling, ABodyApartThatIsHitIsSolvedAgainWithWhatItHits) {
  Round round;
  round.add_contact(a, ground);
  EXPECT_TRUE(round.settle({round.hit(b, ground)}));
  EXPECT_TRUE(round.groups.groups[0].settled);
  EXPECT_TRUE(round.is_restless(b));
  EXPECT_FALSE(round.is_restless(a));
}

// With the contacts that it was solved with: they are not among what the round has updated.
TEST(Settling, AnIslandThatIsSettledIsWokenByALaterHit) {
  Round round;
  round.add_contact(a, ground);
  round.add_contact(b, ground);
  EXPECT_TRUE(round.settle({round.hit(b, ground)}));
  EXPECT_FALSE(round.is_restless(a));
  round.updated.clear();
  for (Contact contact : round.contacts) {
    if (!is_restless(round.settling, contact.vertices)) continue;
    contact.lambda = 3;
    round.updated.push_back(contact);
  }
  EXPECT_TRUE(round.settle({round.hit(a, b)}));
  EXPECT_TRUE(round.is_restless(a));
  EXPECT_TRUE(round.is_restless(b));
  EXPECT_EQ(round.lambdas(), (std::vector<double>{1, 3}));
}

// A contact that its island has lost at the end of the round is gone, one of a settled island is not.
TEST(Settling, WhatIsGoneAtTheEndOfARoundIsGoneOfRestlessIslandsOnly) {
  Round round;
  round.add_contact(a, ground);
  round.add_contact(b, ground);
  round.updated.clear();
  EXPECT_TRUE(round.settle({}, {round.contacts[0].vertices}));
  ASSERT_EQ(round.contacts.size(), 1U);
  EXPECT_EQ(round.contacts[0].id, 1U);
}

}  // namespace settling_test
}  // namespace sim
