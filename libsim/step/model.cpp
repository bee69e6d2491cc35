#include "step/model.hpp"

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

namespace {

// Unknowns for the vertices of deformable objects that are not told how to move.
std::vector<Index> number_unknowns(const Model& model) {
  constexpr Index no_block = -1;
  constexpr Index free_vertex = 0;
  std::vector<Index> block_of_vertex(model.mesh.vertices.size(), no_block);
  for (const Object& object : model.objects) {
    if (object.type != ObjectType::deformable) continue;
    for (Index vertex = object.vertices.begin; vertex < object.vertices.end; ++vertex) {
      block_of_vertex[vertex] = free_vertex;
    }
  }
  for (const ToldVertices& told : model.told) {
    for (const Index vertex : told.vertices) block_of_vertex[vertex] = no_block;
  }
  Index next = 0;
  for (Index& block : block_of_vertex) {
    if (block == free_vertex) block = next++;
  }
  return block_of_vertex;
}

}  // namespace

void finish_model(Model& model) {
  std::vector<Tet> tets;
  std::vector<Index> materials;
  for (const Object& object : model.objects) {
    if (object.type != ObjectType::deformable) continue;
    tets.insert(tets.end(), model.mesh.tets.begin() + object.tets.begin, model.mesh.tets.begin() + object.tets.end);
    materials.insert(materials.end(), static_cast<std::size_t>(object.tets.size()), object.material);
  }
  model.elastic = make_elastic_bodies(model.mesh.vertices, tets, materials, model.materials);
  model.plan = plan_assembly(model.elastic, number_unknowns(model));
}

}  // namespace sim
