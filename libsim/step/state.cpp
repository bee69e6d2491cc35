#include "step/state.hpp"

namespace sim {

State initial_state(const Model& model) {
  State state;
  const auto vertices = static_cast<Index>(model.mesh.vertices.size());
  state.x.resize(3 * Eigen::Index{vertices});
  for (Index i = 0; i < vertices; ++i) block(state.x, i) = model.mesh.vertices[i];
  state.v = model.initial_velocity;
  state.left_over.setZero(state.v.size());

  for (const RigidBody& body : model.rigid) {
    state.rigid.push_back(initial_state(body));
    place(body, state.rigid.back(), model.mesh.vertices, state.x);
    set_velocities(body, state.rigid.back(), state.x, state.v);
  }

  constexpr double moment = 1e-6;  // s, over which the initial velocity of told vertices is taken
  for (const ToldVertices& told : model.told) {
    const Pose pose = told.motion.pose(0);
    for (const Index i : told.vertices) block(state.x, i) = pose.apply(model.mesh.vertices[i]);
  }
  told_velocities(model, state, moment, state.v);
  return state;
}

void told_velocities(const Model& model, const State& state, double dt, VecX& velocity) {
  for (const ToldVertices& told : model.told) {
    if (told.motion.stands_still()) {
      for (const Index i : told.vertices) block(velocity, i).setZero();
      continue;
    }
    const Pose pose = told.motion.pose(state.time + dt);
    for (const Index i : told.vertices) {
      block(velocity, i) = (pose.apply(model.mesh.vertices[i]) - block(state.x, i)) / dt;
    }
  }
}

Index first_non_finite(const Model& model, const VecX& velocity) {
  for (const ToldVertices& told : model.told) {
    for (const Index i : told.vertices) {
      if (!block(velocity, i).allFinite()) return model.surface.vertex_object[i];
    }
  }
  return -1;
}

}  // namespace sim
