// Models of scenes that are given as text.
#pragma once

#include <stdexcept>
#include <string>

#include "scene/load.hpp"
#include "scene/scene.hpp"

namespace sim {

inline Model load(const std::string& text, const std::string& folder = ".") {
  LoadReport report;
  return load_model(parse_scene(text, "test.json", folder), report);
}

// What is said of a scene that cannot be loaded; empty where it can.
inline std::string load_error(const std::string& text, const std::string& folder = ".") {
  try {
    load(text, folder);
  } catch (const std::runtime_error& error) {
    return error.what();
  }
  return "";
}

// An object "a" of this material, mesh and what else is said of it, over a floor.
inline std::string over_a_floor(const std::string& material, const std::string& mesh, const std::string& object) {
  return R"({"materials": {"m": {)" + material + R"(}}, "meshes": {"s": {)" + mesh +
         R"(}, "ground": {"generate": "half-space"}},
    "objects": [{"name": "a", "mesh": "s", "material": "m", )" +
         object + R"(}, {"name": "floor", "type": "fixed", "mesh": "ground"}]})";
}
inline Model load_thin(const std::string& material, const std::string& mesh, const std::string& object) {
  return load(over_a_floor(material, mesh, object));
}
inline std::string thin_error(const std::string& material, const std::string& mesh, const std::string& object) {
  return load_error(over_a_floor(material, mesh, object));
}

}  // namespace sim
