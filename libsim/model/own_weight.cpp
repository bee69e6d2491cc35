#include "model/own_weight.hpp"

#include <algorithm>
#include <limits>

namespace sim {

double mass_of(const Model& model, const Object& object) {
  if (object.type == ObjectType::rigid) {
    const auto first = [](const RigidBody& body) { return body.vertices.begin; };
    return std::ranges::lower_bound(model.rigid, object.vertices.begin, {}, first)->mass;  // they are by object
  }
  return model.elastic.mass.segment(object.vertices.begin, object.vertices.size()).sum();
}

double strain_of_own_weight(const Model& model, const Object& object) {
  if (object.type != ObjectType::deformable || is_thin(object) || model.gravity.isZero()) return 0;
  double low = std::numeric_limits<double>::infinity(), high = -low;  // of X . g, which is g h
  for (Index v = object.vertices.begin; v < object.vertices.end; ++v) {
    const double height = model.mesh.vertices[v].dot(model.gravity);
    low = std::min(low, height);
    high = std::max(high, height);
  }
  const Material& material = model.materials[object.material];
  return material.density * (high - low) / material.young;
}

}  // namespace sim
