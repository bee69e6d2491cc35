// Loads as the scene format has them. Private to the room.
#pragma once

#include "scene/scene.hpp"
#include "scene/schema.hpp"

namespace sim {

Value<LoadSpec> load_value();
// Rules between the loads and the object that they are on.
void check_loads(const Json& json, const std::string& path, const ObjectSpec& object, Defects& defects);

}  // namespace sim
