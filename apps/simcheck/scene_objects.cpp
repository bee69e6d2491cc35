#include "scene_objects.hpp"

#include <algorithm>
#include <span>

#include "scene/load.hpp"
#include "scene/pairs.hpp"
#include "scene/select.hpp"

namespace simcheck {

std::vector<const sim::ObjectSpec*> match_objects(const sim::Scene& scene, const Subject& subject) {
  std::vector<const sim::ObjectSpec*> specs;
  std::vector<std::string> names;
  for (const sim::ObjectSpec& spec : scene.objects) {
    const std::optional<std::int64_t> copies =
        copies_wanted(spec);  // of a file that lists them: as many as there are
    for (std::int64_t i = 1; i <= copies.value_or(i) && names.size() <= subject.objects.size(); ++i) {
      const std::string name = has_copies(spec) ? spec.name + "." + std::to_string(i) : spec.name;
      const bool next = names.size() < subject.objects.size() && subject.objects[names.size()].name == name;
      if (!copies && !next) break;
      specs.push_back(&spec);
      names.push_back(name);
    }
  }
  const bool same = std::equal(names.begin(), names.end(), subject.objects.begin(), subject.objects.end(),
                               [](const std::string& name, const sim::ResultObject& o) { return name == o.name; });
  return same ? specs : std::vector<const sim::ObjectSpec*>{};
}

std::vector<double> thickness_of_objects(const sim::Scene& scene, const Subject& subject) {
  std::vector<double> thickness;
  for (const sim::ObjectSpec* spec : match_objects(scene, subject)) {
    const auto material = std::find_if(scene.materials.begin(), scene.materials.end(),
                                       [&](const sim::Material& m) { return m.name == spec->material; });
    thickness.push_back(thickness_of(*spec, material == scene.materials.end() ? nullptr : &*material));
  }
  return thickness;
}

Prescribed prescribed_vertices(const sim::Scene& scene, Subject& subject) {
  Prescribed prescribed(subject.rest.vertices.size());
  const auto specs = match_objects(scene, subject);
  if (specs.empty() && !subject.objects.empty()) {
    subject.notes.emplace_back("the objects of the file are not those of its scene: pinned vertices are not known");
    return prescribed;
  }
  for (std::size_t k = 0; k < specs.size(); ++k) {
    const sim::Range range = nodes_of(subject, subject.objects[k]);
    const std::span<const sim::Vec3> vertices(subject.rest.vertices.data() + range.begin,
                                              static_cast<std::size_t>(range.size()));
    for (const sim::BoundarySpec& boundary : specs[k]->boundary) {
      const bool whole = boundary.axes.value_or("xyz").size() == 3 && !boundary.normal && !boundary.release;
      for (const sim::Index v : select_vertices(boundary.select, vertices)) {
        if (v < 0 || v >= range.size()) continue;
        prescribed.any[range.begin + v] = true;
        if (whole) prescribed.whole[range.begin + v] = true;
      }
    }
  }
  return prescribed;
}

std::array<sim::Index, 2> grid_of_object(const sim::Scene& scene, const std::string& mesh) {
  for (const sim::MeshSpec& spec : scene.meshes) {
    if (spec.name == mesh) return grid_of(spec);
  }
  return {0, 0};
}

sim::ObjectGroups groups_of(const sim::Scene& scene, const Subject& subject) {
  std::vector<sim::NamedObject> named;
  const auto specs = match_objects(scene, subject);
  for (std::size_t k = 0; k < specs.size(); ++k) named.push_back({subject.objects[k].name, specs[k]});
  return sim::pair_table(scene, named).groups;
}

}  // namespace simcheck
