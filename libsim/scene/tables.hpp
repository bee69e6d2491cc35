// The scene format. Private to the room: no other room includes it.
#pragma once

#include "scene/scene.hpp"
#include "scene/schema.hpp"

namespace sim {

const Table& scene_table();
Json write_mesh(const MeshSpec& mesh);                               // as in the effective scene
std::vector<std::string> generator_names();                          // "box", "slab", ...
std::optional<MeshSpec> default_mesh(const std::string& generator);  // none for an unknown name

}  // namespace sim
