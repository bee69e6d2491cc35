#include "scene/prescribed.hpp"

#include <algorithm>
#include <utility>

#include "model/guides.hpp"
#include "scene/select.hpp"

namespace sim {
namespace {

std::vector<Vec3> directions_of(const BoundarySpec& boundary) {
  if (boundary.normal) return {boundary.normal->normalized()};
  if (boundary.axes.value_or("xyz").size() == 3) return {};
  std::vector<Vec3> directions;
  for (const char axis : *boundary.axes) directions.push_back(Vec3::Unit(axis - 'x'));
  return directions;
}

// The entries up to this one that choose the vertex.
std::string choosers(const ObjectSpec& spec, const std::string& path, std::size_t entry, Index vertex,
                     std::span<const Vec3> vertices) {
  std::string names;
  for (std::size_t i = 0; i <= entry; ++i) {
    const std::vector<Index> chosen = select_vertices(spec.boundary[i].select, vertices);
    const auto times = std::count(chosen.begin(), chosen.end(), vertex);
    if (times < (i == entry ? 2 : 1)) continue;
    names += (names.empty() ? "" : " or ") + sub_path(path, i);
  }
  return names;
}

// What the entry holds besides what those before it hold. Returns false where an index is not one of the object's
// vertices, or where it is held along a direction already.
struct Marker {
  const ObjectSpec& spec;
  const std::string &name, &path;
  std::span<const Vec3> vertices;
  std::vector<Mat3> held;  // by vertex

  bool mark(const PrescribedVertices& prescribed, std::size_t entry, Defects& defects) {
    const auto count = static_cast<Index>(vertices.size());
    const std::vector<Vec3> directions = directions_of(prescribed);
    for (const Index vertex : prescribed.vertices) {
      const std::string where = "vertex " + std::to_string(vertex) + " of " + quoted(name);
      if (vertex >= count) {
        add_defect(defects, sub_path(path, entry), where, "expected a number from 0 to " + std::to_string(count - 1));
        return false;
      }
      Vec3 unused = Vec3::Zero();
      for (const Vec3& n : directions) {
        if (hold(n, Vec3::Zero(), held[vertex], unused)) continue;
        add_defect(defects, sub_path(path, entry), where,
                   "expected every vertex once" + std::string(directions.size() < 3 ? " along a direction" : "") +
                       ", " + choosers(spec, path, entry, vertex, vertices) + " has chosen it already");
        return false;
      }
    }
    return true;
  }
};

}  // namespace

void tell_boundary(const ObjectSpec& spec, const std::string& object_path, const Object& object,
                   std::span<const Vec3> vertices, Model& model, Defects& defects) {
  const std::string path = object_path + "/boundary";
  if (spec.boundary.empty()) return;
  Marker marker{spec, object.name, path, vertices, std::vector<Mat3>(vertices.size(), Mat3::Zero())};
  for (std::size_t entry = 0; entry < spec.boundary.size(); ++entry) {
    const BoundarySpec& boundary = spec.boundary[entry];
    PrescribedVertices prescribed;
    prescribed.vertices = select_vertices(boundary.select, vertices);
    prescribed.directions = directions_of(boundary);
    prescribed.release = boundary.release.value_or(prescribed.release);
    if (prescribed.vertices.empty()) {
      add_defect(defects, sub_path(path, entry), quoted(object.name), nothing_chosen(vertices));
      continue;
    }
    if (!marker.mark(prescribed, entry, defects)) continue;
    for (Index& vertex : prescribed.vertices) vertex += object.vertices.begin;
    if (boundary.motion) prescribed.motion = Motion(*boundary.motion);
    model.prescribed.push_back(std::move(prescribed));
  }
}

void tell_whole(const ObjectSpec& spec, const Object& object, Model& model) {
  PrescribedVertices prescribed;
  for (Index i = object.vertices.begin; i < object.vertices.end; ++i) prescribed.vertices.push_back(i);
  if (spec.motion) prescribed.motion = Motion(*spec.motion);
  model.prescribed.push_back(std::move(prescribed));
}

}  // namespace sim
