#include "scene/load.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <numbers>

#include "collide/intersections.hpp"
#include "math/error.hpp"
#include "mesh/generate.hpp"
#include "mesh/mesh.hpp"

namespace sim {
namespace load_test {

Scene scene_with(const std::string& meshes, const std::string& objects, const std::string& folder = ".") {
  return parse_scene(R"({ "materials": { "rubber": {}, "steel": { "young": 2e11, "density": 8000 } }, "meshes": {)" +
                         meshes + R"(}, "objects": [)" + objects + "] }",
                     "test.json", folder);
}

Model load(const Scene& scene) {
  LoadReport report;
  return load_model(scene, report);
}

std::string load_error(const Scene& scene) {
  try {
    load(scene);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

constexpr const char* cube = R"("cube": { "generate": "box", "size": [2, 2, 2], "cells": [1, 1, 1] })";

class LoadFile : public testing::Test {
 protected:
  void SetUp() override {
    const auto* test = testing::UnitTest::GetInstance()->current_test_info();
    folder_ = std::filesystem::temp_directory_path() / (std::string("simrun_load_") + test->name());
    std::filesystem::create_directories(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }
  void write(const std::string& name, const std::string& text) const { std::ofstream(folder_ / name) << text; }
  std::string folder() const { return folder_.string(); }

 private:
  std::filesystem::path folder_;
};

// A tetrahedron's surface, faces outward.
constexpr const char* tetrahedron_off =
    "OFF\n4 4 0\n0 0 0\n1 0 0\n0 1 0\n0 0 1\n3 0 2 1\n3 0 1 3\n3 0 3 2\n3 1 2 3\n";

// ---- units that look like a mistake

std::vector<std::string> warnings(const std::string& young, double size) {
  LoadReport report;
  const std::string text = R"({ "gravity": [0, 0, 0], "materials": { "rubber": { "young": )" + young + R"( } },
    "meshes": { "cube": { "generate": "box", "cells": [1, 1, 1] },
                "other": { "generate": "box", "cells": [1, 1, 1], "scale": )" +
                           std::to_string(size) + R"( } },
    "objects": [ { "name": "one", "mesh": "cube", "material": "rubber" },
                 { "name": "two", "mesh": "other", "material": "rubber", "position": [9, 9, 9] } ] })";
  load_model(parse_scene(text, "test.json", "."), report);
  return report.warnings;
}

TEST(LoadWarnings, OfAYoungBelowAHundredPascal) {
  EXPECT_TRUE(warnings("100", 1).empty());
  const auto found = warnings("99", 1);
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].find("material \"rubber\" has a young of 99 Pa"), 0U) << found[0];
}

TEST(LoadWarnings, OfAnObjectMoreThanAThousandTimesAsLargeAsAnother) {
  EXPECT_TRUE(warnings("1e5", 999).empty());
  EXPECT_TRUE(warnings("1e5", 0.00101).empty());
  const auto large = warnings("1e5", 1001);
  ASSERT_EQ(large.size(), 1U);
  EXPECT_EQ(large[0].find("\"two\" is 1.73e+03 m across and \"one\" 1.73 m"), 0U) << large[0];
  const auto small = warnings("1e5", 0.00099);
  ASSERT_EQ(small.size(), 1U);
  EXPECT_EQ(small[0].find("\"one\" is 1.73 m across and \"two\" 0.00171 m"), 0U) << small[0];
}

// ---- what goes where

TEST(Load, RangesFollowOneAnother) {
  const Model model = load(scene_with(cube, R"({ "name": "a", "mesh": "cube", "material": "steel" },
    { "name": "floor", "type": "fixed", "mesh": "cube" })"));
  ASSERT_EQ(model.objects.size(), 2U);
  EXPECT_EQ(model.mesh.vertices.size(), 16U);  // a cube of one cell: 8 vertices, 6 tets, 12 triangles
  EXPECT_EQ(model.objects[0].material, 1);
  EXPECT_EQ(model.objects[1].material, -1);
  EXPECT_EQ(model.objects[1].vertices.begin, 8);
  EXPECT_EQ(model.objects[1].vertices.end, 16);
  EXPECT_EQ(model.objects[1].tets.begin, 6);
  EXPECT_EQ(model.objects[1].tets.end, 12);
  EXPECT_EQ(model.objects[1].triangles.begin, 12);
  EXPECT_EQ(model.objects[1].triangles.end, 24);
  for (Index t = 12; t < 24; ++t) {
    for (const Index vertex : model.mesh.triangles[t]) EXPECT_GE(vertex, 8);
  }
}

TEST(Load, TurnsAboutTheMeshOriginThenMoves) {
  const Model model =
      load(scene_with(cube, R"({ "name": "a", "mesh": "cube", "material": "rubber", "position": [10, 0, 5],
    "rotation": { "axis": [0, 0, 2], "degrees": 45 } })"));
  const Mesh rest = generate(BoxShape{Vec3(2, 2, 2), {1, 1, 1}});
  const double h = std::sqrt(0.5);  // cos and sin of 45 degrees
  for (std::size_t i = 0; i < rest.vertices.size(); ++i) {
    const Vec3& x = rest.vertices[i];
    const Vec3 expected(h * x[0] - h * x[1] + 10, h * x[0] + h * x[1], x[2] + 5);
    EXPECT_LT((model.mesh.vertices[i] - expected).norm(), 1e-14);
  }
}

TEST(Load, QuarterTurnsAreExact) {
  const Mesh rest = generate(BoxShape{Vec3(2, 2, 2), {1, 1, 1}});
  for (const int degrees : {90, -270, 450}) {
    const Model model = load(scene_with(cube, R"({ "name": "a", "type": "fixed", "mesh": "cube",
      "rotation": { "axis": [1, 0, 0], "degrees": )" +
                                                  std::to_string(degrees) + "} }"));
    for (std::size_t i = 0; i < rest.vertices.size(); ++i) {
      const Vec3& x = rest.vertices[i];
      EXPECT_EQ(model.mesh.vertices[i], Vec3(x[0], -x[2], x[1]));  // y to z, z to -y
    }
  }
}

TEST(Load, ScaleComesFirst) {
  const Model model =
      load(scene_with(R"("m": { "generate": "box", "size": [2, 2, 2], "cells": [1, 1, 1], "scale": 3 })",
                      R"({ "name": "a", "type": "fixed", "mesh": "m", "position": [0, 0, 3] })"));
  double low = 1e9, high = -1e9;
  for (const Vec3& x : model.mesh.vertices) low = std::min(low, x[2]), high = std::max(high, x[2]);
  EXPECT_EQ(low, 0);
  EXPECT_EQ(high, 6);
}

TEST(Load, VelocityIsThatOfARigidMotionAboutTheCentreOfMass) {
  const Model model =
      load(scene_with(cube, R"({ "name": "a", "mesh": "cube", "material": "rubber", "position": [10, 0, 5],
    "velocity": [1, 2, 3], "angular_velocity": [0, 0, 4] })"));
  for (Index i = 0; i < 8; ++i) {
    const Vec3 arm = model.mesh.vertices[i] - Vec3(10, 0, 5);
    const Vec3 expected(1 - 4 * arm[1], 2 + 4 * arm[0], 3);
    EXPECT_LT((block(model.initial_velocity, i) - expected).norm(), 1e-13);
  }
}

TEST_F(LoadFile, TheCentreOfMassIsThatOfTheVolume) {
  // A single tet: its centroid (1/4, 1/4, 1/4) stands still when it only spins.
  write("t.off", tetrahedron_off);
  const Model model = load(
      scene_with(R"("t": { "file": "t.off", "tetrahedralize": {} })",
                 R"({ "name": "a", "mesh": "t", "material": "rubber", "angular_velocity": [0, 0, 1] })", folder()));
  ASSERT_EQ(model.mesh.vertices.size(), 4U);
  EXPECT_LT((block(model.initial_velocity, 0) - Vec3(0.25, -0.25, 0)).norm(), 1e-15);
}

TEST_F(LoadFile, AMeshFromAFileIsRefinedBeforeItIsFilled) {
  write("t.off", tetrahedron_off);
  const std::string fixed = R"({ "name": "a", "type": "fixed", "mesh": "t" })";
  const Model surface = load(scene_with(R"("t": { "file": "t.off", "refine": 2, "scale": 2 })", fixed, folder()));
  EXPECT_EQ(surface.mesh.vertices.size(), 34U);  // V = 2 + E - F = 2 + 96 - 64
  EXPECT_EQ(surface.mesh.triangles.size(), 64U);
  EXPECT_EQ(surface.mesh.vertices[1], Vec3(2, 0, 0));
  const Model body = load(scene_with(R"("t": { "file": "t.off", "refine": 1, "tetrahedralize": {} })",
                                     R"({ "name": "a", "mesh": "t", "material": "rubber" })", folder()));
  EXPECT_EQ(body.mesh.triangles.size(), 16U);
  EXPECT_NEAR(volume(body.mesh), 1.0 / 6, 1e-15);
}

TEST_F(LoadFile, AMeshThatWouldBeTooFineIsRefused) {
  write("t.off", tetrahedron_off);
  const std::string said = load_error(scene_with(R"("t": { "file": "t.off", "refine": 40 })",
                                                 R"({ "name": "a", "type": "fixed", "mesh": "t" })", folder()));
  EXPECT_NE(said.find("expected a mesh that is refined less often"), std::string::npos) << said;
}

TEST(Load, FixedAndScriptedObjectsAreTold) {
  const Model model = load(scene_with(cube, R"({ "name": "free", "mesh": "cube", "material": "rubber" },
    { "name": "floor", "type": "fixed", "mesh": "cube" },
    { "name": "stirrer", "type": "scripted", "mesh": "cube", "motion": { "velocity": [0, 0, 2] } })"));
  ASSERT_EQ(model.prescribed.size(), 2U);
  EXPECT_TRUE(model.prescribed[0].motion.stands_still());
  EXPECT_EQ(model.prescribed[0].vertices.size(), 8U);
  EXPECT_EQ(model.prescribed[0].vertices.front(), 8);
  EXPECT_EQ(model.prescribed[1].vertices.back(), 23);
  EXPECT_EQ(model.prescribed[1].motion.pose(3).apply(Vec3(1, 1, 1)), Vec3(1, 1, 7));
}

TEST(Load, SettingsReachModelAndOptions) {
  const Scene scene = parse_scene(R"({ "name": "n", "gravity": [1, 2, 3], "time": { "step": 0.25 },
    "contact": { "friction": 0.125, "tolerance": 2e-6, "hold_position": false },
    "solver": { "method": "cr-diag", "linear_tolerance": 1e-7, "max_iterations": 12, "tolerance": 3e-5,
                "relative_tolerance": 0.5, "on_failure": "continue", "together": true },
    "objects": [ { "name": "a", "type": "fixed", "mesh": "box" } ] })",
                                  "t", ".");
  const Model model = load(scene);
  EXPECT_EQ(model.name, "n");
  EXPECT_EQ(model.gravity, Vec3(1, 2, 3));
  EXPECT_EQ(model.friction, 0.125);
  const Options options = make_options(scene, model);
  EXPECT_EQ(options.dt, 0.25);
  EXPECT_EQ(options.method, "cr-diag");
  EXPECT_EQ(options.linear.tolerance, 1e-7);
  EXPECT_EQ(options.linear.max_iterations, 12);
  EXPECT_EQ(options.contact.max_iterations, 12);
  EXPECT_EQ(options.contact.tolerance.momentum, 3e-5);
  EXPECT_EQ(options.contact.tolerance.constraint, 2e-6);
  EXPECT_EQ(options.contact.relative_momentum, 0.5);
  EXPECT_TRUE(options.contact.accept_unconverged);
  EXPECT_FALSE(options.contact.hold_position);
  EXPECT_TRUE(options.contact.together);
  const CrOptions& cr = std::get<CrOptions>(options.contact.method);
  EXPECT_EQ(cr.preconditioner, CrPreconditioner::diag);
}

TEST(Load, WhatTheSceneLeavesOutStaysAtItsDefault) {
  const Scene scene = parse_scene(R"({ "objects": [ { "name": "a", "type": "fixed", "mesh": "box" } ] })", "t", ".");
  const Options options = make_options(scene, {});
  EXPECT_EQ(options.contact.relative_momentum, 0.01);
  EXPECT_FALSE(options.contact.accept_unconverged);
  EXPECT_TRUE(options.contact.hold_position);
  EXPECT_FALSE(options.contact.together);
  EXPECT_TRUE(std::holds_alternative<AutoOptions>(options.contact.method));
}

// Cubes of one cell each: a face has two triangles with edges 1, 1 and sqrt(2) of the side.
std::string cubes(double free_side, const std::string& rest) {
  return R"({ "materials": { "m": {} }, "meshes": { "cube": { "generate": "box", "size": [)" +
         std::to_string(free_side) + "," + std::to_string(free_side) + "," + std::to_string(free_side) +
         R"(], "cells": [1, 1, 1] }, "plate": { "generate": "slab", "size": [0.01, 0.01], "thickness": 0.01 } },
         "objects": [ { "name": "free", "mesh": "cube", "material": "m" },
                      { "name": "plate", "type": "fixed", "mesh": "plate", "position": [9, 9, 9] } ])" +
         rest + "}";
}

TEST(Load, TheToleranceOfGapsComesFromTheFinestSurfaceThatMoves) {
  for (const double side : {0.5, 0.0005}) {
    const Scene scene = parse_scene(cubes(side, ""), "t", ".");
    const Model model = load(scene);
    const double mean_edge = side * (2 + std::sqrt(2.0)) / 3;
    EXPECT_EQ(finest_surface(model).object, 0);
    EXPECT_NEAR(finest_surface(model).eps2, mean_edge / 8000, 0.005 * mean_edge / 8000);
    // The plate leaves it to what touches it.
    EXPECT_EQ(gap_tolerance(model.surface, 1, 0), finest_surface(model).eps2);
    const Options options = make_options(scene, model);
    EXPECT_NEAR(options.contact.tolerance.constraint, mean_edge / 8000, 0.005 * mean_edge / 8000);
    EXPECT_NEAR(options.detection.margin, mean_edge / 400, 0.005 * mean_edge / 400);
    EXPECT_TRUE(std::isinf(options.contact.tolerance.momentum));
  }
}

TEST(Load, AsPublishedTheTolerancesAreThePapers) {
  const Scene scene = parse_scene(cubes(0.5, R"(, "solver": { "as_published": true })"), "t", ".");
  const Options options = make_options(scene, load(scene));
  EXPECT_EQ(options.contact.tolerance.momentum, 5e-5);
  EXPECT_EQ(options.contact.tolerance.constraint, 5e-6);
  EXPECT_EQ(options.detection.separation, 0);
  EXPECT_TRUE(options.contact.as_published);
  EXPECT_TRUE(options.contact.together);
  EXPECT_FALSE(options.contact.hold_position);
  EXPECT_TRUE(std::holds_alternative<PlainMethod>(options.contact.method));
}

TEST(Load, AsPublishedTheMethodsOfOtaduyHaveTheirOwnStep) {
  for (const std::string method : {"ica", "constraint-anticipation"}) {
    const std::string solver = R"(, "solver": { "as_published": true, "method": ")" + method + R"(" })";
    const Scene scene = parse_scene(cubes(0.5, solver), "t", ".");
    const Options options = make_options(scene, load(scene));
    EXPECT_EQ(options.contact.rounds, Rounds::otaduy) << method;
    EXPECT_TRUE(options.contact.proximity_set) << method;
    EXPECT_EQ(options.contact.most_rounds, 5) << method;
    EXPECT_EQ(options.contact.most_halvings, 2) << method;
  }
}

TEST(Load, AsPublishedIterationsHaveNoLimitUnlessTheSceneHasOne) {
  const auto most_of = [](const std::string& more) {
    const Scene scene = parse_scene(cubes(0.5, R"(, "solver": { "method": "sp-cr")" + more + " }"), "t", ".");
    return make_options(scene, load(scene)).contact.max_iterations;
  };
  EXPECT_EQ(most_of(""), 10000);
  EXPECT_EQ(most_of(R"(, "max_iterations": 300)"), 300);
  EXPECT_EQ(most_of(R"(, "as_published": true)"), 100'000);
  EXPECT_EQ(most_of(R"(, "as_published": true, "max_iterations": 300)"), 300);
}

TEST(Load, AToleranceOfGapsThatDoesNotSuitTheMeshIsToldWithTheOneThatWould) {
  const Scene scene = parse_scene(cubes(0.5, R"(, "contact": { "tolerance": 0.1 })"), "t", ".");
  LoadReport report;
  load_model(scene, report);
  ASSERT_EQ(report.warnings.size(), 1U);
  EXPECT_NE(report.warnings[0].find("contact.tolerance is 0.1 m"), std::string::npos) << report.warnings[0];
  EXPECT_NE(report.warnings[0].find("7.11e-05 m is taken"), std::string::npos) << report.warnings[0];
}

// ---- meshes

TEST(LoadMeshes, EqualSpecificationsAreMadeOnce) {
  LoadReport report;
  load_model(
      scene_with(R"("a": { "generate": "torus" }, "b": { "generate": "torus", "segments": 18 },
                           "c": { "generate": "torus", "segments": 19 }, "unused": { "generate": "box" })",
                 R"({ "name": "1", "type": "fixed", "mesh": "a" }, { "name": "2", "type": "fixed", "mesh": "b" },
                           { "name": "3", "type": "fixed", "mesh": "c" })"),
      report);
  EXPECT_EQ(report.notes, (std::vector<std::string>{"meshes \"a\" and \"b\" are the same: made once"}));
}

// 5 x 5 x 5 vertices, of which 3 x 3 x 3 are inside.
TEST(LoadMeshes, ObstaclesHaveNoInside) {
  const std::string box = R"("generate": "box", "cells": [4, 4, 4])";
  const Model model = load(scene_with(R"("a": { )" + box + R"( }, "b": { )" + box + " }",
                                      R"({ "name": "wall", "type": "fixed", "mesh": "a" },
                                         { "name": "gate", "type": "scripted", "mesh": "a", "position": [3, 0, 0],
                                           "motion": { "velocity": [0, 0, 1] } },
                                         { "name": "body", "mesh": "b", "material": "rubber", "position": [6, 0, 0] })"));
  for (const std::size_t obstacle : {0, 1}) {
    EXPECT_EQ(model.objects[obstacle].vertices.size(), 98);
    EXPECT_EQ(model.objects[obstacle].tets.size(), 0);
    EXPECT_EQ(model.objects[obstacle].triangles.size(), 192);
  }
  EXPECT_EQ(model.objects[2].vertices.size(), 125);
  EXPECT_GE(model.objects[2].tets.size(), 5 * 64);
}

TEST(LoadMeshes, WhatNoObjectUsesIsWarnedOf) {
  LoadReport report;
  load_model(parse_scene(R"({ "materials": { "rubber": { "young": 5e5 }, "steel": { "young": 2e11 } },
                              "meshes": { "ring": { "generate": "torus" }, "spare": { "generate": "box" } },
                              "objects": [ { "name": "a", "mesh": "ring", "material": "rubber" } ] })",
                         "t", "."),
             report);
  EXPECT_EQ(report.warnings, (std::vector<std::string>{"mesh \"spare\" is used by no object",
                                                       "material \"steel\" is used by no object"}));
}

TEST_F(LoadFile, SurfacesOfDeformableObjectsNeedTetrahedralize) {
  write("t.off", tetrahedron_off);
  const Scene scene =
      scene_with(R"("t": { "file": "t.off" })", R"({ "name": "a", "mesh": "t", "material": "rubber" })", folder());
  EXPECT_EQ(load_error(scene),
            "test.json: /objects/0/mesh: \"t\": expected tetrahedra for a deformable object of the material "
            "\"rubber\", this mesh "
            "is a bare surface: add \"tetrahedralize\": {} to /meshes/t, or choose a material of sheets "
            "(edge-springs, shell)");
  const Model fixed =
      load(scene_with(R"("t": { "file": "t.off" })", R"({ "name": "a", "type": "fixed", "mesh": "t" })", folder()));
  EXPECT_TRUE(fixed.mesh.tets.empty());
  EXPECT_EQ(fixed.mesh.triangles.size(), 4U);
}

TEST_F(LoadFile, DefectsNameMeshAndFile) {
  write("open.off", "OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n");
  const std::string mesh = R"("o": { "file": "open.off" })";
  const std::string said = load_error(
      scene_with(mesh, R"({ "name": "a", "type": "rigid", "mesh": "o", "material": "rubber" })", folder()));
  EXPECT_EQ(said.find("test.json: /meshes/o: \"" + folder() + "/open.off\": expected a sound mesh: "), 0U) << said;
  EXPECT_NE(said.find("3 edges are open"), std::string::npos) << said;
  EXPECT_EQ(load_error(scene_with(mesh, R"({ "name": "a", "type": "fixed", "mesh": "o" })", folder())), "");
}

TEST_F(LoadFile, TetsInsideOutAreTurnedAndTold) {
  write("t.node", "4 3 0 0\n0 0 0 0\n1 1 0 0\n2 0 1 0\n3 0 0 1\n");
  write("t.ele", "1 4 0\n0 0 2 1 3\n");
  LoadReport report;
  const Model model = load_model(
      scene_with(R"("t": { "file": "t.node" })", R"({ "name": "a", "mesh": "t", "material": "rubber" })", folder()),
      report);
  EXPECT_EQ(report.notes,
            (std::vector<std::string>{"mesh \"t\": 1 of 1 tetrahedra were inside out and have been turned"}));
  EXPECT_DOUBLE_EQ(volume(model.mesh), 1.0 / 6);
  EXPECT_EQ(model.mesh.triangles.size(), 4U);
}

TEST_F(LoadFile, TetFilesNeedNoTetrahedralize) {
  write("t.node", "4 3 0 0\n0 0 0 0\n1 1 0 0\n2 0 1 0\n3 0 0 1\n");
  write("t.ele", "1 4 0\n0 0 1 2 3\n");
  const std::string said = load_error(scene_with(R"("t": { "file": "t.node", "tetrahedralize": {} })",
                                                 R"({ "name": "a", "mesh": "t", "material": "rubber" })", folder()));
  EXPECT_NE(said.find("expected no \"tetrahedralize\" here, the file holds tetrahedra already"), std::string::npos)
      << said;
}

TEST(LoadMeshes, MissingFilesAreToldTogetherWithTheirPaths) {
  const Scene scene = scene_with(R"("a": { "file": "sub/../a.off" }, "b": { "file": "/no/b.off" })",
                                 R"({ "name": "1", "type": "fixed", "mesh": "a" },
                                    { "name": "2", "type": "fixed", "mesh": "b" })",
                                 "some/folder");
  try {
    load(scene);
    FAIL();
  } catch (const FileError& error) {
    const std::string said = error.what();
    EXPECT_EQ(said.find("test.json: /meshes/a: \"some/folder/a.off\": the file \"some/folder/a.off\" does not exist"),
              0U)
        << said;
    EXPECT_NE(said.find("\ntest.json: /meshes/b: \"/no/b.off\": "), std::string::npos) << said;
  }
}

TEST(LoadMeshes, AMissingFileOfTheFolderMeshesIsToldHowToMake) {
  const auto said = [](const std::string& file) {
    try {
      load(scene_with(R"("a": { "file": ")" + file + "\" }", R"({ "name": "1", "type": "fixed", "mesh": "a" })",
                      "none"));
    } catch (const FileError& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_NE(said("meshes/bunny.off").find("scripts/meshes.sh"), std::string::npos);
  EXPECT_EQ(said("bunny.off").find("scripts/meshes.sh"), std::string::npos);
}

TEST_F(LoadFile, RigidObjectsMayHaveTetsOrASurface) {
  write("t.off", tetrahedron_off);
  const Model model = load(scene_with(std::string(cube) + R"(, "t": { "file": "t.off" })",
                                      R"({ "name": "a", "type": "rigid", "mesh": "t", "material": "steel",
      "position": [3, 0, 0], "velocity": [1, 2, 3], "angular_velocity": [0, 0, 4] },
    { "name": "soft", "mesh": "cube", "material": "rubber", "position": [0, 9, 0] },
    { "name": "b", "type": "rigid", "mesh": "cube", "material": "steel", "position": [9, 0, 0] })",
                                      folder()));
  ASSERT_EQ(model.rigid.size(), 2U);
  EXPECT_TRUE(model.prescribed.empty());
  EXPECT_EQ(model.plan.pattern.rows(), 8 + 2 * 2);
  EXPECT_NEAR(model.rigid[0].mass, 8000.0 / 6, 1e-9);
  EXPECT_LT((model.rigid[0].center - Vec3(3.25, 0.25, 0.25)).norm(), 1e-14);
  EXPECT_EQ(model.rigid[0].velocity, Vec3(1, 2, 3));
  EXPECT_EQ(model.rigid[0].angular_velocity, Vec3(0, 0, 4));
  EXPECT_NEAR(model.rigid[1].mass, 8 * 8000, 1e-9);
  EXPECT_EQ(model.rigid[1].vertices.begin, 12);
  const State state = initial_state(model);
  EXPECT_LT((block(state.v, 0) - Vec3(1 + 4 * 0.25, 2 - 4 * 0.25, 3)).norm(), 1e-14);  // of the corner at the origin
}

TEST_F(LoadFile, ASurfaceWithAHoleIsRefused) {
  write("t.off", "OFF\n4 3 0\n0 0 0\n1 0 0\n0 1 0\n0 0 1\n3 0 2 1\n3 0 1 3\n3 0 3 2\n");
  const std::string said =
      load_error(scene_with(R"("t": { "file": "t.off" })",
                            R"({ "name": "a", "type": "rigid", "mesh": "t", "material": "steel" })", folder()));
  EXPECT_NE(said.find("open"), std::string::npos) << said;
}

TEST(Load, TheLetterOfThePaperIsRefusedWhereThereIsNone) {
  const std::string said = load_error(parse_scene(R"({ "solver": { "method": "exact", "as_published": true },
    "objects": [ { "name": "a", "type": "fixed", "mesh": "box" } ] })",
                                                  "test.json", "."));
  EXPECT_EQ(said, "test.json: /solver/as_published: true: expected false with \"exact\", which is of no paper");
}

TEST(Options, TakeTheTimeScheme) {
  const auto options_of = [](const std::string& time) {
    const Scene scene = parse_scene(cubes(0.5, R"(, "time": {)" + time + "}"), "t", ".");
    return make_options(scene, load(scene));
  };
  EXPECT_EQ(options_of("").time.scheme, TimeScheme::semi_implicit);
  EXPECT_EQ(options_of(R"("scheme": "implicit-euler")").time.scheme, TimeScheme::implicit_euler);
  EXPECT_EQ(options_of(R"("scheme": "quasi-static")").time.scheme, TimeScheme::quasi_static);
  const Options alpha = options_of(R"("scheme": "generalized-alpha", "spectral_radius": 0.25)");
  EXPECT_EQ(alpha.time.scheme, TimeScheme::generalized_alpha);
  EXPECT_EQ(alpha.time.spectral_radius, 0.25);
}

TEST(Options, RefuseAnotherTimeSchemeThanThePublishedOne) {
  const std::string said = load_error(parse_scene(
      cubes(0.5, R"(, "time": { "scheme": "implicit-euler" }, "solver": { "as_published": true })"), "t", "."));
  EXPECT_NE(said.find("/time/scheme"), std::string::npos) << said;
  EXPECT_NE(said.find("semi-implicit"), std::string::npos) << said;
}

// Newton's method needs the derivative of the forces.
TEST(Options, ASchemeWithNewtonsMethodTakesTheExactStiffness) {
  const auto stiffness = [](const std::string& scheme, const std::string& prescribed) {
    const std::string material = R"("materials": { "m": { "young": 1e5)" + prescribed + " } }";
    return parse_scene(
               R"({ "time": { "scheme": ")" + scheme + R"(" }, )" + material +
                   R"(, "meshes": { "b": { "generate": "box" } }, "objects": [ { "name": "b", "mesh": "b", "material": "m" } ] })",
               "t", ".")
        .materials[0]
        .stiffness;
  };
  EXPECT_EQ(stiffness("semi-implicit", ""), Stiffness::rotated_linear);
  EXPECT_EQ(stiffness("implicit-euler", ""), Stiffness::exact);
  EXPECT_EQ(stiffness("implicit-euler", R"(, "stiffness": "rotated-linear")"), Stiffness::rotated_linear);
}

TEST(Load, AMethodWithoutFrictionIsRefusedWhereThereIsFriction) {
  const std::string said = load_error(parse_scene(R"({ "solver": { "method": "qp-active-set" },
    "contact": { "friction": 0.3 }, "objects": [ { "name": "a", "type": "fixed", "mesh": "box" } ] })",
                                                  "test.json", "."));
  EXPECT_EQ(said,
            "test.json: /solver/method: \"qp-active-set\": a method that knows no friction; choose another one, or "
            "set all friction to 0");
}

// ---- scatter

constexpr const char* heap = R"({ "name": "heap", "mesh": "cube", "material": "rubber", "velocity": [0, 0, -3],
  "rotation": { "axis": [0, 0, 1], "degrees": 30 }, "scatter": { "count": 5, "seed": 3, "box": [[-9, -9, 0], [9, 9, 20]] } })";

TEST(LoadScatter, CopiesAreObjectsOfTheirOwn) {
  const Model model = load(scene_with(cube, heap));
  ASSERT_EQ(model.objects.size(), 5U);
  EXPECT_EQ(model.objects[0].name, "heap.1");
  EXPECT_EQ(model.objects[4].name, "heap.5");
  EXPECT_EQ(model.mesh.vertices.size(), 40U);
  for (Index i = 0; i < 40; ++i) EXPECT_EQ(Vec3(block(model.initial_velocity, i)), Vec3(0, 0, -3));
}

TEST(LoadScatter, CopiesKeepTheirShapeStayInTheBoxAndApart) {
  const Model model = load(scene_with(cube, heap));
  std::vector<Vec3> centers;
  for (const Object& object : model.objects) {
    Vec3 center = Vec3::Zero();
    for (Index i = object.vertices.begin; i < object.vertices.end; ++i) center += model.mesh.vertices[i] / 8;
    centers.push_back(center);
    for (Index i = object.vertices.begin; i < object.vertices.end; ++i) {
      const Vec3& x = model.mesh.vertices[i];
      EXPECT_NEAR((x - center).norm(), std::sqrt(3.0), 1e-12);  // half the diagonal of a cube of edge 2
      EXPECT_TRUE((x.array() >= Vec3(-9, -9, 0).array()).all() && (x.array() <= Vec3(9, 9, 20).array()).all());
    }
  }
  for (std::size_t i = 0; i < 5; ++i) {
    for (std::size_t j = 0; j < i; ++j) EXPECT_GE((centers[i] - centers[j]).norm(), 2 * std::sqrt(3.0));
  }
}

TEST(LoadScatter, IsTheSameEveryTimeAndOtherForAnotherSeed) {
  const Model first = load(scene_with(cube, heap)), second = load(scene_with(cube, heap));
  EXPECT_EQ(first.mesh.vertices, second.mesh.vertices);
  std::string other = heap;
  other.replace(other.find("\"seed\": 3"), 9, "\"seed\": 4");
  EXPECT_NE(load(scene_with(cube, other)).mesh.vertices, first.mesh.vertices);
}

TEST(LoadScatter, MoreThanFitIsRefused) {
  const std::string said = load_error(scene_with(cube, R"({ "name": "heap", "mesh": "cube", "material": "rubber",
    "scatter": { "count": 150000, "box": [[0, 0, 0], [100, 100, 100]] } })"));
  EXPECT_EQ(said.find("test.json: /objects/0/scatter: \"heap\": 150000 copies cannot fit in the region: "), 0U)
      << said;
  const std::string tight = load_error(scene_with(cube, R"({ "name": "heap", "mesh": "cube", "material": "rubber",
    "scatter": { "count": 3, "box": [[0, 0, 0], [3, 3, 3]] } })"));
  EXPECT_EQ(tight.find("test.json: /objects/0/scatter: \"heap\": only "), 0U) << tight;
}

TEST(LoadScatter, KeepsClearOfTheOtherObjects) {
  const std::string meshes = std::string(cube) + R"(, "room": { "generate": "box", "size": [12, 12, 12] })";
  const Model model = load(scene_with(meshes, R"(
    { "name": "heap", "mesh": "cube", "material": "rubber",
      "scatter": { "count": 8, "cylinder": { "base": [0, 0, -6], "radius": 6, "height": 12 } } },
    { "name": "more", "mesh": "cube", "material": "rubber",
      "scatter": { "count": 8, "mesh": { "name": "room" } } })"));
  ASSERT_EQ(model.objects.size(), 16U);
  EXPECT_TRUE(find_overlaps(model.surface, initial_state(model).x).empty());
}

// ---- arrays and poses

TEST(LoadCopies, AnArrayIsALatticeFromThePosition) {
  const Model model = load(scene_with(cube, R"({ "name": "wall", "mesh": "cube", "material": "rubber",
    "position": [1, 2, 3], "array": { "count": [2, 1, 3], "spacing": [4, 5, 6] } })"));
  ASSERT_EQ(model.objects.size(), 6U);
  EXPECT_EQ(model.objects[5].name, "wall.6");
  const std::vector<Vec3> shifts{{0, 0, 0}, {4, 0, 0}, {0, 0, 6}, {4, 0, 6}, {0, 0, 12}, {4, 0, 12}};
  for (std::size_t i = 0; i < 6; ++i) {
    const Vec3 first = model.mesh.vertices[0], own = model.mesh.vertices[model.objects[i].vertices.begin];
    EXPECT_LT((own - first - shifts[i]).norm(), 1e-15);
  }
}

TEST(LoadCopies, PosesTurnAndMoveEachCopyAndGiveItsVelocity) {
  const Model model =
      load(scene_with(cube, R"({ "name": "a", "mesh": "cube", "material": "rubber", "velocity": [0, 0, -1],
    "poses": [ { "position": [10, 0, 0] },
               { "position": [0, 10, 0], "quaternion": [3, 0, 0, 3], "velocity": [1, 2, 3] },
               { "position": [0, 10, 5], "rotation": { "degrees": 90 }, "angular_velocity": [0, 0, 2] } ] })"));
  ASSERT_EQ(model.objects.size(), 3U);
  const auto vertex = [&](std::size_t object, Index k) -> Vec3 {
    return model.mesh.vertices[model.objects[object].vertices.begin + k];
  };
  for (Index k = 0; k < 8; ++k) {
    const Vec3 rest = vertex(0, k) - Vec3(10, 0, 0), turned(-rest[1], rest[0], rest[2]);
    EXPECT_LT((vertex(1, k) - Vec3(0, 10, 0) - turned).norm(), 1e-14);
    EXPECT_LT((vertex(2, k) - Vec3(0, 10, 5) - turned).norm(), 1e-14);
    EXPECT_EQ(Vec3(block(model.initial_velocity, k)), Vec3(0, 0, -1));
    EXPECT_EQ(Vec3(block(model.initial_velocity, 8 + k)), Vec3(1, 2, 3));
    const Vec3 expected = Vec3(0, 0, -1) + Vec3(0, 0, 2).cross(turned);
    EXPECT_LT((Vec3(block(model.initial_velocity, 16 + k)) - expected).norm(), 1e-13);
  }
}

class PoseFile : public ::testing::Test {
 protected:
  std::string error_of(const std::string& text) {
    std::ofstream(path_) << text;
    return load_error(scene_with(cube, object_));
  }
  void TearDown() override { std::filesystem::remove(path_); }
  const std::string path_ = testing::TempDir() + "simrun_poses_" + std::to_string(getpid()) + ".csv";
  const std::string object_ =
      R"({ "name": "a", "mesh": "cube", "material": "rubber", "poses_file": ")" + path_ + "\" }";
};

TEST_F(PoseFile, IsReadColumnByColumn) {
  std::ofstream(path_)
      << "# from elsewhere\nz, x,y,qw,qx,qy,qz,vx,vy,vz\n3,1,2, 1,0,0,0, 4,5,6\n\n+7e0,8,9,1,0,0,1,0,0,0\r\n";
  const Model model = load(scene_with(cube, object_));
  ASSERT_EQ(model.objects.size(), 2U);
  EXPECT_EQ(model.objects[1].name, "a.2");
  Vec3 first = Vec3::Zero(), second = Vec3::Zero();
  for (Index k = 0; k < 8; ++k) {
    first += model.mesh.vertices[k] / 8;
    second += model.mesh.vertices[8 + k] / 8;
  }
  EXPECT_LT((first - Vec3(1, 2, 3)).norm(), 1e-14);
  EXPECT_LT((second - Vec3(8, 9, 7)).norm(), 1e-14);
  EXPECT_EQ(Vec3(block(model.initial_velocity, 0)), Vec3(4, 5, 6));
}

TEST_F(PoseFile, MistakesNameFileLineColumnAndValue) {
  const std::string place = "test.json: /objects/0/poses_file: \"" + path_ + "\": " + path_ + ": ";
  EXPECT_EQ(error_of("x,y,z\n1,2,three\n"), place + "line 2: column \"z\": \"three\": expected a number");
  EXPECT_EQ(error_of("x,y,z\n1,2\n"), place + "line 2: expected 3 values, as there are column names, found 2");
  EXPECT_EQ(error_of("x,y\n1,2\n"), place + "line 1: expected all of the columns \"x\", \"y\", \"z\", found 2");
  EXPECT_EQ(error_of("x,y,z,qw,qx,qy,qz\n1,2,3,0,0,0,0\n"),
            place + "line 2: columns \"qw\" to \"qz\": expected a quaternion that is not zero");
  const std::string unknown = error_of("x,y,z,degree\n1,2,3,4\n");
  EXPECT_EQ(unknown.find(place + "line 1: \"degree\": expected a column name, one of \"x\""), 0U) << unknown;
  EXPECT_NE(unknown.find("did you mean \"degrees\"?"), std::string::npos) << unknown;
  EXPECT_EQ(error_of("x,y,z\n"), place + "expected a line of column names and at least one pose");
}

// ---- scale and flip

TEST(LoadScale, AMirroredMeshIsTheRightWayRound) {
  for (const char* how :
       {R"("scale": [1, 2, -3])", R"("scale": [1, 2, 3], "flip": "z")", R"("scale": -1, "flip": "xz")"}) {
    const std::string mesh =
        std::string(R"("cube": { "generate": "box", "size": [1, 1, 1], "cells": [2, 1, 1], )") + how + " }";
    const Model model = load(scene_with(mesh, R"({ "name": "a", "mesh": "cube", "material": "rubber" })"));
    double sum = 0;
    for (const Tet& t : model.mesh.tets) {
      const auto& x = model.mesh.vertices;
      const double six = six_volume(x[t[0]], x[t[1]], x[t[2]], x[t[3]]);
      EXPECT_GT(six, 0);
      sum += six / 6;
    }
    Mesh bare = model.mesh;
    bare.tets.clear();
    EXPECT_NEAR(volume(bare), sum, 1e-12) << "the surface faces outward";
  }
}

// ---- boundary

std::string bound(const std::string& boundary) {
  return R"({ "name": "a", "mesh": "cube", "material": "rubber", "position": [10, 0, 1], "boundary": [)" + boundary +
         "] }";
}

std::vector<Vec3> prescribed_places(const Model& model, std::size_t entry) {
  std::vector<Vec3> places;
  for (const Index i : model.prescribed[entry].vertices) places.push_back(model.mesh.vertices[i]);
  return places;
}

TEST(LoadBoundary, ChoosesInTheWorldBordersIncluded) {
  const char* const bottom_left_right[] = {R"({ "box": [[9, -1, 0], [11, 1, 0]] })",
                                           R"({ "plane": { "point": [5, 5, 0], "normal": [0, 0, -7] } })",
                                           R"({ "sphere": { "center": [10, 0, 0], "radius": 1.4142135623730951 } })"};
  for (const char* boundary : bottom_left_right) {
    const Model model = load(scene_with(cube, bound(boundary)));
    ASSERT_EQ(model.prescribed.size(), 1U);
    const std::vector<Vec3> places = prescribed_places(model, 0);
    EXPECT_EQ(places.size(), 4U) << boundary;  // the cube's lower corners
    for (const Vec3& x : places) EXPECT_EQ(x[2], 0);
    EXPECT_TRUE(model.prescribed[0].motion.stands_still());
  }
}

TEST(LoadBoundary, ListsCountWithinTheObject) {
  const Model model = load(scene_with(cube, R"({ "name": "first", "type": "fixed", "mesh": "cube" },)" +
                                                bound(R"({ "list": [7, 2], "motion": { "velocity": [1, 0, 0] } })")));
  ASSERT_EQ(model.prescribed.size(), 2U);
  EXPECT_EQ(model.prescribed[1].vertices, (std::vector<Index>{15, 10}));
  EXPECT_EQ(model.prescribed[1].motion.pose(2).apply(Vec3(0, 0, 0)), Vec3(2, 0, 0));
}

TEST(LoadBoundary, ChoosingNothingIsRefused) {
  EXPECT_EQ(
      load_error(scene_with(cube, bound(R"({ "sphere": { "center": [0, 0, 0], "radius": 1 } })"))),
      "test.json: /objects/0/boundary/0: \"a\": expected to choose at least one vertex, but none lies there; the "
      "object reaches from (9, -1, 0) to (11, 1, 2)");
}

TEST(LoadBoundary, ChoosingTwiceNamesBothEntries) {
  EXPECT_EQ(
      load_error(scene_with(cube, bound(R"({ "list": [1, 2] }, { "list": [3, 2] })"))),
      "test.json: /objects/0/boundary/1: vertex 2 of \"a\": expected every vertex once, /objects/0/boundary/0 has "
      "chosen it already");
  EXPECT_NE(load_error(scene_with(cube, bound(R"({ "list": [1, 1] })"))), "");
}

TEST(LoadBoundary, NumbersBeyondTheObjectAreRefused) {
  EXPECT_EQ(load_error(scene_with(cube, bound(R"({ "list": [8] })"))),
            "test.json: /objects/0/boundary/0: vertex 8 of \"a\": expected a number from 0 to 7");
}

}  // namespace load_test
}  // namespace sim
