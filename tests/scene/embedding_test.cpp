// Scenes of embedded surfaces: their keys, what they are refused for, and what load_model() makes of them.
#include <gtest/gtest.h>

#include "scene/loaded.hpp"

namespace sim {
namespace embedding_test {

std::string scene(const std::string& embed, const std::string& object = "", const std::string& rest = "") {
  return R"({"materials": {"m": {"young": 1e5, "density": 500}}, "meshes": {
      "s": {"generate": "box", "size": [0.4, 0.3, 0.2], "cells": [4, 3, 2], "embed": )" +
         embed + R"(},
      "c": {"generate": "box", "size": [0.4, 0.3, 0.2], "cells": [1, 1, 1]}, "t": {"generate": "sheet"}},
    "objects": [{"name": "a", "mesh": "s", "material": "m")" +
         object + R"(}, {"name": "b", "mesh": "c", "material": "m", "position": [0, 0, 2]},
                {"name": "floor", "type": "fixed", "mesh": "t", "position": [0, 0, -1]}])" +
         rest + "}";
}

Model load_embedded(const std::string& embed, const std::string& object = "", const std::string& rest = "") {
  return load(scene(embed, object, rest));
}
std::string message(const std::string& embed, const std::string& object = "", const std::string& rest = "") {
  return load_error(scene(embed, object, rest));
}

TEST(SceneEmbedding, HasUnknownsForItsCageOnly) {
  const Model model = load_embedded(R"({"cell": 0.1})");
  const Object& body = model.objects[0];
  EXPECT_EQ(body.embedded, 60 - 6);  // vertices of the box's surface
  EXPECT_EQ(nodes(body).size(), 5 * 4 * 3);
  EXPECT_EQ(model.plan.vertex_of_block.size(), static_cast<std::size_t>(60 + 8));
  EXPECT_NEAR(model.elastic.mass.head(body.vertices.end).sum(), 500 * 0.4 * 0.3 * 0.2, 1e-12);
  for (Index i = embedded_vertices(body).begin; i < embedded_vertices(body).end; ++i) {
    EXPECT_EQ(model.elastic.mass[i], 0);
    EXPECT_EQ(model.surface.vertex_moves[i], 1);
  }
  for (const Triangle& t : model.mesh.triangles) EXPECT_TRUE(t[0] >= nodes(body).end);  // the cage does not collide
  EXPECT_EQ(load_embedded(R"({"cage": "c"})").objects[0].tets.size(), 6);
}

TEST(SceneEmbedding, TellsOfACageThatIsFinerThanTheSurface) {
  const auto warnings = [](const std::string& cell) {
    LoadReport report;
    load_model(parse_scene(scene(R"({"cell": )" + cell + "}"), "test.json", "."), report);
    return report.warnings;
  };
  for (const char* cell : {"0.2", "0.1", "0.08"}) EXPECT_TRUE(warnings(cell).empty()) << cell;
  const std::vector<std::string> finer = warnings("0.05");
  ASSERT_EQ(finer.size(), 1U);
  EXPECT_EQ(finer[0].find("mesh \"s\": the cage has edges of 0.0569 m in the mean, its surface of 0.114 m"), 0U)
      << finer[0];
}

TEST(SceneEmbedding, NeedsACellOrACage) {
  EXPECT_EQ(message("{}"), "test.json: /meshes/s/embed: {}: expected one of \"cell\" and \"cage\"");
  EXPECT_EQ(message(R"({"cell": 0.1, "cage": "c"})").find("test.json: /meshes/s/embed: "), 0u);
  EXPECT_EQ(message(R"({"cell": 0})").find("test.json: /meshes/s/embed/cell: 0"), 0u);
  EXPECT_NE(message(R"({"cage": "d"})").find("/meshes/s/embed/cage: \"d\""), std::string::npos);
  EXPECT_NE(message(R"({"cage": "t"})").find("expected a cage of tetrahedra, \"t\" has none"), std::string::npos);
  EXPECT_NE(message(R"({"cage": "s"})").find("expected a cage that is not embedded itself"), std::string::npos);
}

TEST(SceneEmbedding, IsForDeformableObjectsAndStepsThatKnowIt) {
  EXPECT_EQ(message(R"({"cell": 0.1})", R"(, "type": "rigid")"),
            "test.json: /objects/0/mesh: \"s\": expected a mesh without \"embed\", which is for deformable objects");
  EXPECT_NE(
      message(R"({"cell": 0.1})", "", R"(, "solver": {"method": "acm"})").find("does not move embedded surfaces"),
      std::string::npos);
}

TEST(SceneEmbedding, PinsNodesOfTheCage) {
  const Model model =
      load_embedded(R"({"cage": "c"})", R"(, "boundary": [{"plane": {"point": [0, 0, 0], "normal": [0, 0, 1]}}])");
  ASSERT_EQ(model.prescribed.size(), 2u);
  EXPECT_EQ(model.prescribed[0].vertices.size(), 4u);
  int still = 0;
  for (const EmbeddedVertex& point : model.embedding.vertices)
    still += model.surface.vertex_moves[point.vertex] == 0 ? 1 : 0;
  EXPECT_EQ(still, 5 * 4);  // those of the upper side
  EXPECT_NE(message(R"({"cage": "c"})", R"(, "boundary": [{"list": [8]}])").find("expected a number from 0 to 7"),
            std::string::npos);
}

TEST(SceneEmbedding, TakesForcesOnTheCageAndPressureOnTheSurface) {
  const Model pressed = load_embedded(R"({"cage": "c"})", R"(, "loads": [{"pressure": 100, "follows": false,
      "plane": {"point": [0, 0, 0.099], "normal": [0, 0, 1]}}])");
  State state = initial_state(pressed);
  LoadForces loads;
  ASSERT_EQ(find_loads(pressed, state, 0.01, loads), -1);
  Vec3 sum = Vec3::Zero();
  for (Index i = 0; i < 8; ++i) sum += block(loads.force, i);
  EXPECT_LT((sum - Vec3(0, 0, -100 * 0.4 * 0.3)).norm(), 1e-12);
  for (Index i = 8; i < pressed.objects[0].vertices.end; ++i) EXPECT_EQ(block(loads.force, i), Vec3(0, 0, 0));

  const Model pulled = load_embedded(R"({"cell": 0.1})", R"(, "loads": [{"body_force": [0, 0, 1]}])");
  double volume = 0;
  for (const double share : pulled.loads[0].share) volume += share;
  EXPECT_NEAR(volume, 0.4 * 0.3 * 0.2, 1e-15);
}

TEST(SceneEmbedding, SpinsAboutTheCentreOfItsMass) {
  const Model model = load_embedded(
      R"({"cell": 0.13})", R"(, "rotation": {"axis": [1, 1, 0], "degrees": 20}, "angular_velocity": [0, 0, 3])");
  Vec3 momentum = Vec3::Zero();
  for (Index i = 0; i < nodes(model.objects[0]).end; ++i)
    momentum += model.elastic.mass[i] * block(model.initial_velocity, i);
  EXPECT_LT(momentum.norm(), 1e-13);
}

}  // namespace embedding_test
}  // namespace sim
