// Scenes of cables: what goes with what, and what load_model() makes of it.
#include <gtest/gtest.h>

#include <numbers>

#include "scene/loaded.hpp"

namespace sim {
namespace cables_test {

constexpr const char* high = R"("position": [0, 0, 1])";
constexpr const char* rope = R"("generate": "path", "points": [[0, 0, 0], [2, 0, 0]], "segments": 8)";
constexpr const char* wire = R"("model": "cable", "stretch": 1e4, "bend": 0.1, "density": 1000, "thickness": 0.02)";

TEST(SceneCables, HaveTheElementsOfTheirMaterial) {
  const Model model = load_thin(wire, rope, high);
  EXPECT_EQ(model.elastic.springs.size(), 8u);
  EXPECT_EQ(model.elastic.bends.size(), 7u);
  EXPECT_TRUE(model.elastic.tets.empty());
  EXPECT_TRUE(model.is_cable(model.objects[0]));
  EXPECT_FALSE(model.is_cable(model.objects[1]));
  EXPECT_NEAR(model.elastic.mass.sum(), 1000 * std::numbers::pi * 1e-4 * 2, 1e-12);
  EXPECT_EQ(model.surface.radius_of(0), 0.01);
  EXPECT_EQ(model.surface.object_gap[0], 2e-4);
  EXPECT_TRUE(model.surface.limits.empty());
}

TEST(SceneCables, MayBeNets) {
  const std::string net =
      R"("generate": "segments", "points": [[0,0,0],[1,0,0],[0,1,0]], "segments": [[0,1],[1,2],[2,0]])";
  EXPECT_EQ(load_thin(wire, net, high).elastic.bends.size(), 3u);
  const std::string loose = R"("generate": "segments", "points": [[0,0,0],[1,0,0],[0,1,0]], "segments": [[0,1]])";
  EXPECT_NE(thin_error(wire, loose, high).find("expected every point of a cable to be on a segment"),
            std::string::npos);
}

TEST(SceneCables, HaveEverySegmentOnce) {
  const auto net = [](const std::string& more) {
    return R"("generate": "segments", "points": [[0,0,0],[1,0,0],[0,1,0]], "segments": [[0,1],[1,2])" + more + "]";
  };
  EXPECT_EQ(thin_error(wire, net(""), high), "");
  for (const char* twice : {", [1,2]", ", [2,1]"}) {
    const std::string told = thin_error(wire, net(twice), high);
    EXPECT_EQ(told.find("test.json: /meshes/s: "), 0u) << told;
    EXPECT_NE(
        told.find("expected every segment of a cable once, in one of its two directions, but points 1 and 2 are "
                  "joined more than once"),
        std::string::npos)
        << told;
  }
}

TEST(SceneCables, AreToldOfFieldsThatTheyDoNotHave) {
  const auto warnings = [](const std::string& asked, const std::string& material, const std::string& mesh) {
    LoadReport report;
    load_model(
        parse_scene(R"({"materials": {"m": {)" + material + R"(}}, "meshes": {"s": {)" + mesh +
                        R"(}}, "objects": [{"name": "a", "mesh": "s", "material": "m"}], "output": {)" + asked + "}}",
                    "test.json", "."),
        report);
    return report.warnings;
  };
  const std::string all = R"("stress": true, "stress_tensor": true, "strain_tensor": true)";
  const std::string solid = R"("young": 1e5)", box = R"("generate": "box")";
  EXPECT_EQ(warnings(all, wire, rope).size(), 3u);
  EXPECT_EQ(warnings(R"("stress": true)", wire, rope),
            std::vector<std::string>{"output.stress does nothing: no deformable object has tetrahedra"});
  EXPECT_EQ(warnings(R"("tension": true)", solid, box),
            std::vector<std::string>{"output.tension does nothing: no deformable object has springs"});
  EXPECT_TRUE(warnings(all, solid, box).empty());
  EXPECT_TRUE(warnings(R"("tension": true)", wire, rope).empty());
  EXPECT_TRUE(warnings("", wire, rope).empty());
}

TEST(SceneCables, NeedAMaterialOfCables) {
  EXPECT_EQ(thin_error(R"("young": 1e5)", rope, high),
            "test.json: /objects/0/material: \"m\": expected a material of cables for the mesh \"s\", which has "
            "segments, and the material \"m\" is of solids");
  EXPECT_EQ(thin_error(wire, R"("generate": "sheet")", high),
            "test.json: /objects/0/material: \"m\": expected a material of sheets for the mesh \"s\", which has "
            "triangles, and the material \"m\" is of cables");
  EXPECT_EQ(thin_error(wire, R"("generate": "box")", high),
            "test.json: /objects/0/material: \"m\": expected a material of solids for the mesh \"s\", which has "
            "tetrahedra, and the material \"m\" is of cables");
  EXPECT_NE(thin_error(wire, rope, R"("type": "rigid", "position": [0, 0, 1])"), "");
}

TEST(SceneCables, KnowStrainLimits) {
  const auto limits = [](const std::string& limit) {
    return load_thin(std::string(wire) + R"(, "strain_limit": )" + limit, rope, high).surface.limits;
  };
  ASSERT_EQ(limits("0.1").size(), 8u);
  EXPECT_NEAR(limits("0.1")[3].longest, 0.275, 1e-15);
  EXPECT_NEAR(limits("0.1")[3].shortest, 0.225, 1e-15);
  EXPECT_EQ(limits("[1, 0.1]")[3].shortest, 0);
  EXPECT_TRUE(limits("1").empty());
  EXPECT_EQ(thin_error(std::string(wire) + R"(, "strain_limit": 0)", rope, high),
            "test.json: /materials/m/strain_limit: 0: expected a number in (0, 1], or two");
  EXPECT_NE(thin_error(std::string(wire) + R"(, "strain_limit": [0.1])", rope, high), "");
  EXPECT_EQ(thin_error(R"("young": 1e5, "strain_limit": 0.1)", R"("generate": "box")", high),
            "test.json: /materials/m/strain_limit: 0.1: expected no \"strain_limit\" here, it is for springs only");
}

// Springs of flexion pass over others, which have theirs.
TEST(SceneCables, SheetsOfSpringsHaveLimitsToo) {
  const Model model = load_thin(R"("model": "grid-springs", "flexion": 3, "strain_limit": [1, 0.1])",
                                R"("generate": "sheet", "cells": [4, 3], "pattern": "grid")", high);
  EXPECT_EQ(model.elastic.springs.size(), 31u + 24u + 12u + 10u);
  EXPECT_EQ(model.surface.limits.size(), 31u + 24u);
  for (const LengthLimit& limit : model.surface.limits)
    EXPECT_EQ(model.elastic.springs[limit.spring].vertices, limit.vertices);
}

TEST(SceneCables, AreToldNotToMeetPoints) {
  LoadReport report;
  const Model model = load_model(parse_scene(R"({"materials": {"m": {"model": "cable"}}, "meshes": {
    "s": {"generate": "path", "points": [[0, 0, 1], [2, 0, 1]]}, "p": {"generate": "points", "points": [[0, 0, 0]]}},
    "objects": [{"name": "a", "mesh": "s", "material": "m"}, {"name": "p", "type": "fixed", "mesh": "p"}]})",
                                             "test.json", "."),
                                 report);
  ASSERT_EQ(report.warnings.size(), 1u);
  EXPECT_EQ(report.warnings[0],
            "\"a\" is a cable and does not meet the points of \"p\": short segments instead of points do");
}

TEST(SceneCables, AreWrittenAsTheyAreRead) {
  const std::string text = R"({"materials": {"m": {"model": "cable", "strain_limit": [1, 0.1]}},
    "meshes": {"s": {"generate": "path", "points": [[0, 0, 0], [2, 0, 0]], "segments": 8}},
    "objects": [{"name": "a", "mesh": "s", "material": "m"}]})";
  const Scene scene = parse_scene(text, "test.json", ".");
  EXPECT_EQ(scene.json, parse_scene(scene.json, "again", ".").json);
  EXPECT_EQ(scene.materials[0].strain_limit, (std::array<double, 2>{1, 0.1}));
}

TEST(SceneCables, SpinAboutTheirCentreOfMassAndTakeForcesPerVolume) {
  const Model model =
      load_thin(wire, R"("generate": "path", "points": [[0, 0, 0], [2, 0, 0], [2, 1, 0]], "segments": 8)",
                R"("position": [2, 0, 1], "angular_velocity": [0, 0, 3], "loads": [{"body_force": [0, 0, 1]}])");
  Vec3 momentum = Vec3::Zero();
  double volume = 0;
  for (Index i = 0; i < 9; ++i) momentum += model.elastic.mass[i] * block(model.initial_velocity, i);
  for (const double share : model.loads[0].share) volume += share;
  EXPECT_LT(momentum.norm(), 1e-14);
  EXPECT_NEAR(volume * 1000, model.elastic.mass.sum(), 1e-12);
}

}  // namespace cables_test
}  // namespace sim
