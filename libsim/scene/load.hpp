// From a checked Scene to what the stepper works on: meshes are made, objects placed, vertices chosen.
#pragma once

#include "model/state.hpp"
#include "scene/scene.hpp"

namespace sim {

struct LoadReport {
  std::vector<std::string> notes;     // things worth telling: tets turned, meshes shared
  std::vector<std::string> warnings;  // what is allowed and looks like a mistake: units, things that are not used
};

// Throws InputError or FileError that names the scene's place.
Model load_model(const Scene& scene, LoadReport& report);
Options make_options(const Scene& scene, const Model& model);

double gap_by_edge(double mean_edge);                            // m: eps2 of an object where the scene does not say
double gap_by_thickness(MaterialModel model, double thickness);  // m: of sheets and cables

// The object whose contacts have the smallest eps2.
struct FinestSurface {
  Index object = -1;            // -1: there is none that moves
  double eps2 = published_gap;  // m
};
FinestSurface finest_surface(const Model& model);

// Which deformable objects linear tetrahedra make too stiff where they bend, and by how much: a sentence for all
// copies of an object. Those twice too stiff, as they lock or as their cells are long; of those of one or two cells
// across all, or only those twice as stiff as that alone makes them.
enum class Thin { all, twice_as_stiff };
std::vector<std::string> stiff_bodies(const Model& model, Thin thin);

// The files that its meshes are read from: those that the scene names, and what belongs to them (.node and .ele).
std::vector<std::string> mesh_files(const Scene& scene);
std::vector<std::string> pose_files(const Scene& scene);  // of copies and of motions

}  // namespace sim
