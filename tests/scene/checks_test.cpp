#include <gtest/gtest.h>

#include "scene/load.hpp"
#include "scene/messages.hpp"

namespace sim {
namespace checks_test {

// ---- keys

TEST(SceneChecks, TheSoundSceneIsSound) {
  EXPECT_EQ(message(sound_scene), "");
}

TEST(SceneChecks, MisspeltKeyNamesTheNearestKnownOne) {
  EXPECT_EQ(
      message(with_top_level(R"("time": { "stp": 0.01 })")),
      R"(test.json: /time/stp: 0.01: unknown key, expected one of "step", "duration", "scheme"; did you mean "step"?)");
}

TEST(SceneChecks, UnknownKeyWithoutNeighboursOnlyListsTheKnownOnes) {
  EXPECT_EQ(message(with_top_level(R"("time": { "colour": "red" })")),
            R"(test.json: /time/colour: "red": unknown key, expected one of "duration", "scheme", "step")");
}

TEST(SceneChecks, KeysThatAThingCannotHaveAreNotListed) {
  EXPECT_EQ(
      message(with_material(R"("youngs": 5e5)")),
      R"(test.json: /materials/rubber/youngs: 500000.0: unknown key, expected one of "young", "as_published", "damping", "density", "friction", "model", "poisson", "stiffness"; did you mean "young"?)");
  const std::string of_springs = message(with_material(R"("bendd": 1, "model": "edge-springs")"));
  EXPECT_NE(of_springs.find("expected one of \"bend\", \"damping\", "), std::string::npos) << of_springs;
}

TEST(SceneChecks, KeysByAnotherNameAreFound) {
  for (const char* word : {"cells", "segments", "subdivisions"}) {
    const std::string prescribed =
        message(with_mesh(R"({ "generate": "sphere", ")" + std::string(word) + R"(": 4 })"));
    EXPECT_NE(prescribed.find("unknown key, expected one of "), std::string::npos) << prescribed;
    EXPECT_NE(prescribed.find("; did you mean \"resolution\"?"), std::string::npos) << prescribed;
  }
  EXPECT_NE(message(with_mesh(R"({ "generate": "box", "resolution": [4,4,4] })")).find("; did you mean \"cells\"?"),
            std::string::npos);
  EXPECT_NE(message(with_mesh(R"({ "generate": "torus", "cells": [4, 18, 4] })"))
                .find("; did you mean \"segments\" or \"across\"?"),
            std::string::npos);
  EXPECT_NE(
      message(with_object(R"("rotation": { "axis": [0,0,1], "angle": 90 })")).find("; did you mean \"degrees\"?"),
      std::string::npos);
  EXPECT_NE(message(with_material(R"("E": 5e5)")).find("; did you mean \"young\"?"), std::string::npos);
  EXPECT_NE(message(with_object(R"("translation": [0,0,1])")).find("; did you mean \"position\"?"),
            std::string::npos);
}

TEST(SceneChecks, MisspeltTopLevelKeyDoesNotBlameTheObjects) {
  EXPECT_EQ(messages(spoilt("\"materials\"", "\"material\"")).size(), 1U);
}

TEST(SceneChecks, MissingRequiredKeySaysWhatItIs) {
  EXPECT_EQ(message(spoilt("\"mesh\": \"ring\", ", "")),
            "test.json: /objects/0/mesh: missing: expected text: Name of one of the meshes, or of a generated shape, "
            "which then has all its defaults.");
  EXPECT_EQ(message("{}").find("test.json: /objects: missing: expected a list of objects {...}, not empty"), 0U);
}

TEST(SceneChecks, KeysGivenTwiceAreFoundAnywhere) {
  EXPECT_EQ(message(with_material(R"("young": 1, "damping": { "mass": 1, "mass": 2 })")),
            "test.json: /materials/rubber/damping/mass: 2: expected every key once, this one was given before");
  EXPECT_EQ(message(with_top_level(R"("meshes": {})")).find("test.json: /meshes: "), 0U);
}

// ---- solvers

TEST(SceneChecks, AnUnknownSolverIsToldWithThoseThatAreThere) {
  EXPECT_EQ(
      message(with_top_level(R"("solver": { "method": "cr-ful" })")),
      R"(test.json: /solver/method: "cr-ful": expected one of "cr-full", "acm", "auto", "constraint-anticipation", "cr-diag", "exact", "ica", "local", "qp-active-set", "sp-active-set", "sp-cr"; did you mean "cr-full"?)");
}

TEST(SceneChecks, OnFailureIsStopOrContinue) {
  EXPECT_EQ(message(with_top_level(R"("solver": { "on_failure": "ignore" })")),
            R"(test.json: /solver/on_failure: "ignore": expected one of "continue", "stop")");
  EXPECT_EQ(message(with_top_level(R"("solver": { "relative_tolerance": 0 })")),
            "test.json: /solver/relative_tolerance: 0: expected a number in (0, 1)");
  EXPECT_EQ(message(with_top_level(R"("solver": { "relative_tolerance": 2 })")),
            "test.json: /solver/relative_tolerance: 2: expected a number in (0, 1)");
}

// ---- kinds

TEST(SceneChecks, WrongKindSaysWhatWasFound) {
  EXPECT_EQ(message(with_top_level(R"("time": { "step": "fast" })")),
            R"(test.json: /time/step: "fast": expected a number > 0, found text)");
  EXPECT_EQ(message(with_top_level(R"("time": 3)")), "test.json: /time: 3: expected an object {...}, found a number");
  EXPECT_EQ(message(with_top_level(R"("gravity": [0, 0])")),
            "test.json: /gravity: [0,0]: expected three numbers, found a list of 2");
  EXPECT_EQ(message(with_top_level(R"("gravity": [0, null, 1])")),
            "test.json: /gravity/1: null: expected a number, found null");
  EXPECT_EQ(message(with_top_level(R"("output": { "velocities": 1 })")),
            "test.json: /output/velocities: 1: expected true or false, found a number");
  EXPECT_EQ(message(with_top_level(R"("name": "")")), "test.json: /name: \"\": expected text, found empty text");
  EXPECT_EQ(message("[1]"), "test.json: /: [1]: expected an object {...}, found a list of 1");
}

TEST(SceneChecks, CountsAreWholeNumbers) {
  EXPECT_EQ(message(with_mesh(R"({ "generate": "torus", "segments": 17.5 })")),
            "test.json: /meshes/ring/segments: 17.5: expected a whole number >= 3");
  EXPECT_EQ(message(with_mesh(R"({ "generate": "torus", "segments": 3e9 })")),
            "test.json: /meshes/ring/segments: 3000000000.0: expected a whole number >= 3, at most 2147483647");
  EXPECT_EQ(message(with_mesh(R"({ "generate": "torus", "segments": 18.0 })")), "");
}

// ---- values

struct Impossible {
  const char* text;
  const char* expected;
};

TEST(SceneChecks, ImpossibleMaterialsAreRefused) {
  const Impossible cases[] = {
      {R"("poisson": 0.5)", "poisson: 0.5: expected a number in (-1, 0.5)"},
      {R"("poisson": -1)", "poisson: -1: expected a number in (-1, 0.5)"},
      {R"("density": 0)", "density: 0: expected a number > 0"},
      {R"("young": -5e5)", "young: -500000.0: expected a number > 0"},
      {R"("young": 0)", "young: 0: expected a number > 0"},
      {R"("damping": { "mass": -1 })", "damping/mass: -1: expected a number >= 0"},
      {R"("model": "neo-hookean", "extrapolate_below": 1)", "extrapolate_below: 1: expected a number in (0, 1)"},
      {R"("extrapolate_below": 0.5)",
       "extrapolate_below: 0.5: expected no \"extrapolate_below\" here, it is for neo-hookean materials only"},
      {R"("model": "neo-hookean", "extrapolate_below": 0.5, "as_published": false)",
       "as_published: false: expected true or nothing where there is \"extrapolate_below\", which is for materials "
       "as "
       "published"},
      {R"("model": "neohookean")",
       R"(model: "neohookean": expected one of "neo-hookean", "cable", "corotational", "edge-springs", "grid-springs", "mooney-rivlin", "shell", "st-venant-kirchhoff", "stable-neo-hookean"; did you mean "neo-hookean"?)"},
      {R"("model": "neo-hookean", "stiffness": "rotated-linear")",
       "stiffness: \"rotated-linear\": expected \"exact\" here, \"rotated-linear\" is for corotational materials"},
      {R"("model": "mooney-rivlin", "stiffness": "rotated-linear")",
       "stiffness: \"rotated-linear\": expected \"exact\" here, \"rotated-linear\" is for corotational materials"},
      {R"("c2_share": 0.2)", "c2_share: 0.2: expected no \"c2_share\" here, it is for mooney-rivlin materials only"},
      {R"("model": "mooney-rivlin", "c2_share": 1.1)", "c2_share: 1.1: expected a number in [0, 1]"},
      {R"("model": "mooney-rivlin", "c2_share": 0.5, "poisson": 0.24)",
       "poisson: 0.24: expected at least c2_share / (1 + 2 c2_share) of a mooney-rivlin material, which is 0.25"},
      {R"("model": "stable-neo-hookean", "as_published": true)",
       "as_published: true: expected no \"as_published\" here, it is for corotational and neo-hookean materials "
       "only"},
      {R"("model": "mooney-rivlin", "extrapolate_below": 0.5)",
       "extrapolate_below: 0.5: expected no \"extrapolate_below\" here, it is for neo-hookean materials only"}};
  for (const auto& [text, expected] : cases) {
    EXPECT_EQ(message(with_material(text)), std::string("test.json: /materials/rubber/") + expected);
  }
}

TEST(SceneChecks, ImpossibleSettingsAreRefused) {
  const Impossible cases[] = {
      {R"("time": { "step": 0 })", "time/step: 0: expected a number > 0"},
      {R"("time": { "duration": -1 })", "time/duration: -1: expected a number >= 0"},
      {R"("time": { "step": 1e-9, "duration": 1e9 })",
       "time: {\"step\":1e-09,\"duration\":1000000000.0}: expected at most 1e15 steps (duration over step)"},
      {R"("contact": { "friction": -0.1 })", "contact/friction: -0.1: expected a number >= 0"},
      {R"("output": { "every": 0 })", "output/every: 0: expected a whole number >= 1"},
      {R"("solver": { "max_iterations": 0 })", "solver/max_iterations: 0: expected a whole number >= 1"}};
  for (const auto& [text, expected] : cases) {
    EXPECT_EQ(message(with_top_level(text)), std::string("test.json: /") + expected);
  }
}

TEST(SceneChecks, NumbersThatAreNoneAreRefused) {
  EXPECT_EQ(message(with_material(R"("young": 1e400)")),
            "test.json: /materials/rubber/young: 1e400: expected a number that double precision can hold (up to "
            "1.8e308)");
  EXPECT_EQ(message(with_material(R"("young": 5)"), {"materials.rubber.young=-1e999"}),
            "--set materials.rubber.young=-1e999: /materials/rubber/young: -1e999: expected a number that double "
            "precision can hold (up to "
            "1.8e308)");
  const std::string nan = message("{\n  \"gravity\": [0, NaN, 0] }");
  EXPECT_EQ(nan.find("test.json: line 2, column "), 0U) << nan;
  EXPECT_NE(nan.find("NaN or Infinity are not JSON"), std::string::npos) << nan;
}

TEST(SceneChecks, ImpossibleObjectsAreRefused) {
  const Impossible cases[] = {
      {R"("rotation": { "axis": [0, 0, 0.0] })", "rotation/axis: [0,0,0.0]: expected three numbers, not all zero"},
      {R"("scatter": { "count": 0, "box": [[0,0,0],[1,1,1]] })", "scatter/count: 0: expected a whole number >= 1"},
      {R"("scatter": { "count": -3, "box": [[0,0,0],[1,1,1]] })", "scatter/count: -3: expected a whole number >= 1"},
      {R"("scatter": { "count": 3, "seed": 9007199254740993, "box": [[0,0,0],[1,1,1]] })",
       "scatter/seed: 9007199254740993: expected a whole number >= 0, at most 9007199254740991"},
      {R"("scatter": { "count": 3, "box": [[0,0,0],[1,-1,1]] })",
       "scatter/box: [[0,0,0],[1,-1,1]]: expected the lowest corner first, then the highest, with low < high along "
       "x, "
       "y and z"},
      {R"("scatter": { "count": 3, "box": [[0,0,0],[1,1,1]] }, "position": [0, 0, 1])",
       "position: [0,0,1]: expected no \"position\" here, it is for objects without scatter and poses only"},
      {R"("scatter": { "count": 3 })",
       "scatter: {\"count\":3}: expected one of the keys \"box\", \"cylinder\", \"mesh\""},
      {R"("scatter": { "count": 3, "cylinder": { "radius": 0, "height": 1 } })",
       "scatter/cylinder/radius: 0: expected a number > 0"},
      {R"("scatter": { "count": 3, "mesh": { "name": "bix" } })",
       "scatter/mesh/name: \"bix\": expected a known mesh, one of \"box\", \"cylinder\", \"half-space\", "
       "\"path\", \"points\", \"ribbon\", \"ring\", \"segments\", \"sheet\", "
       "\"slab\", \"sphere\", \"torus\", \"wedge\"; did you mean \"box\"?"},
      {R"("array": { "count": [1, 0, 1], "spacing": [1, 1, 1] })", "array/count/1: 0: expected a whole number >= 1"},
      {R"("poses": [ { "position": [0, 0, 0], "quaternion": [0, 0, 0, 0] } ])",
       "poses/0/quaternion: [0,0,0,0]: expected four numbers, not all zero"},
      {R"("poses": [ { "position": [0, 0, 0], "quaternion": [1, 0, 0, 0], "rotation": { "degrees": 3 } } ])",
       "poses/0: {\"position\":[0,0,0],\"quaternion\":[1,0,0,0],\"rotation\":{\"degrees\":3}}: expected \"rotation\" "
       "or "
       "\"quaternion\", not both"},

      {R"("boundary": [ { "box": [[0,0,0],[1,-1,1]] } ])",
       "boundary/0/box: [[0,0,0],[1,-1,1]]: expected the lowest corner first, then the highest, with low <= high "
       "along "
       "x, y and z"},
      {R"("boundary": [ { "sphere": { "center": [0,0,0], "radius": 0 } } ])",
       "boundary/0/sphere/radius: 0: expected a number > 0"},
      {R"("boundary": [ { "plane": { "point": [0,0,0], "normal": [0,0,0] } } ])",
       "boundary/0/plane/normal: [0,0,0]: expected three numbers, not all zero"},
      {R"("boundary": [ { "list": [] } ])",
       "boundary/0/list: []: expected a list of whole numbers >= 0, not empty, found an empty list"},
      {R"("boundary": [ { "list": [1, -1] } ])", "boundary/0/list/1: -1: expected a whole number >= 0"},
      {R"("boundary": [ { "motion": {} } ])",
       R"(boundary/0: {"motion":{}}: expected one of the keys "box", "sphere", "plane", "cylinder", "list")"},
      {R"("boundary": [ { "list": [1], "box": [[0,0,0],[1,1,1]] } ])",
       R"(boundary/0: {"list":[1],"box":[[0,0,0],[1,1,1]]}: expected only one of "box", "sphere", "plane", "cylinder", "list")"}};
  for (const auto& [text, expected] : cases) {
    EXPECT_EQ(message(with_object(text)), std::string("test.json: /objects/0/") + expected);
  }
  EXPECT_EQ(message(R"({ "objects": [] })"),
            "test.json: /objects: []: expected a list of objects {...}, not empty, found an empty list");
}

TEST(SceneChecks, OneKeyMakesTheCopiesOfAnObject) {
  const std::string said = message(with_object(
      R"("array": { "count": [1, 2, 1], "spacing": [1, 1, 1] }, "poses": [ { "position": [0, 0, 0] } ])"));
  EXPECT_EQ(said,
            "test.json: /objects/0: \"array\", \"poses\": expected only one of these, each makes all copies of the "
            "object");
}

TEST(SceneChecks, ImpossibleMeshesAreRefused) {
  const Impossible cases[] = {
      {R"({ "generate": "torsu" })",
       R"(/generate: "torsu": expected one of "torus", "box", "cylinder", "half-space", "path", "points", "ribbon", "segments", "sheet", "slab", "sphere", "wedge"; did you mean "torus"?)"},
      {R"({ "genrate": "box" })", "/genrate: \"box\": unknown key, expected one of \"generate\""},
      {R"({ "scale": 2 })", R"(: {"scale":2}: expected one of the keys "generate", "file")"},
      {R"({ "generate": "box", "size": [1, 0, 1] })", "/size/1: 0: expected a number > 0"},
      {R"({ "generate": "box", "radius": 1 })", "/radius: 1: unknown key"},
      {R"({ "generate": "torus", "major_radius": 0.1, "side": 0.2 })",
       "/side: 0.2: expected a number < 0.2, twice the major_radius: the ring would close its hole"},
      {R"({ "file": "a.obj", "scale": 0 })", "/scale: 0: expected a number or three, none of them zero"},
      {R"({ "file": "a.obj", "scale": [1, 0, 2] })",
       "/scale: [1,0,2]: expected a number or three, none of them zero"},
      {R"({ "file": "a.obj", "flip": "yx" })", R"(/flip: "yx": expected one of "x", "y")"},
      {R"({ "generate": "points" })", "/points: missing: expected"},
      {R"({ "file": "a.obj", "tetrahedralize": { "quality": 1 } })",
       "/tetrahedralize/quality: 1: expected a number > 1"}};
  for (const auto& [text, expected] : cases) {
    const std::string said = message(with_mesh(text));
    EXPECT_EQ(said.find(std::string("test.json: /meshes/ring") + expected), 0U) << said;
  }
}

// ---- motion

std::string scripted(const std::string& motion) {
  return R"({ "objects": [ { "name": "a", "type": "scripted", "mesh": "box", "motion": )" + motion + " } ] }";
}

TEST(SceneChecks, TellOfTurnsOfHalfATurnAStepAndMore) {
  const auto warnings = [](const std::string& motion) {
    LoadReport report;
    load_model(parse_scene(R"({ "time": { "step": 0.01 }, "meshes": { "box": { "generate": "box" } }, )" +
                               scripted(motion).substr(1),
                           "test.json", "."),
               report);
    return report.warnings;
  };
  EXPECT_TRUE(warnings(R"({ "degrees_per_second": 17900 })").empty());
  const auto told = warnings(R"({ "degrees_per_second": -19000 })");
  ASSERT_EQ(told.size(), 1u);
  EXPECT_EQ(told[0].find("\"a\" turns by 190 degrees in a step"), 0u) << told[0];
  const std::string keyframes = R"({ "keyframes": [ { "time": 0 }, { "time": 0.1, "degrees": )";
  EXPECT_TRUE(warnings(keyframes + "1700 } ] }").empty());
  EXPECT_EQ(warnings(keyframes + "1900 } ] }").size(), 1u);
}

TEST(SceneChecks, KeyframesMustAscend) {
  EXPECT_EQ(
      message(scripted(R"({ "keyframes": [ { "time": 0 }, { "time": 1 }, { "time": 1 } ] })")),
      "test.json: /objects/0/motion/keyframes/2/time: 1: expected a number > 1.0: times of keyframes must ascend");
}

TEST(SceneChecks, ExpressionsAreTried) {
  const std::string path = "test.json: /objects/0/motion/translation/2: \"0.1*sine(t)\": ";
  const std::string said = message(scripted(R"json({ "translation": ["0", 0, "0.1*sine(t)"] })json"));
  EXPECT_EQ(said.find(path), 0U) << said;
  EXPECT_EQ(
      message(scripted(R"({ "degrees": "1/t" })")),
      "test.json: /objects/0/motion/degrees: \"1/t\": expected an expression of t that is a finite number at t = 0");
  EXPECT_EQ(message(scripted(R"({ "degrees": " " })")),
            "test.json: /objects/0/motion/degrees: \" \": expected an expression of t, found nothing");
  EXPECT_EQ(message(scripted(R"({ "degrees": "90*t^2" })")), "");
}

// ---- who may have what

TEST(SceneChecks, EveryTypeHasItsKeys) {
  const auto object = [](const std::string& text) {
    return message(R"({ "materials": { "m": {} }, "objects": [ { "name": "a", "mesh": "box", )" + text + " } ] }");
  };
  const std::string place = "test.json: /objects/0/";
  EXPECT_EQ(object(R"("type": "deformable")"),
            place + "material: missing: expected the name of a material, deformable objects need one");
  EXPECT_EQ(object(R"("type": "scripted")"),
            place + "motion: missing: expected an object {...} that tells how the scripted object moves");
  EXPECT_EQ(object(R"("type": "fixed", "material": "m")"),
            place + "material: \"m\": expected no \"material\" here, it is for deformable and rigid objects only");
  EXPECT_EQ(object(R"("type": "fixed", "velocity": [0,0,1])"),
            place + "velocity: [0,0,1]: expected no \"velocity\" here, it is for deformable and rigid objects only");
  EXPECT_EQ(object(R"("material": "m", "motion": {})"),
            place + "motion: {}: expected no \"motion\" here, it is for scripted objects only");
  EXPECT_EQ(object(R"("type": "fixed", "boundary": [])"),
            place + "boundary: []: expected no \"boundary\" here, it is for deformable objects only");
  EXPECT_EQ(
      object(R"("type": "fixd")"),
      place + R"(type: "fixd": expected one of "fixed", "deformable", "rigid", "scripted"; did you mean "fixed"?)");
  EXPECT_EQ(object(R"("type": "rigid")"),
            place + "material: missing: expected the name of a material, rigid objects need one");
  EXPECT_EQ(object(R"("type": "rigid", "material": "m", "boundary": [])"),
            place + "boundary: []: expected no \"boundary\" here, it is for deformable objects only");
  EXPECT_EQ(object(R"("type": "rigid", "material": "m", "velocity": [0,0,1])"), "");
}

// ---- names

TEST(SceneChecks, UnknownReferencesNameTheNearestKnown) {
  EXPECT_EQ(
      message(spoilt("\"mesh\": \"ring\"", "\"mesh\": \"rnig\"")),
      R"(test.json: /objects/0/mesh: "rnig": expected a known mesh, one of "ring", "box", "cylinder", "half-space", )"
      R"("path", "points", "ribbon", "segments", "sheet", "slab", "sphere", "torus", "wedge"; did you mean "ring"?)");
  EXPECT_EQ(
      message(spoilt("\"material\": \"rubber\"", "\"material\": \"ruber\"")),
      R"(test.json: /objects/0/material: "ruber": expected a known material, one of "rubber"; did you mean "rubber"?)");
  EXPECT_EQ(message(R"({ "objects": [ { "name": "a", "mesh": "box", "material": "m" } ] })"),
            "test.json: /objects/0/material: \"m\": expected the name of a material, but the scene has none");
}

TEST(SceneChecks, NamesOfObjectsAreTheirOwn) {
  const auto two = [](const std::string& first, const std::string& second) {
    return message(R"({ "objects": [ { "type": "fixed", "mesh": "box", )" + first +
                   R"( }, { "type": "fixed", "mesh": "box", )" + second + " } ] }");
  };
  EXPECT_EQ(two(R"("name": "a")", R"("name": "a")"),
            "test.json: /objects/1/name: \"a\": expected a name that no other object has");
  const std::string heap = R"("name": "heap", "scatter": { "count": 3, "box": [[0,0,0],[9,9,9]] })";
  EXPECT_EQ(two(heap, R"("name": "heap.3")"),
            "test.json: /objects/1/name: \"heap.3\": expected another name, a copy of \"heap\" has this one");
  EXPECT_EQ(two(heap, R"("name": "heap.4")"), "");
}

// ---- several, and many

TEST(SceneChecks, SeveralDefectsAreToldTogether) {
  const std::vector<std::string> lines = messages(
      R"({ "time": { "step": -1, "duraton": 2 }, "gravity": 5, "objects": [ { "name": 3, "mesh": "bix" } ] })");
  ASSERT_EQ(lines.size(), 5U);
  const char* const places[] = {"/time/step: -1: ", "/time/duraton: 2: ", "/gravity: 5: ", "/objects/0/name: 3: ",
                                "/objects/0/mesh: \"bix\": "};
  for (std::size_t i = 0; i < 5; ++i)
    EXPECT_EQ(lines[i].find(std::string("test.json: ") + places[i]), 0U) << lines[i];
}

TEST(SceneChecks, VeryManyDefectsAreCutAtTwenty) {
  std::string list;
  for (int i = 0; i < 30; ++i) list += std::string(i == 0 ? "" : ",") + "{}";
  const std::vector<std::string> lines = messages(R"({ "objects": [)" + list + "] }");
  ASSERT_EQ(lines.size(), 21U);
  EXPECT_EQ(lines.back(), "... and 40 more");  // name and mesh of 30 objects
}

// ---- text that is not JSON

TEST(SceneText, SyntaxErrorsHaveLineColumnAndText) {
  const std::string said = message("{\n  \"name\": \"a\",\n  \"gravity\" [0, 0, 0]\n}");
  EXPECT_EQ(said.find("test.json: line 3, column 13: \"gravity\" [0, 0, 0]: "), 0U) << said;
}

TEST(SceneText, TrailingCommaIsExplained) {
  for (const char* text : {"{\n  \"time\": { \"step\": 1, }\n}", "{\n  \"gravity\": [0, 0, 1,\n] }",
                           "{ \"name\": \"a\", // the last one\n}"}) {
    EXPECT_NE(message(text).find("no comma may stand after the last entry: remove it"), std::string::npos)
        << message(text);
  }
}

TEST(SceneText, MissingCommaAndBracketAreExplained) {
  EXPECT_NE(message("{ \"a\": 1\n \"b\": 2 }").find("is a comma missing before it?"), std::string::npos);
  EXPECT_NE(message("{ \"a\": [1, 2").find("a closing bracket is missing somewhere"), std::string::npos);
}

TEST(SceneText, SyntaxErrorsAreToldInPlainWords) {
  const std::pair<const char*, const char*> cases[] = {
      {R"({ "a" 1 })", "7: expected \":\" after the key, found 1"},
      {R"({ a: 1 })", "3: expected a key in double quotes, found a; texts and keys need double quotes"},
      {R"({ 'a': 1 })", "3: expected a key in double quotes, found 'a'; texts and keys need double quotes"},
      {R"({ "a": tru })", "8: expected a value, found tru; texts and keys need double quotes"},
      {R"({ "a": True })", "8: expected a value, found True; write true"},
      {R"({ "a": nan })", "8: expected a value, found nan; NaN or Infinity are not JSON"},
      {R"({ "a": 01 })", "8: expected a number, found 01; numbers are written like 10, 0.5 or 1e-6"},
      {R"({ "a": .5 })", "8: expected a number, found .5; numbers are written like 10, 0.5 or 1e-6"},
      {R"({ "a": 1 "b": 2 })", "10: expected \",\" or \"}\", found \"b\"; is a comma missing before it?"},
      {R"({ "a": 1 ])", "10: expected \",\" or \"}\", found ]; a { is open here, not a ["},
      {R"({ "a": [1 })", "11: expected \",\" or \"]\", found }; a [ is open here, not a {"},
      {R"({ "a": [1,,2] })", "11: expected a value, found ,"},
      {R"({ "a": })", "8: expected a value, found }"},
      {R"({ "a": 1, })",
       "11: expected a key in double quotes, found }; no comma may stand after the last entry: remove it"},
      {R"({ "a": 1 } })",
       "12: expected nothing more at the end, found }; there is one closing bracket too many, or an "
       "opening one missing"},
      {R"({ "a" = 1 })", "7: expected \":\" after the key, found =; between key and value stands a colon"},
      {R"({ "a": 1; "b": 2 })", "9: expected \",\" or \"}\", found ;; entries are separated by commas"},
      {R"({ "a": 1)", "9: expected \",\" or \"}\", found the end; a closing bracket is missing somewhere"},
      {R"({ "a": "b\q" })", "11: a backslash inside a text is written \\\\"},
      {R"({ "a": "b)", "10: the closing quote of a text is missing"},
      {R"({ "a": 1. })", "10: expected a number, a digit must follow \".\""},
      {R"(/ {})", "2: expected // or /* at the beginning of a comment"}};
  for (const auto& [text, expected] : cases) {
    const std::string said = message(text);
    const std::size_t column = said.find("column ");
    ASSERT_NE(column, std::string::npos) << said;
    std::string rest = said.substr(column + 7);
    rest.erase(rest.find(": ") + 2, std::string(text).size() + 2);  // the line of the file
    EXPECT_EQ(rest, expected) << said;
  }
}

TEST(SceneText, CommentsAreAllowed) {
  EXPECT_EQ(message("// first\n" + spoilt("\"meshes\"", "/* why: \"this\" */ \"meshes\"")), "");
}

TEST(SceneText, VeryDeepNestingIsRefused) {
  EXPECT_NE(message(R"({ "a": )" + std::string(100000, '[')).find("nested more than"), std::string::npos);
}

TEST(SceneText, EmptyTextIsRefused) {
  EXPECT_EQ(message(" \n").find("test.json: line 2, column 1: "), 0U);
  EXPECT_NE(message("").find("the scene is empty"), std::string::npos);
}

TEST(SceneText, WhatIsNoTextIsNamedForWhatItIs) {
  const std::string of_elf = message(std::string("\x7f\x45LF\x02\x01\x01\0\0\0", 10));
  EXPECT_EQ(of_elf, "test.json: expected a scene in JSON, found binary, its first bytes are 7f 45 4c 46 02 01 01 00");
  const std::string of_result = message(std::string("\x89HDF\r\n\x1a\n\0\0", 10));
  EXPECT_EQ(of_result.find("test.json: expected a scene in JSON, found an HDF5 file, such as the result"), 0U)
      << of_result;
  EXPECT_NE(message(std::string("\xff\xfe{\0}\0", 6)).find("UTF-16; save it as UTF-8"), std::string::npos);
  EXPECT_NE(message(std::string("{\0}", 3)).find("its first bytes are 7b 00 7d"), std::string::npos);
}

TEST(SceneText, MissingSceneFileIsAFileError) {
  EXPECT_THROW(read_scene("no/such/scene.json"), FileError);
  EXPECT_THROW(read_scene("/"), FileError);
}

}  // namespace checks_test
}  // namespace sim
