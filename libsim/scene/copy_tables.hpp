// The part of the scene format's table that says where objects and their copies go. Private to the room.
#pragma once

#include "scene/scene.hpp"
#include "scene/schema.hpp"

namespace sim {

const Table& rotation_table();
const std::vector<const Table*>& scatter_tables();
const Table& array_table();
const Table& pose_table();

// Rules between the keys of an object that make copies.
void check_copies(const Json& json, const std::string& path, const ObjectSpec& object, Defects& defects);

}  // namespace sim
