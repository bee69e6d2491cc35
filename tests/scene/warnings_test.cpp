// What a scene may say and hardly means, and names that it may not have.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "mesh/generate.hpp"
#include "scene/load.hpp"
#include "scene/messages.hpp"
#include "scene/warnings.hpp"
#include "support/objects.hpp"

namespace sim {
namespace warnings_test {

std::vector<std::string> warnings(const std::string& text) {
  LoadReport report;
  load_model(parse_scene(text, "test.json", "."), report);
  return report.warnings;
}

// Two cubes of 1 m in one surface, the second `aside` along x and y and a little along z.
Mesh two_cubes(double aside) {
  Mesh mesh = generate(BoxShape{.size = {1, 1, 1}, .cells = {1, 1, 1}});
  mesh.tets.clear();
  const std::vector<Vec3> vertices = mesh.vertices;
  const std::vector<Triangle> triangles = mesh.triangles;
  const auto count = static_cast<Index>(vertices.size());
  for (const Vec3& X : vertices) mesh.vertices.push_back(X + Vec3(aside, aside, 0.3));
  for (const Triangle& t : triangles) mesh.triangles.push_back({t[0] + count, t[1] + count, t[2] + count});
  return mesh;
}

TEST(Warnings, OfARigidSurfaceThatCutsItself) {
  for (const double aside : {0.6, 1.0, 2.0}) {  // 1: side by side along an edge
    Model model;
    model.materials = {{.name = "stone"}};
    test::add_object(model, "pair.1", ObjectType::rigid, two_cubes(aside), {0, 0, 0});
    test::add_object(model, "pair.2", ObjectType::rigid, two_cubes(aside), {9, 0, 0});
    LoadReport report;
    warn_of_rigid_surfaces_that_cut_themselves(model, report);
    ASSERT_EQ(report.warnings.size(), aside < 1 ? 1U : 0U);
    if (aside < 1) {
      EXPECT_EQ(report.warnings[0].find("the surface of \"pair.1\" cuts itself ("), 0U) << report.warnings[0];
    }
  }
}

// What one cube in another would weigh is not for a run to guess; the wall of a cavity faces inward.
TEST(Warnings, AClosedPartInsideAnotherIsRefusedUnlessItIsTheWallOfACavity) {
  const std::string file = testing::TempDir() + "simrun_parts.obj";
  const auto load = [&](bool inward, const std::string& object, const std::string& mesh) {
    std::ofstream out(file);
    int first = 1;
    for (const double side : {0.3, 0.1}) {
      const Mesh cube = generate(BoxShape{.size = {side, side, side}, .cells = {1, 1, 1}});
      for (const Vec3& p : cube.vertices) out << "v " << p[0] << ' ' << p[1] << ' ' << p[2] << '\n';
      const bool turned = inward && side == 0.1;
      for (const Triangle& t : cube.triangles)
        out << "f " << t[0] + first << ' ' << t[turned ? 2 : 1] + first << ' ' << t[turned ? 1 : 2] + first << '\n';
      first += static_cast<int>(cube.vertices.size());
    }
    out.close();
    LoadReport report;
    return load_model(
        parse_scene(R"({ "materials": { "m": { "density": 1000 } }, "meshes": { "a": { "file": ")" + file + "\"" +
                        mesh + R"( } }, "objects": [ { "name": "a", "mesh": "a")" + object + " } ] }",
                    "test.json", "."),
        report);
  };
  const std::string rigid = R"(, "type": "rigid", "material": "m")", elastic = R"(, "material": "m")",
                    fixed = R"(, "type": "fixed")", embed = R"(, "embed": { "cell": 0.1 })";
  EXPECT_NEAR(load(true, rigid, "").rigid[0].mass, 26, 1e-9);
  EXPECT_NO_THROW(load(true, elastic, embed));
  EXPECT_NO_THROW(load(false, fixed, ""));
  for (const auto& [object, mesh] : {std::pair(rigid, std::string()), std::pair(elastic, embed)}) {
    try {
      load(false, object, mesh);
      ADD_FAILURE() << "not refused: " << object;
    } catch (const InputError& error) {
      EXPECT_NE(std::string(error.what()).find("the closed part of its triangle 12"), std::string::npos)
          << error.what();
    }
  }
  std::filesystem::remove(file);
}

// The closed forms of tests/elasticity/sheet_bending_test.cpp; cells of the pattern are 2 and 1.155 times as long as
// rows are high.
TEST(Warnings, OfShellsThatBendUnlikePlates) {
  const auto told = [](const std::string& material, const std::string& cells) {
    return warnings(R"({"materials": {"m": {"density": 1000, )" + material +
                    R"(}}, "meshes": {"s": {"generate": "sheet", "size": [2, 1.7320508], "cells": )" + cells +
                    R"(}}, "objects": [{"name": "a", "mesh": "s", "material": "m"}, {"name": "b.1", "mesh": "s",
                    "material": "m", "position": [0, 0, 1]}, {"name": "b.2", "mesh": "s", "material": "m",
                    "position": [0, 0, 2]}]})");
  };
  const std::string shell = R"("model": "shell", "young": 1e6, "poisson": 0)";
  const std::string rows = R"([20, 20])", long_rows = R"([20, 35])";
  EXPECT_TRUE(told(shell, rows).empty());
  ASSERT_EQ(told(shell, long_rows).size(), 1U);
  EXPECT_EQ(told(shell, long_rows)[0].find("\"a\" and 1 other bend 0.66 to 3.1 times as stiffly as a plate"), 0U)
      << told(shell, long_rows)[0];
  EXPECT_TRUE(told(R"("model": "edge-springs", "stretch": 100, "bend": 1e-4)", long_rows).empty());
}

// Doubles of 2^k to 2^(k+1) are 2^(k-52) apart; contacts of a torus keep a fiftieth of a tolerance that is a part of
// its edges.
TEST(Warnings, OfBodiesWhoseCoordinatesAreTooFarApart) {
  const auto at = [](const std::string& x) { return warnings(with_object("\"position\": [" + x + ", 0, 0]")); };
  EXPECT_TRUE(at("1e6").empty());
  ASSERT_EQ(at("1e12").size(), 1U);
  EXPECT_EQ(at("1e12")[0].find("\"left\" is 1e+12 m from the origin, where coordinates are 0.000222 m apart: "), 0U)
      << at("1e12")[0];
}

// Steel of 1 mm, one cell: edges of 1, 1 and sqrt(2) mm make 2e11 Pa x 1.14 mm x 2.2e-14 m = 5e-6 N at 100 m, where
// it weighs 7.7e-5 N; at 1 m a hundredth of that.
TEST(Warnings, OfBodiesWhoseWeightIsNearTheRoundingOfTheirForces) {
  const auto at = [](const std::string& x, const std::string& material) {
    return warnings(R"({"materials": {"m": {"poisson": 0.3, "density": 7800, "young": )" + material +
                    R"(}}, "meshes": {"c": {"generate": "box", "size": [0.001, 0.001, 0.001], "cells": [1, 1, 1]}},
                    "objects": [{"name": "a", "mesh": "c", "material": "m", "position": [)" +
                    x + ", 0, 0]}]}");
  };
  EXPECT_TRUE(at("1", "2e11").empty());
  EXPECT_TRUE(at("100", "2e9").empty());
  ASSERT_EQ(at("100", "2e11").size(), 1U);
  EXPECT_EQ(at("100", "2e11")[0].find("\"a\" is 100 m from the origin, where coordinates are 2.22e-14 m apart: "
                                      "worth 5.1e-06 N on each vertex of a body that weighs 7.7e-05 N; "),
            0U)
      << at("100", "2e11")[0];
}

TEST(Warnings, OfARelativeToleranceThatStepsAsPublishedDoNotHave) {
  const std::string both = R"("solver": { "as_published": true, "relative_tolerance": 0.001 })";
  ASSERT_EQ(warnings(with_top_level(both)).size(), 1U);
  EXPECT_EQ(warnings(with_top_level(both))[0].find("solver.relative_tolerance does nothing: "), 0U);
  EXPECT_TRUE(warnings(with_top_level(R"("solver": { "as_published": true })")).empty());
}

TEST(Warnings, NamesThatStandForOthersOrEndEarlyAreRefused) {
  EXPECT_EQ(
      message(spoilt("\"left\"", "\"*\"")),
      "test.json: /objects/0/name: \"*\": expected a name without *, which stands for any text in contact.pairs");
  EXPECT_EQ(message(spoilt("\"left\"", "\"a\\u0000b\"")),
            "test.json: /objects/0/name: \"a\\u0000b\": expected text without the letter of code 0, which files end "
            "names at");
}

TEST(Warnings, MessagesDoNotRepeatLongExpressions) {
  const std::string wrong = std::string(100000, '(') + "t";
  const std::string text = message(spoilt(
      "\"material\": \"rubber\" }", "\"type\": \"scripted\", \"motion\": { \"degrees\": \"" + wrong + "\" } }"));
  EXPECT_EQ(text.find("test.json: /objects/0/motion/degrees: "), 0U) << text.substr(0, 200);
  EXPECT_LT(text.size(), 1000U);
  EXPECT_NE(text.find("...\""), std::string::npos);
}

// A bar of 1 x 1 m, `length` long, of so many cells, beside a cube that is not too stiff; what is said of both.
std::vector<std::string> stiff(double length, const std::array<Index, 3>& cells, double poisson, Thin thin) {
  Model model;
  model.materials = {{.name = "rubber", .young = 1e6, .poisson = poisson, .density = 1000}};
  for (const char* name : {"bar.1", "bar.2", "beam"})
    test::add_object(model, name, ObjectType::deformable, generate(BoxShape{.size = {length, 1, 1}, .cells = cells}),
                     {0, 0, 0});
  test::add_object(model, "cube", ObjectType::deformable, generate(BoxShape{.size = {1, 1, 1}, .cells = {8, 8, 8}}),
                   {9, 0, 0});
  return stiff_bodies(model, thin);
}

TEST(StiffBodies, LongCellsAreToldInEveryRunAndOfAllBodiesOfOneKindAtOnce) {
  const std::vector<std::string> told = stiff(60, {6, 2, 2}, 0.3, Thin::twice_as_stiff);
  ASSERT_EQ(told.size(), 1u);
  // r = 20: 1.99 + 1.5 (400 - 1) / (4 * 1.3) = 117 times
  EXPECT_EQ(
      told[0],
      "\"bar\" and 1 other have 2 cells across, about 20 times as long as high, of linear tetrahedra: in bending "
      "too stiff by about 117 times (poisson 0.3); with cells as long as high by 2 times; with 4 cells across, as "
      "long as high, by 1.3 times");
}

TEST(StiffBodies, ThinOnesOfCubesAreLeftToTheSceneThatIsAskedFor) {
  EXPECT_TRUE(stiff(6, {12, 2, 2}, 0.3, Thin::twice_as_stiff).empty());
  EXPECT_EQ(stiff(6, {12, 2, 2}, 0.3, Thin::all).size(), 1u);
  EXPECT_TRUE(stiff(6, {6, 1, 1}, 0.3, Thin::twice_as_stiff).empty());
  EXPECT_TRUE(stiff(6, {24, 4, 4}, 0.3, Thin::all).empty());
}

TEST(StiffBodies, WhatLocksIsToldWithWhatPoissonMakesOfIt) {
  const std::vector<std::string> told = stiff(6, {24, 4, 4}, 0.49, Thin::twice_as_stiff);
  ASSERT_EQ(told.size(), 1u);
  EXPECT_NE(told[0].find("which lock where the material keeps its volume: in bending too stiff by about 3.5 times "
                         "(poisson 0.49); at poisson 0.45 by 1.7 times; with 8 cells across by 1.7 times"),
            std::string::npos)
      << told[0];
}

}  // namespace warnings_test
}  // namespace sim
