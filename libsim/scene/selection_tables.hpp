// Regions that choose vertices of a placed object, as values of the scene format. Private to the room.
#pragma once

#include "scene/scene.hpp"
#include "scene/schema.hpp"

namespace sim {

Value<std::array<Vec3, 2>> box_corners();
Value<SphereSelection> sphere_region();
Value<PlaneSelection> plane_region();
Value<CylinderSelection> cylinder_region();
Value<std::vector<Index>> vertex_numbers();

// `json` is what has the key "box".
void check_corners(const BoxSelection& box, const Json& json, const std::string& path, Defects& defects);

// A region that may be chosen or not, by one key for each kind of it.
std::vector<Key> selection_keys(std::optional<Selection> LoadSpec::*place);

}  // namespace sim
