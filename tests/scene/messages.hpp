// What the checks say about a scene.
#pragma once

#include <string>
#include <vector>

#include "math/error.hpp"
#include "scene/scene.hpp"

namespace sim {

// A scene that is sound, to be spoilt in one place.
inline const char* const sound_scene = R"({
  "materials": { "rubber": { "young": 5e5 } },
  "meshes": { "ring": { "generate": "torus" } },
  "objects": [ { "name": "left", "mesh": "ring", "material": "rubber" } ]
})";

// The lines of the InputError; empty when there was none.
inline std::vector<std::string> messages(const std::string& text, const std::vector<std::string>& overrides = {}) {
  std::vector<std::string> lines;
  try {
    parse_scene(text, "test.json", ".", overrides);
  } catch (const InputError& error) {
    lines.emplace_back();
    for (const char* c = error.what(); *c != '\0'; ++c) {
      if (*c == '\n') {
        lines.emplace_back();
      } else {
        lines.back() += *c;
      }
    }
  }
  return lines;
}

// The only line there is; others are told too, so that a failing test shows them.
inline std::string message(const std::string& text, const std::vector<std::string>& overrides = {}) {
  std::string joined;
  for (const std::string& line : messages(text, overrides)) joined += (joined.empty() ? "" : " && ") + line;
  return joined;
}

// The sound scene with one change, as the file would have it.
inline std::string spoilt(const std::string& from, const std::string& to) {
  std::string text = sound_scene;
  return text.replace(text.find(from), from.size(), to);
}
inline std::string with_top_level(const std::string& entry) {
  return spoilt("{\n", "{ " + entry + ",\n");
}
inline std::string with_material(const std::string& entry) {
  return spoilt("\"young\": 5e5", entry);
}
inline std::string with_mesh(const std::string& mesh) {
  return spoilt("{ \"generate\": \"torus\" }", mesh);
}
inline std::string with_object(const std::string& entry) {
  return spoilt("\"material\": \"rubber\"", "\"material\": \"rubber\", " + entry);
}

}  // namespace sim
