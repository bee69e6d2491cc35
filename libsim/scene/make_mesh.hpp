// The meshes of a scene, each made once. Private to the room.
#pragma once

#include "mesh/mesh.hpp"
#include "scene/defects.hpp"
#include "scene/load.hpp"

namespace sim {

struct SceneMeshes {
  std::vector<Mesh> made;
  std::vector<Index> of_spec;  // for each of scene.meshes: into `made`; -1 where it is not used or could not be made
};

// Reads or generates what objects use; equal specifications share one mesh. What is wrong goes to `defects`, and to
// `unreadable` what a missing or unreadable file is to blame for.
SceneMeshes make_meshes(const Scene& scene, LoadReport& report, Defects& defects, Defects& unreadable);

std::string in_folder(const std::string& file, const Scene& scene);  // of the scene file

}  // namespace sim
