// The part of the scene format's table that describes meshes. Private to the room.
#pragma once

#include "scene/schema.hpp"

namespace sim {

const std::vector<const Table*>& mesh_tables();

}  // namespace sim
