#include "scene/put_loads.hpp"

#include <algorithm>
#include <numbers>
#include <numeric>
#include <utility>

#include "mesh/node_volumes.hpp"
#include "scene/select.hpp"

namespace sim {
namespace {

TimeValue time_value(const TimeValueSpec& spec) {
  TimeValue value{spec.number, std::nullopt};
  if (!spec.expression.empty()) value.expression.emplace(spec.expression);
  return value;
}

// A load on its way into the model.
struct Target {
  const LoadSpec& spec;
  const Object& object;
  const Mesh& mesh;
  std::string path;      // of the load in the scene
  double thickness = 0;  // m, of the object's material

  std::span<const Triangle> triangles() const {
    return std::span(mesh.triangles)
        .subspan(static_cast<std::size_t>(object.triangles.begin), static_cast<std::size_t>(object.triangles.size()));
  }
};

// Of the model, those that the load chooses; all of the object without a choice. Empty after a defect.
std::vector<Index> chosen_vertices(const Target& target, Defects& defects) {
  const bool on_surface = target.spec.kind == LoadKind::pressure || target.spec.kind == LoadKind::traction;
  const Range own =
      on_surface && target.object.embedded > 0 ? embedded_vertices(target.object) : nodes(target.object);
  std::vector<Index> chosen(static_cast<std::size_t>(own.size()));
  std::iota(chosen.begin(), chosen.end(), own.begin);
  if (!target.spec.select) return chosen;
  const auto placed = std::span(target.mesh.vertices).subspan(static_cast<std::size_t>(own.begin), chosen.size());
  chosen = select_vertices(*target.spec.select, placed);
  std::sort(chosen.begin(), chosen.end());
  chosen.erase(std::unique(chosen.begin(), chosen.end()), chosen.end());
  if (chosen.empty()) add_defect(defects, target.path, quoted(target.object.name), nothing_chosen(placed));
  if (!chosen.empty() && chosen.back() >= own.size()) {
    add_defect(defects, target.path, "vertex " + std::to_string(chosen.back()) + " of " + quoted(target.object.name),
               "expected a number from 0 to " + std::to_string(own.size() - 1));
    return {};
  }
  for (Index& vertex : chosen) vertex += own.begin;
  return chosen;
}

// The object's surface triangles of which all corners are chosen.
std::vector<Triangle> chosen_triangles(const Target& target, const std::vector<Index>& vertices, Defects& defects) {
  std::vector<Triangle> chosen;
  for (const Triangle& t : target.triangles()) {
    if (is_face(t) && std::all_of(t.begin(), t.end(),
                                  [&](Index v) { return std::binary_search(vertices.begin(), vertices.end(), v); }))
      chosen.push_back(t);
  }
  if (chosen.empty())
    add_defect(defects, target.path, quoted(target.object.name),
               "expected to choose all three corners of at least one surface triangle, but the " +
                   std::to_string(vertices.size()) + " vertices that are chosen make none");
  return chosen;
}

// The volume of the tets of a deformable object, a quarter to each corner, or what the nodes of a cage carry; of the
// triangles of a sheet, a third; of the segments of a cable, a half. Those of chosen vertices count.
void share_volume(const Target& target, Load& load, Defects& defects) {
  const Range own = target.object.vertices;
  std::vector<double> volume(static_cast<std::size_t>(own.size()), 0.0);
  const std::vector<Vec3>& x = target.mesh.vertices;
  if (target.object.embedded > 0)
    volume = node_volumes(target.mesh, {own, target.object.tets, target.object.triangles});
  for (Index t = target.object.tets.begin; t < target.object.tets.end && target.object.embedded == 0; ++t) {
    const Tet& tet = target.mesh.tets[t];
    const double quarter = six_volume(x[tet[0]], x[tet[1]], x[tet[2]], x[tet[3]]) / 24;
    for (const Index corner : tet) volume[corner - own.begin] += quarter;
  }
  const std::span<const Triangle> thin = is_thin(target.object) ? target.triangles() : std::span<const Triangle>();
  for (const Triangle& t : thin) {
    if (is_face(t)) {
      const double third = (x[t[1]] - x[t[0]]).cross(x[t[2]] - x[t[0]]).norm() / 6 * target.thickness;
      for (const Index corner : t) volume[corner - own.begin] += third;
    } else {
      const double half = (x[t[1]] - x[t[0]]).norm() * std::numbers::pi / 8 * target.thickness * target.thickness;
      for (const Index corner : {t[0], t[1]}) volume[corner - own.begin] += half;
    }
  }
  load.vertices = chosen_vertices(target, defects);
  for (const Index vertex : load.vertices) load.share.push_back(volume[vertex - own.begin]);
}

void put_on_vertices(const Target& target, Load& load, Defects& defects) {
  std::vector<Index> vertices = chosen_vertices(target, defects);
  if (vertices.empty()) return;
  if (load.kind == LoadKind::force) {
    load.share.assign(vertices.size(), 1 / static_cast<double>(vertices.size()));
    load.vertices = std::move(vertices);
    return;
  }
  load.triangles = chosen_triangles(target, vertices, defects);
  if (load.kind == LoadKind::pressure && load.follows) return;
  share_of_triangles(target.mesh.vertices, load.triangles, load);
  load.triangles.clear();
}

Load make_load(const Target& target, Defects& defects) {
  const LoadSpec& spec = target.spec;
  Load load;
  load.kind = spec.kind;
  for (std::size_t k = 0; k < 3; ++k) load.value[k] = time_value(spec.value[k]);
  load.follows = spec.follows.value_or(spec.kind == LoadKind::pressure);
  const bool rigid = target.object.type == ObjectType::rigid;
  const bool whole = spec.kind == LoadKind::body_force || spec.kind == LoadKind::torque || !spec.select;
  const bool surface = spec.kind == LoadKind::pressure || spec.kind == LoadKind::traction;
  if (rigid && whole && !surface) {
    const MassProperties solid = mass_properties(target.mesh.vertices, target.triangles(), 1);
    load.point = spec.point.value_or(solid.center);
    load.share = {spec.kind == LoadKind::body_force ? solid.mass : 1};  // m^3 of unit density
  } else if (spec.kind == LoadKind::body_force) {
    share_volume(target, load, defects);
  } else {
    put_on_vertices(target, load, defects);
  }
  return load;
}

}  // namespace

void put_loads(const ObjectSpec& spec, const std::string& object_path, Model& model, Defects& defects) {
  const Index material = model.objects.back().material;
  const double thickness = material < 0 ? 0 : model.materials[material].thickness;
  for (std::size_t i = 0; i < spec.loads.size(); ++i) {
    const Target target{spec.loads[i], model.objects.back(), model.mesh, sub_path(object_path + "/loads", i),
                        thickness};
    model.loads.push_back(make_load(target, defects));
    model.loads.back().object = static_cast<Index>(model.objects.size()) - 1;
  }
}

}  // namespace sim
