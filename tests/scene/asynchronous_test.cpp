// What scenes of the method `acm` may have and may not.
#include <gtest/gtest.h>

#include "scene/load.hpp"
#include "scene/loaded.hpp"
#include "scene/messages.hpp"

namespace sim {
namespace asynchronous_test {

// What loading says against a scene with this material and type of object.
std::string refusal(const std::string& material, const std::string& object, const std::string& more = "") {
  return load_error(R"({ "materials": { "m": { )" + material + R"( } },
    "meshes": { "box": { "generate": "box" }, "sheet": { "generate": "sheet" } },
    "objects": [ { "name": "o", "material": "m", )" +
                    object + R"( } ], "solver": { "method": "acm" })" + more + " }");
}

TEST(AsynchronousScenes, RigidObjectsAreRefusedWithTheRemedy) {
  const std::string said = refusal(R"("young": 5e5)", R"("mesh": "box", "type": "rigid")");
  EXPECT_NE(said.find("/objects/0/type"), std::string::npos) << said;
  EXPECT_NE(said.find("make it \"deformable\""), std::string::npos) << said;
  EXPECT_EQ(refusal(R"("young": 5e5)", R"("mesh": "box")"), "");
}

TEST(AsynchronousScenes, OtherTimeSchemesAreRefused) {
  const std::string said =
      refusal(R"("young": 5e5)", R"("mesh": "box")", R"(, "time": { "scheme": "implicit-euler" })");
  EXPECT_NE(said.find("/time/scheme"), std::string::npos) << said;
}

TEST(AsynchronousScenes, NothingRestsDeeperThanTheRunGoes) {
  const std::string box = R"("mesh": "box")";
  EXPECT_EQ(refusal(R"("young": 5e5)", box, R"(, "acm": { "rest_depth": 40, "max_layers": 40 })"), "");
  EXPECT_EQ(
      refusal(R"("young": 5e5)", box, R"(, "acm": { "rest_depth": 41, "max_layers": 40 })"),
      "test.json: /acm/rest_depth: 41: expected at most acm.max_layers, 40: deeper than that nothing rests, the "
      "run stops");
}

TEST(AsynchronousScenes, AxesHaveTwoDirections) {
  const std::string said = refusal(R"("young": 5e5)", R"("mesh": "box")", R"(, "acm": { "axes": 7 })");
  EXPECT_EQ(said, "test.json: /acm/axes: 7: expected an even number: every axis has two directions");
}

TEST(AsynchronousScenes, WhatTheCommandLineSetIsNamedByIt) {
  const char* scene = R"({ "materials": { "m": { "young": 5e5 } }, "meshes": { "b": { "generate": "box" } },
    "objects": [ { "name": "o", "material": "m", "mesh": "b" } ], "solver": { "method": "acm" } })";
  for (const std::string set : {"objects.o.type=rigid", "time.scheme=implicit-euler", "solver.as_published=true",
                                "acm.axes=9", "acm.rest_depth=5000"}) {
    try {
      LoadReport report;
      load_model(parse_scene(scene, "test.json", ".", {set}), report);
      ADD_FAILURE() << set;
    } catch (const InputError& error) {
      EXPECT_EQ(std::string(error.what()).find("--set " + set + ": /"), 0) << error.what();
    }
  }
}

TEST(AsynchronousScenes, KeysReachTheOptions) {
  const Scene scene =
      parse_scene(R"({ "materials": { "m": { "young": 5e5 } }, "meshes": { "b": { "generate": "box" } },
    "objects": [ { "name": "o", "material": "m", "mesh": "b" } ], "solver": { "method": "acm" },
    "acm": { "thickness": 0.002, "stiffness": 50, "restitution": 0.25, "max_layers": 77, "friction_cap": true,
      "clocks": "free", "culler": "kds", "vagueness": 3, "axes": 6 } })",
                  "test.json", ".");
  LoadReport report;
  const Options options = make_options(scene, load_model(scene, report));
  EXPECT_EQ(options.stepper, StepperKind::asynchronous);
  EXPECT_EQ(options.asynchronous.thickness, 0.002);
  EXPECT_EQ(options.asynchronous.stiffness, 50);
  EXPECT_EQ(options.asynchronous.restitution, 0.25);
  EXPECT_EQ(options.asynchronous.max_layers, 77);
  EXPECT_TRUE(options.asynchronous.friction_cap);
  EXPECT_EQ(options.asynchronous.clocks, Clocks::free);
  EXPECT_EQ(options.asynchronous.culler, Culler::kds);
  EXPECT_EQ(options.asynchronous.vagueness, 3);
  EXPECT_EQ(options.asynchronous.axes, 6);
}

}  // namespace asynchronous_test
}  // namespace sim
