#include <Eigen/LU>
#include <cmath>
#include <sstream>
#include <utility>

#include "elasticity/assembly.hpp"
#include "math/error.hpp"

namespace sim {

namespace {

void require(bool fine, const Material& material, const char* what, double value) {
  if (fine) return;
  std::ostringstream message;
  message << "material \"" << material.name << "\": " << what << ", but it is " << value;
  throw InputError(message.str());
}

// Written so that a value that is not a number fails too.
void check(const Material& m) {
  require(m.young > 0 && std::isfinite(m.young), m, "young must be positive", m.young);
  require(m.poisson > -1 && m.poisson < 0.5, m, "poisson must lie between -1 and 0.5", m.poisson);
  require(m.density > 0 && std::isfinite(m.density), m, "density must be positive", m.density);
  require(m.mass_damping >= 0 && std::isfinite(m.mass_damping), m, "mass_damping must not be negative",
          m.mass_damping);
  require(m.stiffness_damping >= 0 && std::isfinite(m.stiffness_damping), m, "stiffness_damping must not be negative",
          m.stiffness_damping);
  if (m.model == MaterialModel::mooney_rivlin) {
    require(m.c2_share >= 0 && m.c2_share <= 1, m, "c2_share must lie between 0 and 1", m.c2_share);
    require(m.poisson >= least_poisson(m), m, "poisson must be at least c2_share / (1 + 2 c2_share)", m.poisson);
  }
  if (is_of_sheets(m.model)) {
    require(m.thickness > 0 && std::isfinite(m.thickness), m, "thickness must be positive", m.thickness);
    require(m.stretch > 0 && std::isfinite(m.stretch), m, "stretch must be positive", m.stretch);
    const double shear = m.shear.value_or(0);
    require(shear >= 0 && std::isfinite(shear), m, "shear must not be negative", shear);
    require(m.flexion >= 0 && std::isfinite(m.flexion), m, "flexion must not be negative", m.flexion);
    require(m.bend >= 0 && std::isfinite(m.bend), m, "bend must not be negative", m.bend);
  }
  if (m.model == MaterialModel::neo_hookean && m.extrapolate_below) {
    const double below = *m.extrapolate_below;
    require(below > 0 && below < 1, m, "extrapolate_below must lie between 0 and 1", below);
  }
}

[[noreturn]] void reject_tet(std::size_t tet, double volume) {
  std::ostringstream message;
  message << "tetrahedron " << tet << " has the rest volume " << volume
          << " m^3; elastic bodies need elements of positive volume";
  if (volume == 0) message << ": is it flat in its mesh, or placed so far away that its corners round to one place?";
  throw InputError(message.str());
}

// A function of its own, so that what make_elastic_bodies() computes is compiled as it was.
[[gnu::noinline]] void check_thin(const Material& m) {
  if (m.model == MaterialModel::cable) {
    require(m.thickness > 0 && std::isfinite(m.thickness), m, "thickness must be positive", m.thickness);
    require(m.stretch > 0 && std::isfinite(m.stretch), m, "stretch must be positive", m.stretch);
    require(m.bend >= 0 && std::isfinite(m.bend), m, "bend must not be negative", m.bend);
  }
  const auto [shorter, longer] = m.strain_limit;
  require(shorter > 0 && shorter <= 1, m, "strain_limit[0] must be above 0 and at most 1", shorter);
  require(longer > 0 && longer <= 1, m, "strain_limit[1] must be above 0 and at most 1", longer);
}

template <class Element>
void list_corners(const std::vector<Element>& elements, std::vector<Index>& corners) {
  for (const Element& e : elements) corners.insert(corners.end(), e.vertices.begin(), e.vertices.end());
}

void take_thin_parts(ThinParts thin, std::span<const Material> materials, ElasticBodies& bodies) {
  bodies.springs = std::move(thin.springs);
  bodies.membranes = std::move(thin.membranes);
  bodies.hinges = std::move(thin.hinges);
  for (const ThinParts::Mass& part : thin.masses) {
    bodies.mass[part.vertex] += part.mass;
    bodies.damping_mass[part.vertex] += materials[part.material].mass_damping * part.mass;
  }
}

void number_all(ElasticBodies& bodies) {
  std::vector<Index> corners;
  for (const Tet& tet : bodies.tets) corners.insert(corners.end(), tet.begin(), tet.end());
  list_corners(bodies.springs, corners);
  list_corners(bodies.membranes, corners);
  list_corners(bodies.hinges, corners);
  const auto count = [](const auto& elements) { return static_cast<Index>(elements.size()); };
  bodies.numbering =
      number_elements({count(bodies.tets), count(bodies.springs), count(bodies.membranes), count(bodies.hinges)},
                      std::move(corners), static_cast<Index>(bodies.mass.size()));
}

// Of the numbering of all others.
void add_bends(ElasticBodies& bodies) {
  std::array<Index, element_kinds> count = bodies.numbering.count;
  count[static_cast<std::size_t>(ElementKind::bend)] = static_cast<Index>(bodies.bends.size());
  std::vector<Index> corners = std::move(bodies.numbering.vertex);
  list_corners(bodies.bends, corners);
  bodies.numbering = number_elements(count, std::move(corners), static_cast<Index>(bodies.mass.size()));
}

}  // namespace

[[gnu::noinline]] static ElasticBodies make_all_but_bends(std::span<const Vec3> rest, std::span<const Tet> tets,
                                                          std::span<const Index> material_of_tet,
                                                          std::span<const Material> materials, ThinParts thin) {
  ElasticBodies bodies;
  bodies.tets.assign(tets.begin(), tets.end());
  bodies.material.assign(material_of_tet.begin(), material_of_tet.end());
  for (const Material& material : materials) {
    check(material);
    bodies.laws.push_back(elastic_law(material));
    bodies.stiffness_damping.push_back(material.stiffness_damping);
  }
  bodies.inverse_shape.resize(tets.size());
  bodies.rest_volume.resize(tets.size());
  bodies.mass = VecX::Zero(static_cast<Eigen::Index>(rest.size()));
  bodies.damping_mass = bodies.mass;
  for (std::size_t t = 0; t < tets.size(); ++t) {
    const auto [a, b, c, d] = tets[t];
    const double volume = six_volume(rest[a], rest[b], rest[c], rest[d]) / 6;
    Mat3 shape;
    shape << rest[b] - rest[a], rest[c] - rest[a], rest[d] - rest[a];
    bodies.inverse_shape[t] = shape.inverse();
    bodies.rest_volume[t] = volume;
    if (!(volume > 0) || !bodies.inverse_shape[t].allFinite()) reject_tet(t, volume);

    const Material& material = materials[material_of_tet[t]];
    const double quarter = material.density * volume / 4;
    for (const Index vertex : tets[t]) {
      bodies.mass[vertex] += quarter;
      bodies.damping_mass[vertex] += material.mass_damping * quarter;
    }
  }
  take_thin_parts(std::move(thin), materials, bodies);
  number_all(bodies);
  return bodies;
}

ElasticBodies make_elastic_bodies(std::span<const Vec3> rest, std::span<const Tet> tets,
                                  std::span<const Index> material_of_tet, std::span<const Material> materials,
                                  ThinParts thin) {
  for (const Material& material : materials) check_thin(material);
  std::vector<Bend> bends = std::move(thin.bends);
  ElasticBodies bodies = make_all_but_bends(rest, tets, material_of_tet, materials, std::move(thin));
  if (bends.empty()) return bodies;
  bodies.bends = std::move(bends);
  add_bends(bodies);
  return bodies;
}

void fill_in_part(std::span<const double> filled, std::span<const Material> materials, ElasticBodies& bodies) {
  bodies.filled.assign(filled.begin(), filled.end());
  for (const Tet& tet : bodies.tets) {
    for (const Index vertex : tet) bodies.mass[vertex] = bodies.damping_mass[vertex] = 0;
  }
  for (std::size_t t = 0; t < bodies.tets.size(); ++t) {
    bodies.rest_volume[t] *= filled[t];
    const Material& material = materials[bodies.material[t]];
    const double quarter = material.density * bodies.rest_volume[t] / 4;
    for (const Index vertex : bodies.tets[t]) {
      bodies.mass[vertex] += quarter;
      bodies.damping_mass[vertex] += material.mass_damping * quarter;
    }
  }
}

}  // namespace sim
