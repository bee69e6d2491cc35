#include "scene/scene.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>
#include <utility>

#include "math/error.hpp"
#include "scene/override.hpp"
#include "scene/tables.hpp"

namespace sim {

std::array<Index, 2> grid_of(const MeshSpec& mesh) {
  const auto* sheet = std::get_if<SheetShape>(&mesh.shape);
  return sheet != nullptr && sheet->pattern == SheetPattern::grid ? sheet->cells : std::array<Index, 2>{0, 0};
}

double thickness_of(const ObjectSpec& object, const Material* material) {
  if (is_obstacle(object.type)) return object.thickness;
  const bool thin = object.type == ObjectType::deformable && material != nullptr && is_thin(material->model);
  return thin ? material->thickness : 0;
}

namespace {

template <class Named>
std::vector<std::string> names_of(const std::vector<Named>& things) {
  std::vector<std::string> names;
  names.reserve(things.size());
  for (const Named& thing : things) names.push_back(thing.name);
  return names;
}

bool has(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

void check_reference(const std::vector<std::string>& known, const std::string& name, const std::string& what,
                     const std::string& path, Defects& defects) {
  if (name.empty() || has(known, name)) return;
  if (known.empty() && !defects.lines.empty()) return;  // they may be there under a misspelt key
  add_defect(defects, path, quoted(name),
             known.empty() ? "expected the name of a " + what + ", but the scene has none"
                           : "expected a known " + what + ", one of " + quoted_list(nearest_first(known, name)) +
                                 did_you_mean(known, name));
}

void check_references(const Scene& scene, Defects& defects) {
  const std::vector<std::string> materials = names_of(scene.materials);
  std::vector<std::string> meshes = names_of(scene.meshes);
  for (const std::string& generator : generator_names()) {
    if (!has(meshes, generator)) meshes.push_back(generator);
  }
  for (std::size_t i = 0; i < scene.objects.size(); ++i) {
    const std::string path = sub_path("/objects", i);
    const ObjectSpec& object = scene.objects[i];
    check_reference(meshes, object.mesh, "mesh", path + "/mesh", defects);
    if (const auto* region = object.scatter ? std::get_if<MeshRegionSpec>(&object.scatter->region) : nullptr)
      check_reference(meshes, region->mesh, "mesh", path + "/scatter/mesh/name", defects);
    check_reference(materials, scene.objects[i].material, "material", path + "/material", defects);
  }
}

// What comes from the command line is meant to change something: a material or mesh that nothing uses does not.
void check_use_of(const std::string& what, const std::vector<std::string>& things,
                  const std::vector<std::string>& used, const Json& json, Defects& defects) {
  const std::string table = what == "mesh" ? "/meshes" : "/materials";
  for (const std::string& name : things) {
    if (has(used, name)) continue;
    const std::string place = sub_path(table, name);
    const std::vector<Origin> origins = defects.origins;
    for (const Origin& origin : origins) {
      if (origin.place != place && !origin.place.starts_with(place + "/")) continue;
      std::vector<std::string> others;
      for (const std::string& other : used) {
        if (!other.empty() && !has(others, other)) others.push_back(other);
      }
      add_defect(defects, origin.place, shown(json.at(Json::json_pointer(origin.place))),
                 "no object uses the " + what + " " + quoted(name) + ", so this would change nothing" +
                     (others.empty() ? "" : "; objects use " + quoted_list(nearest_first(others, name))) +
                     did_you_mean(others, name) + " (--set objects.NAME." + what + "=" + name + " makes one use it)");
    }
  }
}

void check_use_of_overrides(const Scene& scene, const Json& json, Defects& defects) {
  std::vector<std::string> meshes, materials;
  for (const ObjectSpec& object : scene.objects) {
    for (const std::string& name : meshes_of(object)) meshes.push_back(name);
    materials.push_back(object.material);
  }
  for (const MeshSpec& mesh : scene.meshes) {
    if (mesh.embed && mesh.embed->cage) meshes.push_back(*mesh.embed->cage);
  }
  check_use_of("material", names_of(scene.materials), materials, json, defects);
  check_use_of("mesh", names_of(scene.meshes), meshes, json, defects);
}

// "heap.12" is a copy of a "heap" of at least 12.
bool is_copy_of(const std::string& name, const ObjectSpec& object) {
  const std::string start = object.name + ".";
  if (name.compare(0, start.size(), start) != 0) return false;
  const std::string number = name.substr(start.size());
  if (number.empty() || number.size() > 9 || number.find_first_not_of("0123456789") != std::string::npos)
    return false;
  return number[0] != '0' && std::stol(number) <= copies_wanted(object).value_or(std::stol(number));
}

void check_cages(const Scene& scene, Defects& defects) {
  const std::vector<std::string> meshes = names_of(scene.meshes);
  for (const MeshSpec& mesh : scene.meshes) {
    if (mesh.embed && mesh.embed->cage)
      check_reference(meshes, *mesh.embed->cage, "mesh", sub_path("/meshes", mesh.name) + "/embed/cage", defects);
  }
}

void check_object_names(const Scene& scene, Defects& defects) {
  std::set<std::string> seen;
  std::vector<const ObjectSpec*> scattered;
  for (const ObjectSpec& object : scene.objects) {
    if (has_copies(object)) scattered.push_back(&object);
  }
  for (std::size_t i = 0; i < scene.objects.size(); ++i) {
    const std::string& name = scene.objects[i].name;
    const std::string path = sub_path("/objects", i) + "/name";
    if (!name.empty() && !seen.insert(name).second) {
      add_defect(defects, path, quoted(name), "expected a name that no other object has");
    }
    for (const ObjectSpec* heap : scattered) {
      if (!is_copy_of(name, *heap)) continue;
      add_defect(defects, path, quoted(name),
                 "expected another name, a copy of " + quoted(heap->name) + " has this one");
    }
  }
}

void add_bare_meshes(Scene& scene) {
  for (const ObjectSpec& object : scene.objects) {
    for (const std::string& name : meshes_of(object)) {
      if (has(names_of(scene.meshes), name)) continue;
      if (const std::optional<MeshSpec> mesh = default_mesh(name)) scene.meshes.push_back(*mesh);
    }
  }
}

void apply_overrides(Json& json, const std::vector<std::string>& overrides, Defects& defects) {
  if (!json.is_object()) return;
  const std::size_t lines_before = defects.lines.size();
  for (const std::string& text : overrides) apply_override(json, text, defects);
  // The scene is not what the user meant: checking it further would only mislead.
  if (defects.lines.size() != lines_before) throw_if_any(defects);
}

std::string text_of_file(const std::string& path) {
  std::error_code ignored;
  if (std::filesystem::is_directory(path, ignored)) throw FileError(path + ": is a folder, expected a scene file");
  std::ifstream file(path, std::ios::binary);
  if (!file)
    throw FileError(path + ": the scene file cannot be opened: expected a JSON file that exists and is readable");
  std::ostringstream text;
  text << file.rdbuf();
  if (file.bad()) throw FileError(path + ": the scene file cannot be read to its end");
  return text.str();
}

std::string effective(const Scene& scene) {
  return write_table(scene_table(), &scene).dump(2);
}

std::string value_at(const Json& json, const Json::json_pointer& place) {
  return json.contains(place) ? json.at(place).dump() : "";
}

}  // namespace

bool has_copies(const ObjectSpec& object) {
  return object.scatter || object.array || !object.poses.empty() || !object.poses_file.empty();
}

std::optional<std::int64_t> copies_wanted(const ObjectSpec& object) {
  if (object.scatter) return object.scatter->count;
  if (object.array) {
    const auto& [x, y, z] = object.array->count;
    return std::int64_t{x} * y * z;
  }
  if (!object.poses.empty()) return static_cast<std::int64_t>(object.poses.size());
  return object.poses_file.empty() ? std::optional<std::int64_t>(1) : std::nullopt;
}

std::vector<std::string> meshes_of(const ObjectSpec& object) {
  std::vector<std::string> names{object.mesh};
  if (!object.scatter) return names;
  if (const auto* region = std::get_if<MeshRegionSpec>(&object.scatter->region)) names.push_back(region->mesh);
  return names;
}

Scene parse_scene(const std::string& text, const std::string& source, const std::string& folder,
                  const std::vector<std::string>& overrides) {
  Defects defects{source, {}, {}};
  Json json = read_json(text, defects);
  apply_overrides(json, overrides, defects);
  Scene scene;
  scene.source = source;
  scene.folder = folder;
  object<Scene>(scene_table()).read(json, "", scene, defects);
  check_references(scene, defects);
  check_cages(scene, defects);
  check_object_names(scene, defects);
  throw_if_any(defects);
  check_use_of_overrides(scene, json, defects);
  throw_if_any(defects);
  add_bare_meshes(scene);
  scene.json = effective(scene);
  scene.origins = std::move(defects.origins);
  return scene;
}

void set_steps(std::int64_t steps, Scene& scene) {
  scene.time.duration = static_cast<double>(steps) * scene.time.step;
  scene.time.steps_asked = true;
  scene.json = effective(scene);
}

std::vector<SceneChange> scene_changes(const Scene& before, const Scene& after) {
  const Json a = Json::parse(before.json), b = Json::parse(after.json);
  std::vector<SceneChange> changes;
  for (const Json& change : Json::diff(a, b)) {
    const Json::json_pointer place(change.at("path").get<std::string>());
    changes.push_back({place.to_string(), value_at(a, place), value_at(b, place)});
  }
  return changes;
}

Scene read_scene(const std::string& path, const std::vector<std::string>& overrides) {
  const std::string folder = std::filesystem::path(path).parent_path().string();
  return parse_scene(text_of_file(path), path, folder.empty() ? "." : folder, overrides);
}

}  // namespace sim
