// JSON text -> tree. Private to the room: no other room includes it.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "scene/defects.hpp"

namespace sim {

using Json = nlohmann::ordered_json;  // keeps the order of the file: materials and meshes stay as written

// The text may hold // and /* */ comments. A key given twice becomes a defect (the last one is kept); text that is
// not JSON is an InputError with line, column and the line's text. `root` is where the text goes in the scene.
Json read_json(const std::string& text, Defects& defects, const std::string& root = "");

// For messages: the value on one line, shortened when long.
std::string shown(const Json& value);
// For messages: "a number", "text", "a list of 3", ...
std::string kind_of(const Json& value);

}  // namespace sim
