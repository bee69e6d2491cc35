// Small models made in code, for tests of the stepper.
#pragma once

#include <functional>
#include <string>
#include <utility>

#include "mesh/mesh.hpp"
#include "step/step.hpp"

namespace sim::test {

// One deformable object in no gravity, at rest, with nothing pinned.
inline Model one_body(Mesh mesh, const Material& material) {
  Model model;
  model.gravity.setZero();
  const auto vertices = static_cast<Index>(mesh.vertices.size());
  model.objects.push_back({.name = "body",
                           .type = ObjectType::deformable,
                           .material = 0,
                           .vertices = {0, vertices},
                           .tets = {0, static_cast<Index>(mesh.tets.size())},
                           .triangles = {0, static_cast<Index>(mesh.triangles.size())}});
  model.mesh = std::move(mesh);
  model.materials = {material};
  model.initial_velocity = VecX::Zero(3 * Eigen::Index{vertices});
  return model;
}

// Appends an object to the model; obstacles move as told.
inline void add(Model& model, const std::string& name, ObjectType type, const Mesh& mesh, const Vec3& position,
                const Vec3& velocity = Vec3::Zero(), Motion motion = {}) {
  const auto begin = static_cast<Index>(model.mesh.vertices.size());
  const bool told = type == ObjectType::fixed || type == ObjectType::scripted;
  Object object{.name = name, .type = type, .material = told ? -1 : 0};
  object.velocity = velocity;
  object.vertices = {begin, begin + static_cast<Index>(mesh.vertices.size())};
  object.tets.begin = static_cast<Index>(model.mesh.tets.size());
  object.triangles.begin = static_cast<Index>(model.mesh.triangles.size());
  for (const Vec3& X : mesh.vertices) model.mesh.vertices.push_back(X + position);
  for (Tet tet : mesh.tets) {
    for (Index& i : tet) i += begin;
    model.mesh.tets.push_back(tet);
  }
  for (Triangle triangle : mesh.triangles) {
    for (Index& i : triangle) i += begin;
    model.mesh.triangles.push_back(triangle);
  }
  object.tets.end = static_cast<Index>(model.mesh.tets.size());
  object.triangles.end = static_cast<Index>(model.mesh.triangles.size());
  model.initial_velocity.conservativeResize(3 * Eigen::Index{object.vertices.end});
  std::vector<Index> vertices;
  for (Index i = object.vertices.begin; i < object.vertices.end; ++i) {
    block(model.initial_velocity, i) = velocity;
    vertices.push_back(i);
  }
  if (told) model.told.push_back({vertices, std::move(motion)});
  model.objects.push_back(object);
}

inline std::vector<Index> vertices_where(const Model& model, const std::function<bool(const Vec3&)>& chosen) {
  std::vector<Index> vertices;
  for (std::size_t i = 0; i < model.mesh.vertices.size(); ++i) {
    if (chosen(model.mesh.vertices[i])) vertices.push_back(static_cast<Index>(i));
  }
  return vertices;
}

inline void pin(Model& model, const std::function<bool(const Vec3&)>& chosen) {
  model.told.push_back({vertices_where(model, chosen), Motion()});
}

}  // namespace sim::test
