#include <gtest/gtest.h>

#include "scene/messages.hpp"

namespace sim {
namespace override_test {

const char* const scene_text = R"({
  "materials": { "rubber": { "young": 5e5 } },
  "objects": [
    { "name": "left", "mesh": "torus", "material": "rubber" },
    { "name": "top.right", "mesh": "torus", "material": "rubber", "velocity": [1, 2, 3] } ]
})";

Scene with(const std::vector<std::string>& overrides) {
  return parse_scene(scene_text, "test.json", ".", overrides);
}

TEST(Override, GoesByKeysNumbersAndNames) {
  const Scene scene = with({"materials.rubber.young=5e6", "objects.left.velocity=[0,0,1]", "objects.1.velocity.2=-7",
                            "objects.top.right.position=[4,5,6]"});
  EXPECT_EQ(scene.materials[0].young, 5e6);
  EXPECT_EQ(scene.objects[0].velocity, Vec3(0, 0, 1));
  EXPECT_EQ(scene.objects[1].velocity, Vec3(1, 2, -7));
  EXPECT_EQ(scene.objects[1].position, Vec3(4, 5, 6));
}

TEST(Override, ValueIsJsonOrElseText) {
  EXPECT_EQ(with({"name=two rings"}).name, "two rings");
  EXPECT_EQ(with({"name=\"5\""}).name, "5");
  EXPECT_EQ(with({"name=a=b"}).name, "a=b");
  EXPECT_EQ(with({"solver.method=cr-diag"}).solver.method, "cr-diag");
  EXPECT_FALSE(with({"output.velocities=false"}).output.velocities);
}

TEST(Override, NumbersMayBeWrittenAsPeopleWriteThem) {
  const Scene scene = with({"time.duration=.25", "time.step=2.", "contact.friction=+.5", "gravity=[-.5,1.e0,+2e+1]"});
  EXPECT_EQ(scene.time.duration, 0.25);
  EXPECT_EQ(scene.time.step, 2);
  EXPECT_EQ(scene.contact.friction, 0.5);
  EXPECT_EQ(scene.gravity, Vec3(-0.5, 1, 20));
  // What is no number either way stays the text that it is.
  EXPECT_EQ(with({"name=.5 mm"}).name, ".5 mm");
  EXPECT_EQ(with({"name=\".5\""}).name, ".5");
  EXPECT_EQ(with({"name=1.2.3."}).name, "1.2.3.");
  EXPECT_EQ(message(scene_text, {"time.step=-.5"}), "--set time.step=-.5: /time/step: -0.5: expected a number > 0");
}

TEST(Override, AddsKeysThatAreNotThereYet) {
  const Scene scene = with({"time.step=0.25", "materials.steel={\"young\": 2e11}", "materials.steel.poisson=0.3",
                            "objects.left.material=steel"});
  EXPECT_EQ(scene.time.step, 0.25);
  EXPECT_EQ(scene.time.duration, 1);
  ASSERT_EQ(scene.materials.size(), 2U);
  EXPECT_EQ(scene.materials[1].young, 2e11);
  EXPECT_EQ(scene.materials[1].poisson, 0.3);
}

TEST(Override, TheLastOneWins) {
  EXPECT_EQ(with({"time.step=1", "time.step=2"}).time.step, 2);
}

TEST(Override, DefectsAreBlamedOnIt) {
  EXPECT_EQ(message(scene_text, {"materials.rubber.young=-1"}),
            "--set materials.rubber.young=-1: /materials/rubber/young: -1: expected a number > 0");
  EXPECT_EQ(message(scene_text, {"tiem.step=1"}).find("--set tiem.step=1: /tiem: {\"step\":1}: unknown key"), 0U);
  EXPECT_NE(message(scene_text, {"tiem.step=1"}).find("did you mean \"time\"?"), std::string::npos);
  EXPECT_EQ(message(scene_text, {"objects.left.mesh=tours"}).find("--set objects.left.mesh=tours: /objects/0/mesh: "),
            0U);
  EXPECT_EQ(message(scene_text, {"name=5"}), "--set name=5: /name: 5: expected text, found a number");
}

TEST(Override, UnknownPlaceInAListNamesTheKnown) {
  EXPECT_EQ(
      message(scene_text, {"objects.lfet.mesh=box"}),
      "--set objects.lfet.mesh=box: /objects: \"lfet\": expected a number from 0 to 1 or a name, one of \"left\", "
      "\"top.right\"; did you mean \"left\"?");
  EXPECT_EQ(message(scene_text, {"objects.2.mesh=box"}).find("--set objects.2.mesh=box: /objects: \"2\": "), 0U);
}

TEST(Override, APartOfAMaterialOrMeshThatIsNotThereNamesTheNearest) {
  EXPECT_EQ(
      message(scene_text, {"materials.rubbr.young=1"}),
      "--set materials.rubbr.young=1: /materials: \"rubbr\": expected one of \"rubber\"; did you mean \"rubber\"? "
      "(a new one is given whole: --set 'materials.rubbr={...}')");
  EXPECT_EQ(message(scene_text, {"meshes.ring.segments=12"}),
            "--set meshes.ring.segments=12: /meshes: \"ring\": expected a name that the scene has, but it has none "
            "(a new one is given whole: --set 'meshes.ring={...}')");
  // Where the whole table comes from the command line, its names are known from there.
  EXPECT_EQ(
      message(scene_text, {"meshes={\"ring\": {\"generate\": \"torus\"}}", "meshes.rnig.segments=12"})
          .find("--set meshes.rnig.segments=12: /meshes: \"rnig\": expected one of \"ring\"; did you mean \"ring\"?"),
      0U);
}

TEST(Override, WhatNoObjectUsesWouldChangeNothing) {
  EXPECT_EQ(
      message(scene_text, {"materials.rubbr={\"young\": 1e6}"}),
      "--set materials.rubbr={\"young\": 1e6}: /materials/rubbr: {\"young\":1000000.0}: no object uses the "
      "material \"rubbr\", so this would change nothing; objects use \"rubber\"; did you mean \"rubber\"? (--set "
      "objects.NAME.material=rubbr makes one use it)");
  EXPECT_EQ(message(scene_text, {"meshes.ring={\"generate\": \"torus\"}", "meshes.ring.segments=12"})
                .find("--set meshes.ring={\"generate\": \"torus\"}: /meshes/ring: "),
            0U);
  // Also one that is there: it was not meant to be without effect.
  const std::string two = with_material("\"young\": 5e5 }, \"spare\": { \"young\": 1e6");
  EXPECT_EQ(message(two), "");
  EXPECT_EQ(
      message(two, {"materials.spare.young=2e6"})
          .find("--set materials.spare.young=2e6: /materials/spare/young: 2000000.0: no object uses the material "
                "\"spare\""),
      0U);
  EXPECT_EQ(message(two, {"materials.spare.young=2e6", "objects.left.material=spare"}), "");
}

// A bare "torus" gets its mesh where it is made: the name belongs to it.
TEST(Override, TheMeshOfABareGeneratorMayBeGivenWhole) {
  const Scene scene = with({"meshes.torus={\"generate\": \"torus\", \"segments\": 12}"});
  ASSERT_EQ(scene.meshes.size(), 1U);
  EXPECT_EQ(std::get<TorusShape>(scene.meshes[0].shape).segments, 12);
}

TEST(Override, DoesNotLookInsideValues) {
  EXPECT_EQ(
      message(scene_text, {"materials.rubber.young.low=1"}),
      "--set materials.rubber.young.low=1: /materials/rubber/young: 500000.0: expected an object or a list to look "
      "for \"low\" in, found a number");
}

TEST(Override, MalformedOnesAreExplained) {
  for (const char* text : {"time.step", "=1", ".step=1", "time..step=1", "time.=1", ""}) {
    EXPECT_EQ(message(scene_text, {text}),
              std::string("--set ") + text +
                  ": expected path.to.key=value, such as time.step=0.001 or objects.ball.velocity=[0,0,1]");
  }
}

TEST(Override, IsPartOfTheEffectiveScene) {
  const Scene scene = with({"contact.friction=0.125"});
  EXPECT_EQ(parse_scene(scene.json, "again", ".").contact.friction, 0.125);
}

}  // namespace override_test
}  // namespace sim
