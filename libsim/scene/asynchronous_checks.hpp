// What scenes of the method `acm` may not have.
#pragma once

#include "scene/defects.hpp"
#include "scene/scene.hpp"

namespace sim {

void check_asynchronous(const Scene& scene, Defects& defects);

}  // namespace sim
