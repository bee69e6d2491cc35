// Steps that are divided: by the islands that fail, and by nobody else.
#include "step/division.hpp"

#include <gtest/gtest.h>

#include "collide/intersections.hpp"
#include "mesh/generate.hpp"
#include "model/measure.hpp"
#include "step/step.hpp"
#include "support/models.hpp"
#include "support/objects.hpp"

namespace sim {
namespace division_test {

constexpr double side = 0.1, away = 50;  // m

struct Body {
  ObjectType type;
  Vec3 position, velocity;
};

Model cubes(const std::vector<Body>& bodies, const Vec3& gravity = {0, 0, 0}) {
  Model model;
  model.gravity = gravity;
  model.materials = {{.name = "rubber", .young = 1e6, .poisson = 0.3, .density = 1000}};
  const Mesh cube = generate(BoxShape{.size = {side, side, side}, .cells = {2, 2, 2}});
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    test::add(model, "cube " + std::to_string(i), bodies[i].type, cube, bodies[i].position, bodies[i].velocity);
  }
  finish_model(model);
  return model;
}

// Each hits the next one within a step of 10 ms: more rounds than there are to have.
std::vector<Body> row_that_collides(ObjectType type, double x) {
  return {{type, {x, 0, 0}, {12, 0, 0}},
          {type, {x + 0.12, 0.01, 0}, {0, 0, 0}},
          {type, {x + 0.24, 0, 0.01}, {0, 0, 0}},
          {type, {x + 0.36, 0.01, 0.01}, {0, 0, 0}}};
}

Options few_rounds() {
  Options options{.dt = 0.01};
  options.contact.most_rounds = 3;
  options.contact.most_halvings = 10;
  return options;
}

class DivisionOf : public testing::TestWithParam<ObjectType> {};
INSTANTIATE_TEST_SUITE_P(Types, DivisionOf, testing::Values(ObjectType::deformable, ObjectType::rigid));

TEST_P(DivisionOf, IslandsThatFailLeavesOthersTheirBits) {
  const std::vector<Body> near = {{GetParam(), {0, 0, 0}, {0.5, 0, 0}},
                                  {GetParam(), {0.102, 0.02, 0.01}, {-0.5, 0.1, 0}}};
  std::vector<Body> both = near;
  for (const Body& body : row_that_collides(GetParam(), away)) both.push_back(body);
  const Model alone = cubes(near), model = cubes(both);
  State one = initial_state(alone), two = initial_state(model);
  Scratch scratch_one, scratch_two;
  Index parts = 1;
  for (int n = 0; n < 10; ++n) {
    const StepReport r = step(alone, few_rounds(), one, scratch_one), s = step(model, few_rounds(), two, scratch_two);
    ASSERT_TRUE(r.accepted && s.accepted) << r.reason << s.reason;
    parts = std::max(parts, s.substeps / r.substeps);
    ASSERT_EQ((two.x.head(one.x.size()) - one.x).cwiseAbs().maxCoeff(), 0) << n;
    ASSERT_EQ((two.v.head(one.v.size()) - one.v).cwiseAbs().maxCoeff(), 0) << n;
  }
  EXPECT_GT(parts, 1);
}

// The last cube stands free in the whole step, and is run into in its parts.
TEST_P(DivisionOf, AStepTakesInWhatItsPartsMeet) {
  const Model model = cubes(row_that_collides(GetParam(), 0));
  State state = initial_state(model);
  Scratch scratch;
  const Vec3 before = measure(model, state).momentum;
  Index parts = 1;
  for (int n = 0; n < 10; ++n) {
    const StepReport r = step(model, few_rounds(), state, scratch);
    ASSERT_TRUE(r.accepted) << r.reason;
    parts = std::max(parts, r.substeps);
    ASSERT_TRUE(initial_intersections(model.surface, state.x).empty()) << n;
    EXPECT_LT((measure(model, state).momentum - before).norm(), 1e-3 * before.norm()) << n;
  }
  EXPECT_GT(parts, 1);
  const Index last = model.objects.back().vertices.begin;
  EXPECT_GT(block(state.v, last).x(), 1);
}

TEST(Division, DividesAllThatContactsConnect) {
  const Model model = cubes({{ObjectType::deformable, {0, 0, 0}, {0, 0, 0}},
                             {ObjectType::rigid, {1, 0, 0}, {0, 0, 0}},
                             {ObjectType::deformable, {2, 0, 0}, {0, 0, 0}},
                             {ObjectType::fixed, {3, 0, 0}, {0, 0, 0}},
                             {ObjectType::deformable, {4, 0, 0}, {0, 0, 0}}});
  const auto contact = [&](Index a, Index b) {
    const Index i = model.objects[a].vertices.begin, j = model.objects[b].vertices.begin;
    Contact made;
    made.vertices = {i, j, j + 1, j + 2};
    return made;
  };
  const std::vector<Contact> contacts = {contact(1, 2), contact(0, 1), contact(2, 3), contact(4, 3)};
  Division division;
  begin(model, division);
  divide(std::vector<Index>{0}, model.surface, contacts, false, division);
  using enum Share;
  EXPECT_EQ(division.share,
            (std::vector<Share>{divided, divided, divided, solved, solved}));  // not through the obstacle

  std::vector<Contact> kept = contacts;
  keep_solved(division, model.surface, kept);
  ASSERT_EQ(kept.size(), 1u);
  EXPECT_EQ(kept[0].vertices, contacts[3].vertices);

  begin(model, division);
  divide(std::vector<Index>{4}, model.surface, contacts, true, division);
  EXPECT_EQ(division.share, (std::vector<Share>{divided, divided, divided, solved, divided}));
}

}  // namespace division_test
}  // namespace sim
