// path.to.key=value on top of a scene file. Private to the room: no other room includes it.
//
// The path goes by keys, by numbers into lists, and by names into the list of objects. The value is JSON where it
// reads as JSON, else text. Keys that are not there yet are made, but for the names of materials and meshes: these
// must be there, or be given whole.
#pragma once

#include "scene/json_text.hpp"

namespace sim {

void apply_override(Json& scene, const std::string& text, Defects& defects);

}  // namespace sim
