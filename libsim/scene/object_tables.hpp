// The part of the scene format that is about objects. Private to the room: no other room includes it.
#pragma once

#include "scene/schema.hpp"

namespace sim {

const Table& object_table();

}  // namespace sim
