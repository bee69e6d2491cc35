// What scenes of the method `local` may not have.
#pragma once

#include "model/model.hpp"
#include "scene/defects.hpp"
#include "scene/scene.hpp"

namespace sim {

void check_local(const Scene& scene, Defects& defects);

// Its published form, which looks for vertices inside tetrahedra, needs some of every object.
void check_insides(const Model& model, Defects& defects);

}  // namespace sim
