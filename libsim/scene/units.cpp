#include "scene/units.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <span>

#include "math/number_text.hpp"
#include "model/own_weight.hpp"
#include "scene/defects.hpp"
#include "scene/select.hpp"

namespace sim {

namespace {

constexpr double softest = 100;                   // Pa: gels and brain tissue are stiffer
constexpr double lightest = 0.5, heaviest = 3e4;  // kg/m^3: air has 1.2, osmium 22,590
constexpr double fastest = 2e4;                   // m/s, sqrt(young / density): diamond has 17,500
constexpr double most_larger = 1e3;               // of two bodies
constexpr double strongest = 1e3;                 // m/s^2: centrifuges of soils and crash tests stay below
constexpr double fewest_steps = 3;

double size(const Model& model, const Object& object) {
  const Extent box = extent(std::span(model.mesh.vertices)
                                .subspan(static_cast<std::size_t>(object.vertices.begin),
                                         static_cast<std::size_t>(object.vertices.size())));
  return (box.high - box.low).norm();
}

bool has_size(const Object& object) {
  return !object.half_space && object.vertices.size() >= 3;
}

// Null: there is none.
const Object* smallest_free(const Model& model) {
  const Object* smallest = nullptr;
  for (const Object& object : model.objects) {
    if (is_obstacle(object.type) || !has_size(object)) continue;
    if (smallest == nullptr || size(model, object) < size(model, *smallest)) smallest = &object;
  }
  return smallest;
}

bool moves_elastically(const Model& model, std::size_t material) {
  return std::any_of(model.objects.begin(), model.objects.end(), [&](const Object& object) {
    return object.type == ObjectType::deformable && object.material == static_cast<Index>(material);
  });
}

void warn_of_fast_sound(const Material& material, LoadReport& report) {
  report.warnings.push_back("material " + quoted(material.name) + " has a density of " +
                            number_text(material.density, 3) + " kg/m^3 and a young of " +
                            number_text(material.young, 3) + " Pa: sound would be faster in it than in diamond (" +
                            number_text(std::sqrt(material.young / material.density), 3) +
                            " m/s). Was the density meant to be in g/cm^3, or the young in kPa? kg/m^3 and Pa are "
                            "expected");
}

void warn_of_crushed_bodies(const Model& model, LoadReport& report) {
  struct Worst {
    const Object* object = nullptr;
    double strain = 0;
  };
  std::map<Index, Worst> worst;  // by material
  for (const Object& object : model.objects) {
    const double strain = strain_of_own_weight(model, object);
    if (strain >= crushing_strain && strain > worst[object.material].strain)
      worst[object.material] = {&object, strain};
  }
  for (const auto& [index, found] : worst) {
    const Material& material = model.materials[index];
    if (material.young < softest) continue;  // told already
    const double part = found.strain / 2;
    report.warnings.push_back(
        quoted(found.object->name) + ": its own weight " +
        (part < 1 ? "shortens it by about " + number_text(100 * part, 2) + " % of its height"
                  : "crushes it (" + number_text(found.strain, 3) + " times its young at the foot)") +
        ": is the young of material " + quoted(material.name) + ", " + number_text(material.young, 3) +
        " Pa, in kPa, MPa or GPa, or its mesh in mm? Pa and m are expected");
  }
}

}  // namespace

void warn_of_soft_materials(const Model& model, LoadReport& report) {
  for (const Material& material : model.materials) {
    if (material.young >= softest || is_thin(material.model)) continue;
    report.warnings.push_back("material " + quoted(material.name) + " has a young of " +
                              number_text(material.young, 3) +
                              " Pa, softer than any gel: was it meant to be in kPa, MPa or GPa? Pa is expected");
  }
  warn_of_crushed_bodies(model, report);
}

void warn_of_densities(const Model& model, LoadReport& report) {
  for (std::size_t i = 0; i < model.materials.size(); ++i) {
    const Material& material = model.materials[i];
    const bool is_sane = material.density >= lightest && material.density <= heaviest;
    const bool is_used = std::any_of(model.objects.begin(), model.objects.end(), [&](const Object& object) {
      return !is_obstacle(object.type) && object.material == static_cast<Index>(i);
    });
    if (!is_used || is_thin(material.model)) continue;
    if (is_sane && moves_elastically(model, i) && material.young > fastest * fastest * material.density)
      warn_of_fast_sound(material, report);
    if (is_sane) continue;
    report.warnings.push_back(
        "material " + quoted(material.name) + " has a density of " + number_text(material.density, 3) + " kg/m^3, " +
        (material.density < lightest ? "lighter than air: was it meant to be in g/cm^3 or t/mm^3?"
                                     : "heavier than any metal: was it meant for other units?") +
        " kg/m^3 is expected, 1000 of water");
  }
}

void warn_of_sizes(const Model& model, LoadReport& report) {
  const Object *smallest = nullptr, *largest = nullptr;
  for (const Object& object : model.objects) {
    if (!has_size(object)) continue;
    if (smallest == nullptr || size(model, object) < size(model, *smallest)) smallest = &object;
    if (largest == nullptr || size(model, object) > size(model, *largest)) largest = &object;
  }
  if (smallest == nullptr || size(model, *largest) <= most_larger * size(model, *smallest)) return;
  report.warnings.push_back(quoted(largest->name) + " is " + number_text(size(model, *largest), 3) +
                            " m across and " + quoted(smallest->name) + " " + number_text(size(model, *smallest), 3) +
                            " m: is one of their meshes in mm? m is expected; \"scale\" of a mesh converts");
}

void warn_of_gravity(const Scene& scene, LoadReport& report) {
  if (scene.gravity.norm() <= strongest) return;
  report.warnings.push_back("gravity is " + number_text(scene.gravity.norm(), 4) + " m/s^2, " +
                            number_text(scene.gravity.norm() / 9.81, 3) +
                            " times that of the Earth: was it meant to be in mm/s^2? m/s^2 is expected");
}

void warn_of_long_steps(const Scene& scene, const Model& model, LoadReport& report) {
  if (scene.time.scheme == TimeScheme::quasi_static) return;
  const double step = scene.time.step, fall = 0.5 * scene.gravity.norm() * step * step;
  const std::string is_step = "time.step is " + number_text(step, 3) + " s, ";
  const char* const remedy = ": was it meant to be in ms? s is expected";
  const Object* smallest = smallest_free(model);
  // Steps of acm are no more than where the state is written.
  const bool is_asynchronous = stepper_of(scene.solver.method) == StepperKind::asynchronous;
  if (smallest != nullptr && !is_asynchronous && fall > size(model, *smallest)) {
    report.warnings.push_back(is_step + "in which what is free falls by " + number_text(fall, 3) +
                              " m, farther than " + quoted(smallest->name) + " is large (" +
                              number_text(size(model, *smallest), 3) + " m)" + remedy);
  } else if (!scene.time.steps_asked && fewest_steps * step > scene.time.duration * (1 + 1e-9)) {
    report.warnings.push_back(is_step + "more than a third of time.duration, " + number_text(scene.time.duration, 3) +
                              " s" + remedy);
  }
}

}  // namespace sim
