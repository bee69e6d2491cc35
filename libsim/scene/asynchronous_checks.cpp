#include "scene/asynchronous_checks.hpp"

namespace sim {

void check_asynchronous(const Scene& scene, Defects& defects) {
  for (std::size_t i = 0; i < scene.objects.size(); ++i) {
    if (scene.objects[i].type != ObjectType::rigid) continue;
    add_defect(defects, "/objects/" + std::to_string(i) + "/type", "\"rigid\"",
               "\"acm\" moves vertices along straight lines, rigid bodies turn: make it \"deformable\" of a stiff "
               "material, or choose another solver.method");
  }
  if (scene.time.scheme != TimeScheme::semi_implicit)
    add_defect(defects, "/time/scheme", "another one than the default",
               "\"acm\" is a scheme of its own: leave it out, or choose another solver.method");
  if (scene.acm.rest_depth > scene.acm.max_layers)
    add_defect(defects, "/acm/rest_depth", std::to_string(scene.acm.rest_depth),
               "expected at most acm.max_layers, " + std::to_string(scene.acm.max_layers) +
                   ": deeper than that nothing rests, the run stops");
  if (scene.acm.axes % 2 != 0)
    add_defect(defects, "/acm/axes", std::to_string(scene.acm.axes),
               "expected an even number: every axis has two directions");
}

}  // namespace sim
