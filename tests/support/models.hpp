// Small models made in code, for tests of the stepper.
#pragma once

#include <functional>
#include <string>
#include <utility>

#include "mesh/mesh.hpp"
#include "model/model.hpp"

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

// Of positions x of all vertices, the mean of some.
inline Vec3 middle(const VecX& x, const Range& vertices) {
  Vec3 sum = Vec3::Zero();
  for (Index v = vertices.begin; v < vertices.end; ++v) sum += block(x, v);
  return sum / vertices.size();
}

inline std::vector<Index> vertices_where(const Model& model, const std::function<bool(const Vec3&)>& chosen) {
  std::vector<Index> vertices;
  for (std::size_t i = 0; i < model.mesh.vertices.size(); ++i) {
    if (chosen(model.mesh.vertices[i])) vertices.push_back(static_cast<Index>(i));
  }
  return vertices;
}

inline void pin(Model& model, const std::function<bool(const Vec3&)>& chosen) {
  model.prescribed.push_back({vertices_where(model, chosen), Motion()});
}

}  // namespace sim::test
