// Where the objects of a scene and their copies go. Private to the room.
#pragma once

#include "scene/make_mesh.hpp"

namespace sim {

// One object of the scene on its way into the model.
struct Source {
  const ObjectSpec& spec;
  const Mesh& mesh;
  Index material = -1;
  std::string path;  // of the object in the scene
  bool half_space = false;
  std::array<Index, 2> grid{0, 0};  // of sheets of that pattern: its cells
};

struct PlacedCopy {
  std::vector<Vec3> vertices;
  Vec3 velocity{0, 0, 0};          // m/s
  Vec3 angular_velocity{0, 0, 0};  // rad/s
};

// The copies of every source, in its order. What is poured keeps clear of all that the scene places otherwise, and of
// what was poured before. No copies where there is a defect.
std::vector<std::vector<PlacedCopy>> place_objects(const Scene& scene, std::span<const Source> sources,
                                                   const SceneMeshes& meshes, Defects& defects, Defects& unreadable);

}  // namespace sim
