#include "scene/asynchronous_checks.hpp"

#include <algorithm>

namespace sim {

void check_asynchronous(const Scene& scene, Defects& defects) {
  for (std::size_t i = 0; i < scene.objects.size(); ++i) {
    if (scene.objects[i].type != ObjectType::rigid) continue;
    add_defect(defects, "/objects/" + std::to_string(i) + "/type", "\"rigid\"",
               "\"acm\" moves vertices along straight lines, rigid bodies turn: make it \"deformable\" of a stiff "
               "material, or choose another solver.method");
  }
  for (const Material& material : scene.materials) {
    const auto limits = [](double limit) { return limit < 1; };
    if (std::any_of(material.strain_limit.begin(), material.strain_limit.end(), limits))
      add_defect(defects, "/materials/" + material.name + "/strain_limit", "a limit",
                 "\"acm\" knows no strain limits yet: leave it out, or choose another solver.method");
  }
  if (scene.time.scheme != TimeScheme::semi_implicit)
    add_defect(defects, "/time/scheme", "another one than the default",
               "\"acm\" is a scheme of its own: leave it out, or choose another solver.method");
}

}  // namespace sim
