// Whether what a scene puts together goes together. Private to the room.
#pragma once

#include "scene/placing.hpp"

namespace sim {

// What an object is made of must be of the kind that its mesh is.
void check_fit(const Source& source, const Scene& scene, Defects& defects);

// What begins nearer than its thickness would be thrown apart.
void check_thickness(const Model& model, Defects& defects);

// Bodies of which a closed part is inside another: they would have twice what it encloses.
void check_parts(const Model& model, Defects& defects);

}  // namespace sim
