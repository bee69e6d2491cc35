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
}

}  // namespace sim
