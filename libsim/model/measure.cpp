#include "model/measure.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <limits>

namespace sim {
namespace {

constexpr double none = std::numeric_limits<double>::quiet_NaN();
constexpr SymmetricTensor no_tensor{none, none, none, none, none, none};

// From one a row of model.elastic.tets to one a row of the mesh's; `missing` of objects that are not deformable.
template <class Value>
std::vector<Value> of_mesh(const Model& model, const std::vector<Value>& elastic, const Value& missing) {
  std::vector<Value> values(model.mesh.tets.size(), missing);
  auto next = elastic.begin();  // model.elastic has the deformable objects one after the other
  for (const Object& object : model.objects) {
    if (object.type != ObjectType::deformable) continue;
    std::copy_n(next, object.tets.size(), values.begin() + object.tets.begin);
    next += object.tets.size();
  }
  return values;
}

}  // namespace

// model.elastic has the tets of deformable objects one after the other.
Index mesh_tet(const Model& model, Index elastic_tet) {
  for (const Object& object : model.objects) {
    if (elastic_tet < 0) break;
    if (object.type != ObjectType::deformable) continue;
    if (elastic_tet < object.tets.size()) return object.tets.begin + elastic_tet;
    elastic_tet -= object.tets.size();
  }
  return -1;
}

Measures measure(const Model& model, const State& state) {
  return measure(model, state, elastic_energy(model.elastic, state.x, unseen_of(state)));
}

Measures measure(const Model& model, const State& state, double elastic_energy) {
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
  for (std::size_t i = 0; i < model.rigid.size(); ++i) {
    const RigidState& body = state.rigid[i];
    const Vec3 p = model.rigid[i].mass * body.velocity;
    sum.kinetic_energy += kinetic_energy(model.rigid[i], body);
    sum.potential_energy -= model.rigid[i].mass * model.gravity.dot(body.center);
    sum.momentum += p;
    sum.angular_momentum += body.center.cross(p) + body.spin;
  }
  sum.elastic_energy = elastic_energy;
  sum.volumes = summarise_volumes(model.elastic, state.x);
  for (SmallestVolume* smallest : {&sum.volumes.of_all, &sum.volumes.of_continued}) {
    smallest->tet = mesh_tet(model, smallest->tet);
  }
  return sum;
}

TetFields tet_fields(const Model& model, const VecX& x, const AskedFields& asked) {
  const TetFields elastic = tet_fields(model.elastic, x, asked);
  TetFields fields;
  if (asked.von_mises) fields.von_mises = of_mesh(model, elastic.von_mises, none);
  if (asked.stress) fields.stress = of_mesh(model, elastic.stress, no_tensor);
  if (asked.strain) fields.strain = of_mesh(model, elastic.strain, no_tensor);
  return fields;
}

}  // namespace sim
