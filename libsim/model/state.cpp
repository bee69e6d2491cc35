#include "model/state.hpp"

#include "model/guides.hpp"

namespace sim {

State initial_state(const Model& model) {
  State state;
  state.x = positions(model.mesh);
  state.v = model.initial_velocity;
  state.left_over.setZero(state.v.size());

  for (const RigidBody& body : model.rigid) {
    state.rigid.push_back(initial_state(body));
    place(body, state.rigid.back(), model.mesh.vertices, state.x);
    set_velocities(body, state.rigid.back(), state.x, state.v);
  }

  constexpr double moment = 1e-6;  // s, over which the initial velocity of prescribed vertices is taken
  Guides guides;
  VecX prescribed = VecX::Zero(state.v.size());
  state.time = -1;  // guided ones go from their place at rest to that at time 0 in a second
  prescribed_velocities(model, state, 1, guides, prescribed);
  state.time = 0;
  for (const Index i : model.guided) block(state.x, i) += block(prescribed, i);
  for (const PrescribedVertices& some : model.prescribed) {
    const Pose pose = some.motion.pose(0);
    for (const Index i : some.vertices) {
      if (model.guide_of_vertex[i] < 0) block(state.x, i) = pose.apply(model.mesh.vertices[i]);
    }
  }
  prescribed_velocities(model, state, moment, guides, prescribed);
  go_as_prescribed(model, guides, prescribed, state.v);
  follow(model.embedding, state.x);
  follow(model.embedding, state.v);
  return state;
}

Index first_non_finite(const Model& model, const VecX& velocity) {
  for (const PrescribedVertices& prescribed : model.prescribed) {
    for (const Index i : prescribed.vertices) {
      if (!block(velocity, i).allFinite()) return model.surface.vertex_object[i];
    }
  }
  return -1;
}

std::string goes_to_non_finite(const Model& model, Index object) {
  return "vertices of \"" + model.objects[object].name +
         "\" are prescribed to go to places that are not finite numbers";
}

}  // namespace sim
