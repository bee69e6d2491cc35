// simrun refuses to start from surfaces that intersect.
#include <gtest/gtest.h>

#include <sstream>

#include "output/result_reader.hpp"
#include "support/program_test.hpp"

namespace sim {
namespace overlap_test {

using test::expect_contains;

// Boxes of 1 m, eight cells; "right" is moved by `shift` from the place of "left".
std::string two_boxes(const std::string& shift) {
  return R"({ "name": "two", "materials": { "m": {} },
    "meshes": { "box": { "generate": "box", "cells": [2, 2, 2] } },
    "objects": [ { "name": "left one", "mesh": "box", "material": "m" },
                 { "name": "right", "mesh": "box", "material": "m", "position": )" +
         shift + "} ] }";
}

struct Obj {
  std::vector<Vec3> vertices;
  std::vector<std::array<int, 3>> faces;
  std::vector<std::array<Index, 2>> pairs;  // from the comments
  std::vector<std::string> groups;
};

Obj parse_obj(const std::string& text) {
  Obj obj;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    std::string kind;
    words >> kind;
    if (kind == "v") {
      obj.vertices.emplace_back();
      words >> obj.vertices.back()[0] >> obj.vertices.back()[1] >> obj.vertices.back()[2];
    } else if (kind == "f") {
      obj.faces.emplace_back();
      words >> obj.faces.back()[0] >> obj.faces.back()[1] >> obj.faces.back()[2];
    } else if (kind == "g") {
      obj.groups.push_back(line.substr(2));
    } else if (kind == "#") {
      std::array<Index, 2> pair{};
      if (words >> pair[0] >> pair[1]) obj.pairs.push_back(pair);
    }
  }
  return obj;
}

class Overlaps : public test::ProgramTest {};

TEST_F(Overlaps, AreRefusedWithNamesDepthAndRemedyBeforeAnythingIsWritten) {
  write("scene.json", two_boxes("[0.9, 0.1, 0.2]"));
  for (const char* arguments : {"scene.json --validate", "scene.json", "scene.json --quiet"}) {
    const test::Outcome outcome = simrun(arguments);
    EXPECT_EQ(outcome.exit_status, 1) << arguments;
    expect_contains(outcome.text, "\"left one\" with \"right\"");
    expect_contains(outcome.text, "0.1 m deep or more, 0.101 m at most");
    expect_contains(outcome.text, "moving \"right\" by 0.101 m along +x takes them apart");
    expect_contains(outcome.text, "scene.overlaps.obj");
    EXPECT_TRUE(exists("scene.overlaps.obj"));
    EXPECT_FALSE(exists("scene.h5"));
  }
}

// Overlaps of a rounding error are told with a move that coordinates can hold.
TEST_F(Overlaps, NoMoveIsShorterThanAMicrometre) {
  write("scene.json", two_boxes("[0.9999999999999999, 0.1, 0.2]"));
  const test::Outcome outcome = simrun("scene.json --validate");
  EXPECT_EQ(outcome.exit_status, 1);
  expect_contains(outcome.text, "moving \"right\" by 1.01e-06 m along +x takes them apart");
}

TEST_F(Overlaps, AreWrittenToAnObjWithTheTrianglesThatTheMessageNames) {
  write("scene.json", two_boxes("[0.9, 0.1, 0.2]"));
  write("apart.json", two_boxes("[10.9, 0.1, 0.2]"));
  const test::Outcome outcome = simrun("scene.json -o some/../x.h5 --validate");  // no folder "some": still told
  EXPECT_EQ(outcome.exit_status, 1);
  expect_contains(outcome.text, "\"left one\" with \"right\"");
  expect_contains(outcome.text, "cannot be written");

  const std::string text = simrun("scene.json -o x.h5").text;
  const Obj obj = parse_obj(read("x.overlaps.obj"));
  EXPECT_EQ(obj.groups, std::vector<std::string>{"left_one+right"});
  ASSERT_FALSE(obj.pairs.empty());
  ASSERT_EQ(obj.faces.size(), 2 * obj.pairs.size());
  expect_contains(text, std::to_string(obj.pairs.size()) + " pairs of triangles");
  expect_contains(text, std::to_string(obj.pairs[0][0]) + "+" + std::to_string(obj.pairs[0][1]));
  // 48 triangles each: those of the second object counted within it.
  expect_contains(text, std::to_string(obj.pairs[0][0]) + "+" + std::to_string(obj.pairs[0][1] - 48));

  ASSERT_EQ(simrun("apart.json --steps 0 --quiet -o apart.h5").exit_status, 0);
  const Mesh mesh = ResultReader(path("apart.h5")).rest_mesh();
  for (std::size_t i = 0; i < obj.pairs.size(); ++i) {
    for (std::size_t side : {0, 1}) {
      const Triangle& triangle = mesh.triangles[obj.pairs[i][side]];
      for (int k = 0; k < 3; ++k) {
        const Vec3 expected = mesh.vertices[triangle[k]] - Vec3(side == 1 ? 10 : 0, 0, 0);
        const Vec3 found = obj.vertices[static_cast<std::size_t>(obj.faces[2 * i + side][k] - 1)];
        EXPECT_LT((expected - found).norm(), 1e-14);
      }
    }
  }
}

TEST_F(Overlaps, TouchingIsToldFromCoveringInOnePlaneAndNoRunBeginsFromEither) {
  for (const char* at : {"[1, 1, 0]", "[1, 1, 1]"}) {  // an edge; a corner
    write("scene.json", two_boxes(at));
    const test::Outcome touching = simrun("scene.json --validate");
    EXPECT_EQ(touching.exit_status, 1);
    expect_contains(touching.text, "objects touch at the start");
    expect_contains(touching.text, ": 0 m");
  }
  write("scene.json", two_boxes("[1, 0.25, 0]"));  // part of a face
  const test::Outcome face = simrun("scene.json --validate");
  EXPECT_EQ(face.exit_status, 1);
  expect_contains(face.text, "in one plane");
  write("scene.json", two_boxes("[1.0000000001, 0.25, 0]"));
  const test::Outcome apart = simrun("scene.json --validate");
  EXPECT_EQ(apart.exit_status, 0);
  // Closed surface of 26 vertices and 48 faces each: Euler gives 72 edges.
  expect_contains(apart.text, "surface: 52 vertices, 144 edges, 96 faces; no initial overlaps");
}

// Mesh lines of each lie in faces of the other: triangles only touch, and the overlap is 0.15 m deep.
TEST_F(Overlaps, BoxesAtRoundPlacesAreRefusedAndTheMoveThatTheMessageNamesHelps) {
  const auto scene = [](const std::string& height) {
    return R"({ "name": "round", "materials": { "m": {} },
      "meshes": { "large": { "generate": "box" },
                  "half": { "generate": "box", "size": [0.5, 0.5, 0.5], "cells": [2, 2, 2] } },
      "objects": [ { "name": "big", "mesh": "large", "material": "m" },
                   { "name": "small", "mesh": "half", "material": "m", "position": [0, 0, )" +
           height + "] } ] }";
  };
  write("scene.json", scene("0.6"));
  const test::Outcome outcome = simrun("scene.json --validate");
  EXPECT_EQ(outcome.exit_status, 1);
  expect_contains(outcome.text, "\"big\" with \"small\"");
  expect_contains(outcome.text, "0 m deep or more, 0.151 m at most");
  expect_contains(outcome.text, "moving \"small\" by 0.151 m along +z takes them apart");
  write("scene.json", scene("0.751"));
  EXPECT_EQ(simrun("scene.json --validate").exit_status, 0);
}

TEST_F(Overlaps, AnObjectInsideAnotherIsRefusedUnlessNothingMoves) {
  const auto scene = [](const std::string& of_large, const std::string& of_brick) {
    return R"({ "name": "nested", "materials": { "m": {} },
      "meshes": { "large": { "generate": "box" }, "brick": { "generate": "box", "size": [0.2, 0.1, 0.1] } },
      "objects": [ { "name": "solid", "mesh": "large", )" +
           of_large + R"( }, { "name": "brick", "mesh": "brick", "position": [0.1, 0, 0.013], )" + of_brick +
           " } ] }";
  };
  const std::string soft = R"("material": "m")", fixed = R"("type": "fixed")";
  for (const auto& [of_large, of_brick] : {std::pair(soft, soft), std::pair(fixed, soft), std::pair(soft, fixed)}) {
    write("scene.json", scene(of_large, of_brick));
    const test::Outcome outcome = simrun("scene.json");
    EXPECT_EQ(outcome.exit_status, 1);
    expect_contains(outcome.text, "\"solid\" with \"brick\": \"brick\" is inside");
    // What is fixed stays.
    expect_contains(outcome.text, of_brick == fixed ? "moving \"solid\" by 0.501 m along -x takes them apart"
                                                    : "moving \"brick\" by 0.501 m along +x takes them apart");
    EXPECT_FALSE(exists("nested.overlaps.obj"));
  }
  write("scene.json", scene(fixed, fixed));
  EXPECT_EQ(simrun("scene.json --validate").exit_status, 0);
}

TEST_F(Overlaps, ObstaclesMayOverlapEachOther) {
  write("scene.json", two_boxes("[0.9, 0.1, 0.2]"));
  std::string text = two_boxes("[0.9, 0.1, 0.2]");
  for (std::size_t at = text.find(R"("material": "m")"); at != std::string::npos;
       at = text.find(R"("material": "m")"))
    text.replace(at, 15, R"("type": "fixed")");
  write("fixed.json", text);
  const test::Outcome fixed = simrun("fixed.json --validate");
  EXPECT_EQ(fixed.exit_status, 0) << fixed.text;
}

TEST_F(Overlaps, AnObjectIsRefusedWithItselfWhereItIsToldToStart) {
  write("bar.json", R"({ "name": "bar", "materials": { "m": {} },
    "meshes": { "bar": { "generate": "box", "size": [1, 0.1, 0.1], "cells": [10, 1, 1] } },
    "objects": [ { "name": "bar", "mesh": "bar", "material": "m", "boundary": [
      { "plane": { "point": [0.45, 0, 0], "normal": [1, 0, 0] },
        "motion": { "keyframes": [ { "time": 0, "translation": [-0.53, 0.013, 0.007] } ] } } ] } ] })");
  const test::Outcome outcome = simrun("bar.json");
  EXPECT_EQ(outcome.exit_status, 1);
  expect_contains(outcome.text, "\"bar\" with itself");
  EXPECT_EQ(parse_obj(read("bar.overlaps.obj")).groups, std::vector<std::string>{"bar+bar"});
}

TEST_F(Overlaps, AResultOfAnEarlierRunStays) {
  write("scene.json", two_boxes("[3, 0, 0]"));
  ASSERT_EQ(simrun("scene.json --quiet --steps 2").exit_status, 0);
  write("scene.json", two_boxes("[0.9, 0.1, 0.2]"));
  ASSERT_EQ(simrun("scene.json --quiet --steps 2").exit_status, 1);
  EXPECT_EQ(ResultReader(path("scene.h5")).step_count(), 2);
}

}  // namespace overlap_test
}  // namespace sim
