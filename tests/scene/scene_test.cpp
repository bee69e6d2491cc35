#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <fstream>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <sstream>

#include "scene/load.hpp"
#include "scene/messages.hpp"

namespace sim {
namespace scene_test {

std::string source_folder() {
  const char* folder = std::getenv("SIMRUN_SOURCE_DIR");
  return folder ? folder : ".";
}

std::string text_of_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

// The example of the interface's design, word for word.
const char* const design_example = R"({
      "name": "two-rings",
      "time":      { "step": 0.001, "duration": 1.0 },
      "gravity":   [0, 0, -9.81],
      "materials": { "rubber": { "model": "corotational", "young": 5e5, "poisson": 0.2, "density": 1000 } },
      "meshes":    { "ring":  { "generate": "torus", "segments": 18, "major_radius": 0.08, "side": 0.04 },
                     "bunny": { "file": "meshes/bunny.off", "scale": 0.1, "tetrahedralize": { "quality": 1.4, "max_volume": 1e-6 } } },
      "objects":   [ { "name": "left", "mesh": "ring", "material": "rubber", "position": [0, 0, 0.5], "rotation": {"axis": [1,0,0], "degrees": 90},
                       "velocity": [0, 0, -1] },
                     { "name": "heap", "mesh": "ring", "material": "rubber", "scatter": { "count": 120, "seed": 1, "box": [[-0.3,-0.3,0.2],[0.3,0.3,2]] } },
                     { "name": "floor", "type": "fixed", "mesh": "slab" } ],
      "contact":   { "friction": 0.5, "tolerance": 5e-6 },
      "solver":    { "method": "cr-full", "tolerance": 5e-5 },
      "output":    { "every": 10, "velocities": true, "checkpoint": 100 }
    })";

// Every key there is, none with its default.
const char* const everything = R"json({
  "$schema": "simrun.schema.json", "name": "all", "time": { "step": 0.5, "duration": 7 }, "gravity": [1, 2, 3],
  "materials": {
    "z": { "model": "neo-hookean", "young": 1, "poisson": -0.5, "density": 2, "damping": { "mass": 3, "stiffness": 4 },
           "extrapolate_below": 0.25 },
    "a": { "stiffness": "exact" } },
  "meshes": {
    "s": { "generate": "slab", "size": [3, 4], "thickness": 0.5, "cells": [2, 3], "scale": 2 },
    "b": { "generate": "box", "size": [1, 2, 3], "cells": [4, 5, 6] },
    "k": { "generate": "sphere", "radius": 2, "resolution": 3 },
    "c": { "generate": "cylinder", "radius": 2, "length": 5, "segments": 7 },
    "f": { "file": "x.off", "tetrahedralize": { "quality": 2, "min_dihedral": 5, "max_volume": 0.5 } } },
  "objects": [
    { "name": "one", "mesh": "b", "material": "z", "position": [1, 0, 2], "rotation": { "axis": [1, 1, 0], "degrees": 30 },
      "velocity": [1, 2, 3], "angular_velocity": [4, 5, 6],
      "boundary": [
        { "box": [[0, 0, 0], [1, 0, 1]] },
        { "sphere": { "center": [1, 2, 3], "radius": 4 }, "motion": { "velocity": [0, 0, 1] } },
        { "plane": { "point": [1, 2, 3], "normal": [0, 1, 0] } },
        { "list": [3, 1, 2] } ] },
    { "name": "heap", "mesh": "f", "material": "a",
      "scatter": { "count": 5, "seed": 9007199254740991, "box": [[-1, -1, -1], [9, 9, 9]] } },
    { "name": "stirrer", "type": "scripted", "mesh": "cylinder",
      "motion": { "velocity": [1, 0, 0], "axis": [0, 1, 0], "center": [0, 0, 1], "degrees_per_second": 90,
                  "keyframes": [ { "time": 1, "translation": [0, 0, 1], "degrees": 5 }, { "time": 2 } ],
                  "translation": [0, "t", "sin(t)"], "degrees": "t^2" } },
    { "name": "stone", "type": "rigid", "mesh": "b", "material": "a" },
    { "name": "floor", "type": "fixed", "mesh": "s" } ],
  "contact": { "friction": 0.25, "tolerance": 1e-7 },
  "solver": { "method": "cr-diag", "tolerance": 1e-6, "linear_tolerance": 1e-10, "max_iterations": 77 },
  "output": { "every": 3, "velocities": false, "checkpoint": 33 }
})json";

TEST(Scene, ReadsTheExampleOfTheDesign) {
  const Scene scene = parse_scene(design_example, "design.json", "here");
  EXPECT_EQ(scene.name, "two-rings");
  EXPECT_EQ(scene.folder, "here");
  ASSERT_EQ(scene.objects.size(), 3U);
  EXPECT_EQ(scene.objects[0].rotation.axis, Vec3(1, 0, 0));
  EXPECT_EQ(scene.objects[0].rotation.degrees, 90);
  EXPECT_EQ(scene.objects[0].velocity, Vec3(0, 0, -1));
  EXPECT_EQ(scene.objects[1].scatter->count, 120);
  EXPECT_EQ(std::get<BoxRegion>(scene.objects[1].scatter->region)[1], Vec3(0.3, 0.3, 2));
  EXPECT_EQ(scene.objects[2].type, ObjectType::fixed);
  ASSERT_EQ(scene.meshes.size(), 3U);  // the bare "slab" became one
  EXPECT_EQ(scene.meshes[2].name, "slab");
  EXPECT_TRUE(std::holds_alternative<SlabShape>(scene.meshes[2].shape));
  const auto& bunny = std::get<FileShape>(scene.meshes[1].shape);
  EXPECT_EQ(bunny.file, "meshes/bunny.off");
  EXPECT_EQ(bunny.tetrahedralize->max_volume, 1e-6);
  EXPECT_EQ(scene.meshes[1].scale, Vec3(0.1, 0.1, 0.1));
}

TEST(Scene, DefaultsAreThoseOfTheDesign) {
  const Scene scene = parse_scene(R"({ "objects": [ { "name": "f", "type": "fixed", "mesh": "slab" } ] })", "t", ".");
  EXPECT_EQ(scene.time.step, 0.001);
  EXPECT_EQ(scene.gravity, Vec3(0, 0, -9.81));
  EXPECT_EQ(scene.contact.friction, 0.5);
  EXPECT_EQ(scene.contact.tolerance, std::nullopt);  // from the finest surface
  EXPECT_EQ(scene.solver.method, "auto");
  EXPECT_EQ(scene.solver.tolerance, std::nullopt);
  EXPECT_EQ(scene.output.every, 10);
  EXPECT_EQ(scene.output.checkpoint, 100);
  EXPECT_TRUE(scene.output.velocities);
}

TEST(Scene, StiffnessFollowsTheModel) {
  const auto stiffness = [](const std::string& material) {
    return parse_scene(with_material(material), "t", ".").materials[0].stiffness;
  };
  EXPECT_EQ(stiffness(R"("model": "corotational")"), Stiffness::rotated_linear);
  EXPECT_EQ(stiffness(R"("model": "corotational", "stiffness": "exact")"), Stiffness::exact);
  EXPECT_EQ(stiffness(R"("model": "neo-hookean")"), Stiffness::exact);
}

// With an energy that resists being turned inside out, unless a key of the material or the solver asks for the paper.
TEST(Scene, MaterialsResistUnlessTheyAreToBeAsPublished) {
  const auto made = [](const std::string& keys, const std::string& more = "") {
    return parse_scene(R"({ "materials": { "m": { )" + keys + R"( } }, "objects": [
        { "name": "f", "type": "fixed", "mesh": "slab" } ])" +
                           more + " }",
                       "t", ".")
        .materials[0];
  };
  const auto expect = [&](const Material& material, bool as_published, std::optional<double> below,
                          double continued) {
    EXPECT_EQ(material.as_published, as_published);
    EXPECT_EQ(material.extrapolate_below, below);
    EXPECT_EQ(elastic_law(material).as_published, as_published);
    EXPECT_EQ(elastic_law(material).continued_below, continued);
  };
  const std::string neo = R"("model": "neo-hookean")", published = R"(, "solver": { "as_published": true })";
  constexpr double never = -std::numeric_limits<double>::infinity();
  expect(made(""), false, std::nullopt, 0.3);
  expect(made(neo), false, std::nullopt, 0.01);
  expect(made(R"("as_published": true)"), true, std::nullopt, never);
  expect(made(neo + R"(, "as_published": true)"), true, 0.7, 0.7);
  expect(made(neo + R"(, "extrapolate_below": 0.25)"), true, 0.25, 0.25);
  expect(made("", published), true, std::nullopt, never);
  expect(made(neo, published), true, 0.7, 0.7);
  expect(made(neo + R"(, "as_published": false)", published), false, std::nullopt, 0.01);
  const std::string stable = R"("model": "stable-neo-hookean")", mooney = R"("model": "mooney-rivlin")";
  expect(made(stable, published), false, std::nullopt, never);  // these have one form
  expect(made(mooney, published), false, std::nullopt, 0.01);
  EXPECT_EQ(made(stable).stiffness, Stiffness::exact);
  EXPECT_EQ(made(mooney).stiffness, Stiffness::exact);
}

TEST(Scene, TheSecondConstantOfMooneyRivlinIsReadAndWrittenForItAlone) {
  const Scene scene = parse_scene(R"({ "materials": {
      "r": { "model": "mooney-rivlin", "c2_share": 0.35, "poisson": 0.45 }, "d": { "model": "mooney-rivlin" },
      "s": { "model": "stable-neo-hookean" } }, "objects": [ { "name": "f", "type": "fixed", "mesh": "slab" } ] })",
                                  "t", ".");
  EXPECT_EQ(scene.materials[0].model, MaterialModel::mooney_rivlin);
  EXPECT_EQ(elastic_law(scene.materials[0]).c2_share, 0.35);
  EXPECT_EQ(elastic_law(scene.materials[1]).c2_share, 0.2);
  EXPECT_EQ(scene.materials[2].model, MaterialModel::stable_neo_hookean);
  const std::string& written = scene.json;
  EXPECT_NE(written.find("0.35"), std::string::npos);
  const Scene again = parse_scene(written, "t", ".");
  EXPECT_EQ(again.materials[0].c2_share, 0.35);
  EXPECT_EQ(again.json, written);
}

TEST(Scene, EveryKeyLandsInItsField) {
  const Scene scene = parse_scene(everything, "t", ".");
  EXPECT_EQ(scene.name, "all");
  EXPECT_EQ(scene.time.step, 0.5);
  EXPECT_EQ(scene.time.duration, 7);
  EXPECT_EQ(scene.gravity, Vec3(1, 2, 3));
  ASSERT_EQ(scene.materials.size(), 2U);
  const Material& z = scene.materials[0];  // in the order of the file
  EXPECT_EQ(z.name, "z");
  EXPECT_EQ(z.model, MaterialModel::neo_hookean);
  EXPECT_EQ(z.young, 1);
  EXPECT_EQ(z.poisson, -0.5);
  EXPECT_EQ(z.density, 2);
  EXPECT_EQ(z.mass_damping, 3);
  EXPECT_EQ(z.stiffness_damping, 4);
  EXPECT_EQ(z.extrapolate_below, 0.25);
  EXPECT_EQ(scene.materials[1].stiffness, Stiffness::exact);
  EXPECT_EQ(scene.contact.friction, 0.25);
  EXPECT_EQ(scene.contact.tolerance, 1e-7);
  EXPECT_EQ(scene.solver.method, "cr-diag");
  EXPECT_EQ(scene.solver.tolerance, 1e-6);
  EXPECT_EQ(scene.solver.linear_tolerance, 1e-10);
  EXPECT_EQ(scene.solver.max_iterations, 77);
  EXPECT_EQ(scene.output.every, 3);
  EXPECT_EQ(scene.output.checkpoint, 33);
  EXPECT_FALSE(scene.output.velocities);
}

TEST(Scene, EveryKeyOfMeshesLandsInItsField) {
  const Scene scene = parse_scene(everything, "t", ".");
  ASSERT_EQ(scene.meshes.size(), 6U);
  const auto& slab = std::get<SlabShape>(scene.meshes[0].shape);
  EXPECT_EQ(scene.meshes[0].scale, Vec3::Constant(2));
  EXPECT_EQ(slab.size[1], 4);
  EXPECT_EQ(slab.thickness, 0.5);
  EXPECT_EQ(slab.cells[1], 3);
  const auto& box = std::get<BoxShape>(scene.meshes[1].shape);
  EXPECT_EQ(box.size, Vec3(1, 2, 3));
  EXPECT_EQ(box.cells[2], 6);
  const auto& sphere = std::get<SphereShape>(scene.meshes[2].shape);
  EXPECT_EQ(sphere.radius, 2);
  EXPECT_EQ(sphere.resolution, 3);
  const auto& cylinder = std::get<CylinderShape>(scene.meshes[3].shape);
  EXPECT_EQ(cylinder.length, 5);
  EXPECT_EQ(cylinder.segments, 7);
  const auto& file = std::get<FileShape>(scene.meshes[4].shape);
  EXPECT_EQ(file.tetrahedralize->quality, 2);
  EXPECT_EQ(file.tetrahedralize->min_dihedral, 5);
}

TEST(Scene, EveryKeyOfObjectsLandsInItsField) {
  const Scene scene = parse_scene(everything, "t", ".");
  const ObjectSpec& one = scene.objects[0];
  EXPECT_EQ(one.position, Vec3(1, 0, 2));
  EXPECT_EQ(one.angular_velocity, Vec3(4, 5, 6));
  ASSERT_EQ(one.boundary.size(), 4U);
  EXPECT_EQ(std::get<BoxSelection>(one.boundary[0].select).corners[1], Vec3(1, 0, 1));
  EXPECT_FALSE(one.boundary[0].motion);
  EXPECT_EQ(std::get<SphereSelection>(one.boundary[1].select).radius, 4);
  EXPECT_EQ(one.boundary[1].motion->velocity, Vec3(0, 0, 1));
  EXPECT_EQ(std::get<PlaneSelection>(one.boundary[2].select).normal, Vec3(0, 1, 0));
  EXPECT_EQ(std::get<ListSelection>(one.boundary[3].select).vertices, (std::vector<Index>{3, 1, 2}));
  EXPECT_EQ(scene.objects[1].scatter->seed, 9007199254740991U);
  const MotionSpec& motion = *scene.objects[2].motion;
  EXPECT_EQ(motion.axis, Vec3(0, 1, 0));
  EXPECT_EQ(motion.center, Vec3(0, 0, 1));
  EXPECT_EQ(motion.degrees_per_second, 90);
  ASSERT_EQ(motion.keyframes.size(), 2U);
  EXPECT_EQ(motion.keyframes[0].translation, Vec3(0, 0, 1));
  EXPECT_EQ(motion.keyframes[0].degrees, 5);
  EXPECT_EQ(motion.keyframes[1].time, 2);
  EXPECT_EQ(motion.translation_expression, (std::array<std::string, 3>{"0", "t", "sin(t)"}));
  EXPECT_EQ(motion.degrees_expression, "t^2");
  EXPECT_EQ(scene.objects[3].type, ObjectType::rigid);
}

TEST(Scene, EffectiveSceneReadsBackToItself) {
  for (const char* text : {sound_scene, design_example, everything}) {
    const Scene first = parse_scene(text, "t", ".");
    const Scene second = parse_scene(first.json, "t", ".");
    EXPECT_EQ(first.json, second.json);
    const auto tree = nlohmann::json::parse(first.json);
    EXPECT_TRUE(tree.contains("solver") && tree["solver"].contains("linear_tolerance"));  // defaults are spelt out
  }
  const auto tree = nlohmann::json::parse(parse_scene(everything, "t", ".").json);
  const auto given = nlohmann::json::parse(everything);
  for (const auto& [key, value] : given["solver"].items()) EXPECT_EQ(tree["solver"][key], value);
  EXPECT_EQ(tree["objects"][0]["boundary"][1]["sphere"]["radius"], 4);
}

TEST(Scene, ChangesAreNamedByPathWithTheirValues) {
  const Scene before = parse_scene(sound_scene, "t", ".");
  EXPECT_TRUE(scene_changes(before, before).empty());
  const Scene after = parse_scene(sound_scene, "t", ".", {"materials.rubber.young=1e6", "solver.method=cr-diag"});
  const std::vector<SceneChange> changes = scene_changes(before, after);
  ASSERT_EQ(changes.size(), 2U);
  EXPECT_EQ(changes[0].path, "/materials/rubber/young");
  EXPECT_EQ(changes[0].before, "500000.0");
  EXPECT_EQ(changes[0].after, "1000000.0");
  EXPECT_EQ(changes[1].path, "/solver/method");
  EXPECT_EQ(changes[1].after, "\"cr-diag\"");
}

TEST(Scene, ThatLosesAnObjectSaysWhichOne) {
  std::string two = sound_scene;
  two.replace(two.find(" ]\n}"), 4, ", { \"name\": \"right\", \"mesh\": \"ring\", \"type\": \"fixed\" } ]\n}");
  const std::vector<SceneChange> changes =
      scene_changes(parse_scene(two, "t", "."), parse_scene(sound_scene, "t", "."));
  ASSERT_EQ(changes.size(), 1U);
  EXPECT_EQ(changes[0].path, "/objects/1");
  EXPECT_NE(changes[0].before.find("right"), std::string::npos);
  EXPECT_EQ(changes[0].after, "");
}

TEST(Scene, AStepCountBecomesTheDurationThatGivesIt) {
  Scene scene = parse_scene(sound_scene, "t", ".", {"time.step=0.0007"});
  for (const std::int64_t steps : {0, 1, 3, 7, 10, 999, 123457}) {
    set_steps(steps, scene);
    const Scene again = parse_scene(scene.json, "t", ".");
    EXPECT_EQ(std::llround(again.time.duration / again.time.step), steps);
  }
}

TEST(Scene, ExamplesOfTheProjectLoad) {
  for (const char* name :
       {"first", "bouncing-rings", "pulled-bar", "stirred-heap", "constraints", "falling-cloth", "mixed-pile",
        "mixed-pile-small", "cable-pulley", "cable-cylinder", "squeeze-bars", "soft-cube"}) {
    const std::string path = source_folder() + "/scenes/" + name + ".json";
    EXPECT_NO_THROW({
      try {
        LoadReport report;
        load_model(read_scene(path), report);
      } catch (const InputError& error) {
        ADD_FAILURE() << error.what();
        throw;
      }
    }) << path;
  }
}

// ---- what is made of the table for others

TEST(SceneSchema, IsStrictDraft2020) {
  const auto schema = nlohmann::json::parse(scene_schema());
  EXPECT_EQ(schema["$schema"], "https://json-schema.org/draft/2020-12/schema");
  EXPECT_EQ(schema["additionalProperties"], false);
  EXPECT_EQ(schema["required"], nlohmann::json({"objects"}));
  EXPECT_EQ(schema["properties"]["objects"]["minItems"], 1);
  for (const auto& [name, definition] : schema["$defs"].items()) {
    EXPECT_EQ(definition["additionalProperties"], false) << name;
    for (const auto& [key, property] : definition["properties"].items()) {
      EXPECT_FALSE(property["description"].get<std::string>().empty()) << name << "/" << key;
    }
  }
  const auto& poisson = schema["$defs"]["material"]["properties"]["poisson"];
  EXPECT_EQ(poisson["exclusiveMinimum"], -1);
  EXPECT_EQ(poisson["exclusiveMaximum"], 0.5);
  EXPECT_EQ(poisson["default"], 0.2);
}

void collect_references(const nlohmann::json& json, std::vector<std::string>& found) {
  if (json.is_object() && json.contains("$ref")) found.push_back(json["$ref"]);
  if (!json.is_structured()) return;
  for (const auto& entry : json) collect_references(entry, found);
}

TEST(SceneSchema, ReferencesLeadSomewhere) {
  const auto schema = nlohmann::json::parse(scene_schema());
  std::vector<std::string> references;
  collect_references(schema, references);
  EXPECT_GT(references.size(), 20U);
  for (const std::string& reference : references) {
    ASSERT_EQ(reference.find('#'), 0U);
    EXPECT_TRUE(schema.contains(nlohmann::json::json_pointer(reference.substr(1)))) << reference;
  }
}

// Definitions of the schema and links of the page go by the titles: one that comes twice would hide the other.
TEST(SceneReference, TablesAndTheKeysOfEachHaveDifferentNames) {
  std::set<std::string> titles, keys;
  std::istringstream lines(scene_reference());
  std::string title;
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("### ")) {
      title = line.substr(4);
      EXPECT_TRUE(titles.insert(title).second) << "two tables are called \"" << title << '"';
      keys.clear();
    } else if (line.starts_with("| `")) {
      const std::string key = line.substr(3, line.find('`', 3) - 3);
      EXPECT_TRUE(keys.insert(key).second) << title << " has two keys \"" << key << '"';
    }
  }
  EXPECT_GT(titles.size(), 20U);
  EXPECT_EQ(nlohmann::json::parse(scene_schema())["$defs"].size(), titles.size() - 1);  // but the scene itself
}

TEST(SceneReference, PageIsUpToDate) {
  const std::string path = source_folder() + "/docs/scene-format.md";
  const std::string begin = "<!-- generated reference: begin -->\n";
  const std::string end = "<!-- generated reference: end -->\n";
  std::string page = text_of_file(path);
  const std::size_t first = page.find(begin), last = page.find(end);
  ASSERT_TRUE(first != std::string::npos && last != std::string::npos) << path << " has lost its markers";
  const std::size_t body = first + begin.size();
  if (std::getenv("SIMRUN_UPDATE_DOCS")) {
    page.replace(body, last - body, scene_reference());
    std::ofstream(path, std::ios::binary) << page;
    return;
  }
  EXPECT_EQ(page.substr(body, last - body), scene_reference())
      << path
      << " is out of date. To refresh it run\n    SIMRUN_UPDATE_DOCS=1 ctest -R SceneReference.PageIsUpToDate";
}

// The example in the page, with its comments, must be a scene.
TEST(SceneReference, ExampleOfThePageIsSound) {
  const std::string page = text_of_file(source_folder() + "/docs/scene-format.md");
  const std::string fence = "```jsonc\n";
  const std::size_t begin = page.find(fence);
  ASSERT_NE(begin, std::string::npos);
  const std::size_t body = begin + fence.size();
  EXPECT_EQ(message(page.substr(body, page.find("\n```", body) - body)), "");
}

}  // namespace scene_test
}  // namespace sim
