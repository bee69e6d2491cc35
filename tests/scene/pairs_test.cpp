// Which friction holds between which objects, and which never touch.
#include "scene/pairs.hpp"

#include <gtest/gtest.h>

#include "collide/candidates.hpp"
#include "collide/distance.hpp"
#include "collide/intersections.hpp"
#include "scene/loaded.hpp"
#include "scene/messages.hpp"

namespace sim {
namespace pairs_test {

// Objects 0 to 5: floor, bare, icy, wooden, heap.1, heap.2. All overlap.
std::string scene_with(const std::string& contact, const std::string& floor = "") {
  return R"({ "materials": { "rubber": {}, "ice": { "friction": 0.05 } },
    "meshes": { "box": { "generate": "box", "cells": [1, 1, 1] } },
    "objects": [ { "name": "floor", "type": "fixed", "mesh": "box")" +
         floor + R"( },
                 { "name": "bare", "mesh": "box", "material": "rubber" },
                 { "name": "icy", "type": "rigid", "mesh": "box", "material": "ice" },
                 { "name": "wooden", "mesh": "box", "material": "ice", "friction": 0.3 },
                 { "name": "heap", "mesh": "box", "material": "rubber",
                   "scatter": { "count": 2, "box": [[-3, -3, -3], [3, 3, 3]] } } ],
    "contact": {)" +
         contact + "} }";
}

constexpr Index floor_ = 0, bare = 1, icy = 2, wooden = 3, heap_1 = 4, heap_2 = 5;

TEST(Friction, OfNothingButTheSceneIsOneForAll) {
  const Model model = load(R"({ "materials": { "m": {} }, "contact": { "friction": 0.7 }, "objects": [
    { "name": "a", "mesh": "box", "material": "m" }, { "name": "b", "mesh": "box", "material": "m" } ] })");
  EXPECT_TRUE(model.pair_friction.empty());
  EXPECT_EQ(model.friction_of(0, 1), 0.7);
}

TEST(Friction, OfOneOfTwoIsThatOfTheObjectOrElseOfItsMaterial) {
  const Model model = load(scene_with(R"("friction": 0.7)"));
  EXPECT_EQ(model.friction_of(floor_, bare), 0.7);
  EXPECT_EQ(model.friction_of(bare, heap_2), 0.7);
  EXPECT_EQ(model.friction_of(floor_, icy), 0.05);
  EXPECT_EQ(model.friction_of(wooden, floor_), 0.3);
  EXPECT_EQ(model.friction_of(wooden, bare), 0.3);
}

TEST(Friction, OfTwoThatHaveTheirOwnIsTheSmallerOne) {
  const Model model = load(scene_with(R"("friction": 0.01)", R"(, "friction": 0.2)"));
  EXPECT_EQ(model.friction_of(floor_, icy), 0.05);
  EXPECT_EQ(model.friction_of(icy, floor_), 0.05);
  EXPECT_EQ(model.friction_of(floor_, wooden), 0.2);
  EXPECT_EQ(model.friction_of(wooden, wooden), 0.3);
  EXPECT_EQ(model.friction_of(floor_, bare), 0.2);
}

TEST(Friction, OfAPairWinsWhicheverWayItIsNamed) {
  const Model model = load(scene_with(
      R"("pairs": [ { "between": ["floor", "icy"], "friction": 0.9 }, { "between": ["wooden", "icy"], "friction": 0 } ])"));
  EXPECT_EQ(model.friction_of(floor_, icy), 0.9);
  EXPECT_EQ(model.friction_of(icy, floor_), 0.9);
  EXPECT_EQ(model.friction_of(icy, wooden), 0);
  EXPECT_EQ(model.friction_of(floor_, wooden), 0.3);
}

TEST(Friction, OfCopiesGoesByTheirCommonNameOrTheirOwn) {
  const Model model = load(scene_with(
      R"("pairs": [ { "between": ["heap", "floor"], "friction": 0.9 }, { "between": ["heap.2", "floor"], "friction": 0.8 },
                    { "between": ["heap", "heap"], "friction": 0.6 } ])"));
  EXPECT_EQ(model.friction_of(floor_, heap_1), 0.9);
  EXPECT_EQ(model.friction_of(floor_, heap_2), 0.8);
  EXPECT_EQ(model.friction_of(heap_1, heap_2), 0.6);
  EXPECT_EQ(model.friction_of(heap_1, heap_1), 0.6);
  EXPECT_EQ(model.friction_of(heap_1, bare), 0.5);
}

TEST(Friction, OfTheLastEntryThatFitsCounts) {
  const Model model = load(scene_with(
      R"("pairs": [ { "between": ["*", "*"], "exclude": true }, { "between": ["*", "floor"], "friction": 0.4 },
                    { "between": ["*o*n", "floor"], "friction": 0.1 }, { "between": ["floor", "bare"], "exclude": true } ])"));
  EXPECT_EQ(model.friction_of(icy, floor_), 0.4);
  EXPECT_EQ(model.friction_of(wooden, floor_), 0.1);
  const ObjectGroups& groups = model.surface.groups;
  EXPECT_TRUE(groups.never_touch(heap_1, icy));
  EXPECT_TRUE(groups.never_touch(heap_1, heap_1));
  EXPECT_TRUE(groups.never_touch(bare, floor_));
  EXPECT_TRUE(groups.never_touch(floor_, bare));
  EXPECT_FALSE(groups.never_touch(wooden, floor_));
}

// "a" and "b" side by side, or one in the other; "inner" within "outer".
Model boxes(double x, const std::string& pairs) {
  return load(R"({ "materials": { "m": {} }, "meshes": { "large": { "generate": "box", "scale": 3 },
      "box": { "generate": "box", "cells": [2, 2, 2] } },
    "objects": [ { "name": "a", "mesh": "box", "material": "m" },
                 { "name": "b", "mesh": "box", "material": "m", "position": [)" +
              std::to_string(x) + R"(, 0.1, 0.2] },
                 { "name": "inner", "type": "rigid", "mesh": "box", "material": "m", "position": [9, 0, 0] },
                 { "name": "outer", "type": "rigid", "mesh": "large", "material": "m", "position": [9, 0, 0] } ],
    "contact": { "pairs": [)" +
              pairs + "] } }");
}
const char* const none_touch =
    R"({ "between": ["a", "b"], "exclude": true }, { "between": ["outer", "inner"], "exclude": true })";

TEST(PairsThatNeverTouch, AreNoCandidates) {
  const auto candidates = [](const Model& model) {
    const VecX x = initial_state(model).x;
    Detection detection;
    Candidates found;
    find_candidates(model.surface, {x, VecX::Zero(x.size()), 0.001}, {.margin = 0.05}, detection, found);
    Index between = 0;
    for (const Pair& pair : found.vertex_face) {
      const Index object = model.surface.vertex_object[pair.first];
      between += object != model.surface.object_of_triangle(pair.second) ? 1 : 0;
    }
    return between;
  };
  EXPECT_GT(candidates(boxes(1.01, "")), 0);
  EXPECT_EQ(candidates(boxes(1.01, none_touch)), 0);
}

TEST(PairsThatNeverTouch, NeitherIntersectNorAreNear) {
  const auto overlaps = [](const Model& model) {
    return find_overlaps(model.surface, initial_state(model).x).size();
  };
  const auto distance = [](const Model& model) {
    return smallest_distance(model.surface, initial_state(model).x).distance;
  };
  EXPECT_EQ(overlaps(boxes(0.9, "")), 2U);
  EXPECT_EQ(overlaps(boxes(0.9, none_touch)), 0U);
  EXPECT_NEAR(distance(boxes(1.01, "")), 0.01, 1e-12);
  EXPECT_NEAR(distance(boxes(1.01, none_touch)), 9 - 1.5 - 1.01 - 0.5, 1e-12);  // "b" and "outer"
}

TEST(PairMessages, TellOfANameThatNoObjectHas) {
  EXPECT_EQ(
      load_error(scene_with(R"("pairs": [ { "between": ["floor", "heep"], "friction": 0.1 } ])")),
      "test.json: /contact/pairs/0/between/1: \"heep\": expected the name of an object, of one copy of it, or with "
      "* for any text; the objects are \"heap\", \"bare\", \"floor\", \"icy\", \"wooden\"; did you mean \"heap\"?");
  EXPECT_NE(load_error(scene_with(R"("pairs": [ { "between": ["heap.3", "floor"], "exclude": true } ])")), "");
}

TEST(PairMessages, TellOfTwoEntriesWithTheSameNames) {
  EXPECT_EQ(
      load_error(scene_with(R"("pairs": [ { "between": ["floor", "icy"], "friction": 0.1 },
                                                { "between": ["icy", "floor"], "exclude": true } ])")),
      "test.json: /contact/pairs/1/between: \"floor\", \"icy\": expected every two names once, /contact/pairs/0 has "
      "\"icy\" and \"floor\" already and could never count");
}

TEST(PairMessages, TellOfWhatAnEntryLacksOrHasTooMuch) {
  EXPECT_EQ(message(with_top_level(R"("contact": { "pairs": [ { "between": ["left", "left"] } ] })")),
            "test.json: /contact/pairs/0: {\"between\":[\"left\",\"left\"]}: expected either \"friction\" or "
            "\"exclude\": true");
  EXPECT_NE(
      message(with_top_level(
                  R"("contact": { "pairs": [ { "between": ["left", "left"], "friction": 1, "exclude": true } ] })"))
          .find("expected either"),
      std::string::npos);
  EXPECT_EQ(message(with_top_level(R"("contact": { "pairs": [ { "between": ["left"], "friction": 1 } ] })")),
            "test.json: /contact/pairs/0/between: [\"left\"]: expected two names, found a list of 1");
  EXPECT_EQ(message(with_material("\"friction\": -1")),
            "test.json: /materials/rubber/friction: -1: expected a number >= 0");
}

TEST(PairMessages, TellOfAMethodWithoutFrictionWhereverThereIsSome) {
  const std::string method = R"("friction": 0 }, "solver": { "method": "qp-active-set")";
  EXPECT_NE(load_error(scene_with(method)).find("a method that knows no friction"), std::string::npos);
}

TEST(Pairs, AreWrittenAsTheyWereRead) {
  const std::string text = scene_with(R"("pairs": [ { "between": ["floor", "icy"], "friction": 0.9 },
                                                    { "between": ["heap", "*"], "exclude": true } ])");
  const Scene scene = parse_scene(text, "test.json", ".");
  EXPECT_EQ(parse_scene(scene.json, "again", ".").json, scene.json);
  EXPECT_EQ(load(scene.json).pair_friction, load(text).pair_friction);
  EXPECT_EQ(load(scene.json).surface.groups.excluded, load(text).surface.groups.excluded);
}

}  // namespace pairs_test
}  // namespace sim
