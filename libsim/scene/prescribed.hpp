// Prescribed vertices, from the scene into the model.
#pragma once

#include <span>

#include "scene/defects.hpp"
#include "scene/scene.hpp"

namespace sim {

// The `boundary` of a deformable object whose placed vertices these are.
void tell_boundary(const ObjectSpec& spec, const std::string& object_path, const Object& object,
                   std::span<const Vec3> vertices, Model& model, Defects& defects);
// A fixed or scripted object.
void tell_whole(const ObjectSpec& spec, const Object& object, Model& model);

}  // namespace sim
