// What the scene text in a result file says of the file's objects.
#pragma once

#include <array>
#include <vector>

#include "collide/surface.hpp"
#include "scene/scene.hpp"
#include "subject.hpp"

namespace simcheck {

// The objects as the scene names them, copies one by one; empty where the file has others.
std::vector<const sim::ObjectSpec*> match_objects(const sim::Scene& scene, const Subject& subject);

// m, that contact keeps; empty where the objects are not those of the scene.
std::vector<double> thickness_of_objects(const sim::Scene& scene, const Subject& subject);

// By vertex, chosen as a run chooses them, from the placed objects at rest.
struct Prescribed {
  std::vector<bool> any;    // is prescribed, if only along a direction or for a time
  std::vector<bool> whole;  // has no unknowns
  explicit Prescribed(std::size_t vertices) : any(vertices, false), whole(vertices, false) {}
};
Prescribed prescribed_vertices(const sim::Scene& scene, Subject& subject);

// The cells of a sheet of a grid, as the scene has them: only springs of a grid need them.
std::array<sim::Index, 2> grid_of_object(const sim::Scene& scene, const std::string& mesh);

// Pairs that never touch, as a run has them.
sim::ObjectGroups groups_of(const sim::Scene& scene, const Subject& subject);

}  // namespace simcheck
