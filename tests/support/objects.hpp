// Models of several objects made in code.
#pragma once

#include <string>
#include <utility>

#include "support/models.hpp"

namespace sim::test {

// Appends an object of material 0 to the model; obstacles move as `motion` says.
inline Object& add_object(Model& model, const std::string& name, ObjectType type, Mesh mesh, const Vec3& position,
                          Motion motion = {}) {
  const auto begin = static_cast<Index>(model.mesh.vertices.size());
  const bool free = type == ObjectType::deformable || type == ObjectType::rigid;
  Object object{.name = name, .type = type, .material = free ? 0 : -1};
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
  PrescribedVertices prescribed{{}, std::move(motion)};
  for (Index i = object.vertices.begin; i < object.vertices.end; ++i) {
    block(model.initial_velocity, i).setZero();
    prescribed.vertices.push_back(i);
  }
  if (!free) model.prescribed.push_back(std::move(prescribed));
  return model.objects.emplace_back(object);
}

inline void set_velocity(Model& model, const Object& object, const Vec3& velocity) {
  for (Index i = object.vertices.begin; i < object.vertices.end; ++i) block(model.initial_velocity, i) = velocity;
}

// With a velocity, which rigid ones start with, too.
inline Object& add(Model& model, const std::string& name, ObjectType type, const Mesh& mesh, const Vec3& position,
                   const Vec3& velocity = Vec3::Zero(), Motion motion = {}) {
  Object& object = add_object(model, name, type, mesh, position, std::move(motion));
  object.velocity = velocity;
  set_velocity(model, object, velocity);
  return object;
}

}  // namespace sim::test
