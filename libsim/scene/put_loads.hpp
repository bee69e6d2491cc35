// The loads of an object, from the scene into the model.
#pragma once

#include "scene/defects.hpp"
#include "scene/scene.hpp"

namespace sim {

// The object is the last one of the model.
void put_loads(const ObjectSpec& spec, const std::string& object_path, Model& model, Defects& defects);

}  // namespace sim
