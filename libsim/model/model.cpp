#include "model/model.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "elasticity/cable.hpp"
#include "elasticity/sheet.hpp"
#include "math/error.hpp"
#include "mesh/node_volumes.hpp"
#include "mesh/surface.hpp"

namespace sim {

const char* to_string(ObjectType type) {
  switch (type) {
    case ObjectType::deformable:
      return "deformable";
    case ObjectType::rigid:
      return "rigid";
    case ObjectType::scripted:
      return "scripted";
    case ObjectType::fixed:
      return "fixed";
  }
  return "unknown";
}

double Model::friction_of(Index object_a, Index object_b) const {
  if (pair_friction.empty()) return friction;
  return pair_friction[surface.groups.pair(object_a, object_b)];
}

namespace {

// Unknowns for the vertices of deformable objects that are not prescribed all the way and for ever.
std::vector<Index> number_unknowns(const Model& model) {
  constexpr Index no_block = -1;
  constexpr Index free_vertex = 0;
  std::vector<Index> block_of_vertex(model.mesh.vertices.size(), no_block);
  for (const Object& object : model.objects) {
    if (object.type != ObjectType::deformable) continue;
    for (Index vertex = nodes(object).begin; vertex < nodes(object).end; ++vertex) {
      block_of_vertex[vertex] = free_vertex;
    }
  }
  for (const PrescribedVertices& prescribed : model.prescribed) {
    if (!prescribed.directions.empty() || std::isfinite(prescribed.release)) continue;
    for (const Index vertex : prescribed.vertices) block_of_vertex[vertex] = no_block;
  }
  Index next = 0;
  for (Index& block : block_of_vertex) {
    if (block == free_vertex) block = next++;
  }
  return block_of_vertex;
}

void find_guided(Model& model) {
  model.guide_of_vertex.assign(model.mesh.vertices.size(), -1);
  for (const PrescribedVertices& prescribed : model.prescribed) {
    for (const Index vertex : prescribed.vertices) {
      if (model.plan.block_of_vertex[vertex] >= 0) model.guide_of_vertex[vertex] = 0;
    }
  }
  model.guided.clear();
  for (Index vertex = 0; vertex < static_cast<Index>(model.guide_of_vertex.size()); ++vertex) {
    if (model.guide_of_vertex[vertex] < 0) continue;
    model.guide_of_vertex[vertex] = static_cast<Index>(model.guided.size());
    model.guided.push_back(vertex);
  }
}

RigidBody rigid_body(const Model& model, const Object& object) {
  const Material& material = model.materials[object.material];
  const auto triangles = std::span(model.mesh.triangles)
                             .subspan(static_cast<std::size_t>(object.triangles.begin),
                                      static_cast<std::size_t>(object.triangles.size()));
  const MassProperties properties = mass_properties(model.mesh.vertices, triangles, material.density);
  RigidBody body = make_rigid_body(properties);
  if (!is_closed(triangles) || !(properties.mass > 0) || !(body.inertia.minCoeff() > 0) ||
      !std::isfinite(body.radius)) {
    throw InputError(
        "object \"" + object.name +
        "\": a rigid object needs a closed surface, its triangles facing outward, that encloses a volume");
  }
  body.vertices = object.vertices;
  body.damping = material.mass_damping;
  body.velocity = object.velocity;
  body.angular_velocity = object.angular_velocity;
  return body;
}

std::vector<RigidBody> rigid_bodies(const Model& model) {
  std::vector<RigidBody> bodies;
  for (const Object& object : model.objects) {
    if (object.type == ObjectType::rigid) bodies.push_back(rigid_body(model, object));
  }
  return bodies;
}

CollisionSurface surface_of(const Model& model) {
  const std::size_t count = model.mesh.vertices.size();
  std::vector<Index> object_of_vertex(count, -1);
  for (std::size_t k = 0; k < model.objects.size(); ++k) {
    const Range vertices = model.objects[k].vertices;
    std::fill(object_of_vertex.begin() + vertices.begin, object_of_vertex.begin() + vertices.end,
              static_cast<Index>(k));
  }
  std::vector<Index> body_of_vertex(count, -1);
  for (std::size_t k = 0; k < model.rigid.size(); ++k) {
    const Range vertices = model.rigid[k].vertices;
    std::fill(body_of_vertex.begin() + vertices.begin, body_of_vertex.begin() + vertices.end, static_cast<Index>(k));
  }
  std::vector<std::uint8_t> moves(count, 0);
  for (std::size_t i = 0; i < count; ++i)
    moves[i] = model.plan.block_of_vertex[i] >= 0 || body_of_vertex[i] >= 0 ? 1 : 0;
  for (const EmbeddedVertex& point : model.embedding.vertices) {
    for_each_node(model.embedding, point.vertex, 1, [&](Index node, double) {
      if (moves[node] != 0) moves[point.vertex] = 1;
    });
  }
  std::vector<Index> half_spaces;
  for (std::size_t k = 0; k < model.objects.size(); ++k) {
    if (model.objects[k].half_space) half_spaces.push_back(static_cast<Index>(k));
  }
  CollisionSurface surface = make_surface(model.mesh.triangles, object_of_vertex, moves, body_of_vertex, half_spaces);
  std::vector<SheetObject> sheets;  // and cables
  for (std::size_t k = 0; k < model.objects.size(); ++k) {
    if (model.objects[k].thickness > 0) sheets.push_back({static_cast<Index>(k), model.objects[k].thickness});
  }
  mark_sheets(sheets, model.mesh.vertices, surface);
  return surface;
}

ThinParts thin_parts(const Model& model) {
  ThinParts parts;
  for (const Object& object : model.objects) {
    if (!is_thin(object)) continue;
    const auto triangles = std::span(model.mesh.triangles)
                               .subspan(static_cast<std::size_t>(object.triangles.begin),
                                        static_cast<std::size_t>(object.triangles.size()));
    const Material& material = model.materials[object.material];
    if (model.is_cable(object)) {
      add_cable(model.mesh.vertices, {triangles, object.material}, material, parts);
    } else {
      add_sheet(model.mesh.vertices, {triangles, object.vertices.begin, object.grid, object.material}, material,
                parts);
    }
  }
  return parts;
}

// Masses of the nodes of cages.
void load_cages(Model& model) {
  for (const Object& object : model.objects) {
    if (object.embedded == 0 || object.type != ObjectType::deformable) continue;
    const Material& material = model.materials[object.material];
    const std::vector<double> volumes = node_volumes(model.mesh, {object.vertices, object.tets, object.triangles});
    for (Index vertex = object.vertices.begin; vertex < object.vertices.end; ++vertex) {
      const double mass = material.density * volumes[vertex - object.vertices.begin];
      model.elastic.mass[vertex] = mass;
      model.elastic.damping_mass[vertex] = material.mass_damping * mass;
    }
  }
}

}  // namespace

void finish_model(Model& model) {
  std::vector<Tet> tets;
  std::vector<Index> materials;
  std::vector<double> filled;
  for (const Object& object : model.objects) {
    if (object.type != ObjectType::deformable) continue;
    tets.insert(tets.end(), model.mesh.tets.begin() + object.tets.begin, model.mesh.tets.begin() + object.tets.end);
    materials.insert(materials.end(), static_cast<std::size_t>(object.tets.size()), object.material);
    if (model.mesh.filled.empty()) continue;
    filled.insert(filled.end(), model.mesh.filled.begin() + object.tets.begin,
                  model.mesh.filled.begin() + object.tets.end);
  }
  ThinParts thin = thin_parts(model);
  std::vector<LengthLimit> limits = std::move(thin.limits);
  model.elastic = make_elastic_bodies(model.mesh.vertices, tets, materials, model.materials, std::move(thin));
  if (!filled.empty()) fill_in_part(filled, model.materials, model.elastic);
  load_cages(model);
  model.embedding = make_embedding(model.mesh.embedded, model.mesh.vertices.size());
  model.rigid = rigid_bodies(model);
  model.strains = plan_strains(model.elastic);
  model.plan = plan_assembly(model.elastic, number_unknowns(model), 2 * static_cast<Index>(model.rigid.size()));
  find_guided(model);
  model.surface = surface_of(model);
  model.surface.limits = std::move(limits);
}

}  // namespace sim
