#include "scene/told.hpp"

#include <utility>

#include "scene/select.hpp"

namespace sim {
namespace {

// Returns false where an index is not one of the object's vertices or was chosen before.
bool mark(std::span<const Index> chosen, Index entry, const std::string& name, const std::string& path,
          std::vector<Index>& entry_of_vertex, Defects& defects) {
  const auto count = static_cast<Index>(entry_of_vertex.size());
  for (const Index vertex : chosen) {
    const std::string where = "vertex " + std::to_string(vertex) + " of " + quoted(name);
    if (vertex >= count) {
      add_defect(defects, sub_path(path, static_cast<std::size_t>(entry)), where,
                 "expected a number from 0 to " + std::to_string(count - 1));
      return false;
    }
    if (entry_of_vertex[vertex] >= 0) {
      add_defect(defects, sub_path(path, static_cast<std::size_t>(entry)), where,
                 "expected every vertex once, " + sub_path(path, static_cast<std::size_t>(entry_of_vertex[vertex])) +
                     " has chosen it already");
      return false;
    }
    entry_of_vertex[vertex] = entry;
  }
  return true;
}

}  // namespace

void tell_boundary(const ObjectSpec& spec, const std::string& object_path, const Object& object,
                   std::span<const Vec3> vertices, Model& model, Defects& defects) {
  const std::string path = object_path + "/boundary";
  std::vector<Index> entry_of_vertex(vertices.size(), -1);
  for (std::size_t entry = 0; entry < spec.boundary.size(); ++entry) {
    const BoundarySpec& boundary = spec.boundary[entry];
    ToldVertices told;
    told.vertices = select_vertices(boundary.select, vertices);
    if (told.vertices.empty()) {
      add_defect(defects, sub_path(path, entry), quoted(object.name), nothing_chosen(vertices));
      continue;
    }
    if (!mark(told.vertices, static_cast<Index>(entry), object.name, path, entry_of_vertex, defects)) continue;
    for (Index& vertex : told.vertices) vertex += object.vertices.begin;
    if (boundary.motion) told.motion = Motion(*boundary.motion);
    model.told.push_back(std::move(told));
  }
}

void tell_whole(const ObjectSpec& spec, const Object& object, Model& model) {
  ToldVertices told;
  for (Index i = object.vertices.begin; i < object.vertices.end; ++i) told.vertices.push_back(i);
  if (spec.motion) told.motion = Motion(*spec.motion);
  model.told.push_back(std::move(told));
}

}  // namespace sim
