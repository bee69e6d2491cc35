#include "step/measure.hpp"

#include <Eigen/Geometry>

namespace sim {

Measures measure(const Model& model, const State& state) {
  Measures sum;
  const auto vertices = static_cast<Index>(model.mesh.vertices.size());
  for (Index i = 0; i < vertices; ++i) {
    const double mass = model.elastic.mass[i];
    if (mass == 0) continue;
    const Vec3 x = block(state.x, i);
    const Vec3 p = mass * block(state.v, i);
    sum.kinetic_energy += 0.5 * p.dot(block(state.v, i));
    sum.potential_energy -= mass * model.gravity.dot(x);
    sum.momentum += p;
    sum.angular_momentum += x.cross(p);
  }
  sum.elastic_energy = elastic_energy(model.elastic, state.x);
  return sum;
}

}  // namespace sim
