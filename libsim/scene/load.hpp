// From a checked Scene to what the stepper works on: meshes are made, objects placed, vertices chosen.
#pragma once

#include "scene/scene.hpp"
#include "step/state.hpp"

namespace sim {

struct LoadReport {
  std::vector<std::string> notes;     // things worth telling: tets turned, meshes shared
  std::vector<std::string> warnings;  // what is allowed and looks like a mistake in units
};

// Throws InputError or FileError that names the scene's place.
Model load_model(const Scene& scene, LoadReport& report);
Options make_options(const Scene& scene, const Model& model);

// What the scene's contact.tolerance and its default are measured by.
struct FinestSurface {
  Index object = -1;     // of those that move, where there are any; -1: there are no triangles
  double mean_edge = 0;  // m, at rest
};
FinestSurface finest_surface(const Model& model);

// The files that its meshes are read from: those that the scene names, and what belongs to them (.node and .ele).
std::vector<std::string> mesh_files(const Scene& scene);

}  // namespace sim
