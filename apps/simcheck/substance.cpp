#include "substance.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "elasticity/cable.hpp"
#include "elasticity/sheet.hpp"
#include "math/error.hpp"
#include "mesh/node_volumes.hpp"
#include "mesh/surface.hpp"
#include "model/soundness.hpp"
#include "scene/load.hpp"
#include "scene_objects.hpp"
#include "subject.hpp"

namespace simcheck {

namespace {

const sim::Material& material_of(const sim::Scene& scene, const sim::ResultObject& object) {
  const auto material = std::find_if(scene.materials.begin(), scene.materials.end(),
                                     [&](const sim::Material& m) { return m.name == object.material; });
  if (material == scene.materials.end())
    throw sim::InputError("its scene has no material \"" + object.material + "\" for \"" + object.name + "\"");
  return *material;
}

double gap_of(const Subject& subject, const sim::ResultObject& object, const sim::Material& material) {
  if (is_thin(material.model)) return sim::gap_by_thickness(material.model, material.thickness);
  return sim::gap_by_edge(mean_edge(subject.rest, object.triangles));
}

// Its own tets, elements of sheets and masses, of one deformable object.
struct Elements {
  std::vector<sim::Tet> tets;
  std::vector<sim::Index> material_of_tet;
  std::vector<double> filled;  // a tet; empty: all of each
  sim::ThinParts thin;
};

void add_tets(const Subject& subject, const sim::ResultObject& object, const sim::Material& material,
              sim::Index number, Substance& s, Elements& elements) {
  const auto& x = subject.rest.vertices;
  for (sim::Index t = object.tets.begin; t < object.tets.end; ++t) {
    const auto& [a, b, c, d] = subject.rest.tets[t];
    double volume = (x[b] - x[a]).cross(x[c] - x[a]).dot(x[d] - x[a]) / 6;
    if (!subject.rest.filled.empty()) {
      volume *= subject.rest.filled[t];
      elements.filled.push_back(subject.rest.filled[t]);
    }
    for (const sim::Index corner : subject.rest.tets[t]) s.mass[corner] += material.density * volume / 4;
    elements.tets.push_back(subject.rest.tets[t]);
    elements.material_of_tet.push_back(number);
  }
}

// What the nodes of cages weigh (mesh/node_volumes.hpp).
void weigh_cages(const Subject& subject, const sim::Scene& scene, Substance& s) {
  for (const sim::ResultObject& object : subject.objects) {
    const auto is_own = [&](const sim::EmbeddedVertex& point) {
      return point.vertex >= object.vertices.begin && point.vertex < object.vertices.end;
    };
    const auto& embedded = subject.rest.embedded;
    if (!is_deformable(object) || std::none_of(embedded.begin(), embedded.end(), is_own)) continue;
    const double density = material_of(scene, object).density;
    const std::vector<double> volumes =
        sim::node_volumes(subject.rest, {object.vertices, object.tets, object.triangles});
    for (sim::Index v = object.vertices.begin; v < object.vertices.end; ++v)
      s.mass[v] = density * volumes[v - object.vertices.begin];
  }
}

void add_triangles(const Subject& subject, const sim::ResultObject& object, const sim::Material& material,
                   const sim::Sheet& sheet, Substance& s, Elements& elements) {
  const auto& x = subject.rest.vertices;
  for (sim::Index t = object.triangles.begin; t < object.triangles.end; ++t) {
    const auto& [a, b, c] = subject.rest.triangles[t];
    const double area = (x[b] - x[a]).cross(x[c] - x[a]).norm() / 2;
    for (const sim::Index corner : subject.rest.triangles[t])
      s.mass[corner] += material.density * material.thickness * area / 3;
  }
  add_sheet(x, sheet, material, elements.thin);
}

void add_segments(const Subject& subject, const sim::ResultObject& object, const sim::Material& material,
                  const sim::Cable& cable, Substance& s, Elements& elements) {
  const auto& x = subject.rest.vertices;
  for (sim::Index t = object.triangles.begin; t < object.triangles.end; ++t) {
    const auto& [a, b, c] = subject.rest.triangles[t];
    if (b != c || a == b)
      throw sim::InputError("the cable \"" + object.name + "\" has a triangle that is no segment");
    const double length = (x[b] - x[a]).norm();
    for (const sim::Index end : {a, b}) s.mass[end] += mass_per_length(material) * length / 2;
  }
  add_cable(x, cable, material, elements.thin);
}

// A file may hold anything: the springs of a grid must find their vertices.
void check_grid(const sim::ResultObject& object, const sim::Material& material, std::array<sim::Index, 2> grid) {
  if (material.model != sim::MaterialModel::grid_springs) return;
  const std::int64_t vertices = (std::int64_t{grid[0]} + 1) * (std::int64_t{grid[1]} + 1);
  if (grid[0] < 1 || vertices != object.vertices.size())
    throw sim::InputError("the vertices of \"" + object.name + "\" are not those of the grid that its scene says");
}

}  // namespace

Substance make_substance(const sim::Scene& scene, const Subject& subject, const Prescribed& prescribed) {
  Substance s;
  s.gravity = scene.gravity;
  s.is_quasi_static = scene.time.scheme == sim::TimeScheme::quasi_static;
  const std::optional<double> gap =
      scene.solver.as_published ? scene.contact.tolerance.value_or(sim::published_gap) : scene.contact.tolerance;
  s.gap_tolerance = gap.value_or(0);
  s.mass = sim::VecX::Zero(static_cast<Eigen::Index>(subject.rest.vertices.size()));
  Elements elements;
  const auto specs = match_objects(scene, subject);
  for (std::size_t k = 0; k < subject.objects.size(); ++k) {
    const sim::ResultObject& object = subject.objects[k];
    if (!is_deformable(object) && !is_rigid(object)) continue;
    const sim::Material* material = &material_of(scene, object);
    if (!gap) s.gap_tolerance = std::max(s.gap_tolerance, gap_of(subject, object, *material));
    s.mass_damping = s.mass_damping || material->mass_damping > 0;
    if (is_rigid(object)) {
      RigidObject body{object.vertices, object.triangles, material->density};
      body.mass = properties_of(body, subject.rest.triangles, subject.rest.vertices).mass;
      if (!(body.mass > 0)) throw sim::InputError("the surface of \"" + object.name + "\" encloses no volume");
      s.total_mass += body.mass;
      s.rigid.push_back(body);
      continue;
    }
    s.smallest_elastic_scale += small_strain_energy(subject.rest, object.tets, object.triangles, *material);
    const auto number = static_cast<sim::Index>(material - scene.materials.data());
    if (object.tets.size() > 0) {
      add_tets(subject, object, *material, number, s, elements);
    } else {
      const auto triangles = std::span(subject.rest.triangles)
                                 .subspan(static_cast<std::size_t>(object.triangles.begin),
                                          static_cast<std::size_t>(object.triangles.size()));
      const auto grid = specs.empty() ? std::array<sim::Index, 2>{0, 0} : grid_of_object(scene, specs[k]->mesh);
      check_grid(object, *material, grid);
      const bool cable = material->model == sim::MaterialModel::cable;
      if (cable != object.cable)
        throw sim::InputError("the material of \"" + object.name + "\" does not go with its triangles");
      if (cable) {
        add_segments(subject, object, *material, {triangles, number}, s, elements);
      } else {
        add_triangles(subject, object, *material, {triangles, object.vertices.begin, grid, number}, s, elements);
      }
    }
    for (sim::Index v = object.vertices.begin; v < object.vertices.end; ++v)
      s.prescribed_vertices += prescribed.any[v] ? 1 : 0;
  }
  weigh_cages(subject, scene, s);
  s.total_mass += s.mass.sum();
  s.elastic = make_elastic_bodies(subject.rest.vertices, elements.tets, elements.material_of_tet, scene.materials,
                                  std::move(elements.thin));
  if (!elements.filled.empty()) fill_in_part(elements.filled, scene.materials, s.elastic);
  return s;
}

sim::MassProperties properties_of(const RigidObject& object, const std::vector<sim::Triangle>& triangles,
                                  const std::vector<sim::Vec3>& vertices) {
  const auto own = std::span(triangles).subspan(static_cast<std::size_t>(object.triangles.begin),
                                                static_cast<std::size_t>(object.triangles.size()));
  return sim::mass_properties(vertices, own, object.density);
}

}  // namespace simcheck
