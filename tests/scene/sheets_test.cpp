// Scenes of sheets: what goes with what, and what load_model() makes of it.
#include <gtest/gtest.h>

#include "scene/loaded.hpp"

namespace sim {
namespace sheets_test {

constexpr const char* high = R"("position": [0, 0, 1])";
constexpr const char* grid = R"("generate": "sheet", "cells": [4, 3], "pattern": "grid")";
constexpr const char* cotton = R"("model": "grid-springs", "stretch": 40, "density": 200)";

TEST(SceneSheets, HaveTheElementsOfTheirMaterial) {
  const Model cloth = load_thin(cotton, grid, high);
  // Structural 4 * 4 + 3 * 5, shear 24; nothing bends.
  EXPECT_EQ(cloth.elastic.springs.size(), 31u + 24u);
  EXPECT_TRUE(cloth.elastic.hinges.empty());
  EXPECT_NEAR(cloth.elastic.mass.sum(), 200 * 1e-3, 1e-15);
  EXPECT_EQ(cloth.surface.radius_of(0), 0.5e-3);
  EXPECT_EQ(cloth.surface.radius_of(cloth.objects[1].vertices.begin), 0);
  EXPECT_EQ(cloth.surface.object_gap[0], 5e-5);

  const Model edges = load_thin(R"("model": "edge-springs", "bend": 1e-4)", grid, high);
  EXPECT_EQ(edges.elastic.springs.size(), 31u + 12u);
  EXPECT_EQ(edges.elastic.hinges.size(), 12u + 4 * 2u + 3 * 3u);
  const Model shell = load_thin(R"("model": "shell", "young": 1e6, "thickness": 0.002)", grid, high);
  EXPECT_EQ(shell.elastic.membranes.size(), 24u);
  EXPECT_TRUE(shell.elastic.springs.empty());
}

TEST(SceneSheets, NeedAMaterialOfSheetsAndSolidsOneOfSolids) {
  EXPECT_EQ(thin_error(cotton, R"("generate": "box")", high),
            "test.json: /objects/0/material: \"m\": expected a material of solids for the mesh \"s\", which has "
            "tetrahedra, and the material \"m\" is of sheets");
  EXPECT_EQ(thin_error(R"("young": 1e5)", grid, high).find("test.json: /meshes/s: "),
            0u);  // open, so no surface of a body
  EXPECT_EQ(thin_error(cotton, R"("generate": "sheet", "pattern": "cross")", high),
            "test.json: /objects/0/mesh: \"s\": expected a mesh generated as a sheet of the pattern \"grid\" for the "
            "material \"m\", which is of grid-springs; edge-springs go with any mesh of triangles");
  EXPECT_EQ(
      thin_error(cotton, R"("generate": "box")", R"("type": "rigid", "position": [0, 0, 1])"),
      "test.json: /objects/0/material: \"m\": expected a material of solids for a rigid object, and the material "
      "\"m\" is of sheets");
}

TEST(SceneSheets, HaveKeysOfTheirOwn) {
  EXPECT_EQ(thin_error(R"("model": "shell", "stretch": 40)", grid, high),
            "test.json: /materials/m/stretch: 40: expected no \"stretch\" here, it is for springs only");
  EXPECT_EQ(thin_error(R"("model": "edge-springs", "young": 4e5)", grid, high),
            "test.json: /materials/m/young: 400000.0: expected no \"young\" here, it is for materials that are not "
            "springs only");
  EXPECT_EQ(thin_error(R"("model": "edge-springs", "shear": 4)", grid, high),
            "test.json: /materials/m/shear: 4: expected no \"shear\" here, it is for grid-springs only");
  EXPECT_EQ(
      thin_error(R"("thickness": 0.1)", R"("generate": "box")", high),
      "test.json: /materials/m/thickness: 0.1: expected no \"thickness\" here, it is for sheets and cables only");
}

TEST(SceneSheets, DoNotBeginNearerThanTheirThickness) {
  EXPECT_EQ(thin_error(cotton, grid, R"("position": [0, 0, 0.00051])"), "");
  EXPECT_EQ(thin_error(cotton, grid, R"("position": [0, 0, 0.0004])"),
            "test.json: /objects: \"a\" and \"floor\": expected more than 0.0005 m between them at the start, which "
            "their thickness keeps, but it is 0.0004 m; move them apart, or make them thinner");
  EXPECT_EQ(thin_error(cotton, grid, R"("position": [0, 0, 0], "rotation": { "axis": [0, 1, 0], "degrees": 30 })"),
            "test.json: /objects: \"a\" and \"floor\": expected more than 0.0005 m between them at the start, which "
            "their thickness keeps, but they touch or cross; move them apart, or make them thinner");
}

TEST(SceneSheets, ArePouredWithTheirThicknessBetweenThem) {
  EXPECT_EQ(thin_error(R"("model": "edge-springs", "thickness": 0.01)",
                       R"("generate": "sheet", "size": [0.2, 0.2], "cells": [2, 2])",
                       R"("scatter": {"count": 20, "box": [[-0.2, -0.2, 0.1], [0.2, 0.2, 0.9]]})"),
            "");
}

TEST(SceneSheets, SpinAboutTheirCentreOfMass) {
  const Model model = load_thin(cotton, grid, R"("position": [2, 0, 1], "angular_velocity": [0, 0, 3])");
  Vec3 momentum = Vec3::Zero();
  for (Index i = 0; i < 20; ++i) momentum += model.elastic.mass[i] * block(model.initial_velocity, i);
  EXPECT_LT(momentum.norm(), 1e-15);
  EXPECT_NEAR(model.initial_velocity.head(3).norm(), 3 * std::sqrt(0.5), 1e-14);
}

TEST(SceneSheets, TakeForcesPerVolume) {
  const Model model = load_thin(cotton, grid, R"("position": [0, 0, 1], "loads": [{"body_force": [0, 0, 1]}])");
  double volume = 0;
  for (const double share : model.loads[0].share) volume += share;
  EXPECT_NEAR(volume, 1e-3, 1e-17);
}

}  // namespace sheets_test
}  // namespace sim
