#include "scene/local_checks.hpp"

namespace sim {

void check_local(const Scene& scene, Defects& defects) {
  for (std::size_t i = 0; i < scene.objects.size(); ++i) {
    if (scene.objects[i].type == ObjectType::rigid)
      add_defect(defects, "/objects/" + std::to_string(i) + "/type", "\"rigid\"",
                 quoted(scene.objects[i].name) +
                     " is rigid, and the method \"local\" moves deformable objects only; make it \"deformable\" or "
                     "\"fixed\", or take another method (solver.method \"auto\")");
  }
  if (scene.time.scheme != TimeScheme::semi_implicit)
    add_defect(defects, "/time/scheme", "another one than the default",
               "expected none with the method \"local\", which steps in a way of its own (local.integrator)");
}

void check_insides(const Model& model, Defects& defects) {
  for (const Object& object : model.objects) {
    if (object.tets.size() > 0) continue;
    const std::string what = model.is_cable(object) ? "a cable" : is_thin(object) ? "cloth" : "a bare surface";
    const std::string remedy =
        is_thin(object) ? "" : " give it a mesh of tetrahedra (\"slab\" or \"box\" for floors and walls), or";
    add_defect(defects, "/solver/as_published", "true",
               quoted(object.name) + " is " + what +
                   ", and the published form of \"local\" finds collisions by vertices inside tetrahedra;" + remedy +
                   " leave solver.as_published out: \"local\" itself takes any surface");
  }
}

}  // namespace sim
