// Loads from the scene into the model, and what is said of those that cannot be.
#include <gtest/gtest.h>

#include <numeric>

#include "scene/loaded.hpp"
#include "scene/messages.hpp"

namespace sim {
namespace loads_test {

// A cube of 2 m round the origin, 8 corners; rubber of 1000 kg/m^3.
std::string scene_with(const std::string& type, const std::string& loads) {
  return R"({ "materials": { "rubber": { "density": 500 } },
    "meshes": { "cube": { "generate": "box", "size": [2, 2, 2], "cells": [1, 1, 1] } },
    "objects": [ { "name": "first", "mesh": "cube", "material": "rubber", "position": [9, 9, 9] },
                 { "name": "cube", "type": ")" +
         type + R"(", "mesh": "cube", "material": "rubber", "position": [0, 0, 1], "loads": [)" + loads + "] } ] }";
}

// N, on all vertices and on rigid bodies, at the start.
LoadForces forces(const Model& model, double dt = 0) {
  LoadForces found;
  EXPECT_EQ(find_loads(model, initial_state(model), dt, found), -1);
  return found;
}

Vec3 sum(const LoadForces& loads) {
  Vec3 all = Vec3::Zero();
  for (Index i = 0; i < static_cast<Index>(loads.force.size() / 3); ++i) all += block(loads.force, i);
  return all;
}

TEST(LoadOfAScene, ForceIsSharedByTheChosenVerticesOfItsObject) {
  const Model model = load(scene_with(
      "deformable", R"({ "force": [1, "8*t", 0], "plane": { "point": [0, 0, 2], "normal": [0, 0, 1] } })"));
  const LoadForces found = forces(model, 1);
  for (Index i = 0; i < 16; ++i) {
    const bool chosen = i >= 8 && model.mesh.vertices[i].z() > 1.5;
    EXPECT_EQ(block(found.force, i), chosen ? Vec3(0.25, 1, 0) : Vec3(0, 0, 0)) << i;
  }
}

TEST(LoadOfAScene, TractionAndPressureActOnWholeTriangles) {
  const std::string top = R"("box": [[-1, -1, 2], [1, 1, 2]] })";
  EXPECT_NEAR(
      (sum(forces(load(scene_with("deformable", R"({ "traction": [3, 0, 5], )" + top)))) - Vec3(12, 0, 20)).norm(), 0,
      1e-14);
  for (const char* follows : {"true", "false"}) {
    const std::string pressure = R"({ "pressure": 7, "follows": )" + std::string(follows) + ", " + top;
    EXPECT_NEAR((sum(forces(load(scene_with("deformable", pressure)))) - Vec3(0, 0, -28)).norm(), 0, 1e-14);
  }
  const LoadForces all = forces(load(scene_with("deformable", R"({ "pressure": 7 })")));
  EXPECT_NEAR(sum(all).norm(), 0, 1e-14);
  EXPECT_GT(all.force.norm(), 1);
}

TEST(LoadOfAScene, BodyForceOfChosenVerticesIsThatOfTheirShareOfTheVolume) {
  // The corners of the lower half and those of the upper one have all of the volume between them.
  const Vec3 low = sum(forces(load(scene_with(
      "deformable", R"({ "body_force": [1, 2, 3], "plane": { "point": [0, 0, 1], "normal": [0, 0, 1] } })"))));
  const Vec3 high = sum(forces(load(scene_with(
      "deformable", R"({ "body_force": [1, 2, 3], "plane": { "point": [0, 0, 1], "normal": [0, 0, -1] } })"))));
  EXPECT_NEAR((low + high - Vec3(8, 16, 24)).norm(), 0, 1e-12);
  EXPECT_GT(low[0], 1);
  EXPECT_GT(high[0], 1);
  const std::string rigid = load_error(
      scene_with("rigid", R"({ "body_force": [1, 2, 3], "plane": { "point": [0, 0, 1], "normal": [0, 0, 1] } })"));
  EXPECT_NE(rigid.find("expected no choice of vertices: it acts on all of a rigid object"), std::string::npos)
      << rigid;
}

TEST(LoadOfAScene, BodyForceIsPerVolumeOfEitherType) {
  EXPECT_NEAR(
      (sum(forces(load(scene_with("deformable", R"({ "body_force": [1, 2, 3] })")))) - Vec3(8, 16, 24)).norm(), 0,
      1e-13);
  const LoadForces rigid = forces(load(scene_with("rigid", R"({ "body_force": [1, 2, 3] })")));
  EXPECT_NEAR((rigid.wrench[0].force - Vec3(8, 16, 24)).norm(), 0, 1e-13);
  EXPECT_NEAR(rigid.wrench[0].torque.norm(), 0, 1e-13);
}

TEST(LoadOfAScene, ForcesOnVerticesOfARigidObjectAddUpToAForceAndATorque) {
  const LoadForces found =
      forces(load(scene_with("rigid", R"({ "force": [4, 0, 0], "plane": { "point": [0, 0, 2], "normal": [0, 0, 1] } },
                  { "force": [0, 1, 0], "point": [1, 0, 1] }, { "torque": [0, 0, 5] })")));
  EXPECT_EQ(found.force.norm(), 0);
  EXPECT_NEAR((found.wrench[0].force - Vec3(4, 1, 0)).norm(), 0, 1e-14);
  EXPECT_NEAR((found.wrench[0].torque - Vec3(0, 4, 6)).norm(), 0, 1e-14);
  const LoadForces central = forces(load(scene_with("rigid", R"({ "force": [0, 1, 0] })")));
  EXPECT_EQ(central.wrench[0].torque.norm(), 0);
}

TEST(LoadOfAScene, ChoosesByCylinder) {
  const std::string loads =
      R"({ "force": [6, 0, 0], "cylinder": { "point": [1, 1, 0], "axis": [0, 0, -2], "radius": 0.1 } })";
  const Model model = load(scene_with("deformable", loads));
  ASSERT_EQ(model.loads.size(), 1U);
  EXPECT_EQ(model.loads[0].object, 1);
  ASSERT_EQ(model.loads[0].vertices.size(), 2U);
  for (const Index i : model.loads[0].vertices) EXPECT_EQ(model.mesh.vertices[i].head<2>(), Vec2(1, 1));
}

TEST(LoadOfAScene, IsWrittenAsItWasRead) {
  const std::string text = scene_with(
      "rigid",
      R"({ "force": [4, "t", 0], "box": [[-1, -1, 2], [1, 1, 2]] }, { "pressure": "2*t", "list": [0, 1, 2, 3, 4, 5, 6, 7] },
                  { "traction": [0, 0, 1], "sphere": { "center": [0, 0, 1], "radius": 9 }  },
                  { "pressure": 3, "cylinder": { "point": [0, 0, 0], "axis": [0, 0, 1], "radius": 3 }, "follows": false },
                  { "torque": ["t", 0, 0], "follows": true }, { "body_force": [1, 1, 1] }, { "force": [1, 0, 0], "point": [0, 0, 3] })");
  const Scene scene = parse_scene(text, "test.json", ".");
  EXPECT_EQ(parse_scene(scene.json, "again", ".").json, scene.json);
  const LoadForces once = forces(load(text), 0.5), again = forces(load(scene.json), 0.5);
  EXPECT_EQ(once.wrench[0].force, again.wrench[0].force);
  EXPECT_EQ(once.wrench[0].torque, again.wrench[0].torque);
}

// ---- messages

std::string rule(const std::string& type, const std::string& load) {
  std::string text = message(scene_with(type, load));
  const std::string start = "test.json: /objects/1/loads/0";
  EXPECT_EQ(text.find(start), 0U) << text;
  return text.substr(std::min(text.size(), start.size()));
}

TEST(LoadMessages, TellOfAWrongPlace) {
  EXPECT_EQ(rule("deformable", R"({ "torque": [0, 0, 1] })"),
            "/torque: [0,0,1]: expected none on a deformable object: turn it by tractions or forces on its vertices");
  EXPECT_EQ(rule("deformable", R"({ "force": [0, 0, 1] })"),
            ": {\"force\":[0,0,1]}: expected vertices of the deformable object that it acts on, one of \"box\", "
            "\"sphere\", "
            "\"plane\", \"cylinder\", \"list\"; a force on all of it is a \"body_force\"");
  EXPECT_EQ(rule("deformable", R"({ "force": [0, 0, 1], "list": [0], "point": [0, 0, 0] })").substr(0, 25),
            "/point: [0,0,0]: expected");
  EXPECT_EQ(rule("rigid", R"({ "force": [0, 0, 1], "list": [0], "point": [0, 0, 0] })"),
            "/point: [0,0,0]: expected either a point or chosen vertices");
  EXPECT_EQ(rule("rigid", R"({ "force": [0, 0, 1], "list": [0], "follows": true })"),
            "/follows: true: expected none of a force on vertices: its direction stays");
}

TEST(LoadMessages, TellOfWhatIsMisspeltMissingOrTwice) {
  EXPECT_EQ(rule("rigid", R"({ "presure": 3 })"),
            "/presure: 3: unknown key, expected one of \"pressure\", \"body_force\", \"box\", \"cylinder\", "
            "\"follows\", \"force\", \"list\", \"plane\", \"point\", \"sphere\", \"torque\", \"traction\"; did you "
            "mean \"pressure\"?");
  EXPECT_EQ(
      rule("rigid", R"({ "list": [1] })"),
      ": {\"list\":[1]}: expected one of the keys \"force\", \"pressure\", \"traction\", \"body_force\", \"torque\"");
  EXPECT_EQ(rule("rigid", R"({ "pressure": 3, "list": [1], "box": [[0, 0, 0], [1, 1, 1]] })"),
            ": {\"pressure\":3,\"list\":[1],\"box\":[[0,0,0],[1,1,1]]}: expected only one of \"box\", \"sphere\", "
            "\"plane\", "
            "\"cylinder\", \"list\"");
  EXPECT_EQ(rule("rigid", R"({ "pressure": true })"),
            "/pressure: true: expected a number or an expression of t, found true or false");
  EXPECT_EQ(rule("rigid", R"({ "torque": [0, "2*x", 0] })").substr(0, 22), "/torque/1: \"2*x\": expr");
  EXPECT_EQ(rule("rigid", R"({ "torque": [0, 1] })"),
            "/torque: [0,1]: expected three numbers or expressions of t, found a list of 2");
  EXPECT_EQ(rule("rigid", R"({ "pressure": 3, "box": [[0, 0, 1], [1, 1, 0]] })").substr(0, 27),
            "/box: [[0,0,1],[1,1,0]]: ex");
}

TEST(LoadMessages, TellOfAChoiceThatChoosesNothing) {
  EXPECT_EQ(load_error(scene_with("deformable", R"({ "force": [1, 0, 0], "box": [[5, 5, 5], [6, 6, 6]] })")),
            "test.json: /objects/1/loads/0: \"cube\": expected to choose at least one vertex, but none lies there; "
            "the object "
            "reaches from (-1, -1, 0) to (1, 1, 2)");
  EXPECT_EQ(load_error(scene_with("deformable", R"({ "pressure": 1, "list": [0, 1] })")),
            "test.json: /objects/1/loads/0: \"cube\": expected to choose all three corners of at least one surface "
            "triangle, but "
            "the 2 vertices that are chosen make none");
  EXPECT_EQ(load_error(scene_with("deformable", R"({ "force": [1, 0, 0], "list": [8] })")),
            "test.json: /objects/1/loads/0: vertex 8 of \"cube\": expected a number from 0 to 7");
}

TEST(LoadMessages, TellOfObstacles) {
  const std::string text = message(
      R"({ "objects": [ { "name": "a", "type": "fixed", "mesh": "slab", "loads": [ { "pressure": 1 } ] } ] })");
  EXPECT_NE(text.find("/objects/0/loads: [{\"pressure\":1}]: expected no \"loads\" here, it is for deformable and "
                      "rigid objects only"),
            std::string::npos)
      << text;
}

}  // namespace loads_test
}  // namespace sim
